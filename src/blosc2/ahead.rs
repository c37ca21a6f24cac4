//! Chunks of a source that will be read soon, with their positions from the index.
//!
//! A chunk that is only partly needed can be read in two ways: completely in one round trip, or in two, first its table of blocks
//! and then the blocks. The second way transfers fewer bytes, but takes longer to respond. It is chosen for chunks of more than
//! [`SMALL`] bytes, and for smaller ones if complete chunks would transfer more than [`SURPLUS`] unneeded bytes.

use super::chunk::header::LONGEST_HEADER;
use super::frame::Frame;
use crate::bytes::input::Input;
use crate::bytes::pages::Gap;
use crate::error::Result;
use ndbytes_schemas::blosc2::IndexEntry;
use std::ops::Range;

/// Chunks up to this length may be read completely, however few of their bytes are needed.
const SMALL: u64 = 1 << 20;

/// The maximum number of unneeded bytes that are read from several chunks to save a round trip.
const SURPLUS: u64 = 4 << 20;

/// The maximum number of chunks whose unneeded bytes are added up.
const LOOKED_AT: usize = 1 << 10;

/// The number of bytes that are first read from a chunk that is only partly needed. They usually contain the offsets of its blocks.
const HEAD: u64 = 4 << 10;

/// The number of bytes in the position of a block.
const BLOCK_START: u64 = 4;

/// A chunk is read completely if at least one out of this many of its bytes is needed.
const PART: u64 = 2;

/// A chunk, and how many of its decoded bytes are requested.
pub struct Wanted {
    pub chunk: u64,
    pub bytes: u64,
}

/// Chunks that were prepared.
pub struct Prepared {
    /// The number of chunks that could be prepared, which is at least one.
    pub chunks: usize,
    /// True if only the headers of some chunks were read.
    pub by_heads: bool,
}

/// Announces that chunks will be read.
pub fn prepare(input: &Input<'_>, frame: &Frame, chunks: impl Iterator<Item = Wanted> + Clone) -> Result<Prepared> {
    if !input.is_source() || frame.is_sparse() {
        return Ok(Prepared { chunks: usize::MAX, by_heads: false });
    }
    // The first error ends the list. It occurs again when the chunk is read.
    let looked_at =
        chunks.clone().take(LOOKED_AT).map_while(|wanted| Some((place(input, frame, &wanted).ok()?, wanted)));
    let surplus = |(place, wanted): (Range<u64>, Wanted)| match is_mostly_wanted(frame, &wanted) {
        true => 0,
        false => place.end - place.start,
    };
    let spares_trip = looked_at.map(surplus).fold(0, u64::saturating_add) <= SURPLUS;
    let by_heads = |place: &Range<u64>, wanted: &Wanted| {
        !(is_mostly_wanted(frame, wanted) || spares_trip && place.end - place.start <= SMALL)
    };
    let mut with_heads = false;
    let places = chunks.map_while(|wanted| {
        let place = place(input, frame, &wanted).ok()?;
        if !by_heads(&place, &wanted) {
            return Some(place);
        }
        with_heads = true;
        Some(place.start..place.end.min(place.start.saturating_add(head(frame, wanted.chunk))))
    });
    let gap = if spares_trip { Gap::Wide } else { Gap::None };
    let chunks = input.prepare_apart(places, gap)?;
    Ok(Prepared { chunks, by_heads: with_heads })
}

/// Announces that parts of chunks will be read. Returns the number of parts that could be prepared, which is at least one.
pub fn prepare_parts(input: &Input<'_>, parts: impl Iterator<Item = Range<u64>>) -> Result<usize> {
    input.prepare_apart(parts, Gap::None)
}

/// Returns whether enough of a chunk is needed to read all of it.
fn is_mostly_wanted(frame: &Frame, wanted: &Wanted) -> bool {
    wanted.bytes >= frame.chunk_bytes(wanted.chunk) / PART
}

/// Returns the number of bytes of a chunk that contain the positions of its blocks, judging by the header of the frame.
fn head(frame: &Frame, chunk: u64) -> u64 {
    let block = u64::try_from(frame.header.blocksize.0).unwrap_or(0).max(1);
    let table = frame.chunk_bytes(chunk).div_ceil(block).saturating_mul(BLOCK_START);
    HEAD.max(table.saturating_add(LONGEST_HEADER))
}

/// Returns the range of bytes from the start of a chunk to the next one; empty if nothing is stored.
fn place(input: &Input<'_>, frame: &Frame, wanted: &Wanted) -> Result<Range<u64>> {
    let IndexEntry::At(offset) = frame.index.entry(wanted.chunk) else { return Ok(0..0) };
    let Some(room) = frame.chunk_place(offset) else { return Ok(0..0) };
    let next = frame.index.next_start(offset, input.budget())?;
    let end = next.map_or(room.end, |next| (frame.header_length.saturating_add(next)).min(room.end));
    Ok(room.start..end.max(room.start))
}
