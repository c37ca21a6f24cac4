//! Numbers of any type, stored exactly, and the distance between them.
//!
//! A distance has three forms. `absolute` and `relative` are doubles for people and for tolerances; `ulp` counts the
//! numbers between two floats of the same width. None of them is computed by subtracting doubles, which would round
//! before the result is known.

use super::finite::{Finite, scaled};
use super::values::Distance;
use half::f16;
use ndbytes::{ElementKind, LongDouble, Scalar};

/// A number of any type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Number {
    Finite(Finite),
    /// Infinity; the flag is set if it is negative.
    Infinite(bool),
    Nan,
}

impl Number {
    /// Converts a plain value; returns `None` if it is complex or not a number.
    pub fn of(scalar: &Scalar) -> Option<Self> {
        Some(match *scalar {
            Scalar::Bool(value) => Number::Finite(Finite::new(false, value.into(), 0)),
            Scalar::Int(value) => Number::Finite(Finite::new(value < 0, value.unsigned_abs(), 0)),
            Scalar::Uint(value) => Number::Finite(Finite::new(false, value, 0)),
            Scalar::F16(value) => Number::of_double(value.to_f64()),
            Scalar::F32(value) => Number::of_double(value.into()),
            Scalar::F64(value) => Number::of_double(value),
            Scalar::LongDouble(value) => Number::of_long(value),
            _ => return None,
        })
    }

    /// Converts a double, or a narrower float, which a double can hold exactly.
    fn of_double(value: f64) -> Self {
        Number::of_long(value.into())
    }

    /// Converts an 80-bit x87 float exactly.
    fn of_long(value: LongDouble) -> Self {
        let is_negative = value.is_sign_negative();
        match (value.is_nan(), value.is_infinite()) {
            (true, _) => Number::Nan,
            (_, true) => Number::Infinite(is_negative),
            _ => {
                let (significand, exponent) = value.parts();
                Number::Finite(Finite::new(is_negative, significand.into(), exponent))
            }
        }
    }

    /// Returns whether it is infinite, of either sign.
    pub fn is_infinite(self) -> bool {
        matches!(self, Number::Infinite(_))
    }
}

/// The distance between two finite numbers. `ulp` is `None` if the type of one of them is not a float.
pub(super) fn distance(a: Finite, b: Finite, ulp: Option<u128>) -> Distance {
    let (apart, larger) = (a.apart(b), a.larger(b));
    // The larger number may be outside the range of normal doubles, but the quotient is not.
    let relative = match larger.is_zero() {
        true => 0.0,
        false => {
            scaled(apart.significand as f64 / larger.significand as f64, apart.exponent.saturating_sub(larger.exponent))
        }
    };
    Distance::of(apart, relative, ulp)
}

/// |a − b| of two integers, exactly. `None` if it needs more than 128 bits.
pub(super) fn whole_distance(a: Finite, b: Finite) -> Option<u128> {
    let whole = |number: Finite| {
        let shift = u32::try_from(number.exponent).ok().filter(|&shift| shift <= number.significand.leading_zeros())?;
        number.significand.checked_shl(shift)
    };
    let (above, below) = (whole(a)?, whole(b)?);
    if a.is_negative == b.is_negative { Some(above.abs_diff(below)) } else { above.checked_add(below) }
}

/// A width of floating-point numbers, in which neighbours are one step apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Half,
    Brain,
    Single,
    Double,
    Long,
}

impl Width {
    /// The width of a floating-point type; `None` for other types. For complex numbers, the width of one part.
    pub fn of(kind: ElementKind) -> Option<Self> {
        Some(match kind {
            ElementKind::F16 | ElementKind::Complex32 => Width::Half,
            ElementKind::Bf16 => Width::Brain,
            ElementKind::F32 | ElementKind::Complex64 => Width::Single,
            ElementKind::F64 | ElementKind::Complex128 => Width::Double,
            ElementKind::LongDouble | ElementKind::ComplexLongDouble => Width::Long,
            _ => return None,
        })
    }

    /// Returns the smallest width that holds all numbers of both.
    pub fn common(self, other: Self) -> Self {
        match (self, other) {
            (Width::Long, _) | (_, Width::Long) => Width::Long,
            (Width::Double, _) | (_, Width::Double) => Width::Double,
            (a, b) if a == b => a,
            _ => Width::Single,
        }
    }
}

/// Returns the position of a number in the order of all numbers of a width: neighbours are 1 apart, and both zeros are
/// equal. `None` if it is not a floating-point number.
pub(super) fn rank(scalar: &Scalar, width: Width) -> Option<i128> {
    let wide = |value: f64, narrow: LongDouble| -> (bool, u128) {
        match width {
            Width::Half => bits(f16::from_f64(value).to_bits().into(), 15),
            // A bfloat16 is the first half of a single.
            Width::Brain => bits(((value as f32).to_bits() >> 16).into(), 15),
            Width::Single => bits((value as f32).to_bits().into(), 31),
            Width::Double => bits(value.to_bits(), 63),
            Width::Long => long_bits(narrow),
        }
    };
    let (is_negative, magnitude) = match *scalar {
        Scalar::F16(value) => wide(value.to_f64(), value.to_f64().into()),
        Scalar::F32(value) => wide(value.into(), f64::from(value).into()),
        Scalar::F64(value) => wide(value, value.into()),
        Scalar::LongDouble(value) => long_bits(value),
        _ => return None,
    };
    let magnitude = i128::try_from(magnitude).ok()?;
    Some(if is_negative { -magnitude } else { magnitude })
}

/// Returns the sign and the bits below it.
fn bits(bits: u64, sign: u32) -> (bool, u128) {
    (bits >> sign != 0, (bits & ((1 << sign) - 1)).into())
}

/// Like `bits`, but for a long double, without the first bit of the significand, which follows from the exponent.
fn long_bits(value: LongDouble) -> (bool, u128) {
    let (sign_exponent, significand) = value.to_bits();
    let magnitude = u128::from(sign_exponent & 0x7fff) << 63 | u128::from(significand & (u64::MAX >> 1));
    (value.is_sign_negative(), magnitude)
}

#[cfg(test)]
mod tests {
    use super::{Finite, Number, Width, distance, rank, whole_distance};
    use ndbytes::LongDouble;
    use ndbytes::Scalar;

    fn finite(scalar: Scalar) -> Finite {
        match Number::of(&scalar) {
            Some(Number::Finite(number)) => number,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn equal_numbers_of_different_types_are_equal() {
        let seven =
            [Scalar::Int(7), Scalar::Uint(7), Scalar::F32(7.0), Scalar::F64(7.0), Scalar::LongDouble(7.0.into())];
        assert!(seven.iter().all(|scalar| finite(scalar.clone()) == finite(Scalar::Int(7))));
        assert_ne!(finite(Scalar::Int(i64::MAX.into())), finite(Scalar::F64(i64::MAX as f64)));
        assert_ne!(finite(Scalar::F32(0.0)), finite(Scalar::F32(-0.0)));
    }

    #[test]
    fn the_distance_of_numbers_near_to_each_other_is_not_lost_in_doubles() {
        let one = finite(Scalar::LongDouble(1.0.into()));
        let next = finite(Scalar::LongDouble(LongDouble::from_bits(16383, (1 << 63) + 1)));
        let apart = distance(one, next, None);
        assert_eq!((apart.absolute, apart.relative), (2_f64.powi(-63), 2_f64.powi(-63)));
        let most = (finite(Scalar::Uint(u128::MAX)), finite(Scalar::Uint(u128::MAX - 1)));
        assert_eq!(whole_distance(most.0, most.1), Some(1));
        assert_eq!(whole_distance(finite(Scalar::Int(i128::MIN)), finite(Scalar::Uint(u128::MAX))), None);
        assert_eq!(distance(finite(Scalar::Int(i128::MIN)), finite(Scalar::Int(i128::MIN)), None).absolute, 0.0);
    }

    #[test]
    fn the_distance_is_that_of_doubles_where_these_are_exact() {
        for (a, b) in [(3.5, -0.25), (1e300, 1e-300), (5e-324, 0.0), (f64::MAX, -f64::MAX / 2.0), (-30.8, -30.3)] {
            let found = distance(finite(Scalar::F64(a)), finite(Scalar::F64(b)), None);
            assert_eq!(found.absolute, (a - b).abs(), "{a} {b}");
        }
        let beyond = distance(finite(Scalar::F64(f64::MAX)), finite(Scalar::F64(-f64::MAX)), None);
        assert_eq!((beyond.absolute, beyond.relative), (f64::INFINITY, 2.0));
    }

    #[test]
    fn neighbours_are_one_step_apart_at_their_own_width() {
        let apart = |a: Scalar, b: Scalar, width| rank(&a, width).unwrap().abs_diff(rank(&b, width).unwrap());
        assert_eq!(apart(Scalar::F32(-30.8), Scalar::F32(-30.3), Width::Single), 262_144);
        assert_eq!(apart(Scalar::F32(0.0), Scalar::F32(-0.0), Width::Single), 0);
        assert_eq!(apart(Scalar::F64(5e-324), Scalar::F64(-5e-324), Width::Double), 2);
        assert_eq!(apart(Scalar::F32(1.0), Scalar::F32(f32::from_bits(0x3f81_0000)), Width::Brain), 1);
        let subnormal = LongDouble::from_bits(0, u64::MAX >> 1);
        let normal = LongDouble::from_bits(1, 1 << 63);
        assert_eq!(apart(Scalar::LongDouble(subnormal), Scalar::LongDouble(normal), Width::Long), 1);
    }
}
