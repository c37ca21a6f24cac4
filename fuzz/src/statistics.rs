//! Compares statistics with a plain count of the values.

use crate::random::Random;
use ndbytes::{ItemType, Scalar};
use ndbytes_compare::stats::{Collector, MOST_DISTINCT, Real, Statistics};
use std::collections::BTreeSet;

/// Asserts that statistics do not depend on how the items are cut into pieces, and that statistics of plain numbers
/// match a list of the numbers.
pub fn examine(item_type: &ItemType, items: &[u8], random: &mut Random) {
    let (mut whole, mut pieces) = (Collector::new(item_type), Collector::new(item_type));
    whole.add(items);
    let stride = item_type.stride() as usize;
    let cut = items.len().checked_div(stride).map_or(0, |count| random.below(count as u64 + 1) as usize * stride);
    pieces.add(&items[..cut]);
    pieces.add(&items[cut..]);
    let (whole, pieces) = (whole.finish(), pieces.finish());
    assert_eq!(whole.len(), pieces.len());
    for (one, other) in whole.iter().zip(&pieces) {
        assert_eq!(one.name, other.name);
        assert_eq!(exact(&one.statistics), exact(&other.statistics), "{}, cut at byte {cut}", one.name);
    }
    if let (ItemType::Plain(dtype), [series], 1..) = (item_type, &whole[..], stride) {
        let scalars: Vec<_> = items.chunks(stride).map(|item| Scalar::from_bytes(item, *dtype)).collect();
        let integers: Option<Vec<i128>> = scalars.iter().map(integer).collect();
        let floats: Option<Vec<f64>> = scalars.iter().map(float).collect();
        match (integers, floats) {
            (Some(integers), _) => compare_integers(&series.statistics, &integers),
            (None, Some(floats)) => compare_floats(&series.statistics, &floats),
            (None, None) => {}
        }
    }
}

/// Returns the statistics without the numbers whose last digits depend on the order of additions.
fn exact(statistics: &Statistics) -> Statistics {
    let mut exact = statistics.clone();
    (exact.mean, exact.std) = (None, None);
    exact
}

fn integer(scalar: &Scalar) -> Option<i128> {
    match *scalar {
        Scalar::Bool(value) => Some(value.into()),
        Scalar::Int(value) => Some(value),
        Scalar::Uint(value) => value.try_into().ok(),
        _ => None,
    }
}

fn float(scalar: &Scalar) -> Option<f64> {
    match *scalar {
        Scalar::F16(value) => Some(value.into()),
        Scalar::F32(value) => Some(value.into()),
        Scalar::F64(value) => Some(value),
        _ => None,
    }
}

fn compare_integers(statistics: &Statistics, integers: &[i128]) {
    assert_eq!(statistics.values, integers.len() as u64);
    assert_eq!(statistics.zeros, integers.iter().filter(|&&value| value == 0).count() as u64);
    let extremes = [integers.iter().min(), integers.iter().max()];
    for (found, &expected) in [statistics.min, statistics.max].into_iter().zip(&extremes) {
        let found = match found {
            Some(Real::Int(value)) => Some(value),
            // An unsigned 128-bit number that fits.
            Some(Real::Uint(value)) => i128::try_from(value).ok(),
            _ => None,
        };
        assert_eq!(found, expected.copied());
    }
    if let Some(sum) = statistics.sum {
        assert_eq!(Some(sum), sum_of(integers));
    }
    compare_distinct(statistics, integers.iter().collect::<BTreeSet<_>>().len());
    compare_counts(statistics, integers.len());
}

/// Returns the sum, if it fits, even if a partial sum does not. For that, both halves of the numbers are added separately.
fn sum_of(integers: &[i128]) -> Option<i128> {
    const LOW: i128 = u64::MAX as i128;
    let high: i128 = integers.iter().map(|value| value >> 64).sum();
    let low: i128 = integers.iter().map(|value| value & LOW).sum();
    let high = i64::try_from(high + (low >> 64)).ok()?;
    Some((i128::from(high) << 64) | (low & LOW))
}

fn compare_floats(statistics: &Statistics, floats: &[f64]) {
    let finite: Vec<f64> = floats.iter().copied().filter(|value| value.is_finite()).collect();
    assert_eq!(statistics.values, floats.len() as u64);
    assert_eq!(statistics.nan, floats.iter().filter(|value| value.is_nan()).count() as u64);
    assert_eq!(statistics.infinite, floats.iter().filter(|value| value.is_infinite()).count() as u64);
    assert_eq!(statistics.zeros, floats.iter().filter(|&&value| value == 0.0).count() as u64);
    assert_eq!(statistics.min.map(Real::to_f64), finite.iter().copied().reduce(f64::min));
    assert_eq!(statistics.max.map(Real::to_f64), finite.iter().copied().reduce(f64::max));
    compare_counts(statistics, finite.len());
}

fn compare_distinct(statistics: &Statistics, expected: usize) {
    match statistics.distinct {
        Some(distinct) => assert_eq!(distinct, expected as u64),
        None => assert!(expected as u64 > MOST_DISTINCT, "{expected} values"),
    }
}

/// Asserts that each finite number is in one bin of the histogram, and that the mean is between the extremes, within
/// the precision of `f64`.
fn compare_counts(statistics: &Statistics, finite: usize) {
    if let Some(histogram) = &statistics.histogram {
        assert_eq!(histogram.counts.iter().sum::<u64>(), finite as u64);
    }
    if let (Some(mean), Some(min), Some(max)) = (statistics.mean, statistics.min, statistics.max) {
        let (mean, min, max) = (mean.to_f64(), min.to_f64(), max.to_f64());
        let slack = min.abs().max(max.abs()) * 1e-9;
        assert!(mean >= min - slack && mean <= max + slack, "a mean of {mean} between {min} and {max}");
        assert!(statistics.std.is_none_or(|std| std.to_f64() >= 0.0));
    }
}
