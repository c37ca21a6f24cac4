//! Decisions: out of a seed, or out of bytes.

/// A stream of decisions. The same seed, or the same bytes, give the same decisions on every machine.
#[derive(Debug, Clone)]
pub struct Choices<'b> {
    source: Source<'b>,
}

#[derive(Debug, Clone)]
enum Source<'b> {
    /// SplitMix64.
    Seed(u64),
    /// Bytes of a fuzzer: after the last one, every decision is the first of its alternatives.
    Bytes(&'b [u8]),
}

impl Choices<'static> {
    /// Decisions out of a seed.
    pub fn seeded(seed: u64) -> Self {
        Choices { source: Source::Seed(seed) }
    }
}

impl<'b> Choices<'b> {
    /// Decisions out of bytes. After the last one, every decision is the first of its alternatives.
    pub fn of_bytes(bytes: &'b [u8]) -> Self {
        Choices { source: Source::Bytes(bytes) }
    }

    /// Any number of 64 bits.
    pub fn any(&mut self) -> u64 {
        match &mut self.source {
            Source::Seed(state) => {
                *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mixed = (*state ^ *state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
                mixed ^ mixed >> 31
            }
            Source::Bytes(bytes) => take(bytes, 8),
        }
    }

    /// A number below a limit; 0 if the limit is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        let number = match &mut self.source {
            // Small decisions take few bytes, so that many fit into an input.
            Source::Bytes(bytes) => take(bytes, (64 - limit.saturating_sub(1).leading_zeros()).div_ceil(8) as usize),
            Source::Seed(_) => self.any(),
        };
        number.checked_rem(limit).unwrap_or(0)
    }

    /// An index into a list of `length` elements; 0 if it is empty.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A number from the first to the last one, both included.
    pub fn from_to(&mut self, first: u64, last: u64) -> u64 {
        first + self.below((last.saturating_sub(first)).saturating_add(1))
    }

    /// True in one of `times` cases. A stream of bytes that has ended gives false.
    pub fn one_in(&mut self, times: u64) -> bool {
        times <= 1 || self.below(times) == times - 1
    }

    /// One of several values.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<'v, V>(&mut self, values: &'v [V]) -> &'v V {
        &values[self.index(values.len())]
    }

    /// A number of which small values are likely: each further one has half the chance, up to `most`.
    pub fn small(&mut self, most: u64) -> u64 {
        let mut number = 0;
        while number < most && self.one_in(2) {
            number += 1;
        }
        number
    }

    /// Bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }

    /// A stream of its own for a part, so that what the part decides does not shift what is decided after it.
    pub fn fork(&mut self) -> Choices<'static> {
        Choices::seeded(self.any())
    }
}

/// The next bytes as a number, little-endian. Bytes that are missing are zeros.
fn take(bytes: &mut &[u8], count: usize) -> u64 {
    let (head, rest) = bytes.split_at(count.min(bytes.len()));
    *bytes = rest;
    head.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::Choices;

    #[test]
    fn choices_of_ended_bytes_are_the_first_alternatives() {
        let mut choices = Choices::of_bytes(&[]);
        assert_eq!((choices.any(), choices.below(9), choices.one_in(2), choices.small(5)), (0, 0, false, 0));
    }

    #[test]
    fn choices_of_a_seed_are_those_of_splitmix64() {
        // The first outputs of the reference implementation for the seed 1234567.
        let mut choices = Choices::seeded(1_234_567);
        assert_eq!([choices.any(), choices.any()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn choices_of_bytes_take_few_bytes_for_small_limits() {
        let mut choices = Choices::of_bytes(&[3, 0x34, 0x12]);
        assert_eq!((choices.below(10), choices.below(0x10000)), (3, 0x1234));
    }
}
