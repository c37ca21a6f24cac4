//! IDX, plain and in gzip.

mod any_bytes;
mod value;

pub use any_bytes::examine_bytes;
pub use value::Sample;
