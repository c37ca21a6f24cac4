//! JSON Lines: one object per line.

mod column;
mod parse;
mod read;
mod write;

pub use read::Reader;
pub use write::Writer;
pub(super) use write::{ensure, push, quoted};
