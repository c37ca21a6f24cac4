//! Distributions of values.

use serde::Serialize;

/// The number of values in each of some ranges of equal width.
#[derive(Debug, Serialize)]
pub struct Histogram {
    /// The values counted, those that are no finite numbers included.
    pub counted: u64,
    /// All values; more than were counted if these are a sample.
    pub all: u64,
    pub low: f64,
    pub high: f64,
    pub mean: f64,
    pub bins: Vec<u64>,
    pub nan: u64,
    pub infinite: u64,
}

/// The distribution of some values out of `all`, in at most `most` ranges. `None` if none is a finite number.
pub fn histogram(values: &[f64], all: u64, most: usize) -> Option<Histogram> {
    let finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let low = finite.iter().copied().reduce(f64::min)?;
    let high = finite.iter().copied().reduce(f64::max)?;
    let are_whole = finite.iter().all(|value| value.fract() == 0.0);
    // Whole numbers in a narrow range have a bin each.
    let bins = if are_whole && high - low < most as f64 { (high - low) as usize + 1 } else { most };
    let mut counts = vec![0; bins];
    // Halves, since the width of the range of all numbers has no number.
    let width = high / 2.0 - low / 2.0;
    for value in &finite {
        let place = if width > 0.0 { (value / 2.0 - low / 2.0) / width } else { 0.0 };
        counts[((place * bins as f64) as usize).min(bins - 1)] += 1;
    }
    let nan = values.iter().filter(|value| value.is_nan()).count() as u64;
    let count = finite.len() as f64;
    Some(Histogram {
        counted: values.len() as u64,
        all,
        low,
        high,
        mean: finite.iter().map(|value| value / count).sum(),
        bins: counts,
        nan,
        infinite: values.len() as u64 - finite.len() as u64 - nan,
    })
}
