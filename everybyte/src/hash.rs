//! Hash tables whose keys a file cannot choose, so a fast hash without collision protection is sufficient.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash table without protection against collision attacks. Its hash is ten times as fast as the standard one.
pub type NumberedMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Multiplies each word of a key by a large odd number.
#[derive(Debug, Default, Clone, Copy)]
pub struct NumberHasher(u64);

/// The odd number closest to 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl NumberHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for NumberHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        self.add(last | (rest.len() as u64) << 56);
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        // The table uses the highest and the lowest bits, but the middle bits of a product are mixed best.
        self.0 ^ self.0.rotate_right(29)
    }
}
