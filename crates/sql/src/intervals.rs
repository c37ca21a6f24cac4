//! Sets of numbers.
//!
//! Filters on indices and row numbers become sets of ranges, which are small and closed under AND and OR. A condition
//! that cannot be expressed becomes the set of all numbers, so too much may be read, but nothing is missed.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// A set of numbers, stored as sorted ranges that neither touch nor overlap. `u64::MAX` is never included, since no
/// index or row number is that large.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intervals(Vec<Range<u64>>);

impl Intervals {
    pub fn all() -> Self {
        Intervals::of(Some(0..u64::MAX))
    }

    /// Creates a set from ranges, which may overlap.
    pub fn of(ranges: impl IntoIterator<Item = Range<u64>>) -> Self {
        let mut ranges: Vec<_> = ranges.into_iter().filter(|range| !range.is_empty()).collect();
        ranges.sort_by_key(|range| range.start);
        ranges.dedup_by(|next, kept| {
            let touches = next.start <= kept.end;
            if touches {
                kept.end = kept.end.max(next.end);
            }
            touches
        });
        Intervals(ranges)
    }

    /// Returns the numbers in either set.
    pub fn or(self, other: Self) -> Self {
        Intervals::of(self.0.into_iter().chain(other.0))
    }

    /// Returns the numbers in both sets.
    pub fn and(&self, other: &Self) -> Self {
        let (mut own, mut others) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut both = Vec::new();
        while let (Some(one), Some(two)) = (own.peek(), others.peek()) {
            both.push(one.start.max(two.start)..one.end.min(two.end));
            // The range that ends first cannot overlap further ranges.
            if one.end < two.end {
                own.next()
            } else {
                others.next()
            };
        }
        Intervals::of(both)
    }

    /// Returns the numbers that are not in the set.
    pub fn not(&self) -> Self {
        let starts = std::iter::once(0).chain(self.0.iter().map(|range| range.end));
        let ends = self.0.iter().map(|range| range.start).chain(std::iter::once(u64::MAX));
        Intervals::of(starts.zip(ends).map(|(start, end)| start..end))
    }

    /// Returns the numbers below `end`.
    pub fn below(&self, end: u64) -> Self {
        self.and(&Intervals::of(Some(0..end)))
    }

    pub fn contains(&self, number: u64) -> bool {
        let after = self.0.partition_point(|range| range.start <= number);
        after > 0 && self.0[after - 1].contains(&number)
    }

    pub fn count(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    pub fn ranges(&self) -> &[Range<u64>] {
        &self.0
    }
}

/// The number of ranges in a set that a plan shows.
const SHOWN: usize = 4;

impl fmt::Display for Intervals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |range: &Range<u64>| match range.end - range.start {
            1 => range.start.to_string(),
            _ if range.end == u64::MAX => format!("{}..", range.start),
            _ => format!("{}..{}", range.start, range.end),
        };
        f.write_str(&self.0.iter().take(SHOWN).map(range).collect::<Vec<_>>().join(" | "))?;
        match self.0.len() {
            0 => f.write_str("none"),
            length if length > SHOWN => write!(f, " | {} more", length - SHOWN),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests all pairs of subsets of six numbers.
    #[test]
    fn a_set_has_the_numbers_of_its_definition() {
        let set = |bits: u64| Intervals::of((0..6).filter(|bit| bits >> bit & 1 == 1).map(|bit| bit..bit + 1));
        for one in 0..64_u64 {
            assert_eq!(set(one).count(), u64::from(one.count_ones()));
            for number in 0..8 {
                assert_eq!(set(one).contains(number), one >> number & 1 == 1);
                assert_eq!(set(one).not().contains(number), one >> number & 1 == 0);
            }
            for two in 0..64 {
                assert_eq!(set(one).and(&set(two)), set(one & two));
                assert_eq!(set(one).or(set(two)), set(one | two));
            }
        }
    }
}
