//! Reads blocks: decompresses their bytes, and decodes the values in them.

pub mod batches;
pub mod blocks;
pub mod columns;
pub mod decode;
pub mod dense;
pub mod portions;
mod rows;
pub mod stream;
pub mod target;
mod vectors;
