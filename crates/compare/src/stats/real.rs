//! Real numbers of any width.

use super::histogram::Placed;
use super::long::Long;
use half::f16;
use ndbytes::LongDouble;
use ndbytes::internals::shortest_half;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// A finite real number in its stored width, so it prints with no more digits than needed.
///
/// ```
/// use ndbytes_compare::stats::Real;
///
/// assert_eq!(Real::F32(0.1).to_string(), "0.1");
/// // Comparisons are exact: as a double, this integer would be rounded to 2^53.
/// assert!(Real::Int((1 << 53) + 1) > 2_f64.powi(53));
/// ```
///
/// Serialized, it is a number. A long double that does not fit a double is a decimal string.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Real {
    /// An integer.
    Int(i128),
    /// An unsigned 128-bit integer.
    Uint(u128),
    /// A 16-bit number.
    F16(f16),
    /// A 32-bit number, or a bfloat16.
    F32(f32),
    /// A 64-bit number.
    F64(f64),
    /// An 80-bit number.
    Long(LongDouble),
}

impl Real {
    /// The number rounded to the nearest `f64`. It is infinite or 0 if it is out of range.
    pub fn to_f64(self) -> f64 {
        match self {
            Real::Int(number) => number as f64,
            Real::Uint(number) => number as f64,
            Real::F16(number) => number.into(),
            Real::F32(number) => number.into(),
            Real::F64(number) => number,
            Real::Long(number) => Long(number).to_f64(),
        }
    }

    /// The number rounded to the nearest `f64`. `None` if that would have no correct digit.
    pub fn near_f64(self) -> Option<f64> {
        let near = self.to_f64();
        let is_lost = matches!(self, Real::Long(number) if near.is_infinite() || (near == 0.0 && !number.is_zero()));
        (!is_lost).then_some(near)
    }
}

impl PartialEq<f64> for Real {
    fn eq(&self, other: &f64) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

/// Compares exactly, so 2^53 + 1 is greater than 2^53.
impl PartialOrd<f64> for Real {
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        // Rounding a number cannot carry it past another number, only onto it.
        match self.to_f64().partial_cmp(other)? {
            Ordering::Equal => {}
            order => return Some(order),
        }
        Some(match *self {
            Real::Int(_) if *other >= 2_f64.powi(127) => Ordering::Less,
            Real::Int(number) => number.cmp(&(*other as i128)),
            Real::Uint(_) if *other >= 2_f64.powi(128) => Ordering::Less,
            Real::Uint(number) => number.cmp(&(*other as u128)),
            Real::Long(number) if other.is_finite() => Long(number).partial_cmp(&Long((*other).into()))?,
            Real::Long(_) if *other > 0.0 => Ordering::Less,
            Real::Long(_) => Ordering::Greater,
            _ => Ordering::Equal,
        })
    }
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Real::Int(number) => number.fmt(f),
            Real::Uint(number) => number.fmt(f),
            Real::F16(number) => write!(f, "{:?}", shortest_half(*number)),
            Real::F32(number) => write!(f, "{number:?}"),
            Real::F64(number) => write!(f, "{number:?}"),
            Real::Long(number) => match self.to_f64() {
                double if *self == double => write!(f, "{double:?}"),
                // Like `{:?}` of a double.
                double if (1e-5..1e16).contains(&double.abs()) => write!(f, "{number}"),
                _ => write!(f, "{number:e}"),
            },
        }
    }
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Real::Int(number) => serializer.serialize_i128(*number),
            Real::Uint(number) => serializer.serialize_u128(*number),
            Real::F16(number) => serializer.serialize_f64(shortest_half(*number)),
            Real::F32(number) => serializer.serialize_f32(*number),
            Real::F64(number) => serializer.serialize_f64(*number),
            Real::Long(_) => match self.to_f64() {
                double if *self == double => serializer.serialize_f64(double),
                _ => serializer.collect_str(self),
            },
        }
    }
}
