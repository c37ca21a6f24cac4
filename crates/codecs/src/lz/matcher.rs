//! The search for matches, used by both encoders.
//!
//! There are two searches. [`greedy`] looks at one earlier position per hash and uses the match that it finds; its
//! steps grow after failures, so incompressible data is processed quickly. [`thorough`] follows chains of positions
//! and looks one byte ahead for a longer match.
//!
//! Both stop as soon as the output is as long as the source, because Blosc2 then stores the bytes uncompressed.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

/// The tokens that an encoder may write.
pub trait Format {
    /// The minimum distance between the beginning of a match and the end of the source.
    const MATCH_BEGINS: usize;
    /// The minimum distance between the end of a match and the end of the source.
    const MATCH_ENDS: usize;
    /// The maximum distance of a match.
    const FARTHEST: usize;

    /// Returns whether a match takes fewer bytes than its literals would.
    fn pays(found: Match) -> bool;
    /// Writes literals, which may be empty, and the match after them.
    fn put(target: &mut Vec<u8>, literals: &[u8], found: Match);
    /// Writes the literals at the end.
    fn finish(target: &mut Vec<u8>, literals: &[u8]);
}

/// A match: bytes equal to those that begin `distance` bytes back. There are at least [`SHORTEST`].
#[derive(Debug, Clone, Copy)]
pub struct Match {
    pub distance: usize,
    pub length: usize,
}

/// The shortest match that is searched for.
pub const SHORTEST: usize = 4;

/// The number of failures (as a power of two) after which the steps of the greedy search increase by one.
const PATIENCE: usize = 6;

/// The range of table sizes, as powers of two. The size depends on the source, because clearing a table also takes time.
const TABLE: RangeInclusive<u32> = 8..=14;
const WINDOW: RangeInclusive<u32> = 8..=16;

/// Appends the encoded source. Returns whether the result is shorter than the source. If not, nothing is appended.
///
/// Uses the first match that it finds; the lower the level, the longer its steps.
pub fn greedy<F: Format>(source: &[u8], level: u8, target: &mut Vec<u8>) -> bool {
    let mut output = Output::<F>::new(source, target);
    // In larger sources, four equal bytes are found nearly everywhere.
    let bytes = if source.len() < 1 << 16 { 4 } else { 5 };
    let mut table = Table::new(source.len(), TABLE, bytes);
    let hurry = (10 - usize::from(level.clamp(1, 9))) << PATIENCE;
    let (mut at, mut step, mut attempts) = (1, 1, hurry);
    table.swap(source, 0);
    while at + F::MATCH_BEGINS <= source.len() {
        let candidate = table.swap(source, at);
        let Some((begin, found)) = Match::between::<F>(source, candidate, at, output.done) else {
            at += step;
            step = attempts >> PATIENCE;
            attempts += 1;
            continue;
        };
        if !output.put(begin, found) {
            return output.give_up();
        }
        (at, step, attempts) = (output.done, 1, hurry);
        if at + F::MATCH_BEGINS <= source.len() {
            table.swap(source, at - 2);
        }
    }
    output.finish()
}

/// Like [`greedy`], but searches many positions for the longest match, and for a longer one a byte later.
pub fn thorough<F: Format>(source: &[u8], level: u8, target: &mut Vec<u8>) -> bool {
    /// The length at which a match is long enough.
    const PLENTY: usize = 128;
    let mut output = Output::<F>::new(source, target);
    let mut chains = Chains::new(source.len());
    let attempts = 1 << (level.clamp(2, 9) - 1);
    let mut at = 1;
    chains.enter(source, 0);
    while at + F::MATCH_BEGINS <= source.len() {
        let Some(mut best) = chains.longest::<F>(source, at, output.done, attempts) else {
            at += 1;
            continue;
        };
        while best.1.length < PLENTY && at + 1 + F::MATCH_BEGINS <= source.len() {
            match chains.longest::<F>(source, at + 1, output.done, attempts) {
                Some(later) if later.1.length > best.1.length + 1 => (at, best) = (at + 1, later),
                _ => break,
            }
        }
        if !output.put(best.0, best.1) {
            return output.give_up();
        }
        at = output.done;
    }
    output.finish()
}

fn word(source: &[u8], at: usize) -> u32 {
    source.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

impl Match {
    /// Returns the longest match between a candidate and a position, with the position of the match. It may begin before the given
    /// position, but not before `done`.
    #[inline]
    fn between<F: Format>(source: &[u8], candidate: usize, at: usize, done: usize) -> Option<(usize, Match)> {
        let distance = at.checked_sub(candidate).filter(|distance| (1..=F::FARTHEST).contains(distance))?;
        if word(source, candidate) != word(source, at) {
            return None;
        }
        let end = source.len() - F::MATCH_ENDS;
        let earlier = source[..candidate].iter().rev();
        // There are literals before the first match.
        let same = source[done.max(1)..at].iter().rev().zip(earlier).take_while(|(a, b)| a == b).count();
        let length = same + common(&source[candidate..end], &source[at..end]);
        let found = Match { distance, length };
        (length >= SHORTEST && F::pays(found)).then_some((at - same, found))
    }
}

/// Returns the number of equal first bytes. The second slice must not be longer than the first.
#[inline]
fn common(earlier: &[u8], later: &[u8]) -> usize {
    let (words, rest) = later.as_chunks::<8>();
    let mut same = 0;
    for (a, b) in earlier.as_chunks::<8>().0.iter().zip(words) {
        let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if difference != 0 {
            return same + difference.trailing_zeros() as usize / 8;
        }
        same += 8;
    }
    same + earlier[same..].iter().zip(rest).take_while(|(a, b)| a == b).count()
}

/// The last position of bytes with the same hash.
struct Table {
    places: Vec<u32>,
    /// The shift that keeps only the hashed bytes of a word of eight.
    left: u32,
    /// The shift that reduces a product to an index.
    right: u32,
}

impl Table {
    /// Creates a table that hashes `bytes` bytes at each position.
    fn new(length: usize, sizes: RangeInclusive<u32>, bytes: u32) -> Self {
        let bits = size(length, sizes);
        Table { places: vec![0; 1 << bits], left: 64 - 8 * bytes, right: 64 - bits }
    }

    /// Adds a position. Returns the last position of bytes with the same hash: a candidate, or 0 if there was none.
    #[inline]
    fn swap(&mut self, source: &[u8], at: usize) -> usize {
        let bytes = source.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
        let hash = (u64::from_le_bytes(bytes) << self.left).wrapping_mul(0x9e37_79b1_85eb_ca87) >> self.right;
        std::mem::replace(&mut self.places[hash as usize], at as u32) as usize
    }
}

/// All positions in the last 64 KiB, linked by the hash of the bytes there.
struct Chains {
    latest: Table,
    /// The distance to the previous position, by position, within the window.
    steps: Vec<u16>,
    /// The positions before this one are in the table.
    entered: usize,
}

impl Chains {
    fn new(length: usize) -> Self {
        Chains { latest: Table::new(length, WINDOW, 4), steps: vec![0; 1 << size(length, WINDOW)], entered: 0 }
    }

    fn enter(&mut self, source: &[u8], at: usize) {
        let step = at - self.latest.swap(source, at);
        let mask = self.steps.len() - 1;
        self.steps[at & mask] = u16::try_from(step).unwrap_or(0);
        self.entered = at + 1;
    }

    fn longest<F: Format>(&mut self, source: &[u8], at: usize, done: usize, attempts: usize) -> Option<(usize, Match)> {
        while self.entered <= at {
            self.enter(source, self.entered);
        }
        let mask = self.steps.len() - 1;
        let mut best = None::<(usize, Match)>;
        // A match that is longer than the best one also has the same four bytes at this distance from `at`.
        let mut ahead = 0;
        let mut place = at;
        for _ in 0..attempts {
            let step = usize::from(self.steps[place & mask]);
            place -= step;
            let Some(candidate) = place.checked_sub(ahead).filter(|_| step > 0) else { break };
            if at - candidate > F::FARTHEST {
                break;
            }
            let Some((begin, found)) = Match::between::<F>(source, candidate, at, done) else { continue };
            if best.is_none_or(|(_, best)| found.length > best.length) {
                best = Some((begin, found));
                let end = begin + found.length;
                if end + F::MATCH_BEGINS > source.len() {
                    break;
                }
                ahead = end - at - (SHORTEST - 1);
                place = at + ahead;
                while self.entered <= at + ahead {
                    self.enter(source, self.entered);
                }
            }
        }
        best
    }
}

fn size(length: usize, sizes: RangeInclusive<u32>) -> u32 {
    (usize::BITS - length.leading_zeros()).clamp(*sizes.start(), *sizes.end())
}

/// The output so far.
struct Output<'a, F> {
    source: &'a [u8],
    target: &'a mut Vec<u8>,
    /// Its first byte in the target.
    begin: usize,
    /// The number of bytes of the source that were written.
    done: usize,
    format: PhantomData<F>,
}

impl<'a, F: Format> Output<'a, F> {
    fn new(source: &'a [u8], target: &'a mut Vec<u8>) -> Self {
        let begin = target.len();
        Output { source, target, begin, done: 0, format: PhantomData }
    }

    fn shorter(&self) -> bool {
        self.target.len() - self.begin < self.source.len()
    }

    /// Writes the literals before the match, and the match. Returns whether it is still worth continuing.
    fn put(&mut self, begin: usize, found: Match) -> bool {
        F::put(self.target, &self.source[self.done..begin], found);
        self.done = begin + found.length;
        self.shorter()
    }

    fn finish(self) -> bool {
        F::finish(self.target, &self.source[self.done..]);
        self.shorter() || self.give_up()
    }

    fn give_up(self) -> bool {
        self.target.truncate(self.begin);
        false
    }
}
