//! Counts how the items of two arrays differ.
//!
//! The tally applies the options: the tolerance, the number of differences to list, and their order. It receives runs
//! of items in order, and keeps a bounded number of differences, four boxes around all of them, and the three largest
//! distances. Its memory does not grow with the number of differences.

use super::compare::Plan;
use super::datum::Datum;
use super::finite::Magnitude;
use super::gaps::Gaps;
use super::options::Options;
use super::outcome::Outcome;
use super::places::coordinates;
use super::regions::Regions;
use super::values::{Difference, Distance, Extreme, Largest, Values};
use super::verdict::Verdict;
use ndbytes::{Item, ItemType};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The names of the two files in sentences.
pub(super) const SIDES: [&str; 2] = ["first", "second"];

/// The number of bytes that are compared at once, before items are compared one by one.
const GROUP: usize = 4 << 10;

/// Two arrays of the same shape, and their differences so far.
pub(super) struct Tally<'o> {
    options: &'o Options,
    plan: Plan,
    types: [ItemType; 2],
    shape: Vec<u64>,
    /// Whether items are counted with the first axis fastest.
    pub is_fortran: bool,
    /// The position of the first item in the second file, if its items are stored unencoded in counting order.
    pub offset: Option<u64>,
    /// The chunks that each file declares uninitialised.
    pub gaps: [Option<Gaps>; 2],
    /// The number of items that are uninitialised in both files, in the first one only, and in the second one only.
    pub uninitialised: [u64; 3],
    pub values: Values,
    /// The listed differences, by rank.
    first: BTreeMap<Rank, Difference>,
    /// The boxes of all items that differ beyond the tolerance.
    pub regions: Regions,
    largest: [Option<Best>; 3],
}

/// The rank of a difference in the list: its distance if the largest is listed first, and its position in C order.
type Rank = (Reverse<Magnitude>, u64);

/// A largest distance.
struct Best {
    key: Magnitude,
    index: u64,
    a: Datum,
    b: Datum,
    difference: Datum,
    is_near: bool,
}

impl<'o> Tally<'o> {
    /// Creates an empty tally.
    pub fn new(plan: Plan, types: [ItemType; 2], shape: &[u64], options: &'o Options) -> Self {
        Tally {
            options,
            plan,
            types,
            shape: shape.to_vec(),
            is_fortran: false,
            offset: None,
            gaps: [None, None],
            uninitialised: [0; 3],
            values: Values::new(Verdict::SameValues),
            first: BTreeMap::new(),
            regions: Regions::new(shape),
            largest: [None, None, None],
        }
    }

    /// Compares items in order, starting with this one.
    pub fn run(&mut self, start: u64, a: &[u8], b: &[u8]) {
        let [one, other] = [0, 1].map(|side| self.types[side].stride() as usize);
        let count = a.len().checked_div(one).or(b.len().checked_div(other)).unwrap_or(0);
        if self.gaps.iter().any(Option::is_some) {
            for place in 0..count {
                self.beside_gaps(start + place as u64, &a[place * one..][..one], &b[place * other..][..other]);
            }
            return;
        }
        self.values.compared += count as u64;
        let is_of_bytes = self.plan.is_of_bytes();
        if is_of_bytes && a == b {
            return;
        }
        let group = (GROUP / one.max(1)).max(1);
        for from in (0..count).step_by(group) {
            let to = (from + group).min(count);
            if is_of_bytes && a[from * one..to * one] == b[from * other..to * other] {
                continue;
            }
            for place in from..to {
                let (a, b) = (&a[place * one..][..one], &b[place * other..][..other]);
                if !is_of_bytes || a != b {
                    self.item(start + place as u64, a, b);
                }
            }
        }
    }

    /// Compares the two items at an index.
    fn item(&mut self, place: u64, a: &[u8], b: &[u8]) {
        let outcome = self.plan.compare(a, b, &self.options.tolerance);
        let values = &mut self.values;
        values.nan.other_payload += u64::from(outcome.is_other_payload);
        if !outcome.differs {
            return;
        }
        values.nan.a_only += u64::from(outcome.nan[0]);
        values.nan.b_only += u64::from(outcome.nan[1]);
        values.infinite += u64::from(outcome.is_infinite);
        values.sign_of_zero += u64::from(outcome.is_sign_of_zero);
        let index = self.in_c_order(place);
        self.measure(index, a, b, &outcome);
        if outcome.is_within {
            self.values.within += 1;
            return;
        }
        self.values.different += 1;
        self.regions.add(index);
        let rank = self.rank(index, outcome.distance.as_ref());
        if self.is_listed(rank) {
            let mut difference = self.difference(index, a, b);
            difference.distance = outcome.distance;
            difference.offset = self.offset.map(|offset| offset + place * self.types[1].stride());
            self.list(rank, difference);
        }
    }

    /// Returns the rank of a difference. Differences without a distance come before all others.
    fn rank(&self, index: u64, distance: Option<&Distance>) -> Rank {
        let farthest = (i64::MAX, u128::MAX);
        let distance = distance.filter(|_| self.options.largest_first).map_or(farthest, |distance| distance.order);
        (Reverse(distance), index)
    }

    /// Compares an item where there are gaps.
    fn beside_gaps(&mut self, place: u64, a: &[u8], b: &[u8]) {
        let index = self.in_c_order(place);
        let is_in = |gaps: &Option<Gaps>| gaps.as_ref().is_some_and(|gaps| gaps.has(index));
        let begins = |gaps: &Option<Gaps>| gaps.as_ref().is_some_and(|gaps| gaps.begins_at(index));
        match [is_in(&self.gaps[0]), is_in(&self.gaps[1])] {
            [false, false] => {
                self.values.compared += 1;
                self.item(place, a, b);
            }
            [true, true] => self.uninitialised[0] += 1,
            [true, false] => {
                self.regions.add(index);
                self.uninitialised(index, 1, 0, begins(&self.gaps[0]).then_some(b));
            }
            [false, true] => {
                self.regions.add(index);
                self.uninitialised(index, 1, 1, begins(&self.gaps[1]).then_some(a));
            }
        }
    }

    /// Counts items that one of the files declares uninitialised. For a whole chunk, only one is listed; `other` is the
    /// item in the other file.
    pub fn uninitialised(&mut self, index: u64, count: u64, side: usize, other: Option<&[u8]>) {
        self.values.different += count;
        self.uninitialised[1 + side] += count;
        let rank = self.rank(index, None);
        if let Some(other) = other.filter(|_| self.is_listed(rank)) {
            let value = Datum::of(Item::new(other, &self.types[1 - side]));
            let (a, b) = if side == 0 { (Datum::Uninitialised, value) } else { (value, Datum::Uninitialised) };
            self.list(rank, Difference::new(self.coordinates(index), a, b));
        }
    }

    /// A difference, with its coordinates and both values.
    fn difference(&self, index: u64, a: &[u8], b: &[u8]) -> Difference {
        let (a, b) = self.data(a, b);
        Difference::new(self.coordinates(index), a, b)
    }

    /// Returns both items as text. Floats of other widths are shown as doubles, which may be rounded.
    fn data(&self, a: &[u8], b: &[u8]) -> (Datum, Datum) {
        let [one, other] = &self.types;
        let (a, b) = (Datum::of(Item::new(a, one)), Datum::of(Item::new(b, other)));
        let double = |datum: &Datum| match datum {
            Datum::F16(value) => Some(value.to_f64()),
            Datum::F32(value) => Some((*value).into()),
            Datum::F64(value) => Some(*value),
            _ => None,
        };
        match (double(&a), double(&b)) {
            (Some(wide), Some(other)) if one.dtype().kind != self.types[1].dtype().kind => {
                (Datum::F64(wide), Datum::F64(other))
            }
            _ => (a, b),
        }
    }

    /// Returns whether a difference of this rank is among those that are listed. Only these are formatted.
    fn is_listed(&self, rank: Rank) -> bool {
        self.first.len() < self.options.most || self.first.last_key_value().is_some_and(|(&last, _)| rank < last)
    }

    /// Lists a difference and drops the one with the highest rank if there are too many.
    fn list(&mut self, rank: Rank, difference: Difference) {
        self.first.insert(rank, difference);
        if self.first.len() > self.options.most {
            self.first.pop_last();
        }
    }

    /// Records a distance if it is the largest one.
    fn measure(&mut self, index: u64, a: &[u8], b: &[u8], outcome: &Outcome) {
        let Some(distance) = outcome.distance else { return };
        for (place, key) in distance.orders().into_iter().enumerate() {
            let Some(key) = key else { continue };
            let best = &self.largest[place];
            let is_larger = |best: &Best| key > best.key || (key == best.key && index < best.index);
            if best.as_ref().is_none_or(is_larger) {
                let (a, b) = self.data(a, b);
                let difference = outcome.largest(place, &distance);
                self.largest[place] = Some(Best { key, index, a, b, difference, is_near: distance.steps().is_some() });
            }
        }
    }

    /// Returns the position in C order of the item with this number.
    fn in_c_order(&self, place: u64) -> u64 {
        if !self.is_fortran {
            return place;
        }
        let mut left = place;
        let coordinates: Vec<u64> = self
            .shape
            .iter()
            .map(|&extent| {
                let coordinate = left % extent.max(1);
                left /= extent.max(1);
                coordinate
            })
            .collect();
        coordinates.iter().zip(&self.shape).fold(0, |index, (coordinate, extent)| index * extent + coordinate)
    }

    /// Returns the index on each axis of the item at an index in C order.
    fn coordinates(&self, index: u64) -> Vec<u64> {
        coordinates(&self.shape, index)
    }

    /// The result.
    pub fn finish(mut self) -> Values {
        let shape = std::mem::take(&mut self.shape);
        let extreme = |Best { index, a, b, difference, is_near, .. }: Best| Extreme {
            is_near,
            ..Extreme::new(coordinates(&shape, index), None, a, b, difference)
        };
        let [absolute, relative, ulp] = self.largest.map(|best| best.map(extreme));
        note_gaps(&mut self.values, self.uninitialised);
        self.values.largest = Largest { absolute, relative, ulp };
        self.values.first = self.first.into_values().collect();
        let ends =
            |region: Vec<std::ops::Range<u64>>| region.into_iter().map(|range| (range.start, range.end)).collect();
        self.values.regions = self.regions.finish().into_iter().map(ends).collect();
        self.values.verdict = match (self.values.different, self.values.within) {
            (0, 0) => Verdict::SameValues,
            (0, _) => Verdict::SameWithinTolerance,
            _ => Verdict::ValuesDiffer,
        };
        self.values
    }
}

/// Reports how many items are uninitialised: in both files, in the first one only, and in the second one only.
fn note_gaps(values: &mut Values, [in_both, in_one @ ..]: [u64; 3]) {
    if in_both > 0 {
        values.notes.push(format!("{} uninitialised in both files", items_are(in_both)));
    }
    for (count, side) in in_one.into_iter().zip(SIDES).filter(|(count, _)| *count > 0) {
        values.notes.push(format!("{} uninitialised in the {side} file only", items_are(count)));
    }
}

/// Returns a count of items with its verb, for messages.
fn items_are(count: u64) -> String {
    if count == 1 { "1 item is".into() } else { format!("{count} items are") }
}
