//! Items that an array declares uninitialised, so they have no values.
//!
//! A chunk that is declared uninitialised takes no space, so an array may claim any number of them. Whether an item
//! is in one follows from its coordinates; nothing is stored per item. A list of chunks is kept only if some, but not
//! all, chunks are uninitialised.

use super::places::coordinates;

/// The uninitialised chunks of an array.
pub(super) struct Gaps {
    /// The shapes of the array and of a chunk.
    shape: Vec<u64>,
    chunk: Vec<u64>,
    /// The uninitialised chunks, in order; `None` if all are.
    chunks: Option<Vec<u64>>,
}

impl Gaps {
    /// Creates the gaps of an array of this shape. `chunks` are the sorted indices of the uninitialised chunks; `None` if all are.
    pub fn new(shape: Vec<u64>, chunk: Vec<u64>, chunks: Option<Vec<u64>>) -> Self {
        Gaps { shape, chunk, chunks }
    }

    /// Returns whether an item, counted in C order, is uninitialised.
    pub fn has(&self, index: u64) -> bool {
        let Some(chunks) = &self.chunks else { return true };
        let axes = coordinates(&self.shape, index).into_iter().zip(self.shape.iter().zip(&self.chunk));
        let number =
            axes.fold(0, |number, (at, (extent, chunk))| number * extent.div_ceil((*chunk).max(1)) + at / chunk);
        chunks.binary_search(&number).is_ok()
    }

    /// Returns whether an item is the first one of its chunk.
    pub fn begins_at(&self, index: u64) -> bool {
        coordinates(&self.shape, index).iter().zip(&self.chunk).all(|(at, chunk)| at % chunk == 0)
    }
}
