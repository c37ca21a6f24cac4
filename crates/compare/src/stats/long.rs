//! Long doubles in the order of their values.

use super::exact::{LEAST, Unrounded};
use super::histogram::Placed;
use ndbytes::LongDouble;
use std::cmp::Ordering;
use std::ops::Neg;

/// A long double for which all zeros are equal.
#[derive(Debug, Clone, Copy)]
pub struct Long(pub LongDouble);

impl Long {
    /// Returns the exponent of the smallest power of two above the magnitude.
    pub fn top(self) -> i32 {
        let (significand, exponent) = self.0.parts();
        exponent + (u64::BITS - significand.leading_zeros()) as i32
    }
}

impl PartialEq for Long {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Long {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.0.is_nan() || other.0.is_nan() {
            return None;
        }
        let magnitude = self.0.cmp_magnitude(other.0);
        Some(match (self.0.is_sign_negative(), other.0.is_sign_negative()) {
            _ if self.0.is_zero() && other.0.is_zero() => Ordering::Equal,
            (false, false) => magnitude,
            (true, true) => magnitude.reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }
}

impl Neg for Long {
    type Output = Long;

    fn neg(self) -> Long {
        let (sign_exponent, significand) = self.0.to_bits();
        Long(LongDouble::from_bits(sign_exponent ^ 0x8000, significand))
    }
}

impl Placed for Long {
    fn finest(self) -> i32 {
        (self.top() - f64::MANTISSA_DIGITS as i32).max(LEAST)
    }

    fn place(self, exponent: i32) -> i64 {
        let (significand, last) = self.0.parts();
        let significand = if self.0.is_sign_negative() { -i128::from(significand) } else { significand.into() };
        // Shifting an integer rounds down.
        let place = match exponent - last {
            down @ 0.. => significand >> down.min(127),
            up => significand << -up,
        };
        place as i64
    }

    fn to_f64(self) -> f64 {
        let (significand, exponent) = self.0.parts();
        let magnitude = Unrounded::new(significand.into(), exponent).to_f64();
        if self.0.is_sign_negative() { -magnitude } else { magnitude }
    }
}
