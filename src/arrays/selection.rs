//! The wanted items of an array.

use crate::error::{Error, Result};
use ndarray::SliceInfoElem;
use std::ops::Range;

/// The items that are wanted along one axis: `count` of them, `step` apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The first item.
    pub start: u64,
    /// Items from one to the next, backwards if it is negative.
    pub step: i64,
    /// The number of items.
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
    /// All items of an axis.
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

/// Divides a run of items in C order into boxes, each a run of its own.
pub fn boxes(shape: &[usize], range: Range<u64>) -> Vec<Selection> {
    let mut boxes = Vec::new();
    if !range.is_empty() {
        cut(shape, &mut Vec::new(), range, &mut boxes);
    }
    boxes
}

/// Cuts a run of the items at the place `outer` of the axes before those of `shape`.
fn cut(shape: &[usize], outer: &mut Vec<u64>, range: Range<u64>, boxes: &mut Vec<Selection>) {
    let row: u64 = shape.iter().skip(1).map(|&extent| extent as u64).product();
    let (first, last) = (range.start / row, range.end / row);
    let (head, tail) = (range.start % row, range.end % row);
    // A part of one row, or of two, with whole rows between them.
    if first == last {
        return inside(shape, outer, first, head..tail, boxes);
    }
    let mut whole = first..last;
    if head > 0 {
        inside(shape, outer, first, head..row, boxes);
        whole.start += 1;
    }
    if !whole.is_empty() {
        let one = |&start: &u64| Pick { start, step: 1, count: 1 };
        let rows = Pick { start: whole.start, step: 1, count: whole.end - whole.start };
        let others = shape.iter().skip(1).map(|&extent| Pick::all(extent as u64));
        let picks = outer.iter().map(one).chain((!shape.is_empty()).then_some(rows)).chain(others).collect();
        boxes.push(Selection { picks, shape: Vec::new() });
    }
    if tail > 0 {
        inside(shape, outer, last, 0..tail, boxes);
    }
}

/// Cuts a part of one row.
fn inside(shape: &[usize], outer: &mut Vec<u64>, row: u64, range: Range<u64>, boxes: &mut Vec<Selection>) {
    outer.push(row);
    cut(&shape[1..], outer, range, boxes);
    outer.pop();
}
