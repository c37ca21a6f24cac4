//! The byte ranges that structures occupy, for a check without a map.
//!
//! If the ranges cover the file without gaps, the map would not have any findings about gaps or overlaps, so it is not needed.
//! Ranges that follow one another are merged when they are added, so a file that is read in order needs only one range.

use std::ops::Range;

/// The bytes of a space that structures occupy, and whether anything about them is in doubt.
#[derive(Debug, Default)]
pub struct ClaimedRanges {
    ranges: Vec<Range<u64>>,
    pub are_in_doubt: bool,
}

impl ClaimedRanges {
    /// Claims the bytes of a structure.
    pub fn add(&mut self, bytes: Range<u64>) {
        match self.ranges.last_mut() {
            _ if bytes.is_empty() => {}
            Some(last) if last.end == bytes.start => last.end = bytes.end,
            _ => self.ranges.push(bytes),
        }
    }

    /// Returns whether every byte of a space of this length belongs to one structure or is padding, and nothing is in doubt.
    pub fn tile(mut self, length: u64, is_padding: impl Fn(Range<u64>) -> bool) -> bool {
        self.ranges.sort_unstable_by_key(|bytes| bytes.start);
        let follows = |reached: u64, start: u64| reached == start || (reached < start && is_padding(reached..start));
        let reached =
            self.ranges.iter().try_fold(0, |reached, bytes| follows(reached, bytes.start).then_some(bytes.end));
        !self.are_in_doubt && reached.is_some_and(|reached| follows(reached, length))
    }
}
