//! The number of values in ranges, as bars.

use super::axes::{area, below};
use crate::drawing::{Drawing, Ink, Mark};
use crate::numbers::share;
use crate::survey::Numbers;
use crate::words::{of_numbers, ticks};

/// Draws statistics as text, with their histogram if nothing else is drawn.
pub fn draw(numbers: &Numbers, is_alone: bool, drawing: &mut Drawing) {
    drawing.words(&of_numbers(numbers), Ink::Faint);
    let Some(histogram) = numbers.series.statistics.histogram.clone().filter(|_| is_alone) else { return };
    let medium = drawing.medium();
    if medium.is_fine() {
        drawing.y += medium.letter.1 / 2;
    }
    let histogram = histogram.folded((medium.width / 2).max(4));
    let most = histogram.counts.iter().copied().max().unwrap_or(0) as f64;
    let height = if medium.is_fine() { medium.height * 3 / 8 } else { (medium.height / 2).next_multiple_of(2) };
    let area = area(0.0, most, height, drawing);
    let ranges = histogram.counts.len();
    // A single value has no range: its bar is drawn above its number.
    let (left, across) = match histogram.width == 0.0 {
        true => (area.x + area.width * 9 / 20, area.width / 10),
        false => (area.x, area.width),
    };
    let edge = |place: usize| left as f64 + (place * across / ranges.max(1)) as f64;
    for (place, &count) in histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        // A range that is not empty is seen.
        let tall = (count as f64 / most * height as f64).max(1.0);
        let gap = if edge(place + 1) - edge(place) >= 4.0 { 1.0 } else { 0.0 };
        let bottom = (area.y + height) as f64;
        drawing.mark(Mark::Box([edge(place), bottom - tall, edge(place + 1) - edge(place) - gap, tall], Ink::Accent));
    }
    // An edge may be beyond the floats.
    let (low, high) = (histogram.edge(0).max(f64::MIN), histogram.edge(ranges).min(f64::MAX));
    let labels = ticks(low, high, 5).into_iter().map(|(value, label)| (share(value, low, high), label));
    below(area, &labels.collect::<Vec<_>>(), drawing);
}
