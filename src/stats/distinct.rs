//! The number of different values, up to a bound.

use std::collections::HashSet;

/// The most different values that are counted.
pub const MOST_DISTINCT: u64 = 1024;

/// The different values that were met.
#[derive(Debug, Default)]
pub struct Distinct {
    /// The bits of each, or a hash; empty if there were too many.
    met: HashSet<u128>,
    /// The value that came last: many files hold runs of one value.
    last: Option<u128>,
    is_over: bool,
}

impl Distinct {
    /// Takes a value by its bits.
    #[inline]
    pub fn add(&mut self, bits: u128) {
        if self.is_over || self.last == Some(bits) {
            return;
        }
        self.last = Some(bits);
        self.met.insert(bits);
        if self.met.len() as u64 > MOST_DISTINCT {
            self.is_over = true;
            self.met = HashSet::new();
        }
    }

    /// The number of different values, or `None` if there are too many.
    pub fn count(&self) -> Option<u64> {
        (!self.is_over).then_some(self.met.len() as u64)
    }
}
