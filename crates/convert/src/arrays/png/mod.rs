//! Writes an item of an array, or a sheet of several items, as PNG.

mod picture;
mod scale;
mod write;

pub use picture::is_scaled;
pub use write::{file, write};
