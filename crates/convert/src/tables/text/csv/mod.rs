//! CSV as defined by RFC 4180: a header line with the names of the columns, followed by one line per row.

mod fields;
mod read;
mod write;

pub use read::Reader;
pub use write::Writer;
pub(in crate::tables) use write::slot_names;
