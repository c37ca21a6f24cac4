//! The number of different values, up to a bound.
//!
//! Up to 1,024 values are counted exactly. Beyond that, the answer is "many", and further values cost nothing, since
//! the table is dropped.

use std::collections::HashSet;

/// The maximum number of distinct values that are counted.
pub const MOST_DISTINCT: u64 = 1024;

/// The minimum number of slots for known values.
const FEWEST_PLACES: usize = 16;

/// The distinct values so far.
#[derive(Debug, Default)]
pub struct Distinct {
    /// The bits of each value, or a hash; empty if there were too many.
    met: HashSet<u128>,
    /// Known values, each in a slot determined by its bits. Most files repeat a few values many times, and checking one
    /// slot is faster than an unpredictable hash. The number of slots is a power of two, or 0.
    known: Vec<u128>,
    is_over: bool,
}

impl Distinct {
    /// Adds a value, given by its bits.
    #[inline]
    pub fn add(&mut self, bits: u128) {
        if !self.is_over && self.known.get(place(bits, self.known.len())) != Some(&bits) {
            self.insert(bits);
        }
    }

    fn insert(&mut self, bits: u128) {
        if self.met.insert(bits) && self.met.len() * 2 > self.known.len() {
            self.known = vec![0; FEWEST_PLACES.max(self.met.len() * 4).next_power_of_two()];
            // An empty slot is 0, but 0 itself belongs in the first slot. 1 does not, so it marks that slot as empty.
            self.known[0] = 1;
            self.met.iter().for_each(|&met| put(&mut self.known, met));
        }
        put(&mut self.known, bits);
        if self.met.len() as u64 > MOST_DISTINCT {
            *self = Distinct { is_over: true, ..Distinct::default() };
        }
    }

    /// Returns whether the bound is exceeded. Further values then change nothing.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Adds the values of another set.
    pub fn merge(&mut self, other: Self) {
        if other.is_over {
            *self = other;
            return;
        }
        other.met.into_iter().for_each(|bits| self.add(bits));
    }

    /// The number of distinct values; `None` if there are too many.
    pub fn count(&self) -> Option<u64> {
        (!self.is_over).then_some(self.met.len() as u64)
    }
}

/// Returns the slot of a value. The number of slots is a power of two.
#[inline]
fn place(bits: u128, places: usize) -> usize {
    let mixed = (bits as u64 ^ (bits >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // The high bits depend on all bits of the value.
    (mixed >> (u64::BITS - places.max(2).ilog2())) as usize
}

fn put(known: &mut [u128], bits: u128) {
    let place = place(bits, known.len());
    known[place] = bits;
}
