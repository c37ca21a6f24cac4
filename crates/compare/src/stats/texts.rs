//! Statistics of texts, and of values without an order.

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
    /// Takes a text, by its bytes and the number of its letters.
    pub fn text(&mut self, bytes: &[u8], letters: u64) {
        self.value(bytes);
        let (shortest, longest) = self.statistics.lengths.unwrap_or((letters, letters));
        self.statistics.lengths = Some((shortest.min(letters), longest.max(letters)));
    }

    /// Takes a value of which nothing is known but its bytes.
    pub fn value(&mut self, bytes: &[u8]) {
        self.statistics.values += 1;
        let [one, other] = self.hashers.each_ref().map(|hasher| u128::from(hasher.hash_one(bytes)));
        self.distinct.add(one << 64 | other);
    }

    /// Takes the empty text several times.
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

    pub fn finish(mut self) -> Statistics {
        self.statistics.distinct = self.distinct.count();
        self.statistics
    }
}
