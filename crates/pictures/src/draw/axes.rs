//! A frame with ticks on two sides.

use crate::drawing::{Anchor, Drawing, Ink, Mark};
use crate::numbers::share;
use crate::words::ticks;

/// The area of a plot: its edges on the drawing.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

impl Area {
    /// Returns the position of a fraction of the width.
    pub fn x_of(&self, share: f64) -> f64 {
        self.x as f64 + share * self.width.saturating_sub(1) as f64
    }

    /// Returns the position of a fraction of the height, from the bottom.
    pub fn y_of(&self, share: f64) -> f64 {
        self.y as f64 + (1.0 - share) * self.height.saturating_sub(1) as f64
    }
}

/// Returns the width of the longest label, plus a gap.
pub fn columns(labels: &[(f64, String)], drawing: &Drawing) -> usize {
    let longest = labels.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    (longest + 1) * drawing.medium().letter.0
}

/// Returns an area below the existing marks, with number ticks on its left.
pub fn area(low: f64, high: f64, height: usize, drawing: &mut Drawing) -> Area {
    let labels = ticks(low, high, 4);
    let (medium, x) = (drawing.medium(), columns(&labels, drawing).min(drawing.medium().width / 2));
    let area = Area { x, y: drawing.y, width: medium.width - x - if medium.is_fine() { 16 } else { 0 }, height };
    for (value, label) in labels {
        let y = area.y_of(share(value, low, high));
        if medium.is_fine() {
            drawing.mark(Mark::Box([x as f64, y, area.width as f64, 1.0], Ink::Rule));
        }
        left_of(area, y, &label, drawing);
    }
    drawing.reach(area.x + area.width);
    drawing.y += height;
    area
}

/// Draws a label on the left of an area.
pub fn left_of(area: Area, y: f64, label: &str, drawing: &mut Drawing) {
    let letter = drawing.medium().letter;
    let place = if drawing.medium().is_fine() { y - letter.1 as f64 / 2.0 } else { y };
    drawing.text((area.x as f64 - letter.0 as f64, place), Anchor::End, label, Ink::Faint);
}

/// Draws number ticks below an area, at fractions of its width.
pub fn below(area: Area, labels: &[(f64, String)], drawing: &mut Drawing) {
    let medium = drawing.medium();
    let y = drawing.y as f64 + if medium.is_fine() { 6.0 } else { 0.0 };
    let mut free = 0.0;
    for (share, label) in labels {
        let (x, width) = (area.x_of(*share), (label.chars().count() * medium.letter.0) as f64);
        // A label that another one would touch is left out.
        if x - width / 2.0 < free && free > 0.0 {
            continue;
        }
        free = x + width / 2.0 + medium.letter.0 as f64;
        if medium.is_fine() {
            drawing.mark(Mark::Box([x, drawing.y as f64, 1.0, 5.0], Ink::Faint));
        }
        drawing.text((x, y), Anchor::Middle, label, Ink::Faint);
    }
    drawing.y += medium.letter.1 + if medium.is_fine() { 10 } else { 0 };
}

/// Returns ticks for indices from 0, as fractions.
pub fn places(items: u64, most: usize) -> Vec<(f64, String)> {
    let last = items.saturating_sub(1) as f64;
    let whole = ticks(0.0, last, most).into_iter().filter(|(value, _)| value.fract() == 0.0);
    whole.map(|(value, label)| (if last > 0.0 { value / last } else { 0.5 }, label)).collect()
}
