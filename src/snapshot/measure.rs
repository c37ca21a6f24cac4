//! Extremes and mean of numbers, the same on every machine: numbers are summed up in a fixed order.

use super::item;
use crate::types::dtype::Kind;
use half::{bf16, f16};
use multiversion::multiversion;

/// Sums of floats that run side by side.
const LANES: usize = 8;

/// Items that are summed up before their sum becomes a wide one. As many of 16 bits have a sum of 32 bits.
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
    ($($name:ident: $number:ty, $sum:ty);* $(;)?) => {$(
        #[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
        fn $name(bytes: &[u8]) -> Measure {
            let (items, mut sum) = (bytes.as_chunks::<{ size_of::<$number>() }>().0, 0_i128);
            let (mut min, mut max) = (<$number>::MAX, <$number>::MIN);
            for batch in items.chunks(BATCH) {
                // One loop each: the numbers of the sum are wider.
                for item in batch {
                    let item = <$number>::from_le_bytes(*item);
                    (min, max) = (min.min(item), max.max(item));
                }
                let mut part: $sum = 0;
                for item in batch {
                    part += <$sum>::from(<$number>::from_le_bytes(*item));
                }
                sum += i128::from(part);
            }
            match items.len() as u64 {
                0 => Measure::None,
                count => Measure::Integers { min: min.into(), max: max.into(), sum, count },
            }
        }
    )*};
}

macro_rules! floats {
    ($($name:ident: $number:ty, $is_double:expr);* $(;)?) => {$(
        #[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
        fn $name(bytes: &[u8]) -> Measure {
            let items = bytes.as_chunks::<{ size_of::<$number>() }>().0;
            let mut lanes = Lanes::NONE;
            let (groups, rest) = items.as_chunks::<LANES>();
            for group in groups {
                for (lane, item) in group.iter().enumerate() {
                    lanes.add(lane, f64::from(<$number>::from_le_bytes(*item)));
                }
            }
            for (lane, item) in rest.iter().enumerate() {
                lanes.add(lane, f64::from(<$number>::from_le_bytes(*item)));
            }
            lanes.measure(items.len() as u64, $is_double)
        }
    )*};
}

integers! {
    of_u8: u8, u32;
    of_i8: i8, i32;
    of_u16: u16, u32;
    of_i16: i16, i32;
    of_u32: u32, u64;
    of_i32: i32, i64;
    of_u64: u64, i128;
    of_i64: i64, i128;
}

floats! {
    of_f16: f16, false;
    of_bf16: bf16, false;
    of_f32: f32, false;
    of_f64: f64, true;
}

/// Floats that are measured side by side.
struct Lanes {
    /// Extremes by [`order`]: that of zeros, too, does not depend on their places.
    min: [i64; LANES],
    max: [i64; LANES],
    sum: [f64; LANES],
    nan: [u64; LANES],
}

impl Lanes {
    const NONE: Self = Lanes { min: [i64::MAX; LANES], max: [i64::MIN; LANES], sum: [0.0; LANES], nan: [0; LANES] };

    #[inline(always)]
    fn add(&mut self, lane: usize, item: f64) {
        let (is_nan, place) = (item.is_nan(), order(item));
        self.nan[lane] += u64::from(is_nan);
        self.sum[lane] += if is_nan { 0.0 } else { item };
        self.min[lane] = self.min[lane].min(if is_nan { i64::MAX } else { place });
        self.max[lane] = self.max[lane].max(if is_nan { i64::MIN } else { place });
    }

    fn measure(&self, items: u64, is_double: bool) -> Measure {
        let nan = self.nan.iter().sum();
        if items == 0 {
            return Measure::None;
        }
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        if nan < items {
            min = number(self.min.into_iter().fold(i64::MAX, i64::min));
            max = number(self.max.into_iter().fold(i64::MIN, i64::max));
        }
        Measure::Floats { min, max, sum: self.sum.iter().sum(), count: items - nan, nan, is_double }
    }
}

/// A number whose order is that of [`f64::total_cmp`].
fn order(number: f64) -> i64 {
    turned(number.to_bits().cast_signed())
}

/// The float of an order.
fn number(order: i64) -> f64 {
    f64::from_bits(turned(order).cast_unsigned())
}

/// Turns the bits of negative numbers, but for the sign.
fn turned(bits: i64) -> i64 {
    bits ^ ((bits >> 63) & i64::MAX)
}

impl Measure {
    /// The measure of items in little-endian order.
    pub fn of(bytes: &[u8], kind: Kind) -> Self {
        match kind {
            Kind::Bool | Kind::Bit | Kind::U8 => of_u8(bytes),
            Kind::I8 => of_i8(bytes),
            Kind::U16 => of_u16(bytes),
            Kind::I16 => of_i16(bytes),
            Kind::U32 => of_u32(bytes),
            Kind::I32 => of_i32(bytes),
            Kind::U64 => of_u64(bytes),
            Kind::I64 => of_i64(bytes),
            Kind::F16 => of_f16(bytes),
            Kind::Bf16 => of_bf16(bytes),
            Kind::F32 => of_f32(bytes),
            Kind::F64 => of_f64(bytes),
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
                min: number(order(min).min(order(least))),
                max: number(order(max).max(order(most))),
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
        assert_eq!(Measure::of(&items, Kind::I32).summary(), ", min -400, max 576, mean 88.0095");
    }

    #[test]
    fn sums_of_the_greatest_numbers_do_not_overflow() {
        for (kind, bytes, mean) in [
            (Kind::U8, vec![255; 10_000], "255.0"),
            (Kind::U16, vec![255; 20_000], "65535.0"),
            (Kind::I16, [0, 128].repeat(10_000), "-32768.0"),
            (Kind::U64, vec![255; 80_000], "1.84467e19"),
        ] {
            let summary = Measure::of(&bytes, kind).summary();
            assert!(summary.ends_with(&format!(", mean {mean}")), "{kind:?}{summary}");
        }
    }

    #[test]
    fn extremes_of_zeros_do_not_depend_on_their_order() {
        for zeros in [[0.0_f64, -0.0], [-0.0, 0.0]] {
            let bytes: Vec<u8> = zeros.iter().flat_map(|item| item.to_le_bytes()).collect();
            let parts = bytes.chunks(8).map(|part| Measure::of(part, Kind::F64));
            assert_eq!(parts.fold(Measure::None, Measure::and).extremes(), " min -0.0 max 0.0");
            assert_eq!(Measure::of(&bytes, Kind::F64).extremes(), " min -0.0 max 0.0");
        }
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
