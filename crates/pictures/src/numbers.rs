//! Items as numbers to draw.

use ndbytes::Scalar;
use ndbytes::{ElementKind, ItemType};
use serde::Serialize;

/// The quantity that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Real numbers, unchanged.
    Value,
    /// The magnitudes of complex numbers.
    Magnitude,
    /// The angles of complex numbers, in radians.
    Phase,
}

impl Quantity {
    /// Returns the number to draw for a real and an imaginary part.
    pub fn of(self, (real, imaginary): (f64, f64)) -> f64 {
        match self {
            Quantity::Value => real,
            Quantity::Magnitude => real.hypot(imaginary),
            // An angle of what is not finite says nothing.
            Quantity::Phase if real.is_finite() && imaginary.is_finite() => imaginary.atan2(real),
            Quantity::Phase => f64::NAN,
        }
    }
}

/// Returns the quantities to draw for items of a type; empty if they cannot be drawn.
pub fn quantities(item_type: &ItemType) -> &'static [Quantity] {
    let ItemType::Plain(dtype) = item_type else { return &[] };
    match dtype.kind {
        ElementKind::Bytes(_)
        | ElementKind::Str(_)
        | ElementKind::Record(_)
        | ElementKind::LongDouble
        | ElementKind::ComplexLongDouble => &[],
        ElementKind::Complex32 | ElementKind::Complex64 | ElementKind::Complex128 => {
            &[Quantity::Magnitude, Quantity::Phase]
        }
        _ => &[Quantity::Value],
    }
}

/// Returns the real and the imaginary parts of some items. Invalid points in time (NaT) are NaN.
pub fn pairs<'b>(bytes: &'b [u8], item_type: &ItemType) -> impl Iterator<Item = (f64, f64)> + use<'b> {
    let (dtype, stride) = (item_type.dtype(), (item_type.stride() as usize).max(1));
    bytes.chunks_exact(stride).map(move |item| pair(&Scalar::from_bytes(item, dtype)))
}

fn pair(scalar: &Scalar) -> (f64, f64) {
    let real = match scalar {
        Scalar::Complex64(real, imaginary) => return (f64::from(*real), f64::from(*imaginary)),
        Scalar::Complex128(real, imaginary) => return (*real, *imaginary),
        Scalar::Bool(value) => f64::from(u8::from(*value)),
        Scalar::Int(value) => *value as f64,
        Scalar::Uint(value) => *value as f64,
        Scalar::F16(value) => value.to_f64(),
        Scalar::F32(value) => f64::from(*value),
        Scalar::F64(value) => *value,
        Scalar::DateTime(i64::MIN, _) | Scalar::TimeDelta(i64::MIN, _) => f64::NAN,
        Scalar::DateTime(value, _) | Scalar::TimeDelta(value, _) => *value as f64,
        _ => f64::NAN,
    };
    (real, 0.0)
}

/// Returns the position of a number between two others as a fraction: one half if both are the same.
pub fn share(number: f64, low: f64, high: f64) -> f64 {
    // Halves, since the distance may be beyond the floats.
    if high > low { ((number / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0) } else { 0.5 }
}
