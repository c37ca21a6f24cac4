//! Rows of a table, a window at a time.

use super::slice::Axis;
use std::ops::Range;

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
