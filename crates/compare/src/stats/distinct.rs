//! The number of different values, up to a bound.

use std::collections::HashSet;

/// The maximum number of different values that are counted.
pub const MOST_DISTINCT: u64 = 1024;

/// The fewest places of values that are known.
const FEWEST_PLACES: usize = 16;

/// The different values that were met.
#[derive(Debug, Default)]
pub struct Distinct {
    /// The bits of each, or a hash; empty if there were too many.
    met: HashSet<u128>,
    /// Values that were met, each at the place that its bits choose. Most files hold few values many times. A look at
    /// one place is faster than a hash that nobody can foresee. Their number is a power of two, or 0.
    known: Vec<u128>,
    is_over: bool,
}

impl Distinct {
    /// Takes a value by its bits.
    #[inline]
    pub fn add(&mut self, bits: u128) {
        if !self.is_over && self.known.get(place(bits, self.known.len())) != Some(&bits) {
            self.insert(bits);
        }
    }

    fn insert(&mut self, bits: u128) {
        if self.met.insert(bits) && self.met.len() * 2 > self.known.len() {
            self.known = vec![0; FEWEST_PLACES.max(self.met.len() * 4).next_power_of_two()];
            // 0 is at home in the first place, and 1 is not.
            self.known[0] = 1;
            self.met.iter().for_each(|&met| put(&mut self.known, met));
        }
        put(&mut self.known, bits);
        if self.met.len() as u64 > MOST_DISTINCT {
            *self = Distinct { is_over: true, ..Distinct::default() };
        }
    }

    /// The number of different values, or `None` if there are too many.
    pub fn count(&self) -> Option<u64> {
        (!self.is_over).then_some(self.met.len() as u64)
    }
}

/// The place of a value among a power of two of places.
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
