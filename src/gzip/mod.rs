//! gzip-compressed files of any format.

mod inflate;
mod map;
pub(crate) mod rules;
mod unpack;
mod write;

pub(crate) use inflate::Inflater;
pub(crate) use map::spaces;
pub(crate) use unpack::{Inside, Promise, Unpacked, admit_opened, is_packed, opened, unpack};
pub use unpack::{gunzip, with_first_bytes};
pub use write::write_gzip;
