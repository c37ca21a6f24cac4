//! IDV.

mod any_bytes;
mod block;
mod codecs;
mod file_parts;
pub(crate) mod model;
mod naive;
mod table;
mod value;

pub use any_bytes::examine_bytes;
pub use block::Sample as BlockSample;
pub use value::Sample;
