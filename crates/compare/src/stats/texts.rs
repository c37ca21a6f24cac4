//! Statistics of texts, and of values without an order.
//!
//! Texts are counted, measured and told apart by 128 bits of hashes with secret keys. The texts themselves are not
//! kept, so long texts take no more memory than short ones, and an attacker cannot make a file whose texts collide.

use super::Statistics;
use super::distinct::Distinct;
use std::hash::{BuildHasher, RandomState};

/// The counts of texts.
#[derive(Debug, Default)]
pub struct Texts {
    statistics: Statistics,
    distinct: Distinct,
    hashers: [RandomState; 2],
}

impl Texts {
    /// Adds a text, given by its bytes and its length in characters.
    pub fn text(&mut self, bytes: &[u8], letters: u64) {
        self.value(bytes);
        let (shortest, longest) = self.statistics.lengths.unwrap_or((letters, letters));
        self.statistics.lengths = Some((shortest.min(letters), longest.max(letters)));
    }

    /// Adds a value, given only by its bytes.
    pub fn value(&mut self, bytes: &[u8]) {
        self.statistics.values += 1;
        let [one, other] = self.hashers.each_ref().map(|hasher| u128::from(hasher.hash_one(bytes)));
        self.distinct.add(one << 64 | other);
    }

    /// Adds the empty text several times.
    pub fn add_empty(&mut self, times: u64) {
        if times > 0 {
            self.text(&[], 0);
            self.statistics.values += times - 1;
        }
    }

    pub fn missing(&mut self, times: u64) {
        self.statistics.values += times;
        self.statistics.missing += times;
    }

    /// Returns an empty count that uses the same hashes, so the two can be merged.
    pub fn like(&self) -> Self {
        Texts { hashers: self.hashers.clone(), ..Texts::default() }
    }

    /// Adds the values of another count that uses the same hashes.
    pub fn merge(&mut self, other: Self) {
        self.statistics.add_counts(&other.statistics);
        let these = [self.statistics.lengths, other.statistics.lengths].into_iter().flatten();
        self.statistics.lengths = these.reduce(|(short, long), (least, most)| (short.min(least), long.max(most)));
        self.distinct.merge(other.distinct);
    }

    pub fn finish(mut self) -> Statistics {
        self.statistics.distinct = self.distinct.count();
        self.statistics
    }
}
