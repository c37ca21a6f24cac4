//! A list of numbers as a line with axes.

use super::axes::{Area, area, below, places};
use crate::drawing::{Drawing, Ink, Mark};
use crate::numbers::{Quantity, share};
use crate::survey::Line;
use crate::words::of_line;
use std::f64::consts::PI;

/// The maximum number of runs that are visible individually.
const FEW: usize = 60;

pub fn draw(line: &Line, drawing: &mut Drawing) {
    draw_between(line, None, drawing);
}

/// Draws a line on an axis between two numbers; by default, between its own minimum and maximum.
pub fn draw_between(line: &Line, ends: Option<(f64, f64)>, drawing: &mut Drawing) {
    drawing.words(&of_line(line, drawing.medium()), Ink::Faint);
    let known = || line.runs.iter().flatten();
    let least = known().map(|run| run.0).reduce(f64::min);
    let greatest = known().map(|run| run.1).reduce(f64::max);
    let (Some(least), Some(greatest)) = (least, greatest) else { return };
    // Distances and angles have ends of their own.
    let (low, high) = match (ends, line.quantity) {
        (Some(ends), _) => ends,
        (None, Quantity::Value) => (least, greatest),
        (None, Quantity::Magnitude) => (0.0, greatest),
        (None, Quantity::Phase) => (-PI, PI),
    };
    let medium = drawing.medium();
    if medium.is_fine() {
        drawing.y += medium.letter.1 / 2;
    }
    let height = if medium.is_fine() { medium.height * 3 / 7 } else { (medium.height / 2).next_multiple_of(2) };
    let area = area(low, high, height, drawing);
    for &place in &line.broken {
        let tall = if line.runs[place].is_some() { height as f64 / 16.0 } else { height as f64 };
        let x = area.x_of(along(place, line));
        drawing.mark(Mark::Box([x, area.y as f64, 1.0, tall.max(1.0)], Ink::Error));
    }
    // An angle that goes beyond π comes back at -π: no line leads there.
    let jump = if line.quantity == Quantity::Phase { PI } else { f64::INFINITY };
    for band in bands(line, jump) {
        mark(&band, line, (low, high), area, drawing);
    }
    below(area, &places(line.items, 4), drawing);
}

/// Returns the position of a run as a fraction of the width.
fn along(place: usize, line: &Line) -> f64 {
    if line.runs.len() > 1 { place as f64 / (line.runs.len() - 1) as f64 } else { 0.5 }
}

/// A run of a band: its position, its minimum and its maximum.
type Run = (usize, (f64, f64));

/// Joins runs into bands. A run without a number ends a band, as does a jump.
fn bands(line: &Line, jump: f64) -> Vec<Vec<Run>> {
    let mut bands: Vec<Vec<Run>> = Vec::new();
    for (place, run) in line.runs.iter().enumerate() {
        let Some(run) = *run else { continue };
        match bands.last_mut() {
            Some(band)
                if band.last().is_some_and(|(last, (low, _))| last + 1 == place && (run.0 - low).abs() <= jump) =>
            {
                band.push((place, run));
            }
            _ => bands.push(vec![(place, run)]),
        }
    }
    bands
}

fn mark(band: &[Run], line: &Line, (low, high): (f64, f64), area: Area, drawing: &mut Drawing) {
    let y = |number: f64| area.y_of(share(number, low, high));
    let spans: Vec<[f64; 3]> =
        band.iter().map(|&(place, run)| [area.x_of(along(place, line)), y(run.1), y(run.0)]).collect();
    if drawing.medium().is_fine() && line.runs.len() <= FEW {
        for [x, top, bottom] in &spans {
            drawing.mark(Mark::Box([x - 2.0, top - 2.0, 4.0, bottom - top + 4.0], Ink::Accent));
        }
    }
    drawing.mark(Mark::Band(spans, Ink::Accent));
}
