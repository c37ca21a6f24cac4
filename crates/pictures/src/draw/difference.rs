//! Two arrays side by side, and their difference.

use super::{bars, heat, line};
use crate::difference::{Difference, Shown};
use crate::drawing::{Anchor, Drawing, Ink, Mark, Medium};
use crate::planes::{Heat, sized};
use crate::survey::Line;

/// Draws two arrays with a common scale, their difference, and a histogram of all differences.
pub fn draw_difference(difference: &Difference, title: &str, medium: Medium) -> Drawing {
    let mut drawing = Drawing::new(medium);
    drawing.words(title, Ink::Text);
    match &difference.shown {
        Shown::Planes { heats, boxes, caption } => {
            drawing.words(caption.trim_end_matches("; "), Ink::Faint);
            planes(heats, boxes, &mut drawing);
        }
        Shown::Lines(lines) => all_lines(lines, &mut drawing),
    }
    if let Some(numbers) = &difference.numbers {
        drawing.words("B - A of all items that differ:", Ink::Faint);
        bars::draw(numbers, true, &mut drawing);
    }
    drawing
}

fn planes(heats: &[Heat; 3], boxes: &[[(u64, u64); 2]], drawing: &mut Drawing) {
    let medium = drawing.medium();
    let (across, down) = medium.letter;
    // Three planes, and two scales with their labels.
    let room = (medium.room().plane.0, medium.width.saturating_sub(32 * across) / 3);
    let first = &heats[0];
    let (tall, wide) = sized((first.rows, first.columns), room);
    let part = |size: usize, cells: usize| (size / cells.max(1)).max(1) * cells.max(1);
    let (tall, wide) = (part(tall, first.height), part(wide, first.width));
    let (name, top) = (drawing.y, drawing.y + down);
    for (place, one) in heats.iter().enumerate() {
        let scales = if place == 2 { 16 * across } else { 0 };
        let x = place * (wide + 2 * across) + scales;
        drawing.text((x as f64, name as f64), Anchor::Start, &one.plane, Ink::Text);
        drawing.pixels(heat::plane(one, (x, top), (tall, wide)));
        if place > 0 {
            heat::scale(one, (x + wide + across, top, tall.max(4 * down)), drawing);
        }
        if place == 2 {
            for &[rows, columns] in boxes {
                outline((x, top), (tall, wide), (rows, first.rows), (columns, first.columns), drawing);
            }
        }
    }
    drawing.y = drawing.y.max(top + tall) + down / 2;
}

/// Returns the outline of a box on a plane.
fn outline(
    (x, y): (usize, usize),
    (tall, wide): (usize, usize),
    (rows, all_rows): ((u64, u64), usize),
    (columns, all_columns): ((u64, u64), usize),
    drawing: &mut Drawing,
) {
    let place = |start: usize, number: u64, all: usize, size: usize| {
        start as f64 + (number as f64 / all.max(1) as f64 * size as f64).round()
    };
    let (left, right) = (place(x, columns.0, all_columns, wide) - 2.0, place(x, columns.1, all_columns, wide) + 2.0);
    let (top, bottom) = (place(y, rows.0, all_rows, tall) - 2.0, place(y, rows.1, all_rows, tall) + 2.0);
    for edge in [
        [left, top, right - left, 1.0],
        [left, bottom - 1.0, right - left, 1.0],
        [left, top, 1.0, bottom - top],
        [right - 1.0, top, 1.0, bottom - top],
    ] {
        drawing.mark(Mark::Box(edge, Ink::Error));
    }
}

fn all_lines(lines: &[Line; 3], drawing: &mut Drawing) {
    let known = lines[..2].iter().flat_map(|line| line.runs.iter().flatten());
    let ends = known.copied().reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    for (line, name) in lines.iter().zip(["A", "B", "B - A"]) {
        drawing.words(name, Ink::Text);
        line::draw_between(line, if name == "B - A" { None } else { ends }, drawing);
    }
}
