//! Some items of a large array, and their positions in the file.

use super::pattern;
use arbitrary::Arbitrary;
use ndarray::SliceInfoElem;
use ndbytes::{Array, Error, Result};

/// The maximum number of bytes to read from a selection.
const WANTED: u64 = 64 << 10;

/// The approximate maximum number of items to examine.
const LOOKED_AT: u64 = 2 << 10;

/// A selection along an axis.
#[derive(Debug, Clone, Copy, Arbitrary)]
pub struct AxisSelection {
    start: u16,
    count: u16,
    step: i8,
    is_index: bool,
}

/// The selected indices along an axis and the slice for them.
struct Chosen {
    indices: Vec<u64>,
    slice: SliceInfoElem,
    is_index: bool,
}

impl AxisSelection {
    /// Returns the selection along an axis of this length, with at most `most` items.
    fn along(self, extent: usize, most: u64) -> Chosen {
        let start = usize::from(self.start) % extent;
        if self.is_index {
            let slice = SliceInfoElem::Index(start as isize);
            return Chosen { indices: vec![start as u64], slice, is_index: true };
        }
        let step = isize::from(if self.step == 0 { 1 } else { self.step });
        let count = (1 + u64::from(self.count)).min(most) as usize;
        let end = extent.min(start + (count - 1) * step.unsigned_abs() + 1);
        let slice = SliceInfoElem::Slice { start: start as isize, end: Some(end as isize), step };
        let range = start as u64..end as u64;
        let indices = match step > 0 {
            true => range.step_by(step.unsigned_abs()).collect(),
            false => range.rev().step_by(step.unsigned_abs()).collect(),
        };
        Chosen { indices, slice, is_index: false }
    }
}

/// The positions of items in the file, in C order of an array.
pub struct Places {
    axes: Vec<(Vec<u64>, u64)>,
}

impl Places {
    /// The positions of all items.
    pub fn whole(array: &Array<'_>) -> Self {
        Places::of(array, array.shape().iter().map(|&extent| (0..extent as u64).collect()).collect())
    }

    fn of(array: &Array<'_>, indices: Vec<Vec<u64>>) -> Self {
        let mut strides = vec![1; array.shape().len()];
        let mut stride = 1;
        let axes = 0..strides.len();
        let order: Vec<usize> = if array.is_fortran_order() { axes.collect() } else { axes.rev().collect() };
        for axis in order {
            strides[axis] = stride;
            stride *= array.shape()[axis] as u64;
        }
        Places { axes: indices.into_iter().zip(strides).collect() }
    }

    /// The position of the item with this number.
    pub fn of_item(&self, number: u64) -> u64 {
        let (mut rest, mut place) = (number, 0);
        for (indices, stride) in self.axes.iter().rev() {
            let length = indices.len() as u64;
            place += indices[(rest % length) as usize] * stride;
            rest /= length;
        }
        place
    }
}

/// Reads a selection in two pieces and asserts that its items match the pattern.
pub fn examine(array: &Array<'_>, picks: &[AxisSelection], cut: u16) -> Result<()> {
    let size = array.item_type().stride();
    let mut left = (WANTED / size).max(1);
    let mut chosen = Vec::new();
    for (pick, &extent) in picks.iter().zip(array.shape()) {
        let one = pick.along(extent, left);
        left = (left / one.indices.len() as u64).max(1);
        chosen.push(one);
    }
    let slices: Vec<SliceInfoElem> = chosen.iter().map(|one| one.slice).collect();
    let extents = chosen.iter().filter(|one| !one.is_index).map(|one| one.indices.len());
    let extents: Vec<usize> = extents.collect();
    let places = Places::of(array, chosen.into_iter().map(|one| one.indices).collect());
    let mut items = array.select(&slices)?;
    assert_eq!(items.shape(), extents, "{slices:?}");
    let count = items.count();
    let first = u64::from(cut) % (count + 1);
    for (start, some) in [(0, first), (first, count - first)] {
        let read = items.read(start, some)?;
        assert_eq!(read.len() as u64, some * size);
        for number in looked_at(some) {
            let (item, place) = (&read[(number * size) as usize..][..size as usize], places.of_item(start + number));
            assert!(pattern::is_item(item, place, false), "the item at {place}, for {slices:?} of {:?}", array.shape());
        }
    }
    Ok(())
}

/// The numbers of the items to examine: all of them, or a spread-out sample.
pub fn looked_at(count: u64) -> impl Iterator<Item = u64> {
    (0..count).step_by((1 + count / LOOKED_AT) as usize)
}

/// Returns whether there was not enough memory.
pub fn is_limit(error: &Error) -> bool {
    matches!(error, Error::Limit { .. })
}
