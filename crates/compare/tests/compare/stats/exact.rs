//! Compares statistics with exact arithmetic, for all exponents and every type of number.
//!
//! `NDBYTES_ROUNDS` sets the number of arrays.

use half::{bf16, f16};
use ndbytes::everybyte::Endian;
use ndbytes::{Decoded, Dtype, ElementKind, ItemType};
use ndbytes_compare::stats::{self, Histogram, MOST_BINS, MOST_DISTINCT, Real, Statistics};
use num_bigint::{BigInt, Sign};
use std::collections::{BTreeMap, HashSet};

/// An exact number: an integer in units of half the smallest float, so the midpoint of two floats is also an integer.
type Units = BigInt;

/// The exponent of a unit.
const UNIT: i32 = -1075;

/// A float in units. Infinity becomes the power of two after the largest float.
fn units(number: f64) -> Units {
    let bits = number.to_bits();
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let significand = if exponent == 0 { fraction } else { fraction + (1 << 52) };
    let sign = if number.is_sign_negative() { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, significand.into()) << exponent.max(1)
}

/// A value of a type.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    Float(f64),
    Int(i128),
    Uint(u128),
}

impl Value {
    /// `None` if it is not finite.
    fn units(self) -> Option<Units> {
        match self {
            Value::Float(number) => number.is_finite().then(|| units(number)),
            Value::Int(number) => Some(BigInt::from(number) << -UNIT),
            Value::Uint(number) => Some(BigInt::from(number) << -UNIT),
        }
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

/// The types of numbers. Most arrays are of doubles.
const KINDS: [ElementKind; 14] = [
    ElementKind::F64,
    ElementKind::F64,
    ElementKind::F64,
    ElementKind::F32,
    ElementKind::F16,
    ElementKind::Bf16,
    ElementKind::I8,
    ElementKind::U8,
    ElementKind::I16,
    ElementKind::U32,
    ElementKind::I64,
    ElementKind::U64,
    ElementKind::I128,
    ElementKind::U128,
];

/// The ways in which the bits of the values of an array are chosen.
const WAYS: u64 = 8;

/// The bits of a value of a type, chosen in one of the ways. `base` is the same for all values of an array.
fn pattern(random: &mut Random, way: u64, base: u128, kind: ElementKind) -> u128 {
    let size = 8 * kind.size();
    let sign = 1_u128 << (size - 1);
    let bits = match way {
        0 => random.wide(),
        // Neighbours of one value, with either sign or with the same.
        1 => base.wrapping_add(random.below(100).into()),
        2 => base.wrapping_add(random.below(3).into()) ^ (sign * u128::from(random.below(2))),
        // Subnormal numbers, zeros, and small integers.
        3 => u128::from(random.below(40)) | (sign * u128::from(random.below(2))),
        // The ends of the type's range, and its middle.
        4 => [0, 1, sign - 1, sign, sign + 1, u128::MAX, finite(kind), finite(kind) | sign][random.below(8) as usize],
        // In one case out of five, another sign and exponent, so that a few values are far apart.
        5 if random.below(5) > 0 => base ^ u128::from(random.below(1 << 7)),
        // Any significands, with exponents in a limited range.
        6 => base ^ (random.wide() & (sign | ((1 << (significand(kind) + (base >> 64) as u32 % 8)) - 1))),
        _ => base ^ (random.wide() & random.wide() & random.wide()),
    };
    bits & (u128::MAX >> (128 - size))
}

/// The bits of the significand of a float.
fn significand(kind: ElementKind) -> u32 {
    match kind {
        ElementKind::F64 => 52,
        ElementKind::F32 => 23,
        ElementKind::F16 => 10,
        _ => 7,
    }
}

/// The bits of the largest finite float of a type; for integers, arbitrary bits.
fn finite(kind: ElementKind) -> u128 {
    match kind {
        ElementKind::F64 => f64::MAX.to_bits().into(),
        ElementKind::F32 => f32::MAX.to_bits().into(),
        ElementKind::F16 => f16::MAX.to_bits().into(),
        ElementKind::Bf16 => bf16::MAX.to_bits().into(),
        _ => 1 << 70,
    }
}

fn value(kind: ElementKind, bits: u128) -> Value {
    let unused = 128 - 8 * kind.size();
    match kind {
        ElementKind::F64 => Value::Float(f64::from_bits(bits as u64)),
        ElementKind::F32 => Value::Float(f32::from_bits(bits as u32).into()),
        ElementKind::F16 => Value::Float(f16::from_bits(bits as u16).into()),
        ElementKind::Bf16 => Value::Float(bf16::from_bits(bits as u16).into()),
        ElementKind::U8 | ElementKind::U32 | ElementKind::U64 | ElementKind::U128 => Value::Uint(bits),
        _ => Value::Int((bits as i128) << unused >> unused),
    }
}

/// The statistics of values, given by their bits, in a byte order.
fn statistics(kind: ElementKind, patterns: &[u128], endian: Endian) -> Statistics {
    let width = kind.size() as usize;
    let mut bytes = Vec::with_capacity(patterns.len() * width);
    for pattern in patterns {
        match endian {
            Endian::Big => bytes.extend(&pattern.to_be_bytes()[16 - width..]),
            Endian::Little => bytes.extend(&pattern.to_le_bytes()[..width]),
        }
    }
    let item_type = ItemType::Plain(Dtype::new(kind, endian));
    let series = stats::items(&mut Decoded::new(&bytes, &item_type, &[patterns.len()]).unwrap()).unwrap();
    series.into_iter().next().unwrap().statistics
}

/// The statistics of doubles.
fn of_doubles(numbers: &[f64]) -> Statistics {
    let patterns: Vec<u128> = numbers.iter().map(|number| number.to_bits().into()).collect();
    statistics(ElementKind::F64, &patterns, Endian::Little)
}

/// Values, their counts, and their exact statistics.
struct Exact {
    each: BTreeMap<Units, u64>,
    count: u64,
    sum: Units,
    squares: Units,
}

impl Exact {
    fn new(values: &[(Value, u64)]) -> Self {
        let mut each = BTreeMap::new();
        for (value, times) in values.iter().filter(|(_, times)| *times > 0) {
            if let Some(units) = value.units() {
                *each.entry(units).or_insert(0) += times;
            }
        }
        let sum = each.iter().map(|(value, &times)| value * times).sum();
        let squares = each.iter().map(|(value, &times)| value * value * times).sum();
        let count = each.values().sum();
        Exact { each, count, sum, squares }
    }

    /// Asserts that a float is the nearest one to the mean.
    fn assert_mean(&self, mean: f64) {
        let middle = |other: f64| (units(mean) + units(other)) * self.count;
        let (low, high, sum) = (middle(mean.next_down()), middle(mean.next_up()), &self.sum * 2);
        assert!(low <= sum && sum <= high, "{mean:e} is not the mean");
        assert!((low != sum && high != sum) || mean.to_bits().is_multiple_of(2), "{mean:e} is not even");
    }

    /// Asserts that a float is the nearest one to the standard deviation.
    fn assert_std(&self, std: f64) {
        let middle = |other: f64| {
            let middle = (units(std) + units(other)) * self.count;
            if middle.sign() == Sign::Minus { BigInt::ZERO } else { &middle * &middle }
        };
        let variance = (&self.squares * self.count - &self.sum * &self.sum) * 4;
        let (low, high) = (middle(std.next_down()), middle(std.next_up()));
        assert!(low <= variance && variance <= high, "{std:e} is not the deviation");
        let is_tie = variance == high || variance == low && std > 0.0;
        assert!(!is_tie || std.to_bits().is_multiple_of(2), "{std:e} is not even");
    }

    /// Asserts that each bin counts the values within it, and that the bins could not be narrower.
    fn assert_histogram(&self, histogram: &Histogram, is_float: bool) {
        let ends = || self.each.first_key_value().zip(self.each.last_key_value());
        let ((least, _), (greatest, _)) = ends().expect("there are numbers");
        if histogram.width == 0.0 {
            assert_eq!((self.each.len(), &*histogram.counts), (1, &[self.count][..]));
            return;
        }
        self.assert_counts(histogram);
        let counts = &histogram.counts;
        assert!(counts.len() <= MOST_BINS && counts[0] > 0 && counts[counts.len() - 1] > 0, "{histogram:?}");
        let width = units(histogram.width);
        assert!(width.magnitude().count_ones() == 1, "{histogram:?}");
        // At half the width, there would be too many bins, or an edge that is not a float.
        let bits = least.magnitude().max(greatest.magnitude()).bits().saturating_sub(53);
        let finest = if is_float { 1 } else { -UNIT as u64 };
        assert!(counts.len() > MOST_BINS / 2 - 1 || width.bits() == bits.max(finest) + 1, "{histogram:?}");
        for most in [4, 5, 16] {
            let folded = histogram.clone().folded(most);
            assert!(folded.counts.len() <= most);
            self.assert_counts(&folded);
        }
    }

    fn assert_counts(&self, histogram: &Histogram) {
        let (start, width) = (units(histogram.start), units(histogram.width));
        let mut counts = vec![0; histogram.counts.len()];
        for (value, times) in &self.each {
            let place = (value - &start) / &width;
            assert!(*value >= start, "{histogram:?}");
            counts[usize::try_from(place).unwrap()] += times;
        }
        assert_eq!(counts, histogram.counts, "{histogram:?}");
        for place in 0..=counts.len() {
            assert_eq!(units(histogram.edge(place)), &start + &width * place, "edge {place} of {histogram:?}");
        }
    }
}

fn real(real: Option<Real>) -> Units {
    match real.unwrap() {
        Real::Int(number) => BigInt::from(number) << -UNIT,
        Real::Uint(number) => BigInt::from(number) << -UNIT,
        real => units(real.to_f64()),
    }
}

/// Asserts that all statistics are correct for the values, each of which occurs several times.
fn assert_all(found: &Statistics, values: &[(Value, u64)]) {
    let count = |is: fn(&Value) -> bool| values.iter().filter(|(value, _)| is(value)).map(|(_, times)| times).sum();
    let is_nan = |value: &Value| matches!(value, Value::Float(number) if number.is_nan());
    let infinite = |value: &Value| matches!(value, Value::Float(number) if number.is_infinite());
    let is_zero = |value: &Value| matches!(value, Value::Int(0) | Value::Uint(0) | Value::Float(0.0));
    assert_eq!((found.values, found.missing), (count(|_| true), 0));
    assert_eq!((found.nan, found.infinite, found.zeros), (count(is_nan), count(infinite), count(is_zero)));
    let identity = |value: &Value| match *value {
        Value::Float(number) => u128::from((number + 0.0).to_bits()),
        Value::Int(number) => number as u128,
        Value::Uint(number) => number,
    };
    let are_met = values.iter().filter(|(value, times)| *times > 0 && !is_nan(value));
    let distinct = are_met.map(|(value, _)| identity(value)).collect::<HashSet<_>>().len() as u64;
    assert_eq!(found.distinct, Some(distinct).filter(|&distinct| distinct <= MOST_DISTINCT));
    let exact = Exact::new(values);
    if exact.count == 0 {
        assert_eq!((found.min, found.max, found.mean, found.std), (None, None, None, None));
        assert!(found.sum.is_none() && found.histogram.is_none());
        return;
    }
    let (least, greatest) = (exact.each.keys().next().unwrap(), exact.each.keys().next_back().unwrap());
    assert_eq!((&real(found.min), &real(found.max)), (least, greatest));
    let is_float = matches!(values[0], (Value::Float(_), _));
    let sum = i128::try_from(&exact.sum >> -UNIT).ok();
    assert_eq!(found.sum, sum.filter(|_| !is_float));
    exact.assert_mean(found.mean.unwrap().to_f64());
    exact.assert_std(found.std.unwrap().to_f64());
    exact.assert_histogram(found.histogram.as_ref().unwrap(), is_float);
}

/// Makes an array and asserts its statistics in any order of the values.
fn play(seed: u64, most: u64) {
    let mut random = Random(seed);
    let kind = KINDS[random.below(KINDS.len() as u64) as usize];
    let (way, base) = (random.below(WAYS), random.wide());
    let count = if random.below(20) == 0 { 1 + random.below(most) } else { 1 + random.below(12) };
    let patterns: Vec<u128> = (0..count).map(|_| pattern(&mut random, way, base, kind)).collect();
    let values: Vec<_> = patterns.iter().map(|&bits| (value(kind, bits), 1)).collect();
    let found = statistics(kind, &patterns, Endian::Little);
    assert_all(&found, &values);
    let backwards: Vec<u128> = patterns.into_iter().rev().collect();
    assert_eq!(statistics(kind, &backwards, Endian::Big), found);
}

#[test]
fn statistics_are_those_of_exact_arithmetic() {
    let rounds = std::env::var("NDBYTES_ROUNDS").map_or(1000, |rounds| rounds.parse().expect("a number of rounds"));
    for seed in 0..rounds {
        let played = std::panic::catch_unwind(|| play(seed, 2000));
        assert!(played.is_ok(), "the array of the seed {seed}");
    }
}

#[test]
fn statistics_of_pairs_of_exponents_are_exact() {
    for one in (0..0x7ff_u128).step_by(31) {
        for other in (0..0x7ff_u128).step_by(89) {
            let sign = (one * 31 + other) % 4;
            let patterns = [one << 52 | 5, other << 52 | 0xf_ffff_ffff_ffff | (sign & 1) << 63, (sign >> 1) << 63];
            let values = patterns.map(|bits| (value(ElementKind::F64, bits), 1));
            assert_all(&statistics(ElementKind::F64, &patterns, Endian::Little), &values);
        }
    }
}

#[test]
fn statistics_of_a_million_values_are_exact() {
    for (seed, kind) in (0..).zip([ElementKind::F64, ElementKind::F32, ElementKind::I64, ElementKind::U128]) {
        let mut random = Random(seed);
        let base = random.wide();
        // Few of them are distinct, so that the reference is fast.
        let ways = [0, 1, 5].into_iter().flat_map(|way| [way; 50]);
        let pool: Vec<u128> = ways.map(|way| pattern(&mut random, way, base, kind)).collect();
        let mut times = vec![0; pool.len()];
        let mut chosen = || {
            let place = random.below(pool.len() as u64) as usize;
            times[place] += 1;
            pool[place]
        };
        let patterns: Vec<u128> = (0..1_000_000).map(|_| chosen()).collect();
        let values: Vec<_> = pool.iter().map(|&bits| value(kind, bits)).zip(times).collect();
        assert_all(&statistics(kind, &patterns, Endian::Big), &values);
    }
}

/// A large piece is counted by several threads, and a small one by the calling thread.
#[test]
fn statistics_do_not_depend_on_the_pieces_and_threads_that_count_them() {
    for (seed, kind) in
        (0..).zip([ElementKind::F64, ElementKind::F32, ElementKind::F16, ElementKind::I32, ElementKind::U128])
    {
        for way in 0..WAYS {
            let mut random = Random(seed);
            let (base, width) = (random.wide(), kind.size() as usize);
            let values = (0..150_000).map(|_| pattern(&mut random, way, base, kind));
            let bytes: Vec<u8> = values.flat_map(|bits| bits.to_le_bytes().into_iter().take(width)).collect();
            let item_type = ItemType::Plain(Dtype::new(kind, Endian::Little));
            let [mut whole, mut pieces] = [stats::Collector::new(&item_type), stats::Collector::new(&item_type)];
            whole.add(&bytes);
            bytes.chunks(width * 777).for_each(|piece| pieces.add(piece));
            // Compare as text, in which all NaNs are equal.
            assert_eq!(format!("{:?}", whole.finish()), format!("{:?}", pieces.finish()), "{kind:?} {way}");
        }
    }
}

#[test]
fn squares_of_the_greatest_significand_fit() {
    let count = (1 << 22) + 3;
    let found = of_doubles(&vec![f64::MAX; count]);
    assert_eq!((found.mean, found.std, found.values), (Some(Real::F64(f64::MAX)), Some(Real::F64(0.0)), count as u64));
}

#[test]
fn values_far_apart_are_counted_in_their_ranges() {
    for numbers in [
        // The positions of the negative numbers are below the smallest float. These cases used to panic.
        &[-4e-97, 0.0, 7e252][..],
        &[-1e-310, 0.0, 1e305],
        &[-f64::MIN_POSITIVE, 5e-324, 2_f64.powi(1008)],
        // In this case, a number was counted with the zeros.
        &[-1e300, -1e-7, 0.0, 1e300],
    ] {
        let histogram = of_doubles(numbers).histogram.unwrap();
        let full: Vec<u64> = histogram.counts.iter().copied().filter(|&count| count > 0).collect();
        assert_eq!(full, vec![1; numbers.len()], "{numbers:?}: {histogram:?}");
    }
}

#[test]
fn edges_of_the_widest_histogram_are_told() {
    let widest = of_doubles(&[f64::MIN, f64::MAX]).histogram.unwrap();
    assert_eq!((widest.edge(0), widest.edge(32), widest.edge(64)), (f64::NEG_INFINITY, 0.0, f64::INFINITY));
    assert_eq!(widest.edge(1), -(2_f64.powi(1023)) * (2.0 - 0.0625));
}

#[test]
fn moments_do_not_overflow_and_lose_no_digit() {
    for (numbers, mean, std) in [
        (&[1e200][..], 1e200, 0.0),
        (&[1e308; 3], 1e308, 0.0),
        (&[f64::MAX, f64::MIN], 0.0, f64::MAX),
        (&[1.0, 1.0_f64.next_up()], 1.0, f64::EPSILON / 2.0),
        (&[5e-324, 1.5e-323], 1e-323, 5e-324),
    ] {
        let found = of_doubles(numbers);
        assert_eq!((found.mean, found.std), (Some(Real::F64(mean)), Some(Real::F64(std))), "{numbers:?}");
    }
}
