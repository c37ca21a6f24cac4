//! Extremes and mean of numbers, the same on every machine: numbers are summed up in a fixed order.

use super::item;
use crate::types::dtype::Kind;
use half::{bf16, f16};

/// Sums of floats that run side by side.
const LANES: usize = 8;

/// Items that are summed up before their sum becomes a wide one.
const BATCH: usize = 4096;

/// The measure of some items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// The items are not numbers, or there are none.
    None,
    /// Integers and truth values.
    Integers { min: i128, max: i128, sum: i128, count: u64 },
    /// Floats. Without a number, the least is more than the greatest.
    Floats { min: f64, max: f64, sum: f64, count: u64, nan: u64, is_double: bool },
}

macro_rules! integers {
    ($bytes:expr, $number:ty, $sum:ty) => {{
        let (items, mut sum) = ($bytes.as_chunks::<{ size_of::<$number>() }>().0, 0_i128);
        let (mut min, mut max) = (<$number>::MAX, <$number>::MIN);
        for batch in items.chunks(BATCH) {
            let mut part: $sum = 0;
            for item in batch {
                let item = <$number>::from_le_bytes(*item);
                (min, max) = (min.min(item), max.max(item));
                part += <$sum>::from(item);
            }
            sum += i128::from(part);
        }
        match items.len() as u64 {
            0 => Measure::None,
            count => Measure::Integers { min: min.into(), max: max.into(), sum, count },
        }
    }};
}

macro_rules! floats {
    ($bytes:expr, $number:ty, $is_double:expr) => {{
        let items = $bytes.as_chunks::<{ size_of::<$number>() }>().0;
        let (mut min, mut max, mut nan) = (f64::INFINITY, f64::NEG_INFINITY, 0_u64);
        let mut sums = [0.0_f64; LANES];
        for group in items.chunks(LANES) {
            for (sum, item) in sums.iter_mut().zip(group) {
                let item = f64::from(<$number>::from_le_bytes(*item));
                let is_nan = item.is_nan();
                nan += u64::from(is_nan);
                *sum += if is_nan { 0.0 } else { item };
                min = if item < min { item } else { min };
                max = if item > max { item } else { max };
            }
        }
        match items.len() as u64 {
            0 => Measure::None,
            count => {
                Measure::Floats { min, max, sum: sums.iter().sum(), count: count - nan, nan, is_double: $is_double }
            }
        }
    }};
}

impl Measure {
    /// The measure of items in little-endian order.
    pub fn of(bytes: &[u8], kind: Kind) -> Self {
        match kind {
            Kind::Bool | Kind::Bit | Kind::U8 => integers!(bytes, u8, u64),
            Kind::I8 => integers!(bytes, i8, i64),
            Kind::U16 => integers!(bytes, u16, u64),
            Kind::I16 => integers!(bytes, i16, i64),
            Kind::U32 => integers!(bytes, u32, u64),
            Kind::I32 => integers!(bytes, i32, i64),
            Kind::U64 => integers!(bytes, u64, i128),
            Kind::I64 => integers!(bytes, i64, i128),
            Kind::F16 => floats!(bytes, f16, false),
            Kind::Bf16 => floats!(bytes, bf16, false),
            Kind::F32 => floats!(bytes, f32, false),
            Kind::F64 => floats!(bytes, f64, true),
            _ => Measure::None,
        }
    }

    /// The measure of these items and of those that come after them.
    pub fn and(self, other: Measure) -> Measure {
        match (self, other) {
            (Measure::None, other) => other,
            (
                Measure::Integers { min, max, sum, count },
                Measure::Integers { min: least, max: most, sum: more, count: further },
            ) => Measure::Integers {
                min: min.min(least),
                max: max.max(most),
                sum: sum.saturating_add(more),
                count: count + further,
            },
            (
                Measure::Floats { min, max, sum, count, nan, is_double },
                Measure::Floats { min: least, max: most, sum: more, count: further, nan: others, .. },
            ) => Measure::Floats {
                min: min.min(least),
                max: max.max(most),
                sum: sum + more,
                count: count + further,
                nan: nan + others,
                is_double,
            },
            (this, _) => this,
        }
    }

    /// ` min 0 max 255`, with the number of NaNs if there are some.
    pub fn extremes(self) -> String {
        let (range, nan) = self.parts();
        let range = range.map_or_else(String::new, |[min, max]| format!(" min {min} max {max}"));
        if nan > 0 { format!("{range} nan {nan}") } else { range }
    }

    /// `, min -30.8, max 41.2, mean 3.1, nan 0`; nothing of items that are no numbers.
    pub fn summary(self) -> String {
        let (range, nan) = self.parts();
        let range = range.map_or_else(String::new, |[min, max]| format!(", min {min}, max {max}"));
        match self {
            Measure::None => String::new(),
            Measure::Integers { sum, count, .. } => format!("{range}, mean {}", mean(sum as f64, count)),
            Measure::Floats { sum, count: 1.., .. } => format!("{range}, mean {}, nan {nan}", mean(sum, self.count())),
            Measure::Floats { .. } => format!(", nan {nan}"),
        }
    }

    fn count(self) -> u64 {
        match self {
            Measure::None => 0,
            Measure::Integers { count, .. } | Measure::Floats { count, .. } => count,
        }
    }

    /// The least and the greatest number, and the number of NaNs.
    fn parts(self) -> (Option<[String; 2]>, u64) {
        let text = |number: f64, is_double: bool| {
            let mut text = String::new();
            let written = match is_double {
                true => item::float(&mut text, &number, false),
                false => item::float(&mut text, &(number as f32), false),
            };
            written.map(|()| text).unwrap_or_default()
        };
        match self {
            Measure::None => (None, 0),
            Measure::Integers { min, max, .. } => (Some([min.to_string(), max.to_string()]), 0),
            Measure::Floats { count: 0, nan, .. } => (None, nan),
            Measure::Floats { min, max, nan, is_double, .. } => {
                (Some([min, max].map(|number| text(number, is_double))), nan)
            }
        }
    }
}

/// A mean with six digits: more would differ by the order in which numbers are summed up.
fn mean(sum: f64, count: u64) -> String {
    let rounded = format!("{:.5e}", sum / count as f64);
    match rounded.parse::<f64>() {
        Ok(mean) if mean.is_finite() => format!("{mean:?}"),
        _ => rounded.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::Measure;
    use crate::types::dtype::Kind;

    #[test]
    fn measures_of_parts_are_those_of_the_whole() {
        let items: Vec<u8> = (0..100_000_i32).flat_map(|item| (item * 31 % 977 - 400).to_le_bytes()).collect();
        let parts = items.chunks(4 * 999).map(|part| Measure::of(part, Kind::I32));
        assert_eq!(parts.fold(Measure::None, Measure::and), Measure::of(&items, Kind::I32));
        assert_eq!(Measure::of(&items, Kind::I32).summary(), ", min -400, max 576, mean 87.9746");
    }

    #[test]
    fn nan_is_counted_and_left_out() {
        let bytes: Vec<u8> = [f32::NAN, 20.2, -30.8].iter().flat_map(|item| item.to_le_bytes()).collect();
        assert_eq!(Measure::of(&bytes, Kind::F32).summary(), ", min -30.8, max 20.2, mean -5.3, nan 1");
        assert_eq!(Measure::of(&bytes, Kind::F32).extremes(), " min -30.8 max 20.2 nan 1");
        assert_eq!(Measure::of(&bytes[..4], Kind::F32).summary(), ", nan 1");
        assert_eq!(Measure::of(&[], Kind::F32).summary(), "");
    }
}
