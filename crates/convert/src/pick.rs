//! The items that are wanted along an axis of an array.

use ndbytes::ndarray::SliceInfoElem;
use std::ops::Range;

/// The items that are wanted along one axis of the array.
#[derive(Debug, Clone, Copy)]
pub struct Pick {
    pub start: u64,
    pub step: i64,
    pub count: u64,
    /// True if the part does not have the axis.
    pub is_dropped: bool,
}

impl Pick {
    /// As ndarray selects: the range first, then the steps through it, a negative one from its end.
    pub fn of(slice: &SliceInfoElem, extent: u64) -> Self {
        let place = |index: isize| if index < 0 { extent.wrapping_add_signed(index as i64) } else { index as u64 };
        match *slice {
            SliceInfoElem::Index(index) => Pick { start: place(index), step: 1, count: 1, is_dropped: true },
            SliceInfoElem::NewAxis => Pick { start: 0, step: 1, count: 0, is_dropped: true },
            SliceInfoElem::Slice { start, end, step } => {
                let (start, step) = (place(start), if step == 0 { 1 } else { step as i64 });
                let end = end.map_or(extent, place).max(start);
                let count = (end - start).div_ceil(step.unsigned_abs());
                let start = if step < 0 && end > start { end - 1 } else { start };
                Pick { start, step, count, is_dropped: false }
            }
        }
    }

    /// The first wanted place that the axis does not have.
    #[cfg(feature = "png")]
    pub fn beyond(&self, extent: u64) -> Option<u64> {
        let ends = [self.start, self.place(self.count.saturating_sub(1))];
        ends.into_iter().find(|&place| self.count > 0 && place >= extent)
    }

    pub fn place(&self, wanted: u64) -> u64 {
        self.start.wrapping_add_signed(self.step.wrapping_mul(wanted as i64))
    }

    /// Some of the items.
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
