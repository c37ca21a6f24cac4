//! Files of any format: the room above those of the formats.

#[cfg(feature = "_arrays")]
pub mod array;
pub mod check;
#[cfg(feature = "_arrays")]
pub mod convert;
#[cfg(feature = "_formats")]
pub mod file;
pub mod info;
pub mod layouts;
mod named;
pub mod rooms;
pub mod rules;
