//! The results of comparing cells.
//!
//! Columns are compared one after another, because that is how IDV stores them. Only a little state spans columns: one
//! bit per row that records whether it changed, and the first differences in row order. An unreadable column leaves the
//! counts as they were before it.

use super::columns::{How, Pair, shown};
use super::cursor::Cursor;
use super::items::{compare, datum, items};
use super::names::Side;
use super::runs::Runs;
use super::zeros::zeros;
use crate::diff::finite::Magnitude;
use crate::diff::options::Options;
use crate::diff::outcome::Outcome;
use crate::diff::values::{Difference, Extreme, RowChange, Values as Found};
use crate::diff::verdict::Verdict;
use ndbytes::idv::{Table, Value, Values, Vector};
use ndbytes::{Error, Result};
use std::collections::BTreeMap;

/// The number of rows that are compared in bulk before they are compared one by one.
const PIECE: u64 = 1024;

/// The results for all columns.
pub(super) struct Tally<'o> {
    asked: &'o Options,
    pub found: Found,
    /// The sort keys of the largest distances.
    orders: [Option<Magnitude>; 3],
    /// The number of differing cells of each pair of columns, or why one of them cannot be read.
    pub columns: Vec<Result<u64, String>>,
    /// One bit for each row of the second table, which is set if one of its cells differs.
    changed: Vec<u64>,
    /// The first differing cells, by row in the second table and column, with the row in the first table.
    first: BTreeMap<(u64, usize), (u64, Difference)>,
}

/// A pair of columns, and their differences.
struct Cells<'c> {
    how: &'c How,
    name: String,
    place: usize,
    compared: u64,
    different: u64,
}

impl<'o> Tally<'o> {
    /// Compares all pairs of columns.
    pub fn of(pairs: &[Pair<'_>], runs: &Runs, b: &Table<'_>, asked: &'o Options) -> Result<Self> {
        let words = if pairs.is_empty() { 0 } else { b.rows().div_ceil(64) };
        let changed = zeros(b, words, "the rows that changed")?;
        let mut tally = Tally {
            asked,
            found: Found::new(Verdict::SameValues),
            orders: [None; 3],
            columns: Vec::new(),
            changed,
            first: BTreeMap::new(),
        };
        for pair in pairs {
            let before = (tally.found.clone(), tally.orders);
            match tally.column(pair, runs) {
                Ok(different) => tally.columns.push(Ok(different)),
                Err(error @ (Error::Limit { .. } | Error::Io { .. } | Error::Time { .. })) => return Err(error),
                Err(error) => {
                    (tally.found, tally.orders) = before;
                    tally.first.retain(|(_, place), _| *place != pair.place);
                    tally.columns.push(Err(error.to_string()));
                }
            }
        }
        Ok(tally)
    }

    /// Compares two columns. Returns the number of differing cells.
    fn column(&mut self, pair: &Pair<'_>, runs: &Runs) -> Result<u64> {
        let mut a = Cursor::new(pair.a, true)?;
        let mut b = Cursor::new(pair.b, !runs.is_reordered)?;
        let mut cells =
            Cells { how: &pair.how, name: shown(&pair.a.name()), place: pair.place, compared: 0, different: 0 };
        for run in &runs.both {
            let mut done = 0;
            while done < run.length {
                self.asked.limits.ensure_time()?;
                let (values_a, place_a, left_a) = a.at(run.a + done)?;
                let (values_b, place_b, left_b) = b.at(run.b + done)?;
                let rows = PIECE.min(run.length - done).min(left_a).min(left_b);
                self.piece(&mut cells, (run.a + done, values_a, place_a), (run.b + done, values_b, place_b), rows);
                done += rows;
            }
        }
        self.found.compared += cells.compared;
        self.found.different += cells.different;
        Ok(cells.different)
    }

    /// Compares some rows. For each side, the arguments are the first row, and the values with the row's index among them.
    fn piece(&mut self, cells: &mut Cells<'_>, a: (u64, &Values, usize), b: (u64, &Values, usize), rows: u64) {
        let ((row_a, values_a, place_a), (row_b, values_b, place_b)) = (a, b);
        cells.compared += rows;
        let is_plain = match cells.how {
            How::Plain => true,
            How::Numbers([a, b]) => a.kind == b.kind,
            How::Named(names) => names.are_same,
        };
        if is_plain && values_a.are_same_bits(place_a, values_b, place_b, rows as usize) {
            return;
        }
        for row in 0..rows {
            let (at_a, at_b) = (place_a + row as usize, place_b + row as usize);
            if let (Some(a), Some(b)) = (values_a.get(at_a), values_b.get(at_b)) {
                self.cell(cells, (row_a + row, row_b + row), &a, &b);
            }
        }
    }

    /// Compares two cells. Vectors of the same length are compared item by item; other vectors differ as a whole.
    fn cell(&mut self, cells: &mut Cells<'_>, rows: (u64, u64), a: &Value<'_>, b: &Value<'_>) {
        if let (Value::Vector(one), Value::Vector(other)) = (a, b) {
            if one.len() == other.len() {
                self.vectors(cells, rows, *one, *other);
            } else {
                self.differ(cells, rows, &[rows.1], (a, b), &Outcome::DIFFERENT);
            }
            return;
        }
        let outcome = compare(a, b, cells.how, &self.asked.tolerance);
        self.item(cells, &[rows.1], (a, b), &outcome);
        self.cell_is(cells, rows, &[rows.1], (a, b), &outcome);
    }

    /// Compares two vectors item by item. The first items that differ represent the difference.
    fn vectors(&mut self, cells: &mut Cells<'_>, rows: (u64, u64), a: Vector<'_>, b: Vector<'_>) {
        let mut first: Option<(usize, Value<'_>, Value<'_>, Outcome)> = None;
        for (slot, a, b) in items(a, b) {
            let outcome = compare(&a, &b, cells.how, &self.asked.tolerance);
            self.item(cells, &[rows.1, slot as u64], (&a, &b), &outcome);
            // An item beyond the tolerance takes precedence over those within it.
            let order = |slot: usize, outcome: &Outcome| (outcome.is_within, slot);
            let comes_first = first.as_ref().is_none_or(|(at, _, _, found)| order(slot, &outcome) < order(*at, found));
            if outcome.differs && comes_first {
                first = Some((slot, a, b, outcome));
            }
        }
        if let Some((slot, a, b, outcome)) = first {
            self.cell_is(cells, rows, &[rows.1, slot as u64], (&a, &b), &outcome);
        }
    }

    /// Counts a cell as different, or as one within the tolerance.
    fn cell_is(
        &mut self,
        cells: &mut Cells<'_>,
        rows: (u64, u64),
        index: &[u64],
        values: (&Value<'_>, &Value<'_>),
        outcome: &Outcome,
    ) {
        match (outcome.differs, outcome.is_within) {
            (false, _) => {}
            (true, true) => self.found.within += 1,
            (true, false) => self.differ(cells, rows, index, values, outcome),
        }
    }

    /// Counts a difference and lists it if there is room.
    fn differ(
        &mut self,
        cells: &mut Cells<'_>,
        rows: (u64, u64),
        index: &[u64],
        (a, b): (&Value<'_>, &Value<'_>),
        outcome: &Outcome,
    ) {
        cells.different += 1;
        self.changed[(rows.1 / 64) as usize] |= 1 << (rows.1 % 64);
        let (most, key) = (self.asked.most, (rows.1, cells.place));
        let is_listed = self.first.len() < most || self.first.last_key_value().is_some_and(|(last, _)| key < *last);
        if !is_listed {
            return;
        }
        let (a, b) = (datum(a, Some(cells.how), Side::A), datum(b, Some(cells.how), Side::B));
        let mut difference = Difference::new(index.to_vec(), a, b);
        difference.column = Some(cells.name.clone());
        difference.distance = outcome.distance;
        self.first.insert(key, (rows.0, difference));
        if self.first.len() > most {
            self.first.pop_last();
        }
    }

    /// Counts special cases of two items, and how much they differ.
    fn item(&mut self, cells: &Cells<'_>, index: &[u64], values: (&Value<'_>, &Value<'_>), outcome: &Outcome) {
        let found = &mut self.found;
        found.nan.a_only += u64::from(outcome.nan[0]);
        found.nan.b_only += u64::from(outcome.nan[1]);
        found.nan.other_payload += u64::from(outcome.is_other_payload);
        found.infinite += u64::from(outcome.is_infinite);
        found.sign_of_zero += u64::from(outcome.is_sign_of_zero);
        let Some(distance) = outcome.distance else { return };
        for (place, order) in distance.orders().into_iter().enumerate() {
            if order.is_none() || order <= self.orders[place] {
                continue;
            }
            self.orders[place] = order;
            let (a, b) = (datum(values.0, Some(cells.how), Side::A), datum(values.1, Some(cells.how), Side::B));
            let (column, difference) = (Some(cells.name.clone()), outcome.largest(place, &distance));
            let largest = &mut found.largest;
            let extremes = [&mut largest.absolute, &mut largest.relative, &mut largest.ulp];
            let is_near = distance.steps().is_some();
            *extremes[place] = Some(Extreme { is_near, ..Extreme::new(index.to_vec(), column, a, b, difference) });
        }
    }

    /// The number of rows with a differing cell.
    pub fn changed(&self) -> u64 {
        self.changed.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The first differing cells, with their rows.
    pub fn first(&self) -> (Vec<Difference>, Vec<RowChange>) {
        let mut rows: Vec<RowChange> = Vec::new();
        for (&(row, _), (row_a, difference)) in &self.first {
            match rows.last_mut().filter(|change| change.b == row) {
                Some(change) => change.cells.push(difference.clone()),
                None => rows.push(RowChange::new(*row_a, row, vec![difference.clone()])),
            }
        }
        (self.first.values().map(|(_, difference)| difference.clone()).collect(), rows)
    }
}
