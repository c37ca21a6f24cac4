//! IDV tables as Arrow record batches and back, and the findings of many files as tables.

pub(crate) mod annotations;
pub(crate) mod choices;
mod error;
#[cfg(feature = "ipc")]
mod guarded;
pub mod idv;
#[cfg(feature = "ipc")]
pub mod ipc;
#[cfg(feature = "lake")]
pub mod lake;
pub mod metadata;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod table;
pub(crate) mod ticks;

pub use error::{Error, Result};
