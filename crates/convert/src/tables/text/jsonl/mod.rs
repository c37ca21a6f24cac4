//! JSON Lines: an object a line.

mod column;
mod parse;
mod read;
mod write;

pub use read::Reader;
pub use write::Writer;
