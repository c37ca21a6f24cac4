//! IDV tables as Arrow record batches and back, and the findings of many files as tables.

#[cfg(feature = "lake")]
pub mod lake;
pub mod table;
