//! Statistics of numbers.

use super::distinct::Distinct;
use super::histogram::Bins;
use super::moments::Moments;
use super::{Real, Statistics};

/// What integers stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meaning {
    /// Numbers.
    Number,
    /// Unsigned numbers of 128 bits, which are taken with their first bit turned over, so that their order stays.
    Turned,
    /// Categories or times: they have an order, but no mean.
    Label,
}

/// The bit that is turned over.
const FIRST_BIT: u128 = 1 << 127;

/// What is counted of integers.
#[derive(Debug)]
pub struct Integers {
    meaning: Meaning,
    statistics: Statistics,
    extremes: Option<(i128, i128)>,
    sum: Option<i128>,
    moments: Moments,
    distinct: Distinct,
    bins: Bins<i128>,
}

impl Integers {
    pub fn new(meaning: Meaning) -> Self {
        Integers {
            meaning,
            statistics: Statistics::default(),
            extremes: None,
            sum: Some(0),
            moments: Moments::default(),
            distinct: Distinct::default(),
            bins: Bins::Empty,
        }
    }

    /// Takes an integer.
    #[inline]
    pub fn add(&mut self, number: i128) {
        self.note(number, 1);
        if self.meaning == Meaning::Number {
            self.moments.add(number as f64);
        }
    }

    /// Takes an integer several times.
    pub fn add_times(&mut self, number: i128, times: u64) {
        if times > 0 {
            self.note(number, times);
            if self.meaning == Meaning::Number {
                self.moments.add_times(number as f64, times);
            }
        }
    }

    /// Takes an unsigned integer whose order is kept by [`Meaning::Turned`].
    #[cfg(feature = "_arrays")]
    pub fn add_turned(&mut self, number: u128) {
        self.note((number ^ FIRST_BIT) as i128, 1);
        self.moments.add(number as f64);
    }

    fn note(&mut self, number: i128, times: u64) {
        self.statistics.values += times;
        let plain = if self.meaning == Meaning::Turned { number ^ FIRST_BIT as i128 } else { number };
        if plain == 0 {
            self.statistics.zeros += times;
        }
        self.sum = match self.meaning {
            Meaning::Turned if plain < 0 => None,
            _ => self.sum.and_then(|sum| sum.checked_add(plain.checked_mul(times.into())?)),
        };
        let (low, high) = self.extremes.unwrap_or((number, number));
        self.extremes = Some((low.min(number), high.max(number)));
        self.distinct.add(number as u128);
        self.bins.add(number, times);
    }

    pub fn missing(&mut self, times: u64) {
        self.statistics.values += times;
        self.statistics.missing += times;
    }

    pub fn finish(self) -> Statistics {
        let real = |number: i128| match self.meaning {
            Meaning::Turned => Real::Uint(number as u128 ^ FIRST_BIT),
            _ => Real::Int(number),
        };
        let is_number = self.meaning != Meaning::Label;
        let (mut mean, std) = self.moments.finish();
        let counted = self.statistics.values - self.statistics.missing;
        if let Some(sum) = self.sum.filter(|_| mean.is_some()) {
            mean = Some(sum as f64 / counted as f64);
        }
        let shift = if self.meaning == Meaning::Turned { FIRST_BIT as f64 } else { 0.0 };
        Statistics {
            min: self.extremes.map(|(low, _)| real(low)),
            max: self.extremes.map(|(_, high)| real(high)),
            sum: self.sum.filter(|_| is_number && counted > 0),
            mean,
            std,
            distinct: self.distinct.count(),
            histogram: self.bins.finish(shift),
            ..self.statistics
        }
    }
}

/// What is counted of floating-point numbers.
#[derive(Debug)]
pub struct Floats {
    statistics: Statistics,
    /// True if the numbers are no longer than 32 bits.
    is_single: bool,
    extremes: Option<(f64, f64)>,
    moments: Moments,
    distinct: Distinct,
    bins: Bins<f64>,
}

impl Floats {
    pub fn new(is_single: bool) -> Self {
        Floats {
            statistics: Statistics::default(),
            is_single,
            extremes: None,
            moments: Moments::default(),
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
        self.extremes = Some((low.min(number), high.max(number)));
        self.bins.add(number, times);
        true
    }

    #[cfg(feature = "idv")]
    pub fn missing(&mut self, times: u64) {
        self.statistics.values += times;
        self.statistics.missing += times;
    }

    pub fn finish(self) -> Statistics {
        // A number of 32 bits is the same in both.
        let real = |number: f64| if self.is_single { Real::F32(number as f32) } else { Real::F64(number) };
        let (mean, std) = self.moments.finish();
        Statistics {
            min: self.extremes.map(|(low, _)| real(low)),
            max: self.extremes.map(|(_, high)| real(high)),
            mean,
            std,
            distinct: self.distinct.count(),
            histogram: self.bins.finish(0.0),
            ..self.statistics
        }
    }
}
