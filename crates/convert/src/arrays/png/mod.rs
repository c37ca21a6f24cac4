//! An item of an array, or a sheet of several, as PNG.

mod picture;
mod scale;
mod write;

pub use picture::is_scaled;
pub use write::{file, write};
