//! The wanted items of an array.

use crate::error::{Error, Result};
use ndarray::SliceInfoElem;

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
    /// The dimensions, without axes that an index removed, and with new axes of length 1.
    pub shape: Vec<usize>,
}

impl Pick {
    pub fn all(extent: u64) -> Self {
        Pick { start: 0, step: 1, count: extent }
    }

    /// The coordinate of a wanted item.
    pub fn coordinate(&self, wanted: u64) -> u64 {
        self.start.wrapping_add_signed(self.step.wrapping_mul(wanted as i64))
    }

    /// Some of the wanted items, one after the other.
    pub fn within(&self, wanted: Pick) -> Pick {
        Pick { start: self.coordinate(wanted.start), step: self.step, count: wanted.count }
    }
}

impl Selection {
    /// All items.
    pub fn all(extents: &[usize]) -> Self {
        Selection { picks: extents.iter().map(|&extent| Pick::all(extent as u64)).collect(), shape: extents.to_vec() }
    }

    /// The item at an index.
    ///
    /// # Errors
    /// [`Error::Selection`] if it is not an index of one item, [`Error::OutOfRange`].
    pub fn item(extents: &[usize], index: &[usize]) -> Result<Self> {
        if index.len() != extents.len() {
            return Err(Error::Selection { given: index.len(), axes: extents.len() });
        }
        let picks = extents.iter().zip(index).map(|(&extent, &index)| one(index as u64, extent as u64));
        Ok(Selection { picks: picks.collect::<Result<_>>()?, shape: Vec::new() })
    }

    /// The selection of ndarray's `s![]`.
    ///
    /// # Errors
    /// [`Error::Selection`] if the number of axes differs, [`Error::OutOfRange`].
    pub fn new(extents: &[usize], slices: &[SliceInfoElem]) -> Result<Self> {
        let given = slices.iter().filter(|slice| !matches!(slice, SliceInfoElem::NewAxis)).count();
        if given != extents.len() {
            return Err(Error::Selection { given, axes: extents.len() });
        }
        let mut remaining = extents.iter();
        let (mut picks, mut shape) = (Vec::new(), Vec::new());
        for slice in slices {
            let mut extent = || remaining.next().map_or(0, |&extent| extent as u64);
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

    /// Returns whether all items of an array are wanted, in whatever order.
    pub fn is_whole(&self, extents: &[usize]) -> bool {
        self.picks.iter().zip(extents).all(|(pick, &extent)| pick.count == extent as u64)
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
