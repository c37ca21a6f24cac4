//! CSV, as RFC 4180 has it: a header line with the names of the columns, then a line a row.

mod fields;
mod read;
mod write;

pub use read::Reader;
pub use write::Writer;
pub(in crate::tables) use write::slot_names;
