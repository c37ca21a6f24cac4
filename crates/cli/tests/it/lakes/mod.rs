//! Tables about many files, as the tool writes them.

#[cfg(not(feature = "convert"))]
mod absent;
#[cfg(feature = "convert")]
mod contracts;
#[cfg(feature = "convert")]
mod lists;
#[cfg(feature = "convert")]
mod previous;
#[cfg(feature = "convert")]
mod since;
#[cfg(feature = "convert")]
mod support;
#[cfg(feature = "convert")]
mod tables;
