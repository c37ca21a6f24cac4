//! Statistics of arrays, of every type of number.

use half::f16;
use ndbytes::{Decoded, ItemType, LongDouble};
use ndbytes_compare::stats::{self, Real, Series, Statistics};

/// The statistics of elements of a type, given by their bytes.
fn series(dtype: &str, bytes: &[u8]) -> Vec<Series> {
    let item_type: ItemType = dtype.parse().unwrap();
    let shape = [bytes.len() / item_type.stride() as usize];
    stats::items(&mut Decoded::new(bytes, &item_type, &shape).unwrap()).unwrap()
}

fn statistics(dtype: &str, bytes: &[u8]) -> Statistics {
    let mut all = series(dtype, bytes);
    assert_eq!((all.len(), &*all[0].name), (1, ""));
    all.remove(0).statistics
}

#[test]
fn integers_of_every_width_have_the_same_statistics() {
    let numbers = [3_i8, -5, 0, 3, 120];
    let wide = |width: usize, is_big: bool| {
        let each = numbers.iter().flat_map(|&number| {
            let bytes = i128::from(number).to_le_bytes();
            let mut bytes = bytes[..width].to_vec();
            if is_big {
                bytes.reverse();
            }
            bytes
        });
        each.collect::<Vec<u8>>()
    };
    let expected = statistics("|i1", &wide(1, false));
    assert_eq!(
        (expected.values, expected.zeros, expected.sum, expected.mean),
        (5, 1, Some(121), Some(Real::F64(24.2)))
    );
    assert_eq!((expected.min, expected.max), (Some(Real::Int(-5)), Some(Real::Int(120))));
    assert_eq!((expected.distinct, expected.nan, expected.missing), (Some(4), 0, 0));
    // numpy.std([3, -5, 0, 3, 120])
    assert!((expected.std.unwrap().to_f64() - 47.9891654438791).abs() < 1e-9, "{:?}", expected.std);
    for width in [2, 4, 8] {
        for (order, is_big) in [('<', false), ('>', true)] {
            let mut found = statistics(&format!("{order}i{width}"), &wide(width, is_big));
            let std = found.std.unwrap().to_f64();
            assert!((std - expected.std.unwrap().to_f64()).abs() < 1e-9, "{std}");
            found.std = expected.std;
            assert_eq!(found, expected, "{order}i{width}");
        }
    }
}

#[test]
fn sums_of_integers_are_exact() {
    let numbers = [u64::MAX; 3].map(u64::to_le_bytes).concat();
    let found = statistics("<u8", &numbers);
    assert_eq!((found.sum, found.max), (Some(3 * i128::from(u64::MAX)), Some(Real::Int(u64::MAX.into()))));
    assert_eq!((found.mean, found.std), (Some(Real::F64(u64::MAX as f64)), Some(Real::F64(0.0))));
}

#[test]
fn what_is_not_finite_is_counted_apart() {
    let numbers = [1.5, f32::NAN, f32::INFINITY, -0.0, f32::NEG_INFINITY, 0.0, -30.8];
    for (order, bytes) in [('<', numbers.map(f32::to_le_bytes).concat()), ('>', numbers.map(f32::to_be_bytes).concat())]
    {
        let found = statistics(&format!("{order}f4"), &bytes);
        assert_eq!((found.values, found.nan, found.infinite, found.zeros), (7, 1, 2, 2));
        // The number of digits fits the stored width.
        assert_eq!((found.min.unwrap().to_string(), found.max.unwrap().to_string()), ("-30.8".into(), "1.5".into()));
        // 1.5, two infinities, zero, -30.8
        assert_eq!(found.distinct, Some(5));
        assert_eq!(found.histogram.unwrap().counts.iter().sum::<u64>(), 4);
    }
}

#[test]
fn deviation_of_large_numbers_with_small_distances_keeps_its_digits() {
    let numbers: Vec<u8> = (0..10_000).flat_map(|place| (1e12 + f64::from(place % 2)).to_le_bytes()).collect();
    let found = statistics("<f8", &numbers);
    assert_eq!((found.mean, found.std), (Some(Real::F64(1e12 + 0.5)), Some(Real::F64(0.5))));
}

#[test]
fn sums_of_floats_lose_nothing_to_rounding() {
    let numbers = [1e100, 1.0, -1e100, 1.0].map(f64::to_le_bytes).concat();
    assert_eq!(statistics("<f8", &numbers).mean, Some(Real::F64(0.5)));
}

#[test]
fn half_precision_is_counted_like_single_precision() {
    let numbers = [0.1, -2.0, f32::NAN, f32::INFINITY, 0.0].map(f16::from_f32);
    let half = statistics("<f2", &numbers.map(f16::to_le_bytes).concat());
    let single = statistics("<f4", &numbers.map(|number| number.to_f32().to_le_bytes()).concat());
    assert_eq!((half.nan, half.distinct), (1, single.distinct));
    let extremes = [half.min, half.max].map(Option::unwrap);
    assert_eq!(extremes.map(Real::to_f64), [single.min, single.max].map(|real| real.unwrap().to_f64()));
    assert_eq!(extremes.map(|real| real.to_string()), ["-2.0", "0.1"]);
    assert_eq!((half.histogram, half.infinite), (single.histogram, 1));
}

#[test]
fn fields_and_parts_are_series_of_their_own() {
    let item = |x: f32, re: f64, im: f64| [&x.to_le_bytes()[..], &re.to_le_bytes(), &im.to_le_bytes()].concat();
    let bytes = [item(1.0, 2.0, 3.0), item(5.0, 6.0, f64::NAN)].concat();
    let all = series("[('x', '<f4'), ('z', '<c16')]", &bytes);
    let found: Vec<_> =
        all.iter().map(|one| (&*one.name, one.statistics.mean.map(Real::to_f64), one.statistics.nan)).collect();
    assert_eq!(found, [("x", Some(3.0), 0), ("z.re", Some(4.0), 0), ("z.im", Some(3.0), 1)]);
}

#[test]
fn structures_that_repeat_0_times_have_series_without_values() {
    for none in ["[('a', '<i4'), ('b', '<c16')]", "[('a', [('x', '<i4'), ('y', '<f4')]), ('b', '<f8')]", "[]"] {
        let item_type = format!("[('s', {none}, (2, 0)), ('t', '<i4')]");
        let all = series(&item_type, &[7_i32, 8, 9].map(i32::to_le_bytes).concat());
        let (last, others) = all.split_last().unwrap();
        assert_eq!((&*last.name, last.statistics.values, last.statistics.sum), ("t", 3, Some(24)), "{item_type}");
        assert!(others.iter().all(|one| one.statistics.values == 0), "{item_type}: {others:?}");
        assert_eq!(others.len(), if none == "[]" { 0 } else { 3 });
    }
}

#[test]
fn texts_have_lengths_and_times_may_be_missing() {
    let texts = statistics("|S4", b"abc\0a\0\0\0abc\0\0\0\0\0");
    assert_eq!((texts.lengths, texts.distinct, texts.mean), (Some((0, 3)), Some(3), None));
    let times = statistics("<M8[D]", &[i64::MIN, 4, 7].map(i64::to_le_bytes).concat());
    assert_eq!((times.missing, times.min, times.max), (1, Some(Real::Int(4)), Some(Real::Int(7))));
    assert_eq!((times.mean, times.sum), (None, None));
}

#[test]
fn different_values_are_counted_up_to_a_bound() {
    let numbers = |count: u32| (0..count).flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let most = stats::MOST_DISTINCT as u32;
    assert_eq!(statistics("<u4", &numbers(most)).distinct, Some(stats::MOST_DISTINCT));
    assert_eq!(statistics("<u4", &numbers(most + 1)).distinct, None);
    for (values, expected) in [(&[0_u32, 0][..], 1), (&[1, 1], 1), (&[1, 0], 2), (&[0, 1, 0, 1, 5], 3)] {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(statistics("<u4", &bytes).distinct, Some(expected), "{values:?}");
    }
}

#[test]
fn an_array_without_items_has_no_extremes() {
    let found = statistics("<f4", &[]);
    assert_eq!(found, statistics("<f8", &[]));
    assert_eq!((found.values, found.min, found.mean, found.histogram), (0, None, None, None));
}

/// A long double: ±1.f · 2^exponent, with the fraction `f` of 63 bits.
fn long(is_negative: bool, exponent: i32, fraction: u64) -> LongDouble {
    let sign_exponent = u16::from(is_negative) << 15 | (exponent + 16383) as u16;
    LongDouble::from_bits(sign_exponent, 1 << 63 | fraction)
}

fn of_longs(numbers: &[LongDouble]) -> Statistics {
    let bytes = numbers.iter().flat_map(|number| {
        let (sign_exponent, significand) = number.to_bits();
        (u128::from(sign_exponent) << 64 | u128::from(significand)).to_le_bytes()
    });
    statistics("<f16", &bytes.collect::<Vec<u8>>())
}

#[test]
fn long_doubles_keep_all_of_their_bits_and_their_range() {
    // Numbers outside the range of doubles, and closer to each other than doubles are.
    for exponent in [-16382, -16000, 0, 100, 16000, 16383] {
        let numbers = [long(false, exponent, 0), long(false, exponent, 4), long(true, exponent, 2)];
        let found = of_longs(&numbers);
        assert_eq!((found.min, found.max), (Some(Real::Long(numbers[2])), Some(Real::Long(numbers[1]))));
        assert_eq!((found.distinct, found.zeros), (Some(3), 0), "2^{exponent}");
        assert_eq!(found.histogram.is_some(), exponent < 1024, "2^{exponent}");
        let pair = of_longs(&numbers[..2]);
        let mean = Real::Long(long(false, exponent, 2));
        // The deviation is 2 units in the last place.
        let least = if exponent > -16320 { long(false, exponent - 62, 0) } else { LongDouble::from_bits(0, 2) };
        if exponent > -16382 + 62 || exponent == -16382 {
            assert_eq!((pair.mean, pair.std), (Some(mean), Some(Real::Long(least))), "2^{exponent}");
        }
    }
    let same = of_longs(&[long(false, 16383, u64::MAX >> 1); 3]);
    let greatest = Real::Long(long(false, 16383, u64::MAX >> 1));
    assert_eq!((same.mean, same.std.map(Real::to_f64), same.distinct), (Some(greatest), Some(0.0), Some(1)));
}

#[test]
fn long_doubles_that_are_doubles_have_the_statistics_of_doubles() {
    let numbers = [0.1, -2.5, 1e300, 5e-324, 0.0, -0.0, f64::NAN, f64::NEG_INFINITY, 3.0];
    let doubles = statistics("<f8", &numbers.map(f64::to_le_bytes).concat());
    let longs = of_longs(&numbers.map(LongDouble::from));
    let near = |real: Option<Real>| real.map(Real::to_f64);
    assert_eq!([longs.min, longs.max].map(near), [doubles.min, doubles.max].map(near));
    assert_eq!((near(longs.mean), near(longs.std)), (near(doubles.mean), near(doubles.std)));
    assert_eq!((longs.values, longs.nan, longs.infinite, longs.zeros), (9, 1, 1, 2));
    assert_eq!((longs.distinct, longs.histogram), (doubles.distinct, doubles.histogram));
    assert_eq!(longs.min.unwrap().to_string(), "-2.5");
}

#[test]
fn roots_of_long_doubles_are_rounded_once() {
    // For 0 and n, mean and deviation are n / 2. For 0, 0 and n, the deviation is n · √2 / 3.
    let third = of_longs(&[0.0, 0.0, 1.0].map(LongDouble::from));
    // 1 / 3, and √2 / 3 = 0.47140452079103168293…
    assert_eq!(third.mean.unwrap().to_string(), "0.33333333333333333334");
    assert_eq!(third.std, Some(Real::Long(LongDouble::from_bits(16381, 0xf15b_eeef_f7d3_30b0))), "{:?}", third.std);
}

#[test]
fn reals_are_compared_with_doubles_exactly() {
    let edge = 2_f64.powi(53);
    assert!(Real::Int((1 << 53) + 1) > edge && Real::Int(1 << 53) == edge && Real::Int((1 << 53) - 1) < edge);
    assert!(Real::Int(i128::MAX) < 2_f64.powi(127) && Real::Uint(u128::MAX) < f64::INFINITY);
    assert!(Real::Int(i128::MIN) == -(2_f64.powi(127)) && Real::Uint(u128::MAX) < 2_f64.powi(128));
    assert!(Real::Long(long(false, 2000, 0)) > f64::MAX && Real::Long(long(false, 2000, 0)) < f64::INFINITY);
    assert!(Real::Long(long(true, -2000, 0)) < 0.0 && Real::Long(long(false, 0, 1)) > 1.0);
}
