//! Chunks of a source that will be read soon: their places, which the index states.

use super::frame::Frame;
use crate::bytes::input::Input;
use crate::error::Result;
use ndbytes_schemas::blosc2::IndexEntry;
use std::ops::Range;

/// Chunks up to this length are read in whole, whatever is wanted of them.
const SMALL: u64 = 1 << 20;

/// Bytes of a chunk of which little is wanted: the places of its blocks are in them.
const HEAD: u64 = 4 << 10;

/// The part of a chunk from which on the whole chunk is read.
const PART: u64 = 8;

/// A chunk, and the number of its bytes that are wanted, decoded.
pub struct Wanted {
    pub chunk: u64,
    pub bytes: u64,
}

/// Says that chunks will be read. Returns the number of chunks for which that helps, at least one.
pub fn prepare(input: &Input<'_>, frame: &Frame, chunks: impl Iterator<Item = Wanted>) -> Result<usize> {
    if !input.is_source() || frame.is_sparse() {
        return Ok(usize::MAX);
    }
    // The first error ends the list: it comes up again where the chunk is read.
    let places = chunks.map_while(|wanted| place(input, frame, &wanted).ok());
    input.prepare(places)
}

/// The bytes to be read for a chunk: up to the next one; empty if nothing is stored.
fn place(input: &Input<'_>, frame: &Frame, wanted: &Wanted) -> Result<Range<u64>> {
    let IndexEntry::At(offset) = frame.index.entry(wanted.chunk) else { return Ok(0..0) };
    let Some(room) = frame.chunk_place(offset) else { return Ok(0..0) };
    let next = frame.index.next_start(offset, input.budget())?;
    let end = next.map_or(room.end, |next| (frame.header_length.saturating_add(next)).min(room.end));
    let is_whole = end - room.start <= SMALL || wanted.bytes >= frame.chunk_bytes(wanted.chunk) / PART;
    Ok(room.start..if is_whole { end } else { room.start + HEAD })
}
