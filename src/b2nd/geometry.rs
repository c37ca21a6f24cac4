//! The geometry of an array: the chunk, block and position of each item.
//!
//! Along each axis, an array is divided into chunks, and each chunk into blocks. Both are padded at their ends, so all chunks have
//! the same decoded length, and so do all blocks. Chunks and blocks are numbered in C order.
//!
//! [`Geometry::of`] refuses lengths whose products overflow, including the padding. Code that has a geometry therefore multiplies
//! without checks. An array without items is an exception: its other axes may have any length.

use ndbytes_schemas::b2nd::ArrayLayer;
use std::ops::Range;

/// How an array is divided into chunks, and chunks into blocks. All lengths are in items, axis by axis, with the last axis varying fastest.
#[derive(Debug, Clone)]
pub struct Geometry {
    /// The axes.
    pub axes: Vec<Axis>,
    /// The number of items in the array.
    pub items: u64,
    /// The number of items in a chunk, including padding.
    pub chunk_items: u64,
    /// The number of items in a block, including padding.
    pub block_items: u64,
    /// The number of chunks in the array.
    pub chunk_count: u64,
    /// The number of blocks in a chunk.
    pub block_count: u64,
}

/// One axis of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    /// The number of items.
    pub extent: u64,
    /// The length of a chunk. The last one may extend beyond the array.
    pub chunk: u64,
    /// The length of a block. The last one may extend beyond the chunk.
    pub block: u64,
}

impl Axis {
    /// The number of chunks along the axis.
    pub fn chunks(&self) -> u64 {
        if self.chunk == 0 { 0 } else { self.extent.div_ceil(self.chunk) }
    }

    /// The number of blocks per chunk along the axis.
    pub fn blocks(&self) -> u64 {
        if self.block == 0 { 0 } else { self.chunk.div_ceil(self.block) }
    }
}

impl Geometry {
    /// The lengths along all axes, such as those of chunks or blocks.
    pub fn extents(&self, along: fn(&Axis) -> u64) -> Vec<u64> {
        self.axes.iter().map(along).collect()
    }

    /// The range of a block's items in the array, along each axis; empty if it contains only padding.
    pub fn items_of_block(&self, chunk: u64, block: u64) -> Vec<Range<u64>> {
        let (chunks, blocks) = (self.place(chunk, Axis::chunks), self.place(block, Axis::blocks));
        let axes = self.axes.iter().zip(chunks).zip(blocks);
        axes.map(|((axis, chunk), block)| {
            let start = chunk * axis.chunk + block * axis.block;
            let end = (start + axis.block).min((chunk + 1) * axis.chunk).min(axis.extent);
            start..end.max(start)
        })
        .collect()
    }

    /// The number of blocks that C-Blosc2 (3.3.5) requires in every chunk; `None` if C-Blosc2 does not check it, because it decodes
    /// directly into the array. It does so if the array has a single item, or a single chunk whose blocks are consecutive.
    pub fn demanded_blocks(&self) -> Option<u64> {
        let is_whole = |axis: &Axis| axis.extent == axis.chunk && axis.chunk.is_multiple_of(axis.block);
        // After any leading axes along which a block has one item, blocks may be shorter than the chunk along one axis only.
        let mut uncut = self.axes.iter().skip_while(|axis| axis.block == 1).skip(1);
        let is_direct = self.axes.iter().all(is_whole) && uncut.all(|axis| axis.block == axis.chunk);
        (!is_direct).then_some(self.block_count)
    }

    /// The position along each axis of the chunk or block with this index.
    pub fn place(&self, mut number: u64, along: fn(&Axis) -> u64) -> Vec<u64> {
        let mut places: Vec<u64> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let count = along(axis).max(1);
                let place = number % count;
                number /= count;
                place
            })
            .collect();
        places.reverse();
        places
    }

    /// The geometry of a layer whose axes are valid; `None` if a number overflows.
    pub fn new(layer: &ArrayLayer, item_size: u64) -> Option<Self> {
        let axes: Vec<Axis> = layer
            .shape
            .extents
            .iter()
            .zip(&layer.chunk_shape.extents)
            .zip(&layer.block_shape.extents)
            .map(|((extent, chunk), block)| Axis {
                extent: extent.0.unsigned_abs(),
                chunk: chunk.0.unsigned_abs().into(),
                block: block.0.unsigned_abs().into(),
            })
            .collect();
        Geometry::of(axes, item_size)
    }

    /// The geometry of these axes; `None` if a number overflows.
    pub fn of(axes: Vec<Axis>, item_size: u64) -> Option<Self> {
        let product =
            |extent: fn(&Axis) -> u64| axes.iter().try_fold(1_u64, |product, axis| product.checked_mul(extent(axis)));
        // Zeros are handled first, because the other axes of an array without items may have any length.
        let count = |extent: fn(&Axis) -> u64| {
            if axes.iter().any(|axis| extent(axis) == 0) { Some(0) } else { product(extent) }
        };
        let items = count(|axis| axis.extent)?;
        let block_items = count(|axis| axis.block)?;
        let block_count = count(Axis::blocks)?;
        let chunk_count = if items == 0 { 0 } else { count(Axis::chunks)? };
        let chunk_items = block_items.checked_mul(block_count)?;
        let whole = [items, chunk_items.checked_mul(chunk_count.max(1))?];
        // Readers that allocate an array of this shape multiply all nonzero axis lengths.
        let mut extents = axes.iter().map(|axis| axis.extent).filter(|&extent| extent > 0);
        let shape = extents.try_fold(1_u64, u64::checked_mul)?;
        let fits = whole
            .iter()
            .chain([&shape])
            .all(|items| items.checked_mul(item_size).is_some_and(|bytes| bytes <= i64::MAX as u64));
        fits.then_some(Geometry { axes, items, chunk_items, block_items, chunk_count, block_count })
    }
}
