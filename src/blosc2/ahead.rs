//! Chunks of a source that will be read soon: their places, which the index states.

use super::chunk::header::LONGEST_HEADER;
use super::frame::Frame;
use crate::bytes::input::Input;
use crate::bytes::pages::Gap;
use crate::error::Result;
use ndbytes_schemas::blosc2::IndexEntry;
use std::ops::Range;

/// Chunks up to this length may be read in whole, whatever is wanted of them.
const SMALL: u64 = 1 << 20;

/// Unwanted bytes of several chunks that are read to save a round trip.
const SURPLUS: u64 = 4 << 20;

/// The number of chunks that are looked at to add up unwanted bytes.
const LOOKED_AT: usize = 1 << 10;

/// Bytes of a chunk of which little is wanted: the places of its blocks are in them.
const HEAD: u64 = 4 << 10;

/// Bytes of the place of a block.
const BLOCK_START: u64 = 4;

/// A chunk of which at least one in so many bytes is wanted is read in whole.
const PART: u64 = 2;

/// A chunk, and the number of its bytes that are wanted, decoded.
pub struct Wanted {
    pub chunk: u64,
    pub bytes: u64,
}

/// Chunks that were prepared.
pub struct Prepared {
    /// The number of chunks for which that helps, at least one.
    pub chunks: usize,
    /// True if of some of them only the heads were read.
    pub by_heads: bool,
}

/// Says that chunks will be read.
pub fn prepare(input: &Input<'_>, frame: &Frame, chunks: impl Iterator<Item = Wanted> + Clone) -> Result<Prepared> {
    if !input.is_source() || frame.is_sparse() {
        return Ok(Prepared { chunks: usize::MAX, by_heads: false });
    }
    // The first error ends the list: it comes up again where the chunk is read.
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

/// Says that parts of chunks will be read. Returns the number of parts for which that helps, at least one.
pub fn prepare_parts(input: &Input<'_>, parts: impl Iterator<Item = Range<u64>>) -> Result<usize> {
    input.prepare_apart(parts, Gap::None)
}

/// Returns whether enough of a chunk is wanted to read all of it.
fn is_mostly_wanted(frame: &Frame, wanted: &Wanted) -> bool {
    wanted.bytes >= frame.chunk_bytes(wanted.chunk) / PART
}

/// The bytes of a chunk in which the places of its blocks are, as the header of the frame has them.
fn head(frame: &Frame, chunk: u64) -> u64 {
    let block = u64::try_from(frame.header.blocksize.0).unwrap_or(0).max(1);
    let table = frame.chunk_bytes(chunk).div_ceil(block).saturating_mul(BLOCK_START);
    HEAD.max(table.saturating_add(LONGEST_HEADER))
}

/// The bytes of a chunk: up to the next one; empty if nothing is stored.
fn place(input: &Input<'_>, frame: &Frame, wanted: &Wanted) -> Result<Range<u64>> {
    let IndexEntry::At(offset) = frame.index.entry(wanted.chunk) else { return Ok(0..0) };
    let Some(room) = frame.chunk_place(offset) else { return Ok(0..0) };
    let next = frame.index.next_start(offset, input.budget())?;
    let end = next.map_or(room.end, |next| (frame.header_length.saturating_add(next)).min(room.end));
    Ok(room.start..end.max(room.start))
}
