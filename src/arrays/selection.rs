//! The requested items of an array.

use crate::error::{Error, Result};
use ndarray::SliceInfoElem;
use std::ops::Range;

/// The requested items along one axis: `count` items, `step` apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AxisSelection {
    /// The first item.
    pub start: u64,
    /// The step between items; negative if they are in reverse order.
    pub step: i64,
    /// The number of items.
    pub count: u64,
}

/// The items requested from an array, and the resulting shape.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The requested items along each axis of the array.
    pub picks: Vec<AxisSelection>,
    /// The lengths of the axes, without those that an index removed, and with new axes of length 1.
    pub shape: Vec<usize>,
}

impl AxisSelection {
    /// All items of an axis.
    pub fn all(extent: u64) -> Self {
        AxisSelection { start: 0, step: 1, count: extent }
    }

    /// The coordinate of a requested item.
    pub fn coordinate(&self, wanted: u64) -> u64 {
        self.start.wrapping_add_signed(self.step.wrapping_mul(wanted as i64))
    }

    /// Some of the requested items, in order.
    pub fn within(&self, wanted: AxisSelection) -> AxisSelection {
        AxisSelection { start: self.coordinate(wanted.start), step: self.step, count: wanted.count }
    }
}

impl Selection {
    /// All items.
    pub fn all(extents: &[usize]) -> Self {
        Selection {
            picks: extents.iter().map(|&extent| AxisSelection::all(extent as u64)).collect(),
            shape: extents.to_vec(),
        }
    }

    /// The item at an index.
    ///
    /// # Errors
    /// [`Error::Selection`] if the index does not select a single item; [`Error::OutOfRange`].
    pub fn item(extents: &[usize], index: &[usize]) -> Result<Self> {
        if index.len() != extents.len() {
            return Err(Error::Selection { given: index.len(), axes: extents.len() });
        }
        let picks = extents.iter().zip(index).map(|(&extent, &index)| one(index as u64, extent as u64));
        Ok(Selection { picks: picks.collect::<Result<_>>()?, shape: Vec::new() })
    }

    /// Creates a selection from the slices of ndarray's `s![]`.
    ///
    /// # Errors
    /// [`Error::Selection`] if the number of axes differs; [`Error::OutOfRange`].
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

    /// Returns whether all items of an array are requested, in any order.
    pub fn is_whole(&self, extents: &[usize]) -> bool {
        self.picks.iter().zip(extents).all(|(pick, &extent)| pick.count == extent as u64)
    }

    /// The number of selected items.
    pub fn count(&self) -> u64 {
        if self.picks.iter().any(|pick| pick.count == 0) {
            0
        } else {
            self.picks.iter().map(|pick| pick.count).product()
        }
    }
}

/// Selects a single item.
fn one(index: u64, extent: u64) -> Result<AxisSelection> {
    match index < extent {
        true => Ok(AxisSelection { start: index, step: 1, count: 1 }),
        false => Err(Error::OutOfRange { index, length: extent }),
    }
}

/// Selects items as ndarray does: steps through the range, starting at its end if the step is negative.
fn range(extent: u64, start: i64, end: Option<i64>, step: i64) -> Result<AxisSelection> {
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
    Ok(AxisSelection { start, step, count })
}

/// Divides a run of items in C order into boxes, each of which is also a run.
pub fn boxes(shape: &[usize], range: Range<u64>) -> Vec<Selection> {
    let mut boxes = Vec::new();
    if !range.is_empty() {
        cut(shape, &mut Vec::new(), range, &mut boxes);
    }
    boxes
}

/// Cuts a run into boxes. Its items are at the index `outer` along the axes before those in `shape`.
fn cut(shape: &[usize], outer: &mut Vec<u64>, range: Range<u64>, boxes: &mut Vec<Selection>) {
    let row: u64 = shape.iter().skip(1).map(|&extent| extent as u64).product();
    let (first, last) = (range.start / row, range.end / row);
    let (head, tail) = (range.start % row, range.end % row);
    // The run is part of one row, or of two rows with complete rows between them.
    if first == last {
        return inside(shape, outer, first, head..tail, boxes);
    }
    let mut whole = first..last;
    if head > 0 {
        inside(shape, outer, first, head..row, boxes);
        whole.start += 1;
    }
    if !whole.is_empty() {
        let one = |&start: &u64| AxisSelection { start, step: 1, count: 1 };
        let rows = AxisSelection { start: whole.start, step: 1, count: whole.end - whole.start };
        let others = shape.iter().skip(1).map(|&extent| AxisSelection::all(extent as u64));
        let picks = outer.iter().map(one).chain((!shape.is_empty()).then_some(rows)).chain(others).collect();
        boxes.push(Selection { picks, shape: Vec::new() });
    }
    if tail > 0 {
        inside(shape, outer, last, 0..tail, boxes);
    }
}

/// Cuts a part of one row into boxes.
fn inside(shape: &[usize], outer: &mut Vec<u64>, row: u64, range: Range<u64>, boxes: &mut Vec<Selection>) {
    outer.push(row);
    cut(&shape[1..], outer, range, boxes);
    outer.pop();
}
