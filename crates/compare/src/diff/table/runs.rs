//! Matches the rows of two tables.

use crate::align::align;
use std::ops::Range;

/// Rows of the first table that are compared with the same number of rows of the second one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub a: u64,
    pub b: u64,
    pub length: u64,
}

/// How the rows of two tables match.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Runs {
    /// Rows that both have, in the order of the first table.
    pub both: Vec<Run>,
    /// Rows that only the first table has.
    pub deleted: Vec<Range<u64>>,
    /// Rows that only the second table has.
    pub inserted: Vec<Range<u64>>,
    /// Whether rows of the second table are in a different order.
    pub is_reordered: bool,
}

impl Runs {
    /// Matches row by row from the beginning.
    pub fn in_place(a: u64, b: u64) -> Self {
        let length = a.min(b);
        let mut runs = Runs::default();
        runs.push(0, 0, length);
        runs.deleted.extend((a > length).then_some(length..a));
        runs.inserted.extend((b > length).then_some(length..b));
        runs
    }

    /// Matches rows by their content, given as one number per row: equal rows have equal numbers. Where both tables
    /// have the same number of different rows, these rows have changed.
    pub fn by_content(a: &[u64], b: &[u64]) -> Self {
        let mut runs = Runs::default();
        let (mut x, mut y) = (0, 0);
        for gap in align(a, b).gaps {
            runs.push(x as u64, y as u64, (gap.a.start - x) as u64);
            (x, y) = (gap.a.end, gap.b.end);
            if gap.a.len() == gap.b.len() {
                runs.push(gap.a.start as u64, gap.b.start as u64, gap.a.len() as u64);
                continue;
            }
            let rows = |rows: &Range<usize>| (!rows.is_empty()).then_some(rows.start as u64..rows.end as u64);
            runs.deleted.extend(rows(&gap.a));
            runs.inserted.extend(rows(&gap.b));
        }
        runs.push(x as u64, y as u64, (a.len() - x) as u64);
        runs
    }

    /// Matches rows by key, given as one number per row. If several rows have the same key, they match in order.
    pub fn by_name(a: &[u64], b: &[u64]) -> Self {
        let ordered = |names: &[u64]| {
            let mut rows: Vec<usize> = (0..names.len()).collect();
            rows.sort_by_key(|&row| names[row]);
            rows
        };
        let (rows_a, rows_b) = (ordered(a), ordered(b));
        let mut partners: Vec<Option<usize>> = vec![None; a.len()];
        let mut is_new = vec![true; b.len()];
        let (mut x, mut y) = (0, 0);
        while let (Some(&row_a), Some(&row_b)) = (rows_a.get(x), rows_b.get(y)) {
            match a[row_a].cmp(&b[row_b]) {
                std::cmp::Ordering::Less => x += 1,
                std::cmp::Ordering::Greater => y += 1,
                std::cmp::Ordering::Equal => {
                    partners[row_a] = Some(row_b);
                    is_new[row_b] = false;
                    (x, y) = (x + 1, y + 1);
                }
            }
        }
        let mut runs = Runs::default();
        for (row, partner) in partners.iter().enumerate() {
            match partner {
                Some(other) => runs.push(row as u64, *other as u64, 1),
                None => push_row(&mut runs.deleted, row as u64),
            }
        }
        for (row, _) in is_new.iter().enumerate().filter(|(_, is_new)| **is_new) {
            push_row(&mut runs.inserted, row as u64);
        }
        runs.is_reordered = !runs.both.is_sorted_by_key(|run| run.b);
        runs
    }

    /// Returns whether every row is compared with the row at the same index.
    pub fn are_in_place(&self) -> bool {
        self.deleted.is_empty() && self.inserted.is_empty() && !self.is_reordered
    }

    /// Returns the number of rows that only one of the tables has.
    pub fn other_rows(&self) -> u64 {
        count(&self.deleted) + count(&self.inserted)
    }

    /// Adds rows that both tables have.
    fn push(&mut self, a: u64, b: u64, length: u64) {
        match self.both.last_mut().filter(|run| (run.a + run.length, run.b + run.length) == (a, b)) {
            Some(run) => run.length += length,
            None => self.both.extend((length > 0).then_some(Run { a, b, length })),
        }
    }
}

/// Returns the number of rows in some ranges.
pub(super) fn count(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|rows| rows.end - rows.start).sum()
}

/// Adds a row to sorted ranges. Adjacent rows are joined.
fn push_row(ranges: &mut Vec<Range<u64>>, row: u64) {
    match ranges.last_mut().filter(|rows| rows.end == row) {
        Some(rows) => rows.end += 1,
        None => ranges.push(row..row + 1),
    }
}
