//! IDV tables as Arrow record batches and back, and the findings of many files as tables.

pub(crate) mod annotations;
pub(crate) mod choices;
mod error;
pub mod idv;
#[cfg(feature = "lake")]
pub mod lake;
pub mod metadata;
pub mod table;
pub(crate) mod ticks;

pub use error::{Error, Result};
