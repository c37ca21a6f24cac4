//! Extremes and mean of numbers, the same on every machine. Sums are exact, as those of `stats` are.
//!
//! `stats` sorts floats by their exponents, one after the other. Here, [`Batch`] adds up many side by side where no bit
//! can be lost, which takes a fraction of the time.

use super::item;
use crate::stats::exact::{LEAST, Sum};
use half::{bf16, f16};
use multiversion::multiversion;
use ndbytes::ElementKind;

/// Sums of floats that run side by side.
const LANES: usize = 8;

/// Items that are summed up before their sum becomes a wide one. As many of 16 bits have a sum of 32 bits.
const BATCH: usize = 4096;

/// The measure of some items.
#[derive(Debug, Clone)]
pub enum Measure {
    /// The items are not numbers, or there are none.
    None,
    /// Integers and booleans.
    Integers { min: i128, max: i128, sum: i128, count: u64 },
    /// Floats. Without a number, the least is more than the greatest. The sum is that of the finite ones.
    Floats { min: f64, max: f64, sum: Sum, count: u64, nan: u64, is_double: bool },
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
            let (mut lanes, mut sum) = (Lanes::NONE, Sum::default());
            for items in items.chunks(Batch::MOST) {
                let mut batch = Batch::NONE;
                let (groups, rest) = items.as_chunks::<LANES>();
                for group in groups {
                    for (lane, item) in group.iter().enumerate() {
                        let item = f64::from(<$number>::from_le_bytes(*item));
                        lanes.add(lane, item);
                        batch.add(lane, item);
                    }
                }
                for (lane, item) in rest.iter().enumerate() {
                    let item = f64::from(<$number>::from_le_bytes(*item));
                    lanes.add(lane, item);
                    batch.add(lane, item);
                }
                if !batch.add_to(&mut sum) {
                    let items = items.iter().map(|item| f64::from(<$number>::from_le_bytes(*item)));
                    items.filter(|item| item.is_finite()).for_each(|item| sum.add_float(item));
                }
            }
            lanes.measure(items.len() as u64, sum, $is_double)
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
    nan: [u64; LANES],
}

impl Lanes {
    const NONE: Self = Lanes { min: [i64::MAX; LANES], max: [i64::MIN; LANES], nan: [0; LANES] };

    #[inline(always)]
    fn add(&mut self, lane: usize, item: f64) {
        let (is_nan, place) = (item.is_nan(), order(item));
        self.nan[lane] += u64::from(is_nan);
        self.min[lane] = self.min[lane].min(if is_nan { i64::MAX } else { place });
        self.max[lane] = self.max[lane].max(if is_nan { i64::MIN } else { place });
    }

    fn measure(&self, items: u64, sum: Sum, is_double: bool) -> Measure {
        let nan = self.nan.iter().sum();
        if items == 0 {
            return Measure::None;
        }
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        if nan < items {
            min = number(self.min.into_iter().fold(i64::MAX, i64::min));
            max = number(self.max.into_iter().fold(i64::MIN, i64::max));
        }
        Measure::Floats { min, max, sum, count: items - nan, nan, is_double }
    }
}

/// Finite floats that are added up side by side, each in two halves of at most 27 bits.
struct Batch {
    high: [f64; LANES],
    low: [f64; LANES],
    /// The bits of the least number that is not zero, and of the greatest, without their signs.
    least: [i64; LANES],
    most: [i64; LANES],
}

impl Batch {
    const NONE: Self = Batch { high: [0.0; LANES], low: [0.0; LANES], least: [i64::MAX; LANES], most: [0; LANES] };

    /// The maximum size of a batch, `2^9`.
    const MOST: usize = 512;

    /// The bits of the lower half.
    const LOW: u64 = (1 << 27) - 1;

    /// The most that exponents may be apart. Lower halves are multiples of the last bit of the least number, `2^e`.
    /// Those of 2^9 numbers with exponents of up to `e + 17` have a sum below `2^(e + 17 + 27 + 9)`. A float has room
    /// for all of its bits, and so it has for every sum before it, in any order. Upper halves have one bit more to
    /// spare.
    const SPREAD: i64 = 17;

    /// The greatest exponent of which 2^9 numbers have a finite sum.
    const GREATEST: i64 = 2036;

    #[inline(always)]
    fn add(&mut self, lane: usize, item: f64) {
        let item = if item.is_finite() { item } else { 0.0 };
        let high = f64::from_bits(item.to_bits() & !Self::LOW);
        let magnitude = item.abs().to_bits().cast_signed();
        self.high[lane] += high;
        self.low[lane] += item - high;
        self.least[lane] = self.least[lane].min(if magnitude == 0 { i64::MAX } else { magnitude });
        self.most[lane] = self.most[lane].max(magnitude);
    }

    /// Adds the batch to a sum, and returns true; or false if bits may have been lost.
    fn add_to(&self, sum: &mut Sum) -> bool {
        // Numbers below the normal ones have the last bit of the least normal ones.
        let exponent = |magnitude: i64| (magnitude >> 52).max(1);
        let least = exponent(self.least.into_iter().fold(i64::MAX, i64::min));
        let most = exponent(self.most.into_iter().fold(0, i64::max));
        let is_exact = most - least <= Self::SPREAD && most <= Self::GREATEST;
        if is_exact {
            sum.add_float(self.high.iter().sum());
            sum.add_float(self.low.iter().sum());
        }
        is_exact
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

    /// ` min 0 max 255`, with the number of NaNs if there are some.
    pub fn extremes(&self) -> String {
        let (range, nan) = self.parts();
        let range = range.map_or_else(String::new, |[min, max]| format!(" min {min} max {max}"));
        if nan > 0 { format!("{range} nan {nan}") } else { range }
    }

    /// `, min -30.8, max 41.2, mean 3.1, nan 0`; nothing of items that are no numbers.
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
                // Without infinite numbers, this is zero.
                let infinite = [min, max].into_iter().filter(|number| number.is_infinite()).sum::<f64>();
                format!("{range}, mean {}, nan {nan}", mean(sum.mean(*count, LEAST) + infinite))
            }
        }
    }

    /// The least and the greatest number, and the number of NaNs.
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

/// A mean with six digits, as long ones are hard to compare by eye.
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

    /// The measure of a piece of items after the other.
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
