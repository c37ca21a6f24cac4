//! Mean and deviation of numbers that come one after the other: sums that lose nothing, which are rounded once.

use super::exact::{LEAST, LEAST_LONG, Natural, Sum, Unrounded, parts, quotient, root_quotient};
use super::long::Long;
use super::real::Real;

/// Sums of numbers and of their squares. The numbers are multiples of `2^exponent`.
#[derive(Debug, Default)]
struct Sums {
    count: u64,
    sum: Sum,
    squares: Natural,
}

impl Sums {
    /// Takes `magnitude · 2^shift` several times.
    fn add(&mut self, is_negative: bool, magnitude: u128, times: u64, shift: u32) {
        self.sum.add(is_negative, magnitude, times, shift);
        self.squares.add_square(magnitude, times, 2 * shift);
        self.count += times;
    }

    /// The sum, if it fits.
    fn sum(&self) -> Option<i128> {
        let (sum, is_negative) = self.sum.parts();
        let sum = sum.to_u128()?;
        if is_negative { 0_i128.checked_sub_unsigned(sum) } else { i128::try_from(sum).ok() }
    }

    /// The mean and the standard deviation, each rounded once to the nearest number. `None` without numbers.
    fn moments<N: std::ops::Neg<Output = N>>(self, exponent: i32, round: impl Fn(Unrounded) -> N) -> Option<(N, N)> {
        let Sums { count, sum, squares } = self;
        if count == 0 {
            return None;
        }
        let (total, is_negative) = sum.parts();
        // Of n numbers: the root of n · Σx² − (Σx)², divided by n. It is never negative.
        let (spread, _) = squares.times(count).minus(&total.square());
        let deviation = round(root_quotient(spread, count, exponent));
        let mean = round(quotient(total, count, exponent));
        Some((if is_negative { -mean } else { mean }, deviation))
    }
}

/// As many squares of significands fit into 128 bits.
const FULL: u32 = 1 << 22;

/// Floats with the same exponent: their significands are integers, which are summed up as such.
#[derive(Debug, Default, Clone)]
struct Bucket {
    sum: i128,
    squares: u128,
}

/// The moments of finite floats.
#[derive(Debug)]
pub struct Floats {
    /// One for each exponent.
    buckets: Vec<Bucket>,
    /// The numbers in the buckets.
    held: u32,
    sums: Sums,
}

impl Default for Floats {
    fn default() -> Self {
        Floats { buckets: vec![Bucket::default(); 1 << 11], held: 0, sums: Sums::default() }
    }
}

impl Floats {
    /// Empties the buckets.
    fn empty(&mut self) {
        for (bucket, shift) in self.buckets.iter_mut().zip(0..).filter(|(bucket, _)| bucket.squares > 0) {
            self.sums.sum.add(bucket.sum < 0, bucket.sum.unsigned_abs(), 1, shift);
            self.sums.squares.add(bucket.squares, 1, 2 * shift);
            *bucket = Bucket::default();
        }
        self.sums.count += u64::from(self.held);
        self.held = 0;
    }
}

/// Sums of finite floats, which lose nothing.
pub trait Moments<N>: Default + std::fmt::Debug {
    /// Takes a finite number.
    fn add(&mut self, number: N);

    /// Takes a finite number several times.
    fn add_times(&mut self, number: N, times: u64);

    /// The mean and the standard deviation. `None` without numbers.
    fn moments(self) -> Option<(Real, Real)>;
}

impl Moments<f64> for Floats {
    #[inline]
    fn add(&mut self, number: f64) {
        let (significand, exponent) = parts(number);
        let bucket = &mut self.buckets[(exponent - LEAST) as usize];
        bucket.sum += i128::from(significand);
        let magnitude = u128::from(significand.unsigned_abs());
        bucket.squares += magnitude * magnitude;
        self.held += 1;
        if self.held == FULL {
            self.empty();
        }
    }

    fn add_times(&mut self, number: f64, times: u64) {
        let (significand, exponent) = parts(number);
        self.sums.add(significand < 0, significand.unsigned_abs().into(), times, (exponent - LEAST) as u32);
    }

    fn moments(mut self) -> Option<(Real, Real)> {
        self.empty();
        let (mean, std) = self.sums.moments(LEAST, |exact| exact.to_f64())?;
        Some((Real::F64(mean), Real::F64(std)))
    }
}

/// The moments of finite long doubles.
#[derive(Debug, Default)]
pub struct Longs(Sums);

impl Moments<Long> for Longs {
    fn add(&mut self, number: Long) {
        self.add_times(number, 1);
    }

    fn add_times(&mut self, number: Long, times: u64) {
        let (significand, exponent) = number.0.parts();
        self.0.add(number.0.is_sign_negative(), significand.into(), times, (exponent - LEAST_LONG) as u32);
    }

    fn moments(self) -> Option<(Real, Real)> {
        let (mean, std) = self.0.moments(LEAST_LONG, |exact| Long(exact.to_long()))?;
        Some((Real::Long(mean.0), Real::Long(std.0)))
    }
}

/// The moments of integers.
#[derive(Debug, Default)]
pub struct Integers {
    /// The number of integers of up to 64 bits, and their sum. The sum of their squares is its low bits, and how often
    /// these overflowed.
    held: u64,
    sum: i128,
    squares: u128,
    overflows: u64,
    sums: Sums,
}

impl Integers {
    /// Takes an integer.
    #[inline]
    pub fn add(&mut self, is_negative: bool, magnitude: u128) {
        let Ok(short) = u64::try_from(magnitude) else { return self.add_times(is_negative, magnitude, 1) };
        self.held += 1;
        self.sum += if is_negative { -i128::from(short) } else { i128::from(short) };
        let (squares, is_over) = self.squares.overflowing_add(u128::from(short) * u128::from(short));
        self.squares = squares;
        self.overflows += u64::from(is_over);
    }

    /// Takes an integer several times.
    pub fn add_times(&mut self, is_negative: bool, magnitude: u128, times: u64) {
        self.sums.add(is_negative, magnitude, times, 0);
    }

    /// The sum, if it fits; the mean and the standard deviation. `None` without numbers.
    pub fn moments(mut self) -> (Option<i128>, Option<(Real, Real)>) {
        self.sums.sum.add(self.sum < 0, self.sum.unsigned_abs(), 1, 0);
        self.sums.squares.add(self.squares, 1, 0);
        self.sums.squares.add(self.overflows.into(), 1, 128);
        self.sums.count += self.held;
        let sum = self.sums.sum();
        let moments = self.sums.moments(0, |exact| exact.to_f64());
        (sum, moments.map(|(mean, std)| (Real::F64(mean), Real::F64(std))))
    }
}
