//! Boxes of an array that are written one after another, so that the array is never completely in memory.
//!
//! A box consists of whole chunks that are consecutive in chunk order. The chunks of a box can therefore be compressed and appended
//! as soon as its items are known, and the file is the same as if the array had been written at once. For this purpose, a box has
//! one chunk along the leading axes, several along one axis, and all chunks along the axes after it. That axis is chosen so that a
//! box comes as close to [`MOST`] bytes as possible.

use crate::b2nd::geometry::{Axis, Geometry};
use std::ops::Range;

/// The maximum number of bytes of a box, unless a single chunk has more.
const MOST: u64 = 64 << 20;

/// Boxes of whole chunks that are consecutive in chunk order.
pub struct Slabs<'g> {
    geometry: &'g Geometry,
    /// The axis along which a box has several chunks, and their number. A box has one chunk along each previous axis, and all
    /// chunks along the following ones.
    axis: usize,
    chunks: u64,
    /// The index of the next chunk.
    next: u64,
}

impl<'g> Slabs<'g> {
    /// Creates the boxes of an array with items of this size.
    pub fn new(geometry: &'g Geometry, item_size: u64) -> Self {
        Slabs::of(geometry, item_size, MOST)
    }

    /// Like `Slabs::new`, but with at most this many bytes per box, unless a single chunk is larger.
    pub fn of(geometry: &'g Geometry, item_size: u64, most: u64) -> Self {
        let axes = &geometry.axes;
        let extent = |axis: usize, place: usize| {
            let Axis { extent, chunk, .. } = axes[place];
            if place <= axis { chunk.min(extent) } else { extent }
        };
        // The number of bytes in a box with a single chunk along an axis.
        let bytes = |axis: usize| {
            let extents = (0..axes.len()).map(|place| extent(axis, place));
            extents.fold(item_size, |bytes, extent| bytes.saturating_mul(extent))
        };
        let axis = (0..axes.len()).find(|&axis| bytes(axis) <= most).unwrap_or(axes.len().saturating_sub(1));
        let chunks = if axes.is_empty() { 1 } else { (most / bytes(axis).max(1)).max(1) };
        Slabs { geometry, axis, chunks, next: 0 }
    }
}

impl Iterator for Slabs<'_> {
    type Item = Vec<Range<u64>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.geometry.chunk_count {
            return None;
        }
        let first = self.geometry.place(self.next, Axis::chunks);
        let mut count = 1;
        let axes = self.geometry.axes.iter().zip(first).enumerate();
        let ranges = axes.map(|(place, (axis, first))| {
            let chunks = match place {
                place if place < self.axis => 1,
                place if place == self.axis => self.chunks.min(axis.chunks() - first),
                _ => axis.chunks(),
            };
            count *= chunks;
            first * axis.chunk..(first + chunks).saturating_mul(axis.chunk).min(axis.extent)
        });
        let ranges = ranges.collect();
        self.next += count;
        Some(ranges)
    }
}

/// The geometry of a box of whole chunks.
pub fn within(geometry: &Geometry, ranges: &[Range<u64>]) -> Geometry {
    let axes = geometry.axes.iter().zip(ranges);
    let axes: Vec<Axis> = axes.map(|(axis, range)| Axis { extent: range.end - range.start, ..*axis }).collect();
    let product = |along: fn(&Axis) -> u64| axes.iter().map(along).product();
    Geometry { items: product(|axis| axis.extent), chunk_count: product(Axis::chunks), axes, ..*geometry }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(axes: &[(u64, u64)]) -> Geometry {
        let axes: Vec<Axis> =
            axes.iter().map(|&(extent, chunk)| Axis { extent, chunk, block: chunk.div_ceil(2) }).collect();
        let product = |along: fn(&Axis) -> u64| axes.iter().map(along).product();
        let (items, chunk_items) = (product(|axis| axis.extent), product(|axis| axis.chunk));
        let (block_items, block_count) = (product(|axis| axis.block), product(Axis::blocks));
        let chunk_count = product(Axis::chunks);
        Geometry { axes, items, chunk_items, block_items, chunk_count, block_count }
    }

    #[test]
    fn boxes_have_all_chunks_in_their_order() {
        for axes in [&[][..], &[(7, 3)], &[(7, 3), (5, 2)], &[(1, 1), (9, 4), (6, 5)], &[(4, 4), (4, 1), (3, 2)]] {
            let whole = geometry(axes);
            for most in [1, 8, 20, 50, 1000] {
                let mut number = 0;
                for ranges in Slabs::of(&whole, 1, most) {
                    let part = within(&whole, &ranges);
                    assert!(part.items <= most || part.chunk_count == 1, "{axes:?} {most} {ranges:?}");
                    for chunk in 0..part.chunk_count {
                        let items = part.items_of_block(chunk, 0).into_iter().zip(&ranges);
                        let items: Vec<_> =
                            items.map(|(items, range)| items.start + range.start..items.end + range.start).collect();
                        assert_eq!(items, whole.items_of_block(number, 0), "{axes:?} {most}");
                        number += 1;
                    }
                }
                assert_eq!(number, whole.chunk_count, "{axes:?} {most}");
            }
        }
    }
}
