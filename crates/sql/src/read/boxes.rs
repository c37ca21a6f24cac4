//! The parts of an array that contain the required items.
//!
//! Filters yield a set of indices per axis; the product of their ranges is a set of boxes. Opening a box has a cost,
//! and adjacent boxes often share chunks. So ranges are joined where reading the items between them is cheaper, and
//! their number is halved until there are at most 1024 boxes. The additional rows are filtered out afterwards.

use crate::intervals::Intervals;
use std::ops::Range;

/// The maximum number of boxes. If there are more, boxes are joined.
const MOST: usize = 1024;

/// Boxes of an array, in order. Rows are counted through all boxes.
#[derive(Debug)]
pub struct Boxes {
    boxes: Vec<Vec<Range<u64>>>,
    /// The first row after each box.
    ends: Vec<u64>,
    /// Whether every row in the boxes is required.
    pub is_exact: bool,
}

/// Some rows of a box.
#[derive(Debug)]
pub struct Part<'b> {
    /// The indices of the box along each axis.
    pub indices: &'b [Range<u64>],
    /// The rows, counted from the first row of the box, in C order.
    pub rows: Range<u64>,
}

impl Boxes {
    /// Creates boxes that contain the required indices along each axis. Opening a box costs as much as reading `piece`
    /// rows, so boxes are joined where that is cheaper.
    pub fn new(shape: &[u64], wanted: &[Intervals], piece: u64) -> Self {
        let wanted: Vec<_> = wanted.iter().zip(shape).map(|(wanted, &extent)| wanted.below(extent)).collect();
        let mut axes: Vec<_> = (0..wanted.len()).map(|axis| joined(&wanted, axis, piece)).collect();
        while axes.iter().fold(1_usize, |boxes, ranges| boxes.saturating_mul(ranges.len())) > MOST {
            let Some(longest) = axes.iter_mut().max_by_key(|ranges| ranges.len()) else { break };
            let pairs = longest.chunks(2).map(|pair| pair[0].start..pair[pair.len() - 1].end);
            *longest = pairs.collect();
        }
        let is_exact = axes.iter().zip(&wanted).all(|(ranges, wanted)| ranges == wanted.ranges());
        let mut boxes = vec![Vec::new()];
        for ranges in &axes {
            let longer = |begun: &Vec<Range<u64>>, range: &Range<u64>| [begun, std::slice::from_ref(range)].concat();
            boxes = boxes.iter().flat_map(|begun| ranges.iter().map(move |range| longer(begun, range))).collect();
        }
        let ends = boxes.iter().scan(0_u64, |end, indices| {
            *end = end.saturating_add(rows(indices));
            Some(*end)
        });
        Boxes { ends: ends.collect(), boxes, is_exact }
    }

    /// Returns the number of rows.
    pub fn count(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Returns the parts of boxes that contain some rows.
    pub fn parts(&self, rows: Range<u64>) -> impl Iterator<Item = Part<'_>> {
        let first = self.ends.partition_point(|&end| end <= rows.start);
        (first..self.boxes.len()).map_while(move |at| {
            let begin = if at == 0 { 0 } else { self.ends[at - 1] };
            let part = rows.start.max(begin)..rows.end.min(self.ends[at]);
            let within = part.start.saturating_sub(begin)..part.end.saturating_sub(begin);
            (part.start < part.end).then(|| Part { indices: &self.boxes[at], rows: within })
        })
    }
}

/// Returns the number of rows in a box.
fn rows(indices: &[Range<u64>]) -> u64 {
    indices.iter().fold(1, |rows: u64, range| rows.saturating_mul(range.end - range.start))
}

/// Returns the ranges along an axis. Neighbours are merged if that costs less.
fn joined(wanted: &[Intervals], axis: usize, piece: u64) -> Vec<Range<u64>> {
    let others = wanted.iter().enumerate().filter(|(other, _)| *other != axis).map(|(_, wanted)| wanted.count());
    let others = others.fold(1_u64, u64::saturating_mul);
    let cost = |range: &Range<u64>| (range.end - range.start).saturating_mul(others).max(piece);
    let mut ranges = wanted[axis].ranges().to_vec();
    ranges.dedup_by(|next, kept| {
        let both = kept.start..next.end;
        let is_cheaper = cost(&both) <= cost(kept).saturating_add(cost(next));
        if is_cheaper {
            *kept = both;
        }
        is_cheaper
    });
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the indices of all rows of boxes, in order.
    fn indices(boxes: &Boxes) -> Vec<Vec<u64>> {
        let mut all = Vec::new();
        for part in boxes.parts(0..boxes.count()) {
            let mut rows = vec![Vec::new()];
            for range in part.indices {
                rows = rows
                    .iter()
                    .flat_map(|row: &Vec<u64>| range.clone().map(move |index| [&**row, &[index]].concat()))
                    .collect();
            }
            all.extend(rows);
        }
        all
    }

    #[test]
    fn boxes_hold_every_wanted_row_once() {
        let wanted = [Intervals::of([0..1, 5..7]), Intervals::of([2..3, 9..20])];
        let boxes = Boxes::new(&[8, 10], &wanted, 1);
        assert!(boxes.is_exact);
        let expected: Vec<_> = [0, 5, 6].into_iter().flat_map(|one| [2, 9].map(|two| vec![one, two])).collect();
        let mut found = indices(&boxes);
        found.sort();
        assert_eq!((boxes.count(), found), (6, expected));
    }

    #[test]
    fn many_boxes_become_few_and_near_ones_one() {
        let every_second = |end: u64| Intervals::of((0..end).step_by(2).map(|index| index..index + 1));
        let near = Boxes::new(&[100], &[every_second(100)], 10);
        assert_eq!((near.boxes.len(), near.is_exact, near.count()), (1, false, 99));
        let sparse = Intervals::of((0..4000).map(|index| index * 1000..index * 1000 + 1));
        let many = Boxes::new(&[1 << 30, 4], &[sparse, Intervals::all()], 1);
        assert!(many.boxes.len() <= MOST && !many.is_exact);
    }

    #[test]
    fn parts_of_rows_are_the_rows() {
        let wanted = [Intervals::of([0..2, 50..53]), Intervals::of([0..1, 90..91])];
        let boxes = Boxes::new(&[100, 100], &wanted, 1);
        let whole = boxes.count();
        for cut in 0..=whole {
            let rows = |rows| boxes.parts(rows).map(|part| part.rows.end - part.rows.start).sum::<u64>();
            assert_eq!((rows(0..cut), rows(cut..whole)), (cut, whole - cut));
        }
    }

    #[test]
    fn an_array_without_axes_is_a_box_of_one_row() {
        assert_eq!(Boxes::new(&[], &[], 1).count(), 1);
        assert_eq!(Boxes::new(&[0, 3], &[Intervals::all(), Intervals::all()], 1).count(), 0);
    }
}
