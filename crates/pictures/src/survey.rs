//! One pass over the values of an array: their statistics, and the lines to draw.
//!
//! A line of a million numbers has more points than pixels. Each pixel column shows the smallest and the largest
//! number of its run, so no peak disappears. Statistics come from the same pass. Lists beyond the budget are sampled in
//! evenly spaced runs.

use crate::numbers::{Quantity, pairs};
use crate::picture_budget::PictureBudget;
use crate::raster::spread;
use ndbytes::{Error, Items, Limits};
use ndbytes_compare::stats::{Collector, Series};
use serde::Serialize;

/// The number of sampled items in each run.
const SAMPLED: u64 = 2048;

/// The number of sampled runs without a line.
const RUNS: u64 = 480;

/// The smallest and the largest number of each run of a list.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Line {
    /// The quantity that is drawn.
    pub quantity: Quantity,
    /// The number of all items.
    pub items: u64,
    /// Whether only some items of each run were read.
    pub is_sample: bool,
    /// `None` if a run has no finite number.
    pub runs: Vec<Option<(f64, f64)>>,
    /// The runs that hold NaN or infinite values.
    pub broken: Vec<usize>,
}

impl Line {
    /// Creates a line without runs.
    pub(crate) fn new(quantity: Quantity, items: u64) -> Self {
        Line { quantity, items, is_sample: false, runs: Vec::new(), broken: Vec::new() }
    }
}

/// Adds a number to a run: the last one, or a new one.
pub fn extended(line: &mut Line, run: usize, number: f64) {
    while line.runs.len() <= run {
        line.runs.push(None);
    }
    if number.is_finite() {
        let (low, high) = line.runs[run].unwrap_or((number, number));
        line.runs[run] = Some((low.min(number), high.max(number)));
    } else if line.broken.last() != Some(&run) {
        line.broken.push(run);
    }
}

/// The statistics of a series of values.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Numbers {
    /// The number of all values; greater than the number of counted values if those are a sample.
    pub all: u64,
    /// Their name and their statistics.
    #[serde(flatten)]
    pub series: Series,
}

/// Returns the statistics of items, and a line for each of the quantities.
pub fn survey(
    items: &mut dyn Items,
    quantities: &[Quantity],
    room: PictureBudget,
    limits: Limits,
) -> Result<(Vec<Line>, Vec<Numbers>), Error> {
    let (all, item_type) = (items.count(), items.item_type().clone());
    let is_sample = all > room.bytes / item_type.stride().max(1);
    let piece = items.piece().max(1);
    let mut collector = Collector::new(&item_type);
    let mut lines: Vec<Line> =
        quantities.iter().map(|&quantity| Line { is_sample, ..Line::new(quantity, all) }).collect();
    let mut envelope = Envelope::new(quantities.len());
    // Runs are parts of a line. Without lines, they are but the places of a sample.
    let count = match lines.is_empty() {
        false => all.min(room.runs),
        true if is_sample => all.min(RUNS),
        true => 1,
    };
    for run in 0..count {
        let (mut start, end) = (spread(run, count, all), spread(run + 1, count, all));
        let end = if is_sample { end.min(start + SAMPLED) } else { end };
        while start < end {
            limits.ensure_time()?;
            let bytes = items.read(start, piece.min(end - start))?;
            collector.add(bytes);
            if !lines.is_empty() {
                pairs(bytes, &item_type).for_each(|pair| envelope.add(pair, quantities));
            }
            start += piece.min(end - start);
        }
        envelope.end_run(&mut lines);
    }
    let numbers = collector.finish().into_iter().map(|series| Numbers { all, series }).collect();
    Ok((lines, numbers))
}

/// The extremes of a run, for each quantity.
struct Envelope {
    extremes: Vec<Option<(f64, f64)>>,
    are_broken: Vec<bool>,
}

impl Envelope {
    fn new(quantities: usize) -> Self {
        Envelope { extremes: vec![None; quantities], are_broken: vec![false; quantities] }
    }

    fn add(&mut self, pair: (f64, f64), quantities: &[Quantity]) {
        for ((quantity, extremes), is_broken) in quantities.iter().zip(&mut self.extremes).zip(&mut self.are_broken) {
            let number = quantity.of(pair);
            if number.is_finite() {
                let (low, high) = extremes.unwrap_or((number, number));
                *extremes = Some((low.min(number), high.max(number)));
            } else {
                *is_broken = true;
            }
        }
    }

    fn end_run(&mut self, lines: &mut [Line]) {
        for ((line, extremes), is_broken) in lines.iter_mut().zip(&mut self.extremes).zip(&mut self.are_broken) {
            if std::mem::take(is_broken) {
                line.broken.push(line.runs.len());
            }
            line.runs.push(extremes.take());
        }
    }
}
