//! Statistics of numbers.
//!
//! [`Integers`] counts integers and [`Floats`] counts floats; each is generic over the two widest types of its sort.
//! Narrower items are widened first, so there is only one implementation, and the result is narrowed for display.
//!
//! All parts can be merged in any order: counts, extremes, exact sums ([`moments`]), distinct values up to a bound
//! ([`Distinct`]), and bins ([`Bins`]). Labels, such as categories and times, have an order and a histogram, but no
//! mean.

use super::Statistics;
use super::batch::{self, survey};
use super::distinct::Distinct;
use super::histogram::{Bins, Placed};
use super::long::Long;
use super::moments::{self, Moments};
use super::real::Real;

/// The meaning of integers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meaning {
    /// Numbers.
    Number,
    /// Categories or times, which have an order but no mean.
    Label,
}

/// An integer of one of the widest types.
pub trait WideInteger: Placed + Ord {
    /// Returns whether it is negative, and its magnitude.
    fn parts(self) -> (bool, u128);

    /// The bits that identify it.
    fn bits(self) -> u128;

    fn real(self) -> Real;
}

impl WideInteger for i128 {
    fn parts(self) -> (bool, u128) {
        (self < 0, self.unsigned_abs())
    }

    fn bits(self) -> u128 {
        self.cast_unsigned()
    }

    fn real(self) -> Real {
        Real::Int(self)
    }
}

impl WideInteger for u128 {
    fn parts(self) -> (bool, u128) {
        (false, self)
    }

    fn bits(self) -> u128 {
        self
    }

    fn real(self) -> Real {
        Real::Uint(self)
    }
}

/// The counts of integers.
#[derive(Debug)]
pub struct Integers<N> {
    meaning: Meaning,
    statistics: Statistics,
    extremes: Option<(N, N)>,
    moments: moments::Integers,
    distinct: Distinct,
    bins: Bins<N>,
}

impl<N: WideInteger> Integers<N> {
    pub fn new(meaning: Meaning) -> Self {
        Integers {
            meaning,
            statistics: Statistics::default(),
            extremes: None,
            moments: moments::Integers::default(),
            distinct: Distinct::default(),
            bins: Bins::Empty,
        }
    }

    /// Returns the meaning of the integers.
    pub fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// Adds an integer.
    #[inline]
    pub fn add(&mut self, number: N) {
        self.note(number, 1);
        if self.meaning == Meaning::Number {
            let (is_negative, magnitude) = number.parts();
            self.moments.add(is_negative, magnitude);
        }
    }

    /// Adds an integer several times.
    pub fn add_times(&mut self, number: N, times: u64) {
        if times > 0 {
            self.note(number, times);
            if self.meaning == Meaning::Number {
                let (is_negative, magnitude) = number.parts();
                self.moments.add_times(is_negative, magnitude, times);
            }
        }
    }

    #[inline]
    fn note(&mut self, number: N, times: u64) {
        self.statistics.values += times;
        if number.bits() == 0 {
            self.statistics.zeros += times;
        }
        let (low, high) = self.extremes.unwrap_or((number, number));
        self.extremes = Some((low.min(number), high.max(number)));
        self.distinct.add(number.bits());
        self.bins.add(number, times);
    }

    pub fn missing(&mut self, times: u64) {
        self.statistics.values += times;
        self.statistics.missing += times;
    }

    /// Adds the integers of another instance.
    pub fn merge(&mut self, other: Self) {
        self.statistics.add_counts(&other.statistics);
        let these = [self.extremes, other.extremes].into_iter().flatten();
        self.extremes = these.reduce(|(low, high), (least, most)| (low.min(least), high.max(most)));
        self.moments.merge(other.moments);
        self.distinct.merge(other.distinct);
        self.bins.merge(other.bins);
    }

    pub fn finish(self) -> Statistics {
        let (sum, moments) = self.moments.moments();
        Statistics {
            min: self.extremes.map(|(low, _)| low.real()),
            max: self.extremes.map(|(_, high)| high.real()),
            sum: sum.filter(|_| moments.is_some()),
            mean: moments.map(|(mean, _)| mean),
            std: moments.map(|(_, std)| std),
            distinct: self.distinct.count(),
            histogram: self.bins.finish(),
            ..self.statistics
        }
    }
}

/// A floating-point number of one of the widest types.
pub trait Float: Placed {
    type Moments: Moments<Self>;

    fn is_nan(self) -> bool;

    fn is_infinite(self) -> bool;

    fn is_zero(self) -> bool;

    fn is_sign_negative(self) -> bool;

    /// The bits that identify it. Zeros of both signs are one value.
    fn key(self) -> u128;

    /// Returns whether a histogram has room for it.
    fn is_placed(self) -> bool;

    fn real(self) -> Real;
}

impl Float for f64 {
    type Moments = moments::Floats;

    #[inline]
    fn is_nan(self) -> bool {
        self.is_nan()
    }

    #[inline]
    fn is_infinite(self) -> bool {
        self.is_infinite()
    }

    #[inline]
    fn is_zero(self) -> bool {
        self == 0.0
    }

    #[inline]
    fn is_sign_negative(self) -> bool {
        self.is_sign_negative()
    }

    #[inline]
    fn key(self) -> u128 {
        (self + 0.0).to_bits().into()
    }

    #[inline]
    fn is_placed(self) -> bool {
        true
    }

    fn real(self) -> Real {
        Real::F64(self)
    }
}

impl Float for Long {
    type Moments = moments::Longs;

    fn is_nan(self) -> bool {
        self.0.is_nan()
    }

    fn is_infinite(self) -> bool {
        self.0.is_infinite()
    }

    fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    fn is_sign_negative(self) -> bool {
        self.0.is_sign_negative()
    }

    fn key(self) -> u128 {
        let (sign_exponent, significand) = self.0.to_bits();
        let sign_exponent = match sign_exponent {
            _ if self.0.is_zero() => 0,
            // With its first bit set, a significand at exponent 0 has the same value as at exponent 1.
            0 | 0x8000 if significand >> 63 == 1 => sign_exponent + 1,
            other => other,
        };
        u128::from(sign_exponent) << 64 | u128::from(significand)
    }

    fn is_placed(self) -> bool {
        self.top() <= f64::MAX_EXP
    }

    fn real(self) -> Real {
        Real::Long(self.0)
    }
}

/// The counts of floating-point numbers.
#[derive(Debug)]
pub struct Floats<N: Float> {
    statistics: Statistics,
    extremes: Option<(N, N)>,
    moments: N::Moments,
    distinct: Distinct,
    bins: Bins<N>,
    /// Whether some number is too large for a double.
    is_beyond: bool,
}

impl<N: Float> Default for Floats<N> {
    fn default() -> Self {
        Floats {
            statistics: Statistics::default(),
            extremes: None,
            moments: N::Moments::default(),
            distinct: Distinct::default(),
            bins: Bins::Empty,
            is_beyond: false,
        }
    }
}

impl<N: Float> Floats<N> {
    /// Adds a number.
    #[inline]
    pub fn add(&mut self, number: N) {
        if self.note(number, 1) {
            self.moments.add(number);
        }
    }

    /// Adds a number several times.
    pub fn add_times(&mut self, number: N, times: u64) {
        if times > 0 && self.note(number, times) {
            self.moments.add_times(number, times);
        }
    }

    /// Counts a number and returns whether it is finite.
    #[inline]
    fn note(&mut self, number: N, times: u64) -> bool {
        self.statistics.values += times;
        if number.is_nan() {
            self.statistics.nan += times;
            return false;
        }
        self.distinct.add(number.key());
        if number.is_infinite() {
            self.statistics.infinite += times;
            return false;
        }
        if number.is_zero() {
            self.statistics.zeros += times;
        }
        self.reach(number, number);
        match number.is_placed() {
            true => self.bins.add(number, times),
            false => self.is_beyond = true,
        }
        true
    }

    /// Extends the extremes to include other extremes.
    #[inline]
    fn reach(&mut self, least: N, most: N) {
        let (low, high) = self.extremes.unwrap_or((least, most));
        // Negative zero is less than positive zero, so that the order of the values does not matter.
        let is_less = |one: N, other: N| one < other || one == other && one.is_sign_negative();
        self.extremes =
            Some((if is_less(least, low) { least } else { low }, if is_less(high, most) { most } else { high }));
    }

    /// Adds the numbers of another instance.
    pub fn merge(&mut self, other: Self) {
        self.statistics.add_counts(&other.statistics);
        if let Some((low, high)) = other.extremes {
            self.reach(low, high);
        }
        self.moments.merge(other.moments);
        self.distinct.merge(other.distinct);
        self.bins.merge(other.bins);
        self.is_beyond |= other.is_beyond;
    }

    pub fn missing(&mut self, times: u64) {
        self.statistics.values += times;
        self.statistics.missing += times;
    }

    /// Returns the statistics. `real` converts a number to its stored width.
    pub fn finish(self, real: impl Fn(N) -> Real) -> Statistics {
        let moments = self.moments.moments();
        Statistics {
            min: self.extremes.map(|(low, _)| real(low)),
            max: self.extremes.map(|(_, high)| real(high)),
            mean: moments.map(|(mean, _)| mean),
            std: moments.map(|(_, std)| std),
            distinct: self.distinct.count(),
            histogram: self.bins.finish().filter(|_| !self.is_beyond),
            ..self.statistics
        }
    }
}

impl Floats<f64> {
    /// Adds up to [`batch::MOST`] numbers, whose significands have `digits` bits.
    pub fn add_all(&mut self, numbers: &[f64], digits: u32) {
        let survey = survey(numbers);
        self.statistics.values += numbers.len() as u64;
        self.statistics.nan += survey.nan;
        self.statistics.infinite += survey.infinite;
        self.statistics.zeros += survey.zeros;
        if !self.distinct.is_over() {
            let of_order = numbers.iter().filter(|number| !number.is_nan());
            of_order.for_each(|number| self.distinct.add(number.key()));
        }
        let mut room = [0.0; batch::MOST];
        let finite = survey.finite(numbers, &mut room);
        if !finite.is_empty() {
            let (low, high) = (batch::number(survey.min), batch::number(survey.max));
            self.reach(low, high);
            self.bins.add_all(finite, low, high);
            self.moments.add_all(finite, &survey, digits);
        }
    }
}
