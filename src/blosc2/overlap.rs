//! Chunks that claim the same bytes.
//!
//! C-Blosc2 does not check whether two entries of the index point to the same chunk. However, a file of a few kilobytes could then
//! claim any number of chunks, each of which would be decoded. It is therefore an error here.

use super::frame::Frame;
use super::rules;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use ndbytes_schemas::blosc2::IndexEntry;
use ndbytes_schemas::blosc2::folder::chunk_file;

/// A chunk, and its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    pub at: u64,
    pub chunk: u64,
}

/// The finding for a chunk whose first byte, or whose file, belongs to a previous chunk.
pub fn overlap(frame: &Frame, first: u64, second: Claim) -> Finding {
    let Claim { at, chunk } = second;
    let message = match frame.is_sparse() {
        true => format!("chunks {first} and {chunk} are both in file {}", chunk_file(at)),
        false => format!("chunk {chunk} begins at byte {at} of the chunks, inside chunk {first}"),
    };
    let field = format!("index.entries[{chunk}]");
    Finding::new(&rules::OVERLAPPING_CHUNKS, &field, frame.index_place.clone(), message)
}

/// Checks whether another chunk begins inside a chunk of `cbytes` bytes that is about to be read.
///
/// # Errors
/// [`Error::Limit`](crate::Error::Limit) if a list of all offsets exceeds the memory limit.
pub fn judge_overlap(input: &Input<'_>, frame: &Frame, number: u64, cbytes: u64) -> Result<Option<Finding>> {
    let IndexEntry::At(at) = frame.index.entry(number) else { return Ok(None) };
    let length = if frame.is_sparse() { 1 } else { cbytes.max(1) };
    let Some(other) = frame.index.second_start(at..at.saturating_add(length), input.budget())? else { return Ok(None) };
    if !frame.is_sparse() && frame.chunk_place(other).is_none() {
        // No chunk can begin there. This is reported when the chunk is located.
        return Ok(None);
    }
    let is_other = |&chunk: &u64| chunk != number && frame.index.entry(chunk) == IndexEntry::At(other);
    let Some(chunk) = frame.index.distinct().find(is_other) else { return Ok(None) };
    let mut claims = [Claim { at, chunk: number }, Claim { at: other, chunk }];
    claims.sort_unstable();
    Ok(Some(overlap(frame, claims[0].chunk, claims[1])))
}
