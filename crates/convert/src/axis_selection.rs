//! The selected items along an axis of an array.

use ndbytes::ndarray::SliceInfoElem;
use std::ops::Range;

/// The selected items along one axis of the array.
#[derive(Debug, Clone, Copy)]
pub struct AxisSelection {
    pub start: u64,
    pub step: i64,
    pub count: u64,
    /// Whether the axis is dropped from the selected part.
    pub is_dropped: bool,
}

impl AxisSelection {
    /// Selects like ndarray: first the range, then the steps through it; a negative step starts from the end.
    pub fn of(slice: &SliceInfoElem, extent: u64) -> Self {
        let place = |index: isize| if index < 0 { extent.wrapping_add_signed(index as i64) } else { index as u64 };
        match *slice {
            SliceInfoElem::Index(index) => AxisSelection { start: place(index), step: 1, count: 1, is_dropped: true },
            SliceInfoElem::NewAxis => AxisSelection { start: 0, step: 1, count: 0, is_dropped: true },
            SliceInfoElem::Slice { start, end, step } => {
                let (start, step) = (place(start), if step == 0 { 1 } else { step as i64 });
                let end = end.map_or(extent, place).max(start);
                let count = (end - start).div_ceil(step.unsigned_abs());
                let start = if step < 0 && end > start { end - 1 } else { start };
                AxisSelection { start, step, count, is_dropped: false }
            }
        }
    }

    /// Returns the first selected index beyond the end of the axis.
    #[cfg(feature = "png")]
    pub fn beyond(&self, extent: u64) -> Option<u64> {
        let ends = [self.start, self.place(self.count.saturating_sub(1))];
        ends.into_iter().find(|&place| self.count > 0 && place >= extent)
    }

    /// The index of a selected item along the axis.
    pub fn place(&self, wanted: u64) -> u64 {
        self.start.wrapping_add_signed(self.step.wrapping_mul(wanted as i64))
    }

    /// Returns the slice that selects a range of the selected items.
    pub fn slice(&self, range: Range<usize>) -> SliceInfoElem {
        let (first, last) = (range.start as u64, (range.end as u64).saturating_sub(1));
        let (low, high) = match self.step {
            _ if range.is_empty() => (0, 0),
            step if step < 0 => (self.place(last), self.place(first) + 1),
            _ => (self.place(first), self.place(last) + 1),
        };
        SliceInfoElem::Slice { start: low as isize, end: Some(high as isize), step: self.step as isize }
    }
}
