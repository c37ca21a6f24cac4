//! Arrays in memory: their elements and items, and their `.npy` writer.

#[cfg(feature = "_arrays")]
pub mod any;
#[cfg(feature = "_elements")]
pub mod elements;
#[cfg(feature = "_elements")]
pub mod extremes;
pub mod items;
pub mod npy;
pub mod pixels;
#[cfg(feature = "_elements")]
pub mod plain;
#[cfg(feature = "_arrays")]
pub mod selection;
pub mod sink;
