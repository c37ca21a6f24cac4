//! Announces chunks and blocks of a source that will be read soon.

use super::shared::Shared;
use super::walk::{Walk, blocks, blocks_at_most};
use crate::arrays::selection::AxisSelection;
use crate::b2nd::geometry::Axis;
use crate::blosc2::ahead::{self, Wanted, prepare_parts};
use crate::blosc2::chunk::header::{Blocks, Chunk, Content, read_blocks};
use crate::blosc2::chunk::stored::StoredChunk;
use crate::blosc2::locate::{Located, locate};
use crate::bytes::limits::Debit;
use crate::error::Result;
use crate::findings::collect::Findings;
use std::ops::Range;

/// The maximum number of chunks whose blocks are looked up at once.
const AT_ONCE: usize = 1 << 10;

/// Announces that the requested items of chunks will be read. Returns the number of chunks that could be prepared, which is at
/// least one. If chunks are needed only partly, their headers are read first and then the blocks, which takes two round trips.
pub fn prepare<'w>(
    shared: Shared<'_>,
    chunks: impl Iterator<Item = (&'w [AxisSelection], Walk)> + Clone,
) -> Result<usize> {
    let geometry = shared.geometry;
    let block = geometry.block_items.saturating_mul(shared.frame.item_size());
    let wanted = chunks.clone().map(|(picks, walk)| Wanted {
        chunk: walk.number(&geometry.axes, Axis::chunks),
        bytes: blocks_at_most(geometry, picks, &walk.pieces).saturating_mul(block),
    });
    let prepared = ahead::prepare(shared.input, shared.frame, wanted)?;
    if !prepared.by_heads {
        return Ok(prepared.chunks);
    }
    let (mut parts, mut ends) = (Vec::new(), Vec::new());
    let debit = Debit::new(shared.input.budget());
    for (picks, walk) in chunks.take(prepared.chunks.min(AT_ONCE)) {
        // The lists contain the numbers of blocks once and their positions twice.
        let most = blocks_at_most(geometry, picks, &walk.pieces);
        debit.take(most.saturating_mul(3 * size_of::<Range<u64>>() as u64), "the places of blocks")?;
        parts.extend(places(shared, picks, &walk)?);
        ends.push(parts.len());
    }
    let ready = prepare_parts(shared.input, parts.into_iter())?;
    Ok(ends.iter().take_while(|&&end| end <= ready).count().max(1))
}

/// Returns the positions in the file of the requested blocks of a chunk, and of everything that they depend on. A finding is
/// ignored here, because it is reported when the chunk is read.
fn places(shared: Shared<'_>, picks: &[AxisSelection], walk: &Walk) -> Result<Vec<Range<u64>>> {
    let number = walk.number(&shared.geometry.axes, Axis::chunks);
    let Ok(Located::Stored(mut stored)) = locate(shared.input, shared.frame, number)? else { return Ok(Vec::new()) };
    let expected = shared.frame.expected(number, shared.geometry.demanded_blocks());
    let space = shared.frame.stored_space(number);
    let Some(chunk) = stored.chunk(expected, number, space, &mut Findings::default())? else { return Ok(Vec::new()) };
    let wanted = &blocks(shared.geometry, picks, &walk.pieces)[..];
    let is_whole = chunk.block_size != shared.geometry.block_items.saturating_mul(shared.frame.item_size())
        || wanted.len() as u64 * 2 >= chunk.block_count();
    let places = match &chunk.content {
        Content::Blocks { .. } | Content::Stored if is_whole => std::iter::once(0..chunk.cbytes).collect(),
        Content::Stored => wanted.iter().map(|&block| stored_block(&chunk, block)).collect(),
        Content::Blocks { .. } => compressed_blocks(shared, &chunk, &stored, wanted)?,
        _ => Vec::new(),
    };
    Ok(places.into_iter().map(|place| stored.base + place.start..stored.base + place.end).collect())
}

/// Returns the position of a block in a chunk that is stored uncompressed.
fn stored_block(chunk: &Chunk, block: u64) -> Range<u64> {
    let start = chunk.header_length + block * chunk.block_size;
    start..start + chunk.block_length(block)
}

/// Returns the positions of compressed blocks, their dictionary, and the block that a delta filter refers to.
fn compressed_blocks(
    shared: Shared<'_>,
    chunk: &Chunk,
    stored: &StoredChunk<'_>,
    wanted: &[u64],
) -> Result<Vec<Range<u64>>> {
    let (mut table, mut read) = (Vec::new(), Blocks::default());
    let budget = shared.input.budget();
    let head = stored.fetch(0..chunk.table_length(), &mut table, budget);
    let is_read = head.map(|head| read_blocks(chunk, head, &mut read).is_ok());
    budget.give_back(table.capacity() as u64);
    if !is_read? {
        return Ok(Vec::new());
    }
    let first = chunk.has_delta().then_some(0);
    let blocks = first.into_iter().chain(wanted.iter().copied());
    let places = blocks.filter_map(|block| read.places.get(block as usize));
    let places = places.map(|place| place.start.into()..place.end.into());
    Ok(read.dictionary.clone().into_iter().chain(places).collect())
}
