//! Where the items of an array are: in which chunk, in which block, at which place.

use ndbytes_schemas::b2nd::ArrayLayer;
use std::ops::Range;

/// How an array is cut into chunks, and these into blocks. All extents are counted in items, axis by axis, the last one
/// varying fastest.
#[derive(Debug, Clone)]
pub struct Geometry {
    pub axes: Vec<Axis>,
    /// Items of the array.
    pub items: u64,
    /// Items of a chunk, and of a block, padding included.
    pub chunk_items: u64,
    pub block_items: u64,
    /// Chunks that the array has.
    pub chunk_count: u64,
    /// Blocks that a chunk has.
    pub block_count: u64,
}

/// One axis of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    pub extent: u64,
    /// Extent of a chunk: that of the last one may reach beyond the array.
    pub chunk: u64,
    /// Extent of a block: that of the last one may reach beyond the chunk.
    pub block: u64,
}

impl Axis {
    /// Chunks along the axis.
    pub fn chunks(&self) -> u64 {
        if self.chunk == 0 { 0 } else { self.extent.div_ceil(self.chunk) }
    }

    /// Blocks of a chunk along the axis.
    pub fn blocks(&self) -> u64 {
        if self.block == 0 { 0 } else { self.chunk.div_ceil(self.block) }
    }
}

impl Geometry {
    /// Extents along all axes: of chunks, or of blocks.
    pub fn extents(&self, along: fn(&Axis) -> u64) -> Vec<u64> {
        self.axes.iter().map(along).collect()
    }

    /// The items of the array that a block has, along each axis; none where it has nothing but padding.
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

    /// The place along each axis of the chunk, or block, of this number.
    fn place(&self, mut number: u64, along: fn(&Axis) -> u64) -> Vec<u64> {
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

    /// The geometry of a layer whose extents are possible; none if some number is too large to count with.
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
        let product =
            |extent: fn(&Axis) -> u64| axes.iter().try_fold(1_u64, |product, axis| product.checked_mul(extent(axis)));
        // Zeros first: an array without items may have any other extents.
        let count = |extent: fn(&Axis) -> u64| {
            if axes.iter().any(|axis| extent(axis) == 0) { Some(0) } else { product(extent) }
        };
        let items = count(|axis| axis.extent)?;
        let block_items = count(|axis| axis.block)?;
        let block_count = count(Axis::blocks)?;
        let chunk_count = if items == 0 { 0 } else { count(Axis::chunks)? };
        let chunk_items = block_items.checked_mul(block_count)?;
        let whole = [items, chunk_items.checked_mul(chunk_count.max(1))?];
        // Whoever makes an array of this shape multiplies all extents that are not zero.
        let mut extents = axes.iter().map(|axis| axis.extent).filter(|&extent| extent > 0);
        let shape = extents.try_fold(1_u64, u64::checked_mul)?;
        let fits = whole
            .iter()
            .chain([&shape])
            .all(|items| items.checked_mul(item_size).is_some_and(|bytes| bytes <= i64::MAX as u64));
        fits.then_some(Geometry { axes, items, chunk_items, block_items, chunk_count, block_count })
    }
}
