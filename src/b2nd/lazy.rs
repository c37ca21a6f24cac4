//! Valid chunks that C-Blosc2 refuses or may refuse.

use super::geometry::Geometry;
use super::rules;
use crate::blosc2::chunk::header::{Chunk, Content};
use crate::blosc2::frame::Frame;
use crate::findings::finding::Finding;
use everybyte::Layout;
use ndbytes_schemas::b2nd::METALAYER;
use ndbytes_schemas::blosc2::ChunkHeader;
use std::ops::Range;

/// C-Blosc2 (3.3.5) reads a chunk partially if it needs at most one out of this many blocks.
const ONE_OF: u64 = 4;

/// The finding for a chunk that C-Blosc2 reads partially although it can read such a chunk only as a whole; otherwise `None`.
pub fn lazy_chunk(frame: &Frame, geometry: Option<&Geometry>, number: u64, chunk: &Chunk) -> Option<Finding> {
    let (field, fact) = match chunk.content {
        Content::Zeros => ("extension.chunk_kind", "states in its header that all its items are zero"),
        Content::Nan => ("extension.chunk_kind", "states in its header that all its items are NaN"),
        Content::Uninitialised => ("extension.chunk_kind", "states in its header that its items are uninitialised"),
        _ if chunk.header_length == ChunkHeader::MIN_SIZE => ("version", "has the short header of Blosc 1"),
        _ => return None,
    };
    let reason = match number {
        0 => "the first one, which C-Blosc2 reads in part",
        _ if geometry.is_some_and(|geometry| is_mostly_padding(frame, geometry, number)) => {
            "mostly padding, so C-Blosc2 reads it in part"
        }
        _ => return None,
    };
    Some(Finding::new(&rules::LAZY_CHUNK, field, 0..0, format!("chunk {number} {fact}, and is {reason}")))
}

/// The finding for a chunk whose streams need a dictionary; `None` if they do not.
pub fn dictionary_used(number: u64, chunk: &Chunk) -> Option<Finding> {
    let is_used = matches!(chunk.content, Content::Blocks { dictionary: true, .. });
    let message = format!("the streams of chunk {number} need its dictionary");
    is_used.then(|| Finding::new(&rules::DICTIONARY_USED, "extension.chunk_kind", 0..0, message))
}

/// Returns whether at most a quarter of the blocks of a chunk contain items of the array. This never applies to caterva arrays,
/// because C-Blosc2 reads them from a copy in memory.
fn is_mostly_padding(frame: &Frame, geometry: &Geometry, number: u64) -> bool {
    let chunks = geometry.place(number, |axis| axis.chunks());
    let needed = geometry.axes.iter().zip(chunks).map(|(axis, chunk)| {
        let Range { start, end } = chunk * axis.chunk..((chunk + 1) * axis.chunk).min(axis.extent);
        (end - start.min(end)).div_ceil(axis.block.max(1))
    });
    let needed: u64 = needed.product();
    frame.metalayer(METALAYER).is_some() && needed.saturating_mul(ONE_OF) <= geometry.block_count
}
