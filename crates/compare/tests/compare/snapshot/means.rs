//! The mean in a text is the exact mean, rounded. `stats` computes the same mean, and is tested against exact arithmetic.

use super::{lines, text};
use half::{bf16, f16};
use ndbytes::everybyte::Endian;
use ndbytes::{Decoded, Dtype, ElementKind, ItemType, Limits};
use ndbytes_compare::stats;
use proptest::prelude::*;

/// The bytes of numbers in a floating-point type.
fn bytes(kind: ElementKind, numbers: &[f64]) -> Vec<u8> {
    let of = |number: f64| match kind {
        ElementKind::F16 => f16::from_f64(number).to_le_bytes().to_vec(),
        ElementKind::Bf16 => bf16::from_f64(number).to_le_bytes().to_vec(),
        ElementKind::F32 => (number as f32).to_le_bytes().to_vec(),
        _ => number.to_le_bytes().to_vec(),
    };
    numbers.iter().flat_map(|number| of(*number)).collect()
}

/// The mean in the text of an array, and the mean of its statistics.
fn means(kind: ElementKind, numbers: &[f64]) -> (String, Option<f64>) {
    let bytes = bytes(kind, numbers);
    let item_type = ItemType::Plain(Dtype::new(kind, Endian::Little));
    let shape = [numbers.len()];
    let mut items = Decoded::new(&bytes, &item_type, &shape).unwrap();
    let statistics = stats::items(&mut items).unwrap().remove(0).statistics;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ra");
    ndbytes::rawarray::Writer::new().write_items(&path, &mut items, &Limits::default()).unwrap();
    let text = text(&std::fs::read(&path).unwrap());
    let line = lines(&text, "values blake3")[0].to_owned();
    let mean = line.split(", mean ").nth(1).map_or("", |rest| rest.split(',').next().unwrap());
    (mean.to_owned(), statistics.mean.map(|mean| mean.to_f64()))
}

fn assert_mean(kind: ElementKind, numbers: &[f64]) {
    let (shown, exact) = means(kind, numbers);
    let exact = format!("{:.5e}", exact.unwrap()).parse::<f64>().unwrap();
    assert_eq!(shown, format!("{exact:?}"), "{kind:?}");
}

#[test]
fn mean_is_exact_where_numbers_cancel_each_other_out_or_have_a_sum_beyond_the_floats() {
    let many = |number: f64, times: usize| std::iter::repeat_n(number, times);
    for numbers in [
        vec![1e17, 1.0, -1e17],
        vec![1e300, 1e150, 3.0, -1e150, -1e300],
        vec![1e308, 1e308, 1e308],
        vec![-f64::MAX; 2000],
        vec![5e-324; 1000],
        // One tiny number more or less in each batch, and a batch of zeros.
        many(1e16, 511).chain([1.0]).chain(many(-1e16, 511)).chain([1.0]).chain(many(0.0, 512)).collect(),
        many(1.0, 600).chain(many(f64::EPSILON / 2.0, 600)).chain(many(-1.0, 600)).collect(),
    ] {
        assert_mean(ElementKind::F64, &numbers);
    }
    assert_eq!(means(ElementKind::F64, &[1e17, 1.0, -1e17]).0, "0.333333");
    assert_eq!(means(ElementKind::F64, &[1e308; 3]).0, "1e308");
    assert_eq!(means(ElementKind::F64, &[1.0, f64::INFINITY, f64::NAN]).0, "inf");
    assert_eq!(means(ElementKind::F64, &[-f64::INFINITY, f64::INFINITY]).0, "nan");
    assert_eq!(means(ElementKind::F64, &[-f64::INFINITY, -f64::INFINITY]).0, "-inf");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mean_is_the_exact_one_for_numbers_of_any_distance(
        kind in prop::sample::select(vec![ElementKind::F64, ElementKind::F64, ElementKind::F32, ElementKind::F16, ElementKind::Bf16]),
        exponent in prop_oneof![Just(-1074), Just(-1023), Just(-140), Just(-20), Just(0), Just(100), Just(986), -1074..1000_i32],
        // Values around the distance up to which batches are summed as floats.
        apart in prop_oneof![0..4_i32, 14..20_i32, Just(40), Just(100)],
        numbers in prop::collection::vec((any::<u64>(), 0..1000_u32), 1..1500),
        is_mirrored in any::<bool>(),
    ) {
        let number = |&(bits, place): &(u64, u32)| {
            let significand = 1.0 + (bits >> 12) as f64 / 2.0_f64.powi(52);
            let exponent = exponent + place as i32 % (apart + 1);
            let power = |exponent: i32| 2.0_f64.powi(exponent.clamp(-1022, 1023));
            let number = significand * power(exponent) * if exponent < -1022 { 2.0_f64.powi(exponent + 1022) } else { 1.0 };
            let number = if bits & 1 == 0 { number } else { -number };
            let number = rounded(kind, number);
            if place == 0 || !number.is_finite() { 0.0 } else { number }
        };
        let mut numbers: Vec<f64> = numbers.iter().map(number).collect();
        // All numbers except the first cancel out.
        if is_mirrored {
            let mirrored: Vec<f64> = numbers[1..].iter().rev().map(|number| -number).collect();
            numbers.extend(mirrored);
        }
        assert_mean(kind, &numbers);
    }
}

/// The number, rounded to a type.
fn rounded(kind: ElementKind, number: f64) -> f64 {
    match kind {
        ElementKind::F16 => f16::from_f64(number).to_f64(),
        ElementKind::Bf16 => bf16::from_f64(number).to_f64(),
        ElementKind::F32 => f64::from(number as f32),
        _ => number,
    }
}
