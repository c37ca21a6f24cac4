//! Converts values of any number type to 8-bit samples.

use ndbytes::{Dtype, ElementKind, Scalar};

/// Returns whether elements are real numbers.
pub fn is_number(kind: ElementKind) -> bool {
    use ElementKind::{Bf16, F16, F32, F64, I8, I16, I32, I64, I128, U8, U16, U32, U64, U128};
    matches!(kind, I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | F16 | Bf16 | F32 | F64)
}

/// The minimum and maximum of some values.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    least: f64,
    greatest: f64,
}

impl Range {
    /// An empty range.
    pub fn new() -> Self {
        Range { least: f64::INFINITY, greatest: f64::NEG_INFINITY }
    }

    /// Widens the range to include finite values.
    pub fn include(&mut self, bytes: &[u8], dtype: Dtype) {
        for value in numbers(bytes, dtype).filter(|value| value.is_finite()) {
            self.least = self.least.min(value);
            self.greatest = self.greatest.max(value);
        }
    }

    /// Appends samples: 0 for the minimum and NaN, 255 for the maximum.
    pub fn scale(self, bytes: &[u8], dtype: Dtype, to: &mut Vec<u8>) {
        // Both are halved, since their difference may be infinite.
        let width = self.greatest / 2.0 - self.least / 2.0;
        to.extend(numbers(bytes, dtype).map(|value| {
            let share = if width > 0.0 { (value / 2.0 - self.least / 2.0) / width } else { 0.0 };
            (share.clamp(0.0, 1.0) * 255.0).round() as u8
        }));
    }
}

/// Returns the items as doubles, for scaling.
fn numbers(bytes: &[u8], dtype: Dtype) -> impl Iterator<Item = f64> + '_ {
    let items = bytes.chunks_exact(dtype.kind.size().max(1) as usize);
    items.map(move |item| match Scalar::from_bytes(item, dtype) {
        Scalar::Int(value) => value as f64,
        Scalar::Uint(value) => value as f64,
        Scalar::F16(value) => value.to_f64(),
        Scalar::F32(value) => value.into(),
        Scalar::F64(value) => value,
        _ => f64::NAN,
    })
}
