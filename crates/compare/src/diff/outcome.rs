//! How two numbers compare.

use super::datum::Datum;
use super::number::{Number, Width, distance, rank, whole_distance};
use super::options::Tolerance;
use super::values::Distance;
use ndbytes::{Dtype, Scalar};

/// How two items compare. Nothing is set if they are equal.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Outcome {
    /// True if they differ.
    pub differs: bool,
    /// True if all that differs is within the tolerance.
    pub is_within: bool,
    /// True if they are zeros of other sign.
    pub is_sign_of_zero: bool,
    /// True if only the first one, or only the second one, is `NaN`.
    pub nan: [bool; 2],
    /// True if both are `NaN` with other payloads.
    pub is_other_payload: bool,
    /// True if one is infinite, or both with another sign.
    pub is_infinite: bool,
    /// The distance of two numbers.
    pub distance: Option<Distance>,
    /// The distance of two integers, exactly.
    pub whole: Option<u128>,
}

impl Outcome {
    /// Values that differ and have no distance.
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
    /// The distance that [`Distance::orders`] has at a place.
    pub fn largest(&self, place: usize, distance: &Distance) -> Datum {
        match place {
            0 => self.whole.map_or_else(|| distance.shown(), Datum::Uint),
            1 => Datum::F64(distance.relative),
            _ => Datum::Uint(distance.ulp.unwrap_or(0)),
        }
    }
}

/// Compares two numbers with one part.
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
        // Two numbers of x87 may be equal with other bits.
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

/// The bits of a number, apart from padding.
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

fn steps_apart(a: &Scalar, b: &Scalar, dtypes: [Dtype; 2]) -> Option<u128> {
    let [a_width, b_width] = dtypes.map(|dtype| Width::of(dtype.kind));
    let width = a_width?.common(b_width?);
    Some(rank(a, width)?.abs_diff(rank(b, width)?))
}

/// |Δ| ≤ absolute + relative · max(|a|, |b|), which `is_near` tells, or not more steps than are allowed.
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
