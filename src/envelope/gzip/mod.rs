//! gzip, in which a file of any format travels.

mod inflate;
mod map;
pub(crate) mod rules;
mod unpack;
mod write;

pub(crate) use inflate::Inflater;
pub(crate) use map::spaces;
pub use unpack::gunzip;
pub(crate) use unpack::{Inside, Promise, Unpacked, admit_opened, is_packed, opened, unpack, with_first_bytes};
pub use write::write_gzip;
