//! The items that are wanted along an axis, and rows of a table, a window at a time.

use ndbytes::ndarray::SliceInfoElem;
use std::ops::Range;

/// The items that are wanted along one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    pub start: u64,
    /// The distance from one wanted item to the next one; never zero.
    pub step: i64,
    pub count: u64,
    /// True if a single item was requested: the result does not have the axis.
    pub is_dropped: bool,
}

impl Axis {
    pub fn all(extent: u64) -> Self {
        Axis { start: 0, step: 1, count: extent, is_dropped: false }
    }

    /// The place of a wanted item.
    pub fn place(&self, wanted: u64) -> u64 {
        self.start.wrapping_add_signed(self.step.wrapping_mul(wanted as i64))
    }

    /// The first of the wanted items.
    pub fn first(&self, number: u64) -> Self {
        self.part(0, number.min(self.count))
    }

    /// The last of the wanted items.
    pub fn last(&self, number: u64) -> Self {
        let number = number.min(self.count);
        self.part(self.count - number, number)
    }

    /// Some of the wanted items, one after the other.
    fn part(&self, first: u64, count: u64) -> Self {
        Axis { start: if count == 0 { 0 } else { self.place(first) }, count, ..*self }
    }

    /// As ndarray has it: the range first, then the steps through it, negative ones from its end.
    pub fn element(&self) -> SliceInfoElem {
        let Axis { start, step, count, is_dropped } = *self;
        if is_dropped {
            return SliceInfoElem::Index(start as isize);
        }
        let (low, high) = match count {
            0 => (0, 0),
            _ if step < 0 => (self.place(count - 1), start + 1),
            _ => (start, self.place(count - 1) + 1),
        };
        SliceInfoElem::Slice { start: low as isize, end: Some(high as isize), step: step as isize }
    }
}

/// Some wanted rows that are read together.
#[derive(Debug)]
pub struct Window {
    /// The rows that are read.
    pub span: Range<u64>,
    /// The wanted ones of them, counted from the beginning of the span.
    pub places: Vec<usize>,
}

/// Divides wanted rows into windows that span at most `most` rows, and one at least.
pub fn windows(axes: &[Axis], most: u64) -> impl Iterator<Item = Window> + '_ {
    axes.iter().flat_map(move |axis| {
        let together = most.saturating_sub(1) / axis.step.unsigned_abs() + 1;
        (0..axis.count.div_ceil(together)).map(move |number| {
            let first = number * together;
            let last = axis.count.min(first + together) - 1;
            let (one, other) = (axis.place(first), axis.place(last));
            let span = one.min(other)..one.max(other) + 1;
            let places = (first..=last).map(|wanted| (axis.place(wanted) - span.start) as usize).collect();
            Window { span, places }
        })
    })
}
