//! Blosc2 frames: compressed chunks of bytes. The module `b2nd` handles the array inside a frame.

pub(crate) mod ahead;
pub(crate) mod as_read;
pub(crate) mod attributes;
pub(crate) mod chunk;
pub(crate) mod frame;
pub(crate) mod index;
mod judge_header;
pub(crate) mod locate;
pub(crate) mod metalayers;
pub(crate) mod objects;
pub(crate) mod overlap;
pub(crate) mod read_frame;
mod read_index;
pub(crate) mod repair;
pub(crate) mod rules;
pub(crate) mod super_chunk;
pub(crate) mod write;

pub use super_chunk::{Options, SuperChunk, from_reader, from_slice, open};
