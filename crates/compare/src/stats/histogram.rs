//! Histograms of numbers whose range is known only at the end.
//!
//! The range is known only after the last number, and a second pass would decode a compressed file twice. So the bins
//! start as narrow as the numbers so far allow, and become wider when a number lies outside. A width is always a power
//! of two, and every edge is a multiple of it, so a wider bin is the union of whole narrower bins, and no count has to
//! be split.
//!
//! The result depends only on the minimum and the maximum, not on the order of the numbers. Threads can therefore count
//! independently and merge their bins.

use super::batch;
use super::exact::{parts, power_of_two};
use serde::Serialize;

/// The maximum number of bins of a histogram.
pub const MOST_BINS: usize = 64;

/// The number of values in each of several bins. The width of a bin is a power of two. The bins are as narrow as
/// [`MOST_BINS`] allows, but not narrower than the distance between floats of this size. Every edge is a float, and
/// every value is between the edges of its bin.
///
/// ```
/// # let file = [0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3, 2];
/// use ndbytes::{Array, Input, Limits, Options};
/// use ndbytes_compare::stats;
///
/// let array = Array::read(Input::from_slice(&file, Limits::default()), &Options::new())?; // 1, 2, 3, 2
/// let histogram = stats::array(&array)?.remove(0).statistics.histogram.unwrap().folded(4);
/// assert_eq!((histogram.start, histogram.width, &*histogram.counts), (1.0, 1.0, &[1, 2, 1][..]));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Histogram {
    /// The start of the first bin: a multiple of `width`. For -2^1024, which is outside the range of floats, it is
    /// infinite. If all values are the same, it is the float nearest to them.
    pub start: f64,
    /// The width of a bin; 0 if all values are the same.
    pub width: f64,
    /// The number of values in each bin, which includes its start but not its end.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// The edge before a bin, or after the last one: `start + place · width`. For ±2^1024, it is infinite.
    pub fn edge(&self, place: usize) -> f64 {
        // Both are halved, since the first edge may be outside the range of floats.
        let start = if self.start.is_infinite() { -(2_f64.powi(1023)) } else { self.start / 2.0 };
        match self.start.abs() < 1.0 {
            true => self.start + place as f64 * self.width,
            false => (start + place as f64 * (self.width / 2.0)) * 2.0,
        }
    }

    /// Reduces the histogram to at most `most` bins by merging neighbours in pairs.
    ///
    /// # Panics
    /// Panics if `most` is less than 4: with fewer bins for all floats, the width would not be a float.
    #[must_use]
    pub fn folded(mut self, most: usize) -> Self {
        assert!(most >= 4, "fewer ranges may be too wide");
        while self.counts.len() > most {
            let is_odd = (self.start / self.width).rem_euclid(2.0) == 1.0;
            if is_odd {
                self.start -= self.width;
                self.counts.insert(0, 0);
            }
            self.counts = self.counts.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.width *= 2.0;
        }
        self
    }
}

/// A number that can be placed in ranges as wide as a power of two.
pub trait Placed: Copy + PartialOrd {
    /// Returns the exponent of the narrowest ranges around the number whose edges are floats.
    fn finest(self) -> i32;

    /// Returns the index of the range that contains the number, if ranges are `2^exponent` wide and range 0 begins at
    /// zero. The exponent must be at least the finest one, so that the result has no more bits than a float.
    fn place(self, exponent: i32) -> i64;

    fn to_f64(self) -> f64;
}

/// Returns the exponent of the last bit that a float can have for an integer.
fn finest(magnitude: u128) -> i32 {
    (128 - magnitude.leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS) as i32
}

impl Placed for i128 {
    fn finest(self) -> i32 {
        finest(self.unsigned_abs())
    }

    #[inline]
    fn place(self, exponent: i32) -> i64 {
        (self >> exponent) as i64
    }

    fn to_f64(self) -> f64 {
        self as f64
    }
}

impl Placed for u128 {
    fn finest(self) -> i32 {
        finest(self)
    }

    #[inline]
    fn place(self, exponent: i32) -> i64 {
        (self >> exponent) as i64
    }

    fn to_f64(self) -> f64 {
        self as f64
    }
}

impl Placed for f64 {
    fn finest(self) -> i32 {
        parts(self).1
    }

    #[inline]
    fn place(self, exponent: i32) -> i64 {
        let (significand, last) = parts(self);
        // Shifting an integer rounds down. Of much smaller numbers, only the sign remains.
        significand >> (exponent - last).min(63)
    }

    fn to_f64(self) -> f64 {
        self
    }
}

/// Ranges that become wider when a number lies outside them. They depend only on the minimum and the maximum.
#[derive(Debug)]
pub enum Bins<N> {
    Empty,
    /// One number, and its count; the width is not known yet.
    One(N, u64),
    Many(Box<Ranges<N>>),
}

#[derive(Debug)]
pub struct Ranges<N> {
    low: N,
    high: N,
    exponent: i32,
    /// The index of the first bin.
    first: i64,
    counts: [u64; MOST_BINS],
}

impl<N: Placed> Bins<N> {
    /// Adds a finite number several times.
    #[inline]
    pub fn add(&mut self, number: N, times: u64) {
        match self {
            Bins::Many(ranges) if ranges.low <= number && number <= ranges.high => ranges.count(number, times),
            Bins::Many(ranges) => {
                ranges.widen(number);
                ranges.count(number, times);
            }
            Bins::One(one, count) if *one == number => *count += times,
            Bins::One(one, count) => {
                let mut ranges = Box::new(Ranges::of(*one, number));
                ranges.count(*one, *count);
                ranges.count(number, times);
                *self = Bins::Many(ranges);
            }
            Bins::Empty => *self = Bins::One(number, times),
        }
    }

    /// Adds the numbers of other ranges.
    pub fn merge(&mut self, other: Self) {
        match other {
            Bins::Empty => {}
            Bins::One(number, count) => self.add(number, count),
            Bins::Many(ranges) => {
                // After this, these ranges extend as far as the others, and are at least as wide.
                self.add(ranges.low, 0);
                self.add(ranges.high, 0);
                if let Bins::Many(these) = self {
                    these.take(&ranges);
                }
            }
        }
    }

    /// Returns the histogram. `None` if there are no numbers.
    pub fn finish(self) -> Option<Histogram> {
        match self {
            Bins::Empty => None,
            Bins::One(number, count) => {
                // For the last long doubles below 2^1024, no finite double is nearest. Adding 0 makes a zero positive,
                // whichever came first.
                let start = number.to_f64().clamp(f64::MIN, f64::MAX) + 0.0;
                Some(Histogram { start, width: 0.0, counts: vec![count] })
            }
            Bins::Many(ranges) => {
                let Ranges { high, exponent, first, counts, .. } = *ranges;
                let (width, used) = (power_of_two(exponent), (high.place(exponent) - first) as usize + 1);
                Some(Histogram { start: first as f64 * width, width, counts: counts[..used].to_vec() })
            }
        }
    }
}

impl<N: Placed> Ranges<N> {
    fn of(one: N, other: N) -> Self {
        let (low, high) = if one < other { (one, other) } else { (other, one) };
        let exponent = narrowest(low, high);
        Ranges { low, high, exponent, first: low.place(exponent), counts: [0; MOST_BINS] }
    }

    #[inline]
    fn count(&mut self, number: N, times: u64) {
        self.counts[(number.place(self.exponent) - self.first) as usize] += times;
    }

    /// Makes room for a number outside the ranges.
    fn widen(&mut self, number: N) {
        let mut wider = Ranges::of(
            if number < self.low { number } else { self.low },
            if number > self.high { number } else { self.high },
        );
        wider.take(self);
        *self = wider;
    }

    /// Adds the counts of ranges that lie within these.
    fn take(&mut self, narrower: &Self) {
        // Of much smaller indices, only the sign remains.
        let shift = (self.exponent - narrower.exponent).min(63);
        for (at, &count) in narrower.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            self.counts[(((narrower.first + at as i64) >> shift) - self.first) as usize] += count;
        }
    }
}

impl Bins<f64> {
    /// Adds finite numbers, given their minimum and maximum.
    pub fn add_all(&mut self, numbers: &[f64], low: f64, high: f64) {
        self.add(low, 0);
        self.add(high, 0);
        match self {
            Bins::Empty => {}
            Bins::One(_, count) => *count += numbers.len() as u64,
            Bins::Many(ranges) => numbers.chunks(batch::MOST).for_each(|numbers| ranges.count_all(numbers)),
        }
    }
}

impl Ranges<f64> {
    /// Counts up to [`batch::MOST`] numbers inside the ranges.
    fn count_all(&mut self, numbers: &[f64]) {
        /// The exponent beyond which a multiple of a width need not be a float.
        const MOST_EXPONENT: u32 = 1000;
        /// The number of counters that consecutive numbers use in turn, so that none has to wait for the previous one.
        const TURNS: usize = 4;
        if self.exponent.unsigned_abs() > MOST_EXPONENT {
            return numbers.iter().for_each(|&number| self.count(number, 1));
        }
        let mut places = [0; batch::MOST];
        batch::places(numbers, power_of_two(-self.exponent), self.first as f64, &mut places);
        let mut counts = [[0_u16; MOST_BINS]; TURNS];
        for places in places[..numbers.len()].chunks(TURNS) {
            for (counts, place) in counts.iter_mut().zip(places) {
                counts[usize::from(*place) % MOST_BINS] += 1;
            }
        }
        for (at, count) in self.counts.iter_mut().enumerate() {
            *count += counts.iter().map(|counts| u64::from(counts[at])).sum::<u64>();
        }
    }
}

/// Returns the smallest exponent with which one histogram covers both numbers, and all edges are floats.
fn narrowest<N: Placed>(low: N, high: N) -> i32 {
    let apart = |exponent: i32| high.place(exponent).abs_diff(low.place(exponent));
    let finest = low.finest().max(high.finest());
    let bits = u64::BITS - apart(finest).leading_zeros();
    let exponent = finest + bits.saturating_sub(MOST_BINS.ilog2()) as i32;
    // If they are as many ranges apart as a histogram has, one more would be needed.
    if apart(exponent) < MOST_BINS as u64 { exponent } else { exponent + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram<N: Placed>(numbers: &[N]) -> Histogram {
        let mut bins = Bins::Empty;
        numbers.iter().for_each(|&number| bins.add(number, 1));
        bins.finish().unwrap()
    }

    #[test]
    fn ranges_depend_on_least_and_greatest_alone() {
        let mut numbers: Vec<f64> = (0..1000).map(|number| f64::from(number) * 0.37 - 100.0).collect();
        let forwards = histogram(&numbers);
        numbers.reverse();
        assert_eq!(forwards, histogram(&numbers));
        numbers.rotate_left(333);
        assert_eq!(forwards, histogram(&numbers));
        assert_eq!((forwards.start, forwards.width, forwards.counts.len()), (-104.0, 8.0, 47));
        assert_eq!(forwards.counts.iter().sum::<u64>(), 1000);
    }

    #[test]
    fn all_bytes_make_sixty_four_ranges() {
        let all: Vec<i128> = (0..256).collect();
        let whole = histogram(&all);
        assert_eq!((whole.start, whole.width, &*whole.counts), (0.0, 4.0, &[4; 64][..]));
        let folded = whole.folded(20);
        assert_eq!((folded.start, folded.width, &*folded.counts), (0.0, 16.0, &[16; 16][..]));
    }

    #[test]
    fn extremes_of_the_types_are_placed() {
        for pair in [
            [f64::MIN, f64::MAX],
            [5e-324, 1e-323],
            [-5e-324, f64::MAX],
            [1e308, 1e308_f64.next_up()],
            [f64::MIN_POSITIVE, f64::MIN_POSITIVE.next_up()],
            [-0.0, 5e-324],
        ] {
            let counts = histogram(&pair).counts;
            assert_eq!((counts.first(), counts.last(), counts.iter().sum()), (Some(&1), Some(&1), 2_u64), "{pair:?}");
        }
        for pair in [[i128::MIN, i128::MAX], [i128::MAX - (1 << 75), i128::MAX], [-1, 0]] {
            let counts = histogram(&pair).counts;
            assert_eq!((counts.first(), counts.last(), counts.iter().sum()), (Some(&1), Some(&1), 2_u64), "{pair:?}");
        }
    }

    #[test]
    fn ranges_widen_from_the_narrowest() {
        let counts = histogram(&[5e-324, 1e-323, 1.0, f64::MAX]).counts;
        assert_eq!((counts[0], counts.iter().sum()), (3, 4_u64));
    }

    #[test]
    fn a_single_value_has_one_range_without_width() {
        assert_eq!(histogram(&[7_i128, 7]), Histogram { start: 7.0, width: 0.0, counts: vec![2] });
    }
}
