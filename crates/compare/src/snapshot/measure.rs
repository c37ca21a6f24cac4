//! Extremes and mean of numbers, identical on every machine. Sums are exact, as in `stats`.

use super::item;
use crate::stats::batch::{self, number, order, survey};
use crate::stats::exact::{LEAST, Sum};
use half::{bf16, f16};
use multiversion::multiversion;
use ndbytes::ElementKind;

/// The number of items that are summed before their sum is widened. The sum of this many 16-bit items fits in 32 bits.
const BATCH: usize = 4096;

/// The extremes and the sum of a set of items.
#[derive(Debug, Clone)]
pub enum Measure {
    /// The items are not numbers, or there are none.
    None,
    /// Integers and booleans.
    Integers { min: i128, max: i128, sum: i128, count: u64 },
    /// Floats. Without numbers, the minimum exceeds the maximum. The sum only includes finite numbers.
    Floats { min: f64, max: f64, sum: Sum, count: u64, nan: u64, is_double: bool },
}

macro_rules! integers {
    ($($name:ident: $number:ty, $sum:ty);* $(;)?) => {$(
        #[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
        fn $name(bytes: &[u8]) -> Measure {
            let (items, mut sum) = (bytes.as_chunks::<{ size_of::<$number>() }>().0, 0_i128);
            let (mut min, mut max) = (<$number>::MAX, <$number>::MIN);
            for batch in items.chunks(BATCH) {
                // Separate loops, because the sum needs wider numbers.
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
    ($($name:ident: $number:ty);* $(;)?) => {$(
        #[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
        fn $name(bytes: &[u8]) -> Measure {
            let items = bytes.as_chunks::<{ size_of::<$number>() }>().0;
            let (mut measured, mut batch) = (Measured::new(), [0.0; batch::MOST]);
            for items in items.chunks(batch::MOST) {
                for (number, item) in batch.iter_mut().zip(items) {
                    *number = f64::from(<$number>::from_le_bytes(*item));
                }
                measured.add(&batch[..items.len()], <$number>::MANTISSA_DIGITS);
            }
            measured.measure(items.len() as u64, <$number>::MANTISSA_DIGITS == f64::MANTISSA_DIGITS)
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
    of_f16: f16;
    of_bf16: bf16;
    of_f32: f32;
    of_f64: f64;
}

/// The measurements of floats in batches.
struct Measured {
    /// The minimum and maximum by [`order`], including infinities.
    min: i64,
    max: i64,
    nan: u64,
    sum: Sum,
}

impl Measured {
    fn new() -> Self {
        Measured { min: i64::MAX, max: i64::MIN, nan: 0, sum: Sum::default() }
    }

    /// Adds a batch of numbers, whose significands have `digits` bits.
    fn add(&mut self, numbers: &[f64], digits: u32) {
        let survey = survey(numbers);
        self.nan += survey.nan;
        (self.min, self.max) = (self.min.min(survey.min), self.max.max(survey.max));
        if survey.infinite > 0 {
            for place in numbers.iter().filter(|number| number.is_infinite()).map(|number| order(*number)) {
                (self.min, self.max) = (self.min.min(place), self.max.max(place));
            }
        }
        survey.add_to(&mut self.sum, survey.finite(numbers, &mut [0.0; batch::MOST]), digits);
    }

    fn measure(self, items: u64, is_double: bool) -> Measure {
        let Measured { min, max, nan, sum } = self;
        let (min, max) = match nan {
            _ if items == 0 => return Measure::None,
            nan if nan == items => (f64::INFINITY, f64::NEG_INFINITY),
            _ => (number(min), number(max)),
        };
        Measure::Floats { min, max, sum, count: items - nan, nan, is_double }
    }
}

impl Measure {
    /// Measures items in little-endian order.
    pub fn of(bytes: &[u8], kind: ElementKind) -> Self {
        match kind {
            ElementKind::Bool | ElementKind::Bit | ElementKind::U8 => of_u8(bytes),
            ElementKind::I8 => of_i8(bytes),
            ElementKind::U16 => of_u16(bytes),
            ElementKind::I16 => of_i16(bytes),
            ElementKind::U32 => of_u32(bytes),
            ElementKind::I32 => of_i32(bytes),
            ElementKind::U64 => of_u64(bytes),
            ElementKind::I64 => of_i64(bytes),
            ElementKind::F16 => of_f16(bytes),
            ElementKind::Bf16 => of_bf16(bytes),
            ElementKind::F32 => of_f32(bytes),
            ElementKind::F64 => of_f64(bytes),
            _ => Measure::None,
        }
    }

    /// Adds the measure of other items.
    pub fn add(&mut self, other: &Measure) {
        match (self, other) {
            (
                Measure::Integers { min, max, sum, count },
                Measure::Integers { min: least, max: most, sum: more, count: further },
            ) => {
                (*min, *max) = ((*min).min(*least), (*max).max(*most));
                *sum = sum.saturating_add(*more);
                *count += further;
            }
            (
                Measure::Floats { min, max, sum, count, nan, .. },
                Measure::Floats { min: least, max: most, sum: more, count: further, nan: others, .. },
            ) => {
                *min = number(order(*min).min(order(*least)));
                *max = number(order(*max).max(order(*most)));
                sum.add_sum(more);
                *count += further;
                *nan += others;
            }
            (this @ Measure::None, other) => *this = other.clone(),
            _ => {}
        }
    }

    /// Writes ` min 0 max 255`, with the number of NaNs if there are any.
    pub fn extremes(&self) -> String {
        let (range, nan) = self.parts();
        let range = range.map_or_else(String::new, |[min, max]| format!(" min {min} max {max}"));
        if nan > 0 { format!("{range} nan {nan}") } else { range }
    }

    /// Writes `, min -30.8, max 41.2, mean 3.1, nan 0`; nothing for items that are not numbers.
    pub fn summary(&self) -> String {
        let (range, nan) = self.parts();
        let range = range.map_or_else(String::new, |[min, max]| format!(", min {min}, max {max}"));
        match self {
            Measure::None => String::new(),
            Measure::Integers { sum, count, .. } => {
                let mut exact = Sum::default();
                exact.add(*sum < 0, sum.unsigned_abs(), 1, 0);
                format!("{range}, mean {}", mean(exact.mean(*count, 0)))
            }
            Measure::Floats { count: 0, .. } => format!(", nan {nan}"),
            Measure::Floats { min, max, sum, count, .. } => {
                // Zero if there are no infinite numbers.
                let infinite = [min, max].into_iter().filter(|number| number.is_infinite()).sum::<f64>();
                format!("{range}, mean {}, nan {nan}", mean(sum.mean(*count, LEAST) + infinite))
            }
        }
    }

    /// Returns the smallest and the largest number, and the number of NaNs.
    fn parts(&self) -> (Option<[String; 2]>, u64) {
        let text = |number: f64, is_double: bool| {
            let mut text = String::new();
            let written = match is_double {
                true => item::float(&mut text, &number, false),
                false => item::float(&mut text, &(number as f32), false),
            };
            written.map(|()| text).unwrap_or_default()
        };
        match *self {
            Measure::None => (None, 0),
            Measure::Integers { min, max, .. } => (Some([min.to_string(), max.to_string()]), 0),
            Measure::Floats { count: 0, nan, .. } => (None, nan),
            Measure::Floats { min, max, nan, is_double, .. } => {
                (Some([min, max].map(|number| text(number, is_double))), nan)
            }
        }
    }
}

/// Writes a mean with six digits, as long numbers are hard to compare by eye.
fn mean(mean: f64) -> String {
    let rounded = format!("{mean:.5e}");
    match rounded.parse::<f64>() {
        Ok(mean) if mean.is_finite() => format!("{mean:?}"),
        _ => rounded.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::Measure;
    use ndbytes::ElementKind;

    /// Returns the measure of the items in several pieces.
    fn of_parts(items: &[u8], length: usize, kind: ElementKind) -> Measure {
        let mut measure = Measure::None;
        items.chunks(length).for_each(|part| measure.add(&Measure::of(part, kind)));
        measure
    }

    #[test]
    fn measures_of_parts_are_those_of_the_whole() {
        let items: Vec<u8> = (0..100_000_i32).flat_map(|item| (item * 31 % 977 - 400).to_le_bytes()).collect();
        assert_eq!(of_parts(&items, 4 * 999, ElementKind::I32).summary(), ", min -400, max 576, mean 88.0095");
        assert_eq!(Measure::of(&items, ElementKind::I32).summary(), ", min -400, max 576, mean 88.0095");
    }

    #[test]
    fn sums_of_the_greatest_numbers_do_not_overflow() {
        for (kind, bytes, mean) in [
            (ElementKind::U8, vec![255; 10_000], "255.0"),
            (ElementKind::U16, vec![255; 20_000], "65535.0"),
            (ElementKind::I16, [0, 128].repeat(10_000), "-32768.0"),
            (ElementKind::U64, vec![255; 80_000], "1.84467e19"),
        ] {
            let summary = Measure::of(&bytes, kind).summary();
            assert!(summary.ends_with(&format!(", mean {mean}")), "{kind:?}{summary}");
        }
    }

    #[test]
    fn extremes_of_zeros_do_not_depend_on_their_order() {
        for zeros in [[0.0_f64, -0.0], [-0.0, 0.0]] {
            let bytes: Vec<u8> = zeros.iter().flat_map(|item| item.to_le_bytes()).collect();
            assert_eq!(of_parts(&bytes, 8, ElementKind::F64).extremes(), " min -0.0 max 0.0");
            assert_eq!(Measure::of(&bytes, ElementKind::F64).extremes(), " min -0.0 max 0.0");
        }
    }

    #[test]
    fn nan_is_counted_and_left_out() {
        let bytes: Vec<u8> = [f32::NAN, 20.2, -30.8].iter().flat_map(|item| item.to_le_bytes()).collect();
        assert_eq!(Measure::of(&bytes, ElementKind::F32).summary(), ", min -30.8, max 20.2, mean -5.3, nan 1");
        assert_eq!(Measure::of(&bytes, ElementKind::F32).extremes(), " min -30.8 max 20.2 nan 1");
        assert_eq!(Measure::of(&bytes[..4], ElementKind::F32).summary(), ", nan 1");
        assert_eq!(Measure::of(&[], ElementKind::F32).summary(), "");
    }
}
