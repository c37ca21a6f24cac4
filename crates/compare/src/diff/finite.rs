//! Finite numbers of any type, stored exactly.
//!
//! Arrays of different types are compared by value: an `i64` with an `f64`, an `f32` with a long double. Doubles
//! cannot hold all of these. This form can, and it is canonical, so two numbers are equal if all three fields are.

use crate::stats::exact::{Natural, Sum, Unrounded, parts};
use ndbytes::LongDouble;
use std::cmp::Ordering;

/// ±significand · 2^exponent. Either the significand is odd or both are 0, so equal numbers have equal forms, except
/// for the sign of zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Finite {
    pub is_negative: bool,
    pub significand: u128,
    pub exponent: i32,
}

impl Finite {
    /// Positive zero.
    pub const ZERO: Finite = Finite { is_negative: false, significand: 0, exponent: 0 };

    /// Creates a number in canonical form: trailing zeros of the significand are moved to the exponent.
    pub fn new(is_negative: bool, significand: u128, exponent: i32) -> Self {
        let zeros = significand.trailing_zeros();
        match significand {
            0 => Finite { is_negative, ..Finite::ZERO },
            _ => Finite { is_negative, significand: significand >> zeros, exponent: exponent + zeros as i32 },
        }
    }

    /// Converts a finite double.
    pub fn of_f64(number: f64) -> Self {
        let (significand, exponent) = parts(number);
        Finite::new(number.is_sign_negative(), significand.unsigned_abs().into(), exponent)
    }

    /// Returns whether it is a zero of either sign.
    pub fn is_zero(self) -> bool {
        self.significand == 0
    }

    /// Returns the magnitude as a double, or infinity if no double is as large.
    pub fn magnitude(self) -> f64 {
        scaled(self.significand as f64, self.exponent)
    }

    /// Returns the magnitude times a power of two, as a double.
    pub fn magnitude_times(self, power: i32) -> f64 {
        scaled(self.significand as f64, self.exponent + power)
    }

    /// Returns the magnitude as a long double, if doubles cannot hold it: it is too large, or so small that it would
    /// become zero.
    pub fn beyond_doubles(self) -> Option<LongDouble> {
        let near = self.magnitude();
        let is_beyond = near.is_infinite() || (near == 0.0 && !self.is_zero());
        is_beyond.then(|| Unrounded::new(self.significand, self.exponent).to_long())
    }

    /// |a − b|. Digits beyond 127 bits are lost.
    pub fn apart(self, other: Finite) -> Finite {
        let (mut high, mut low) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        // Room for the carry of a sum.
        for number in [&mut high, &mut low] {
            if number.significand.leading_zeros() == 0 {
                (number.significand, number.exponent) = (number.significand >> 1, number.exponent + 1);
            }
        }
        if high.is_zero() || low.is_zero() {
            let other = if high.is_zero() { low } else { high };
            return Finite { is_negative: false, ..other };
        }
        if high.exponent < low.exponent {
            (high, low) = (low, high);
        }
        let shift = high.exponent.abs_diff(low.exponent);
        let room = shift.min(high.significand.leading_zeros() - 1);
        let above = high.significand << room;
        let below = low.significand.checked_shr(shift - room).unwrap_or(0);
        let apart = if high.is_negative == low.is_negative { above.abs_diff(below) } else { above + below };
        Finite::new(false, apart, high.exponent - room as i32)
    }

    /// Returns a sort key for the magnitude: the smallest power of two above the number, then its bits.
    pub fn order(self) -> Magnitude {
        match self.significand {
            0 => (i64::MIN, 0),
            bits => {
                let zeros = bits.leading_zeros();
                (i64::from(self.exponent) - i64::from(zeros), bits << zeros)
            }
        }
    }

    /// Returns the number with the larger magnitude.
    pub fn larger(self, other: Finite) -> Finite {
        if self.order().cmp(&other.order()) == Ordering::Less { other } else { self }
    }

    /// Returns whether |a − b| ≤ `absolute` + `relative` · max(|a|, |b|), exactly.
    pub fn is_near(self, other: Finite, absolute: f64, relative: f64) -> bool {
        let larger = self.larger(other);
        let (apart, bound) = (self.apart(other).magnitude(), absolute + relative * larger.magnitude());
        if !absolute.is_finite() || !relative.is_finite() {
            return apart <= bound;
        }
        // Doubles decide, unless they are close to each other or to the ends of their range.
        let is_safe = |number: f64| (1e-290..1e290).contains(&number);
        if is_safe(apart) && is_safe(bound) && (apart - bound).abs() > 1e-9 * bound {
            return apart < bound;
        }
        let (absolute, relative) = (Finite::of_f64(absolute), parts(relative));
        let product = larger.exponent + relative.1;
        let least = self.exponent.min(other.exponent).min(absolute.exponent).min(product);
        let place = |exponent: i32| (exponent - least) as u32;
        let (mut apart, mut bound) = (Sum::default(), Sum::default());
        apart.add(self.is_negative, self.significand, 1, place(self.exponent));
        apart.add(!other.is_negative, other.significand, 1, place(other.exponent));
        bound.add(absolute.is_negative, absolute.significand, 1, place(absolute.exponent));
        bound.add(relative.0 < 0, larger.significand, relative.0.unsigned_abs(), place(product));
        let (apart, _): (Natural, bool) = apart.parts();
        bound.is_at_least(&apart)
    }
}

/// A sortable magnitude: the position of its first bit, and its bits.
pub(super) type Magnitude = (i64, u128);

/// Returns a double times a power of two.
pub(super) fn scaled(mut number: f64, mut exponent: i32) -> f64 {
    // A single multiplication could overflow or lose digits although the result is in range.
    while exponent.abs() > 1000 && number != 0.0 && number.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        number *= 2_f64.powi(step);
        exponent -= step;
    }
    number * 2_f64.powi(exponent.clamp(-1000, 1000))
}
