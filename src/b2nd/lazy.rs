//! Chunks that are valid, but that C-Blosc2 refuses, or may refuse.

use super::geometry::Geometry;
use super::rules;
use crate::blosc2::chunk::header::{Chunk, Content};
use crate::blosc2::frame::Frame;
use crate::findings::finding::Finding;
use everybyte::Layout;
use ndbytes_schemas::b2nd::METALAYER;
use ndbytes_schemas::blosc2::ChunkHeader;
use std::ops::Range;

/// C-Blosc2 (3.3.5) reads a chunk in part if it needs one block of so many, or fewer.
const ONE_OF: u64 = 4;

/// A finding about a chunk that C-Blosc2 reads in part, but can only read whole; `None` if it is not such a chunk.
pub fn lazy_chunk(frame: &Frame, geometry: Option<&Geometry>, number: u64, chunk: &Chunk) -> Option<Finding> {
    let (field, fact) = match chunk.content {
        Content::Zeros => ("extension.chunk_kind", "states in its header that all its items are zero"),
        Content::Nan => ("extension.chunk_kind", "states in its header that all its items are NaN"),
        Content::Uninitialised => ("extension.chunk_kind", "states in its header that its items are not initialised"),
        _ if chunk.header_length == ChunkHeader::MIN_SIZE => ("version", "has the short header of Blosc 1"),
        _ => return None,
    };
    let reason = match number {
        0 => "the first one, which C-Blosc2 reads in part",
        _ if geometry.is_some_and(|geometry| is_mostly_padding(frame, geometry, number)) => {
            "mostly padding, so that C-Blosc2 reads it in part"
        }
        _ => return None,
    };
    Some(Finding::new(&rules::LAZY_CHUNK, field, 0..0, format!("chunk {number} {fact}, and is {reason}")))
}

/// A finding about a chunk whose streams need a dictionary; `None` if they do not.
pub fn dictionary_used(number: u64, chunk: &Chunk) -> Option<Finding> {
    let is_used = matches!(chunk.content, Content::Blocks { dictionary: true, .. });
    let message = format!("the streams of chunk {number} need its dictionary");
    is_used.then(|| Finding::new(&rules::DICTIONARY_USED, "extension.chunk_kind", 0..0, message))
}

/// Returns whether the array has items in a quarter of the blocks of a chunk, or in fewer. Arrays of caterva are not read
/// from the file, but from a copy in memory.
fn is_mostly_padding(frame: &Frame, geometry: &Geometry, number: u64) -> bool {
    let chunks = geometry.place(number, |axis| axis.chunks());
    let needed = geometry.axes.iter().zip(chunks).map(|(axis, chunk)| {
        let Range { start, end } = chunk * axis.chunk..((chunk + 1) * axis.chunk).min(axis.extent);
        (end - start.min(end)).div_ceil(axis.block.max(1))
    });
    let needed: u64 = needed.product();
    frame.metalayer(METALAYER).is_some() && needed.saturating_mul(ONE_OF) <= geometry.block_count
}
