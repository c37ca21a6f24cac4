//! Statistics of numbers.

use super::Statistics;
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
    /// Categories or times: they have an order, but no mean.
    Label,
}

/// An integer of one of the widest types.
pub trait Whole: Placed + Ord {
    /// True if it is negative, and its distance from zero.
    fn parts(self) -> (bool, u128);

    /// The bits that distinguish it from others.
    fn bits(self) -> u128;

    fn real(self) -> Real;
}

impl Whole for i128 {
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

impl Whole for u128 {
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

impl<N: Whole> Integers<N> {
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

    /// Takes an integer.
    #[inline]
    pub fn add(&mut self, number: N) {
        self.note(number, 1);
        if self.meaning == Meaning::Number {
            let (is_negative, magnitude) = number.parts();
            self.moments.add(is_negative, magnitude);
        }
    }

    /// Takes an integer several times.
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

    /// The bits that distinguish it from others. Zeros of both signs are one value.
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
            // A number with the least exponent has the next one, too.
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
    /// True if some number is beyond the doubles.
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
    /// Takes a number.
    #[inline]
    pub fn add(&mut self, number: N) {
        if self.note(number, 1) {
            self.moments.add(number);
        }
    }

    /// Takes a number several times.
    pub fn add_times(&mut self, number: N, times: u64) {
        if times > 0 && self.note(number, times) {
            self.moments.add_times(number, times);
        }
    }

    /// Returns whether the number is finite.
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
        let (low, high) = self.extremes.unwrap_or((number, number));
        // The negative zero is less than the other one, so that the order of the values does not matter.
        let is_less = |one: N, other: N| one < other || one == other && one.is_sign_negative();
        self.extremes =
            Some((if is_less(number, low) { number } else { low }, if is_less(high, number) { number } else { high }));
        match number.is_placed() {
            true => self.bins.add(number, times),
            false => self.is_beyond = true,
        }
        true
    }

    pub fn missing(&mut self, times: u64) {
        self.statistics.values += times;
        self.statistics.missing += times;
    }

    /// The statistics. `real` gives a number the width in which it is stored.
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
