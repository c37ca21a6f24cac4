//! Decisions that come from a seed or from bytes.
//!
//! A seed makes a mutant reproducible on any machine. For this reason, SplitMix64 is implemented here: the numbers of
//! a crate might change with its version. Bytes let a coverage-guided fuzzer steer the decisions. When the bytes run
//! out, every decision is the first alternative, so any input, even an empty one, is valid.

/// A stream of decisions. The same seed or the same bytes yield the same decisions on every machine.
///
/// ```
/// use everybyte::forge::Choices;
///
/// let mut choices = Choices::seeded(7);
/// let rolls: Vec<u64> = (0..3).map(|_| choices.from_to(1, 6)).collect();
/// let mut again = Choices::seeded(7);
/// assert!(rolls.iter().all(|&roll| roll == again.from_to(1, 6)));
/// assert_eq!(*Choices::of_bytes(&[]).pick(&["first", "second"]), "first");
/// ```
#[derive(Debug, Clone)]
pub struct Choices<'b> {
    source: Source<'b>,
}

/// The source of decisions.
#[derive(Debug, Clone)]
enum Source<'b> {
    /// SplitMix64.
    Seed(u64),
    /// Bytes from a fuzzer: when they run out, every decision is the first alternative.
    Bytes(&'b [u8]),
}

impl Choices<'static> {
    /// Creates decisions derived from a seed.
    pub fn seeded(seed: u64) -> Self {
        Choices { source: Source::Seed(seed) }
    }
}

impl<'b> Choices<'b> {
    /// Creates decisions derived from bytes. When they run out, every decision is the first alternative.
    pub fn of_bytes(bytes: &'b [u8]) -> Self {
        Choices { source: Source::Bytes(bytes) }
    }

    /// Any 64-bit number.
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

    /// A number in a range, including both ends.
    pub fn from_to(&mut self, first: u64, last: u64) -> u64 {
        first + self.below((last.saturating_sub(first)).saturating_add(1))
    }

    /// Returns true once in `times` on average, and false once a stream of bytes has ended.
    pub fn one_in(&mut self, times: u64) -> bool {
        times <= 1 || self.below(times) == times - 1
    }

    /// Picks one of several values.
    ///
    /// # Panics
    /// Panics if the list is empty.
    pub fn pick<'v, V>(&mut self, values: &'v [V]) -> &'v V {
        &values[self.index(values.len())]
    }

    /// A number that is probably small: each further value, up to `most`, is half as likely.
    pub fn small(&mut self, most: u64) -> u64 {
        let mut number = 0;
        while number < most && self.one_in(2) {
            number += 1;
        }
        number
    }

    /// Returns `length` bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }

    /// A separate stream for a part, so that its decisions do not affect later ones.
    pub fn fork(&mut self) -> Choices<'static> {
        Choices::seeded(self.any())
    }
}

/// Returns the next bytes as a number, little-endian. Missing bytes are zeros.
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
        // These are the first outputs of the reference implementation for the seed 1234567.
        let mut choices = Choices::seeded(1_234_567);
        assert_eq!([choices.any(), choices.any()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn choices_of_bytes_take_few_bytes_for_small_limits() {
        let mut choices = Choices::of_bytes(&[3, 0x34, 0x12]);
        assert_eq!((choices.below(10), choices.below(0x10000)), (3, 0x1234));
    }
}
