//! The wanted items of an array, and those of them in a chunk or a block.

use crate::b2nd::geometry::Axis;
use crate::error::{Error, Result};
use ndarray::SliceInfoElem;
use std::ops::Range;

/// The items that are wanted along one axis: `count` of them, `step` apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    pub start: u64,
    pub step: i64,
    pub count: u64,
}

/// The items that are wanted of an array, and the shape that they make up.
#[derive(Debug, Clone)]
pub struct Selection {
    /// One for each axis of the array.
    pub picks: Vec<Pick>,
    /// The extents, without axes that an index removed, and with new axes of extent 1.
    pub shape: Vec<usize>,
}

/// A run of wanted items along one axis that one chunk or one block has.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The number of the chunk or, inside a chunk, of the block.
    pub number: u64,
    /// The range of the wanted items that these are.
    pub wanted: Range<u64>,
    /// The place of the first of them, in the chunk or in the block.
    pub at: u64,
}

impl Pick {
    pub fn all(extent: u64) -> Self {
        Pick { start: 0, step: 1, count: extent }
    }

    /// The coordinate of a wanted item.
    pub fn coordinate(&self, wanted: u64) -> u64 {
        self.start.wrapping_add_signed(self.step.wrapping_mul(wanted as i64))
    }

    /// The number after the last wanted item in the range, if item `from` is in the range.
    fn reach(&self, from: u64, range: Range<u64>) -> u64 {
        let here = self.coordinate(from);
        let more = match self.step {
            0 => u64::MAX,
            step if step > 0 => (range.end - 1 - here) / step.unsigned_abs(),
            step => (here - range.start) / step.unsigned_abs(),
        };
        from.saturating_add(more).saturating_add(1).min(self.count)
    }

    /// The piece in the chunk that holds the wanted item `from`.
    pub fn chunk(&self, axis: &Axis, from: u64) -> Piece {
        let here = self.coordinate(from);
        let number = here / axis.chunk;
        let first = number * axis.chunk;
        let wanted = from..self.reach(from, first..(first + axis.chunk).min(axis.extent));
        Piece { number, wanted, at: here - first }
    }

    /// The piece in the block that holds the wanted item `from`. Blocks are counted in the chunk.
    pub fn block(&self, axis: &Axis, from: u64) -> Piece {
        let here = self.coordinate(from);
        let chunk = here / axis.chunk * axis.chunk;
        let number = (here - chunk) / axis.block;
        let first = chunk + number * axis.block;
        let end = (first + axis.block).min(chunk + axis.chunk).min(axis.extent);
        Piece { number, wanted: from..self.reach(from, first..end), at: here - first }
    }

    /// An upper bound of the blocks to decode along the axis.
    pub fn blocks_at_most(&self, axis: &Axis) -> u64 {
        let span = self.step.unsigned_abs().saturating_mul(self.count.saturating_sub(1)).saturating_add(1);
        self.count.min(span / axis.block.max(1) + 2)
    }
}

impl Selection {
    /// All items.
    pub fn all(axes: &[Axis]) -> Self {
        Selection {
            picks: axes.iter().map(|axis| Pick::all(axis.extent)).collect(),
            shape: axes.iter().map(|axis| axis.extent as usize).collect(),
        }
    }

    /// The item at an index.
    ///
    /// # Errors
    /// [`Error::Selection`] if it is not an index of one item, [`Error::OutOfRange`].
    pub fn item(axes: &[Axis], index: &[usize]) -> Result<Self> {
        if index.len() != axes.len() {
            return Err(Error::Selection { given: index.len(), axes: axes.len() });
        }
        let picks = axes.iter().zip(index).map(|(axis, &index)| one(index as u64, axis.extent));
        Ok(Selection { picks: picks.collect::<Result<_>>()?, shape: Vec::new() })
    }

    /// The selection of ndarray's `s![]`.
    ///
    /// # Errors
    /// [`Error::Selection`] if the number of axes differs, [`Error::OutOfRange`].
    pub fn new(axes: &[Axis], slices: &[SliceInfoElem]) -> Result<Self> {
        let given = slices.iter().filter(|slice| !matches!(slice, SliceInfoElem::NewAxis)).count();
        if given != axes.len() {
            return Err(Error::Selection { given, axes: axes.len() });
        }
        let mut remaining = axes.iter();
        let (mut picks, mut shape) = (Vec::new(), Vec::new());
        for slice in slices {
            let mut extent = || remaining.next().map_or(0, |axis| axis.extent);
            match *slice {
                SliceInfoElem::NewAxis => shape.push(1),
                SliceInfoElem::Index(index) => {
                    let extent = extent();
                    let counted = if index < 0 { extent.wrapping_add_signed(index as i64) } else { index as u64 };
                    picks.push(one(counted, extent)?);
                }
                SliceInfoElem::Slice { start, end, step } => {
                    let pick = range(extent(), start as i64, end.map(|end| end as i64), step as i64)?;
                    shape.push(pick.count as usize);
                    picks.push(pick);
                }
            }
        }
        Ok(Selection { picks, shape })
    }

    /// The number of wanted items.
    pub fn count(&self) -> u64 {
        if self.picks.iter().any(|pick| pick.count == 0) {
            0
        } else {
            self.picks.iter().map(|pick| pick.count).product()
        }
    }
}

fn one(index: u64, extent: u64) -> Result<Pick> {
    match index < extent {
        true => Ok(Pick { start: index, step: 1, count: 1 }),
        false => Err(Error::OutOfRange { index, length: extent }),
    }
}

/// Selects as ndarray does: the range first, then the steps through it, a negative one from its end.
fn range(extent: u64, start: i64, end: Option<i64>, step: i64) -> Result<Pick> {
    let place = |index: i64| match index {
        index if index < 0 => extent.checked_add_signed(index).ok_or(index.unsigned_abs()),
        index => Some(index as u64).filter(|&index| index <= extent).ok_or(index as u64),
    };
    let within = |index| place(index).map_err(|index| Error::OutOfRange { index, length: extent });
    let start = within(start)?;
    let end = end.map_or(Ok(extent), within)?.max(start);
    let span = end - start;
    let step = if step == 0 { 1 } else { step };
    let count = span.div_ceil(step.unsigned_abs());
    let start = if step < 0 && span > 0 { end - 1 } else { start };
    Ok(Pick { start, step, count })
}
