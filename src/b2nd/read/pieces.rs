//! The requested items of an array that are in a chunk or block.

use crate::arrays::selection::AxisSelection;
use crate::b2nd::geometry::Axis;
use std::ops::Range;

/// A run of requested items along one axis in one chunk or block.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The index of the chunk or, within a chunk, of the block.
    pub number: u64,
    /// The range of these items among the requested ones.
    pub wanted: Range<u64>,
    /// The position of the first item in the chunk or block.
    pub at: u64,
}

impl AxisSelection {
    /// The index after the last requested item in the range, if item `from` is in the range.
    fn reach(&self, from: u64, range: Range<u64>) -> u64 {
        let here = self.coordinate(from);
        let more = match self.step {
            0 => u64::MAX,
            step if step > 0 => (range.end - 1 - here) / step.unsigned_abs(),
            step => (here - range.start) / step.unsigned_abs(),
        };
        from.saturating_add(more).saturating_add(1).min(self.count)
    }

    /// The piece in the chunk that contains the requested item `from`.
    pub fn chunk(&self, axis: &Axis, from: u64) -> Piece {
        let here = self.coordinate(from);
        let number = here / axis.chunk;
        let first = number * axis.chunk;
        let wanted = from..self.reach(from, first..(first + axis.chunk).min(axis.extent));
        Piece { number, wanted, at: here - first }
    }

    /// The piece in the block that contains the requested item `from`. The block index is relative to the chunk.
    pub fn block(&self, axis: &Axis, from: u64) -> Piece {
        let here = self.coordinate(from);
        let chunk = here / axis.chunk * axis.chunk;
        let number = (here - chunk) / axis.block;
        let first = chunk + number * axis.block;
        let end = (first + axis.block).min(chunk + axis.chunk).min(axis.extent);
        Piece { number, wanted: from..self.reach(from, first..end), at: here - first }
    }

    /// An upper bound on the blocks to decode along the axis.
    pub fn blocks_at_most(&self, axis: &Axis) -> u64 {
        let span = self.step.unsigned_abs().saturating_mul(self.count.saturating_sub(1)).saturating_add(1);
        self.count.min(span / axis.block.max(1) + 2)
    }
}
