//! Items as numbers to draw.

use ndbytes::Scalar;
use ndbytes::{ItemType, Kind};

/// Returns whether items of a type are numbers that can be drawn.
pub fn are_numbers(item_type: &ItemType) -> bool {
    let ItemType::Plain(dtype) = item_type else { return false };
    !matches!(dtype.kind, Kind::Bytes(_) | Kind::Str(_) | Kind::Record(_) | Kind::LongDouble | Kind::ComplexLongDouble)
}

/// The numbers of some items. Complex numbers are drawn by their magnitudes; points in time that are none, as NaN.
pub fn numbers(bytes: &[u8], item_type: &ItemType) -> Vec<f64> {
    let dtype = item_type.dtype();
    let stride = (item_type.stride() as usize).max(1);
    bytes.chunks_exact(stride).map(|item| number(&Scalar::from_bytes(item, dtype))).collect()
}

fn number(scalar: &Scalar) -> f64 {
    match scalar {
        Scalar::Bool(value) => f64::from(u8::from(*value)),
        Scalar::Int(value) => *value as f64,
        Scalar::Uint(value) => *value as f64,
        Scalar::F16(value) => value.to_f64(),
        Scalar::F32(value) => f64::from(*value),
        Scalar::F64(value) => *value,
        Scalar::Complex64(real, imaginary) => f64::from(*real).hypot(f64::from(*imaginary)),
        Scalar::Complex128(real, imaginary) => real.hypot(*imaginary),
        Scalar::DateTime(i64::MIN, _) | Scalar::TimeDelta(i64::MIN, _) => f64::NAN,
        Scalar::DateTime(value, _) | Scalar::TimeDelta(value, _) => *value as f64,
        _ => f64::NAN,
    }
}
