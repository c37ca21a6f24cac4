//! Statistics of arrays, of every type of number.

use half::f16;
use ndbytes::{Decoded, ItemType};
use ndbytes_compare::stats::{self, Real, Series, Statistics};

/// The statistics of elements of a type, from their bytes.
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
    assert_eq!((expected.values, expected.zeros, expected.sum, expected.mean), (5, 1, Some(121), Some(24.2)));
    assert_eq!((expected.min, expected.max), (Some(Real::Int(-5)), Some(Real::Int(120))));
    assert_eq!((expected.distinct, expected.nan, expected.missing), (Some(4), 0, 0));
    // numpy.std([3, -5, 0, 3, 120])
    assert!((expected.std.unwrap() - 47.9891654438791).abs() < 1e-9, "{:?}", expected.std);
    for width in [2, 4, 8] {
        for (order, is_big) in [('<', false), ('>', true)] {
            let mut found = statistics(&format!("{order}i{width}"), &wide(width, is_big));
            let std = found.std.unwrap();
            assert!((std - expected.std.unwrap()).abs() < 1e-9, "{std}");
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
    assert_eq!((found.mean, found.std), (Some(u64::MAX as f64), Some(0.0)));
}

#[test]
fn what_is_not_finite_is_counted_apart() {
    let numbers = [1.5, f32::NAN, f32::INFINITY, -0.0, f32::NEG_INFINITY, 0.0, -30.8];
    for (order, bytes) in [('<', numbers.map(f32::to_le_bytes).concat()), ('>', numbers.map(f32::to_be_bytes).concat())]
    {
        let found = statistics(&format!("{order}f4"), &bytes);
        assert_eq!((found.values, found.nan, found.infinite, found.zeros), (7, 1, 2, 2));
        // The digits are those of the stored width.
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
    assert_eq!((found.mean, found.std), (Some(1e12 + 0.5), Some(0.5)));
}

#[test]
fn sums_of_floats_lose_nothing_to_rounding() {
    let numbers = [1e100, 1.0, -1e100, 1.0].map(f64::to_le_bytes).concat();
    assert_eq!(statistics("<f8", &numbers).mean, Some(0.5));
}

#[test]
fn half_precision_is_counted_like_single_precision() {
    let numbers = [0.1, -2.0, f32::NAN, f32::INFINITY, 0.0].map(f16::from_f32);
    let half = statistics("<f2", &numbers.map(f16::to_le_bytes).concat());
    let single = statistics("<f4", &numbers.map(|number| number.to_f32().to_le_bytes()).concat());
    assert_eq!((half.min, half.max, half.nan, half.distinct), (single.min, single.max, 1, single.distinct));
    assert_eq!((half.histogram, half.infinite), (single.histogram, 1));
}

#[test]
fn fields_and_parts_are_series_of_their_own() {
    let item = |x: f32, re: f64, im: f64| [&x.to_le_bytes()[..], &re.to_le_bytes(), &im.to_le_bytes()].concat();
    let bytes = [item(1.0, 2.0, 3.0), item(5.0, 6.0, f64::NAN)].concat();
    let all = series("[('x', '<f4'), ('z', '<c16')]", &bytes);
    let found: Vec<_> = all.iter().map(|one| (&*one.name, one.statistics.mean, one.statistics.nan)).collect();
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
