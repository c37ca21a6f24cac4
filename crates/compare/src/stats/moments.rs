//! Mean and deviation of a sequence of numbers, computed from exact sums that are rounded once.
//!
//! The deviation of n numbers is √(n·Σx² − (Σx)²) / n. In floating-point arithmetic, the difference under the root
//! cancels and can even become negative. With exact sums, it cannot.
//!
//! Most files have floats of similar size. Numbers with the same exponent therefore go to one bucket, where their
//! significands are summed as plain integers; the buckets are added to the big sums before they can overflow. Batches
//! whose exponents are close skip the buckets: see [`batch`].

use super::batch::{self, Survey};
use super::exact::{LEAST, LEAST_LONG, Sum, Unrounded, parts, quotient, root_quotient};
use super::long::Long;
use super::real::Real;

/// Sums of numbers and of their squares. The numbers are multiples of `2^exponent`.
#[derive(Debug, Default)]
struct Sums {
    count: u64,
    sum: Sum,
    squares: Sum,
}

impl Sums {
    /// Adds `magnitude · 2^shift` several times.
    fn add(&mut self, is_negative: bool, magnitude: u128, times: u64, shift: u32) {
        self.sum.add(is_negative, magnitude, times, shift);
        self.squares.add_square(magnitude, times, 2 * shift);
        self.count += times;
    }

    /// Adds floats, given by their sums. The numbers are multiples of `2^LEAST`.
    fn add_batch(&mut self, count: usize, sums: &batch::Sums) {
        sums.numbers.iter().for_each(|&part| self.sum.add_float(part));
        sums.squares.iter().for_each(|&part| self.squares.add_floats(part, 1, 2 * LEAST));
        sums.products.iter().for_each(|&part| self.squares.add_floats(part, 2, 2 * LEAST));
        self.count += count as u64;
    }

    /// Adds other sums.
    fn merge(&mut self, other: &Self) {
        self.sum.add_sum(&other.sum);
        self.squares.add_sum(&other.squares);
        self.count += other.count;
    }

    /// The sum, if it fits.
    fn sum(&self) -> Option<i128> {
        let (sum, is_negative) = self.sum.parts();
        let sum = sum.to_u128()?;
        if is_negative { 0_i128.checked_sub_unsigned(sum) } else { i128::try_from(sum).ok() }
    }

    /// Returns the mean and the standard deviation, each rounded once to the nearest number. `None` without numbers.
    fn moments<N: std::ops::Neg<Output = N>>(self, exponent: i32, round: impl Fn(Unrounded) -> N) -> Option<(N, N)> {
        let Sums { count, sum, squares } = self;
        if count == 0 {
            return None;
        }
        let (total, is_negative) = sum.parts();
        // The standard deviation of n numbers is the root of n · Σx² − (Σx)², divided by n. The radicand is never negative.
        let (squares, _) = squares.parts();
        let (spread, _) = squares.times(count).minus(&total.square());
        let deviation = round(root_quotient(spread, count, exponent));
        let mean = round(quotient(total, count, exponent));
        Some((if is_negative { -mean } else { mean }, deviation))
    }
}

/// This many squares of significands fit into 128 bits.
const FULL: u32 = 1 << 22;

/// Floats with the same exponent, whose significands are summed as integers.
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
    /// The count of the numbers in the buckets.
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
            self.sums.squares.add(false, bucket.squares, 1, 2 * shift);
            *bucket = Bucket::default();
        }
        self.sums.count += u64::from(self.held);
        self.held = 0;
    }

    /// Adds the finite numbers of a batch, whose significands have `digits` bits.
    pub fn add_all(&mut self, numbers: &[f64], survey: &Survey, digits: u32) {
        match survey.sums(numbers, digits) {
            Some(sums) => self.sums.add_batch(numbers.len(), &sums),
            None => numbers.iter().for_each(|&number| self.add(number)),
        }
    }
}

/// Exact sums of finite floats.
pub trait Moments<N>: Default + std::fmt::Debug {
    /// Adds a finite number.
    fn add(&mut self, number: N);

    /// Adds a finite number several times.
    fn add_times(&mut self, number: N, times: u64);

    /// Adds the numbers of another sum.
    fn merge(&mut self, other: Self);

    /// Returns the mean and the standard deviation. `None` without numbers.
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

    fn merge(&mut self, mut other: Self) {
        other.empty();
        self.sums.merge(&other.sums);
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

    fn merge(&mut self, other: Self) {
        self.0.merge(&other.0);
    }

    fn moments(self) -> Option<(Real, Real)> {
        let (mean, std) = self.0.moments(LEAST_LONG, |exact| Long(exact.to_long()))?;
        Some((Real::Long(mean.0), Real::Long(std.0)))
    }
}

/// The moments of integers.
#[derive(Debug, Default)]
pub struct Integers {
    /// The number of integers of up to 64 bits, and their sum. The sum of their squares is stored as its low bits and
    /// the number of times these overflowed.
    held: u64,
    sum: i128,
    squares: u128,
    overflows: u64,
    sums: Sums,
}

impl Integers {
    /// Adds an integer.
    #[inline]
    pub fn add(&mut self, is_negative: bool, magnitude: u128) {
        let Ok(short) = u64::try_from(magnitude) else { return self.add_times(is_negative, magnitude, 1) };
        self.held += 1;
        self.sum += if is_negative { -i128::from(short) } else { i128::from(short) };
        let (squares, is_over) = self.squares.overflowing_add(u128::from(short) * u128::from(short));
        self.squares = squares;
        self.overflows += u64::from(is_over);
    }

    /// Adds an integer several times.
    pub fn add_times(&mut self, is_negative: bool, magnitude: u128, times: u64) {
        self.sums.add(is_negative, magnitude, times, 0);
    }

    /// Adds the pending values to the wide sums.
    fn settle(&mut self) {
        let Integers { held, sum, squares, overflows, sums } = self;
        sums.sum.add(*sum < 0, sum.unsigned_abs(), 1, 0);
        sums.squares.add(false, *squares, 1, 0);
        sums.squares.add(false, (*overflows).into(), 1, 128);
        sums.count += *held;
        (*held, *sum, *squares, *overflows) = (0, 0, 0, 0);
    }

    /// Adds the integers of another sum.
    pub fn merge(&mut self, mut other: Self) {
        other.settle();
        self.sums.merge(&other.sums);
    }

    /// Returns the sum, if it fits; the mean and the standard deviation. `None` without numbers.
    pub fn moments(mut self) -> (Option<i128>, Option<(Real, Real)>) {
        self.settle();
        let sum = self.sums.sum();
        let moments = self.sums.moments(0, |exact| exact.to_f64());
        (sum, moments.map(|(mean, std)| (Real::F64(mean), Real::F64(std))))
    }
}
