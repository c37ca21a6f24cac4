//! The selected items along an axis, and windows over the rows of a table.

use ndbytes::ndarray::SliceInfoElem;
use std::ops::Range;

/// The selected items along one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    pub start: u64,
    /// The distance from one selected item to the next; never zero.
    pub step: i64,
    pub count: u64,
    /// Whether a single item was requested, so that the result does not have the axis.
    pub is_dropped: bool,
}

impl Axis {
    /// Selects all items of an axis of this length.
    pub fn all(extent: u64) -> Self {
        Axis { start: 0, step: 1, count: extent, is_dropped: false }
    }

    /// Returns the index of the selected item with this number.
    pub fn place(&self, wanted: u64) -> u64 {
        self.start.wrapping_add_signed(self.step.wrapping_mul(wanted as i64))
    }

    /// Selects only the first items.
    pub fn first(&self, number: u64) -> Self {
        self.part(0, number.min(self.count))
    }

    /// Selects only the last items.
    pub fn last(&self, number: u64) -> Self {
        let number = number.min(self.count);
        self.part(self.count - number, number)
    }

    /// Selects only some consecutive items.
    fn part(&self, first: u64, count: u64) -> Self {
        Axis { start: if count == 0 { 0 } else { self.place(first) }, count, ..*self }
    }

    /// Returns the selection in ndarray's form: first the range, then the steps through it; negative steps start from its end.
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

/// Some selected rows that are read together.
#[derive(Debug)]
pub struct Window {
    /// The rows that are read.
    pub span: Range<u64>,
    /// The selected rows among them, counted from the beginning of the span.
    pub places: Vec<usize>,
}

/// Divides selected rows into windows that span at most `most` rows, and at least one.
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
