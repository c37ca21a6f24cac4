//! b2nd, and the chunks and codecs of Blosc2.

mod any_bytes;
mod array;
mod chunk;
pub mod codecs;
mod filters;
mod plain;
mod streams;
mod value;
mod written;

pub use any_bytes::examine_bytes;
pub use chunk::Sample as ChunkSample;
pub use streams::{Input as LzInput, input as lz_input};
pub use value::Sample;
