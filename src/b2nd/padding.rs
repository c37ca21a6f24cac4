//! Padding: the items of blocks outside the array or the chunk.

use super::geometry::{Axis, Geometry};
use crate::blosc2::chunk::header::{Chunk, Content};
use crate::blosc2::chunk::loader::Loader;
use crate::blosc2::chunk::stored::StoredChunk;
use crate::bytes::limits::Budget;
use crate::error::Result;

/// Returns the number of items in a block, along each axis, that belong to the array.
fn inside(geometry: &Geometry, chunk: u64, block: u64) -> Vec<u64> {
    geometry.items_of_block(chunk, block).into_iter().map(|items| items.end - items.start).collect()
}

/// Returns whether a block of a chunk has items that do not belong to the array.
pub fn has_padding(geometry: &Geometry, chunk: u64, block: u64) -> bool {
    is_padded(geometry, &inside(geometry, chunk, block))
}

/// Like `has_padding`, but for a block whose number of items inside the array along each axis is already known.
fn is_padded(geometry: &Geometry, inside: &[u64]) -> bool {
    geometry.axes.iter().zip(inside).any(|(axis, &inside)| inside < axis.block)
}

/// The first block of a chunk whose padding is not uniform. The chunk must already have been decoded without a finding.
pub fn used_padding(
    geometry: &Geometry,
    number: u64,
    chunk: &Chunk,
    stored: &StoredChunk<'_>,
    loader: &mut Loader,
    budget: &Budget,
) -> Result<Option<u64>> {
    if !matches!(chunk.content, Content::Blocks { .. } | Content::Stored) || chunk.block_count() != geometry.block_count
    {
        return Ok(None);
    }
    let item_size = (chunk.nbytes / geometry.chunk_items) as usize;
    let mut padded = (0..geometry.block_count).map(|block| (block, inside(geometry, number, block)));
    let mut has_entered = false;
    while let Some((block, inside)) = padded.by_ref().find(|(_, inside)| is_padded(geometry, inside)) {
        if !has_entered && loader.enter(chunk, stored, 1, budget)?.is_err() {
            return Ok(None);
        }
        has_entered = true;
        let length = chunk.block_length(block) as usize;
        let Ok(outcome) = loader.block(chunk, stored, block, item_size, length, budget)? else { return Ok(None) };
        let mut bytes = Vec::new();
        crate::blosc2::chunk::blocks::make_room(&mut bytes, length, budget)?;
        outcome.decoded.copy_to(0, &mut bytes);
        let is_used = !is_even_outside(&bytes, &geometry.axes, &inside, item_size, &mut None);
        budget.give_back(bytes.capacity() as u64);
        if is_used {
            return Ok(Some(block));
        }
    }
    Ok(None)
}

/// Returns whether all items of a block outside the array equal `value`, which is set to the first of them if it is `None`. It need
/// not be zero: filling an array with a value also fills its padding.
fn is_even_outside<'b>(
    bytes: &'b [u8],
    axes: &[Axis],
    inside: &[u64],
    item_size: usize,
    value: &mut Option<&'b [u8]>,
) -> bool {
    let (Some((axis, axes)), Some((&here, inside))) = (axes.split_first(), inside.split_first()) else { return true };
    let each = axes.iter().map(|axis| axis.block as usize).product::<usize>() * item_size;
    let (kept, outside) = bytes.split_at((here.min(axis.block) as usize * each).min(bytes.len()));
    outside.chunks_exact(item_size).all(|item| *value.get_or_insert(item) == item)
        && kept.chunks_exact(each).all(|row| is_even_outside(row, axes, inside, item_size, value))
}
