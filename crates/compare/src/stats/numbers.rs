//! Statistics of numbers.

use super::distinct::Distinct;
use super::histogram::{Bins, Placed};
use super::moments;
use super::{Real, Statistics};

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

/// The counts of floating-point numbers.
#[derive(Debug)]
pub struct Floats {
    statistics: Statistics,
    /// True if the numbers are no longer than 32 bits.
    is_single: bool,
    extremes: Option<(f64, f64)>,
    moments: moments::Floats,
    distinct: Distinct,
    bins: Bins<f64>,
}

impl Floats {
    pub fn new(is_single: bool) -> Self {
        Floats {
            statistics: Statistics::default(),
            is_single,
            extremes: None,
            moments: moments::Floats::default(),
            distinct: Distinct::default(),
            bins: Bins::Empty,
        }
    }

    /// Takes a number.
    #[inline]
    pub fn add(&mut self, number: f64) {
        if self.note(number, 1) {
            self.moments.add(number);
        }
    }

    /// Takes a number several times.
    pub fn add_times(&mut self, number: f64, times: u64) {
        if times > 0 && self.note(number, times) {
            self.moments.add_times(number, times);
        }
    }

    /// Returns whether the number is finite.
    #[inline]
    fn note(&mut self, number: f64, times: u64) -> bool {
        self.statistics.values += times;
        if number.is_nan() {
            self.statistics.nan += times;
            return false;
        }
        // Zeros of both signs are one value.
        self.distinct.add((number + 0.0).to_bits().into());
        if number.is_infinite() {
            self.statistics.infinite += times;
            return false;
        }
        if number == 0.0 {
            self.statistics.zeros += times;
        }
        let (low, high) = self.extremes.unwrap_or((number, number));
        // The negative zero is less than the other one, so that the order of the values does not matter.
        let is_less = |one: f64, other: f64| one < other || one == other && one.is_sign_negative();
        self.extremes =
            Some((if is_less(number, low) { number } else { low }, if is_less(high, number) { number } else { high }));
        self.bins.add(number, times);
        true
    }

    pub fn missing(&mut self, times: u64) {
        self.statistics.values += times;
        self.statistics.missing += times;
    }

    pub fn finish(self) -> Statistics {
        // A number of 32 bits is the same in both.
        let real = |number: f64| if self.is_single { Real::F32(number as f32) } else { Real::F64(number) };
        let moments = self.moments.moments();
        Statistics {
            min: self.extremes.map(|(low, _)| real(low)),
            max: self.extremes.map(|(_, high)| real(high)),
            mean: moments.map(|(mean, _)| mean),
            std: moments.map(|(_, std)| std),
            distinct: self.distinct.count(),
            histogram: self.bins.finish(),
            ..self.statistics
        }
    }
}
