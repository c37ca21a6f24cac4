//! How two numbers compare.
//!
//! The cases are tested in this order: first NaN, since it equals nothing; then equality, which makes zeros equal
//! whatever their types; and finally distances, the only case in which a tolerance matters. −0.0 and 0.0 differ, and
//! are counted separately.

use super::datum::Datum;
use super::number::{Number, Width, distance, rank, whole_distance};
use super::options::Tolerance;
use super::values::Distance;
use ndbytes::{Dtype, Scalar};

/// How two items compare. Nothing is set if they are equal.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Outcome {
    /// Whether they differ.
    pub differs: bool,
    /// True if all differences are within the tolerance.
    pub is_within: bool,
    /// Whether they are zeros of different signs.
    pub is_sign_of_zero: bool,
    /// Whether only the first value is `NaN`, and whether only the second one is.
    pub nan: [bool; 2],
    /// Whether both are `NaN` with different payloads.
    pub is_other_payload: bool,
    /// Whether one of them is infinite, or both are, with different signs.
    pub is_infinite: bool,
    /// The distance between two numbers.
    pub distance: Option<Distance>,
    /// The exact distance between two integers.
    pub whole: Option<u128>,
}

impl Outcome {
    /// The outcome for values that differ and have no distance.
    pub const DIFFERENT: Outcome = Outcome {
        differs: true,
        is_within: false,
        is_sign_of_zero: false,
        nan: [false; 2],
        is_other_payload: false,
        is_infinite: false,
        distance: None,
        whole: None,
    };
}

impl Outcome {
    /// The distance at this index of [`Distance::orders`].
    pub fn largest(&self, place: usize, distance: &Distance) -> Datum {
        match place {
            0 => self.whole.map_or_else(|| distance.shown(), Datum::Uint),
            1 => Datum::F64(distance.relative),
            _ => Datum::Uint(distance.ulp.unwrap_or(0)),
        }
    }
}

/// Compares two real numbers.
pub(super) fn reals(a: &Scalar, b: &Scalar, dtypes: [Dtype; 2], tolerance: &Tolerance) -> Outcome {
    let (Some(one), Some(other)) = (Number::of(a), Number::of(b)) else { return Outcome::DIFFERENT };
    let is_same_kind = dtypes[0].kind == dtypes[1].kind;
    match (one, other) {
        (Number::Nan, Number::Nan) => {
            let is_other_payload = is_same_kind && raw(a) != raw(b);
            Outcome { differs: is_other_payload && tolerance.bits, is_other_payload, ..Outcome::default() }
        }
        (Number::Nan, _) => Outcome { nan: [true, false], ..Outcome::DIFFERENT },
        (_, Number::Nan) => Outcome { nan: [false, true], ..Outcome::DIFFERENT },
        // Two x87 numbers may be equal although their bits differ.
        _ if one == other && !(tolerance.bits && is_same_kind && raw(a) != raw(b)) => Outcome::default(),
        (Number::Finite(one), Number::Finite(other)) => {
            let (is_integer, ulp) =
                (dtypes.iter().all(|dtype| Width::of(dtype.kind).is_none()), steps_apart(a, b, dtypes));
            let distance = distance(one, other, ulp);
            Outcome {
                differs: true,
                is_within: is_within(&distance, is_integer, tolerance, |absolute, relative| {
                    one.is_near(other, absolute, relative)
                }),
                is_sign_of_zero: one.is_zero() && other.is_zero(),
                distance: Some(distance),
                whole: if is_integer { whole_distance(one, other) } else { None },
                ..Outcome::default()
            }
        }
        _ => Outcome { is_infinite: one.is_infinite() || other.is_infinite(), ..Outcome::DIFFERENT },
    }
}

/// Returns the bits of a number, without padding.
fn raw(scalar: &Scalar) -> u128 {
    match *scalar {
        Scalar::F16(value) => value.to_bits().into(),
        Scalar::F32(value) => value.to_bits().into(),
        Scalar::F64(value) => value.to_bits().into(),
        Scalar::LongDouble(value) => {
            let (sign_exponent, significand) = value.to_bits();
            u128::from(sign_exponent) << 64 | u128::from(significand)
        }
        _ => 0,
    }
}

/// Returns the number of representable values between two floats (ULP) in the wider of their types. `None` if one of
/// them is not a float.
fn steps_apart(a: &Scalar, b: &Scalar, dtypes: [Dtype; 2]) -> Option<u128> {
    let [a_width, b_width] = dtypes.map(|dtype| Width::of(dtype.kind));
    let width = a_width?.common(b_width?);
    Some(rank(a, width)?.abs_diff(rank(b, width)?))
}

/// |Δ| ≤ absolute + relative · max(|a|, |b|), which `is_near` decides, or no more steps than allowed.
pub(super) fn is_within(
    distance: &Distance,
    is_integer: bool,
    tolerance: &Tolerance,
    is_near: impl FnOnce(f64, f64) -> bool,
) -> bool {
    if tolerance.is_exact() {
        return false;
    }
    let relative = if is_integer { 0.0 } else { tolerance.relative };
    let has_distance = tolerance.absolute > 0.0 || relative > 0.0;
    (has_distance && is_near(tolerance.absolute, relative))
        || (tolerance.ulp > 0 && distance.ulp.is_some_and(|ulp| ulp <= tolerance.ulp.into()))
}
