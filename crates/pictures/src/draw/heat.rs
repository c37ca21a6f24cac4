//! Planes of numbers as colours, with a common scale.

use super::axes::{Area, below, columns, left_of, places};
use crate::colours::NO_NUMBER;
use crate::drawing::{Anchor, Drawing, Ink, Pixels};
use crate::planes::{Heat, Scaling, sized};
use crate::words::{of_heats, short};

pub fn draw(heats: &[&Heat], drawing: &mut Drawing) {
    let Some(first) = heats.first() else { return };
    drawing.words(&of_heats(heats, drawing.medium()), Ink::Faint);
    let medium = drawing.medium();
    if medium.is_fine() {
        drawing.y += medium.letter.1 / 2;
    }
    let room = medium.room().plane;
    let beside = (heats.len() as f64).sqrt().ceil() as usize;
    let most = sized((first.rows, first.columns), (room.0 / beside, room.1 / beside));
    let each = |room: usize, cells: usize| (room / cells.max(1)).max(1);
    // Two lines of points are one of letters, which shows one row if it can.
    let high = each(most.0, first.height);
    let high = if medium.is_fine() || high < 2 { high } else { high / 2 * 2 };
    let (tall, wide) = (high * first.height, each(most.1, first.width) * first.width);
    let rows = places(first.rows as u64, 4);
    let left = if heats.len() == 1 { columns(&rows, drawing).min(medium.width / 3) } else { 0 };
    let (top, mut right) = (drawing.y, 0);
    let (across, title) = if heats.len() == 1 { (0, 0) } else { (2 * medium.letter.0, medium.letter.1) };
    for (place, heat) in heats.iter().enumerate() {
        let (row, column) = (place / beside, place % beside);
        let name = heat.plane.chars().count() * medium.letter.0;
        let each = if title > 0 { wide.max(name) } else { wide };
        let x = left + column * (each + across);
        let y = top + row * (tall.next_multiple_of(2) + title + across.min(8) / 2 * 2);
        if title > 0 {
            drawing.text((x as f64, y as f64), Anchor::Start, &heat.plane, Ink::Faint);
        }
        drawing.pixels(plane(heat, (x, y + title), (tall, wide)));
        drawing.y = drawing.y.max(y + title + tall.next_multiple_of(2));
        right = right.max(x + each);
    }
    scale(first, (right + 2 * medium.letter.0, top + title, tall.max(4 * medium.letter.1)), drawing);
    if heats.len() == 1 {
        let area = Area { x: left, y: top, width: wide, height: tall };
        // Ticks are in the middle of their cells.
        let middle = |share: f64, size: usize, items: usize| {
            let half = 0.5 / items.max(1) as f64;
            (half + share * (1.0 - 2.0 * half)) * size as f64
        };
        for (share, label) in rows {
            left_of(area, top as f64 + middle(share, tall, first.rows), &label, drawing);
        }
        let columns = places(first.columns as u64, (wide / medium.letter.0 / 8).clamp(1, 6));
        let columns =
            columns.into_iter().map(|(share, label)| (middle(share, wide, first.columns) / wide as f64, label));
        below(area, &columns.collect::<Vec<_>>(), drawing);
    }
}

/// Draws the cells of a plane at a position.
pub fn plane(heat: &Heat, (x, y): (usize, usize), (height, width): (usize, usize)) -> Pixels {
    let colour = |cell: usize| heat.colour(cell).unwrap_or(NO_NUMBER);
    let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, 255];
    let colours = (0..heat.shades.len()).map(|cell| opaque(colour(cell))).collect();
    Pixels { x, y, width, height, columns: heat.width, rows: heat.height, are_numbers: true, colours }
}

/// Draws the colours of the scale from bottom to top, and their numbers.
pub fn scale(heat: &Heat, (x, y, height): (usize, usize, usize), drawing: &mut Drawing) {
    let Some((low, high)) = heat.ends() else { return };
    let letter = drawing.medium().letter;
    let width = 2 * letter.0;
    let share = |step: usize| 1.0 - step as f64 / (height - 1).max(1) as f64;
    let colours = (0..height).map(|step| heat.palette.colour(share(step)));
    let colours = colours.map(|[red, green, blue]| [red, green, blue, 255]).collect();
    drawing.pixels(Pixels { x, y, width, height, columns: 1, rows: height, are_numbers: true, colours });
    let middle = match (heat.scaling, heat.scale) {
        (Scaling::Rank, Some([_, middle, _])) => middle,
        _ => low / 2.0 + high / 2.0,
    };
    let labels = if low < high { vec![(0.0, high), (0.5, middle), (1.0, low)] } else { vec![(0.5, low)] };
    for (share, number) in labels {
        let place = y as f64 + share * (height - letter.1) as f64;
        drawing.text(((x + width + letter.0) as f64, place), Anchor::Start, &short(number), Ink::Faint);
    }
    drawing.y = drawing.y.max(y + height);
}
