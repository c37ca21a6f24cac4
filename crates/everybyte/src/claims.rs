//! The bytes that structures take, for a reader that makes no map of them.

use std::ops::Range;

/// The bytes of a space that structures take, and whether anything about them is in doubt.
#[derive(Debug, Default)]
pub struct Claims {
    ranges: Vec<Range<u64>>,
    pub are_in_doubt: bool,
}

impl Claims {
    /// Adds the bytes of a structure.
    pub fn add(&mut self, bytes: Range<u64>) {
        match self.ranges.last_mut() {
            _ if bytes.is_empty() => {}
            Some(last) if last.end == bytes.start => last.end = bytes.end,
            _ => self.ranges.push(bytes),
        }
    }

    /// Returns whether every byte of a space of this length belongs to one structure, and nothing is in doubt.
    pub fn tile(mut self, length: u64) -> bool {
        self.ranges.sort_unstable_by_key(|bytes| bytes.start);
        let follow = self.ranges.iter().try_fold(0, |reached, bytes| (bytes.start == reached).then_some(bytes.end));
        !self.are_in_doubt && follow == Some(length)
    }
}
