//! Histograms of numbers whose range is not known before the last of them.

use super::exact::parts;
use serde::Serialize;

/// The maximum number of ranges of a histogram.
pub const MOST_BINS: usize = 64;

/// The numbers of values in ranges of equal width, a power of two. The ranges are as narrow as [`MOST_BINS`] of them
/// allow, and no narrower than the floats around the values are apart. Every edge is a float, and every value lies
/// between the edges of its range.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Histogram {
    /// The start of the first range: a multiple of `width`. It is infinite if it is -2^1024, which is beyond the floats. If all
    /// values are the same, it is the float that is nearest to them.
    pub start: f64,
    /// The width of a range; 0 if all values are the same.
    pub width: f64,
    /// The number of values in each range, which includes its beginning and not its end.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// The edge before a range, or after the last one: `start + place · width`. It is infinite if it is ±2^1024.
    pub fn edge(&self, place: usize) -> f64 {
        // Halves, since the first edge may be beyond the floats.
        let start = if self.start.is_infinite() { -(2_f64.powi(1023)) } else { self.start / 2.0 };
        match self.start.abs() < 1.0 {
            true => self.start + place as f64 * self.width,
            false => (start + place as f64 * (self.width / 2.0)) * 2.0,
        }
    }

    /// The histogram with at most `most` ranges: neighbours are joined by twos.
    ///
    /// # Panics
    /// If `most` is less than 4: fewer ranges of all floats have no width that is a float.
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
    /// The exponent of the narrowest ranges around the number whose edges are floats.
    fn finest(self) -> i32;

    /// The range that the number is in, if ranges are `2^exponent` wide and one of them begins at zero. The exponent is no
    /// less than the finest one, so that places have at most the bits of a float.
    fn place(self, exponent: i32) -> i64;

    fn to_f64(self) -> f64;
}

/// The exponent of the last bit that a float has of an integer.
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
        // Shifted as an integer, which rounds down. No more than the sign is left of numbers that are much smaller.
        significand >> (exponent - last).min(63)
    }

    fn to_f64(self) -> f64 {
        self
    }
}

/// Two to a power from -1074 to 1023.
fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        -1022.. => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (exponent + 1074)),
    }
}

/// Ranges that become wider when a number lies beyond them. They depend on the least and the greatest number alone.
#[derive(Debug)]
pub enum Bins<N> {
    Empty,
    /// One number, and how often it came: the width is not known yet.
    One(N, u64),
    Many(Box<Ranges<N>>),
}

#[derive(Debug)]
pub struct Ranges<N> {
    low: N,
    high: N,
    exponent: i32,
    /// The place of the first range.
    first: i64,
    counts: [u64; MOST_BINS],
}

impl<N: Placed> Bins<N> {
    /// Takes a finite number several times.
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

    /// The histogram. `None` without numbers.
    pub fn finish(self) -> Option<Histogram> {
        match self {
            Bins::Empty => None,
            Bins::One(number, count) => {
                // The nearest number to the last long doubles below 2^1024 is none.
                let start = number.to_f64().clamp(f64::MIN, f64::MAX);
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

    /// Makes room for a number beyond the ranges.
    fn widen(&mut self, number: N) {
        let mut wider = Ranges::of(
            if number < self.low { number } else { self.low },
            if number > self.high { number } else { self.high },
        );
        // Ranges lie within the wider ones. No more than the sign is left of places that are much smaller.
        let shift = (wider.exponent - self.exponent).min(63);
        for (at, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            wider.counts[(((self.first + at as i64) >> shift) - wider.first) as usize] += count;
        }
        *self = wider;
    }
}

/// The least exponent with which two numbers are in ranges of one histogram, and the edges of these are floats.
fn narrowest<N: Placed>(low: N, high: N) -> i32 {
    let apart = |exponent: i32| high.place(exponent).abs_diff(low.place(exponent));
    let finest = low.finest().max(high.finest());
    let bits = u64::BITS - apart(finest).leading_zeros();
    let exponent = finest + bits.saturating_sub(MOST_BINS.ilog2()) as i32;
    // As many ranges apart as there are, they take one more.
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
