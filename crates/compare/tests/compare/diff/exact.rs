//! Differences are exact, whatever the type of the numbers.

use super::arrays::{compared, doubles, row, values, with};
use super::tables::{column, compare};
use ndbytes::LongDouble;
use ndbytes::idv::ItemType;
use ndbytes_compare::diff::{Datum, Options, Tolerance, Verdict};

/// A row of powers of two, times 1 + `fraction` / 2^63.
fn longs(descr: &str, numbers: &[(i32, u64)]) -> Vec<u8> {
    let bytes = numbers.iter().flat_map(|&(exponent, fraction)| {
        let (sign_exponent, significand) =
            LongDouble::from_bits((exponent + 16383) as u16, 1 << 63 | fraction).to_bits();
        (u128::from(sign_exponent) << 64 | u128::from(significand)).to_le_bytes()
    });
    let bytes: Vec<u8> = bytes.collect();
    let size = if descr == "<c32" { 32 } else { 16 };
    row(descr, bytes.len() / size, &bytes)
}

#[test]
fn tolerances_hold_beyond_the_doubles() {
    for exponent in [-16000, -1100, -1030, 0, 1020, 1100, 16000] {
        for descr in ["<f16", "<c32"] {
            let [one, double] = [exponent, exponent + 1].map(|exponent| longs(descr, &[(exponent, 0); 2]));
            let near = longs(descr, &[(exponent, 1 << 20); 2]);
            let relative = |relative: f64| Tolerance::exact().relative(relative);
            for (a, b, tolerance, is_within) in [
                (&one, &double, relative(1e-6), false),
                (&one, &double, relative(0.49), false),
                (&one, &double, relative(0.51), true),
                (&one, &near, relative(1e-12), true),
                (&one, &near, relative(1e-14), false),
                (&one, &double, Tolerance::exact().absolute(1e-300), exponent < -1000),
                (&one, &double, Tolerance::exact().absolute(1e300), exponent < 990),
            ] {
                let found = with(a, b, tolerance);
                assert_eq!(found.different == 0, is_within, "2^{exponent} {descr} {tolerance:?}");
                let largest = found.largest.relative.unwrap().difference;
                assert!(matches!(largest, Datum::F64(number) if number > 0.0 && number <= 0.5), "{largest:?}");
            }
        }
    }
}

#[test]
fn distances_beyond_the_doubles_have_digits_and_an_order() {
    for (exponent, digits) in [(16000, "e4816"), (-16000, "e-4817")] {
        let a = longs("<f16", &[(exponent, 0); 3]);
        let b = longs("<f16", &[(exponent + 1, 0), (exponent + 2, 0), (exponent, 1)]);
        let found = compared(&a, &b, &Options::new().largest_first(true)).values.unwrap();
        let places: Vec<u64> = found.first.iter().map(|difference| difference.index[0]).collect();
        assert_eq!(places, [1, 0, 2], "2^{exponent}");
        let largest = found.largest.absolute.unwrap();
        assert_eq!(largest.index, [1]);
        assert!(matches!(&largest.difference, Datum::Decimal(text) if text.ends_with(digits)), "{largest:?}");
        let [distance, digits] = [
            serde_json::to_string(&found.first[0].distance).unwrap(),
            serde_json::to_string(&largest.difference).unwrap(),
        ];
        assert!(distance.contains(&format!("\"absolute\":{digits}")), "{distance}");
    }
}

#[test]
fn integers_are_told_apart_where_doubles_are_not() {
    let [edge, beyond] = [1_i64 << 60, (1 << 60) + 1];
    let (zero, numbers) = (row("<i8", 2, &[0; 16]), row("<i8", 2, &[edge, beyond].map(i64::to_le_bytes).concat()));
    let largest = values(&zero, &numbers).largest.absolute.unwrap();
    assert_eq!((largest.index, largest.difference), (vec![1], Datum::Uint(beyond as u128)));
    let within = with(&zero, &numbers, Tolerance::exact().absolute(2_f64.powi(60)));
    assert_eq!((within.within, within.different), (1, 1));
    let first = compared(&zero, &numbers, &Options::new().largest_first(true)).values.unwrap().first;
    assert_eq!(first[0].index, [1]);
    // Steps between doubles are also exact.
    let far = doubles(&[f64::from_bits(1 << 60), f64::from_bits((1 << 60) + 1)]);
    assert_eq!(values(&doubles(&[0.0; 2]), &far).largest.ulp.unwrap().index, [1]);
}

#[test]
fn integers_of_tables_are_told_apart_where_doubles_are_not() {
    let numbers = |items: [i64; 2]| vec![column("a", ItemType::I64, items.to_vec())];
    let found = compare(numbers([0, 0]), numbers([1 << 60, (1 << 60) + 1]));
    let largest = found.largest.absolute.unwrap();
    assert_eq!((largest.index, largest.difference), (vec![1], Datum::Uint((1 << 60) + 1)));
}

#[test]
fn numbers_at_the_edge_of_the_tolerance_are_within_it_exactly() {
    // 0.5 · 1.5 is 0.75, and one step beyond that exceeds the tolerance.
    let tolerance = Tolerance::exact().relative(0.5);
    assert_eq!(with(&doubles(&[1.5]), &doubles(&[0.75]), tolerance).verdict, Verdict::SameWithinTolerance);
    assert_eq!(with(&doubles(&[1.5]), &doubles(&[0.75_f64.next_down()]), tolerance).different, 1);
    let tolerance = Tolerance::exact().absolute(5e-324);
    assert_eq!(with(&doubles(&[5e-324]), &doubles(&[1e-323]), tolerance).verdict, Verdict::SameWithinTolerance);
    assert_eq!(with(&doubles(&[-5e-324]), &doubles(&[5e-324]), tolerance).different, 1);
    let infinite = Tolerance::exact().absolute(f64::INFINITY);
    assert_eq!(with(&doubles(&[f64::MIN]), &doubles(&[f64::MAX]), infinite).verdict, Verdict::SameWithinTolerance);
}
