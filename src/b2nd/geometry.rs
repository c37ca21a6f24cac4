//! The geometry of an array: the chunk, the block and the place of each item.

use ndbytes_schemas::b2nd::ArrayLayer;
use std::ops::Range;

/// The division of an array into chunks, and of these into blocks. All dimensions are counted in items, axis by axis, the
/// last one varying fastest.
#[derive(Debug, Clone)]
pub struct Geometry {
    /// The axes.
    pub axes: Vec<Axis>,
    /// Items of the array.
    pub items: u64,
    /// Items of a chunk, padding included.
    pub chunk_items: u64,
    /// Items of a block, padding included.
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
    /// Length of a chunk: that of the last one may reach beyond the array.
    pub chunk: u64,
    /// Length of a block: that of the last one may reach beyond the chunk.
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
    /// Dimensions along all axes: of chunks, or of blocks.
    pub fn extents(&self, along: fn(&Axis) -> u64) -> Vec<u64> {
        self.axes.iter().map(along).collect()
    }

    /// The items of the array that a block has, along each axis; empty if it has only padding.
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

    /// The number of blocks that C-Blosc2 (3.3.5) demands of every chunk, or `None` if it does not check. It decodes
    /// directly into the array if that is one item, or one chunk whose blocks follow each other.
    pub fn demanded_blocks(&self) -> Option<u64> {
        let is_whole = |axis: &Axis| axis.extent == axis.chunk && axis.chunk.is_multiple_of(axis.block);
        // After axes along which a block has one item, blocks may be shorter than the chunk along one axis only.
        let mut uncut = self.axes.iter().skip_while(|axis| axis.block == 1).skip(1);
        let is_direct = self.axes.iter().all(is_whole) && uncut.all(|axis| axis.block == axis.chunk);
        (!is_direct).then_some(self.block_count)
    }

    /// The place along each axis of the chunk, or block, of this number.
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

    /// The geometry of a layer whose dimensions are possible, or `None` if a number overflows.
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

    /// The geometry of these axes, or `None` if a number overflows.
    pub fn of(axes: Vec<Axis>, item_size: u64) -> Option<Self> {
        let product =
            |extent: fn(&Axis) -> u64| axes.iter().try_fold(1_u64, |product, axis| product.checked_mul(extent(axis)));
        // Zeros first: an array without items may have any other dimensions.
        let count = |extent: fn(&Axis) -> u64| {
            if axes.iter().any(|axis| extent(axis) == 0) { Some(0) } else { product(extent) }
        };
        let items = count(|axis| axis.extent)?;
        let block_items = count(|axis| axis.block)?;
        let block_count = count(Axis::blocks)?;
        let chunk_count = if items == 0 { 0 } else { count(Axis::chunks)? };
        let chunk_items = block_items.checked_mul(block_count)?;
        let whole = [items, chunk_items.checked_mul(chunk_count.max(1))?];
        // Readers that allocate an array of this shape multiply all dimensions that are not zero.
        let mut extents = axes.iter().map(|axis| axis.extent).filter(|&extent| extent > 0);
        let shape = extents.try_fold(1_u64, u64::checked_mul)?;
        let fits = whole
            .iter()
            .chain([&shape])
            .all(|items| items.checked_mul(item_size).is_some_and(|bytes| bytes <= i64::MAX as u64));
        fits.then_some(Geometry { axes, items, chunk_items, block_items, chunk_count, block_count })
    }
}
