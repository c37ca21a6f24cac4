//! Images, side by side.

use crate::drawing::{Drawing, Ink, Pixels};
use crate::images::Grid;
use crate::words::of_grid;

/// The size to which small images are enlarged: one of several, and a single one.
const SIDE: usize = 84;
const SIDE_ALONE: usize = 448;

pub fn draw(grid: &Grid, drawing: &mut Drawing) {
    drawing.words(&of_grid(grid), Ink::Faint);
    let medium = drawing.medium();
    let (height, width) = (grid.height.max(1), grid.width.max(1));
    let wanted = if grid.shown == 1 { SIDE_ALONE } else { SIDE };
    let scale = if medium.is_fine() { (wanted / height.max(width)).max(1) } else { 1 };
    let (tall, wide) = (height * scale, width * scale);
    let (across, down) = if medium.is_fine() { (6, 6) } else { (2, 2) };
    let beside = ((medium.width + across) / (wide + across)).max(1);
    let samples = height * width * grid.channels;
    for (place, samples) in grid.pixels.chunks(samples.max(1)).enumerate() {
        let (row, column) = (place / beside, place % beside);
        drawing.pixels(Pixels {
            x: column * (wide + across),
            y: drawing.y + row * (tall.next_multiple_of(2) + down),
            width: wide,
            height: tall,
            columns: width,
            rows: height,
            are_numbers: false,
            colours: samples.chunks(grid.channels).map(colour).collect(),
        });
    }
    let rows = grid.shown.div_ceil(beside);
    drawing.y += (rows * (tall.next_multiple_of(2) + down)).saturating_sub(down);
}

fn colour(samples: &[u8]) -> [u8; 4] {
    match *samples {
        [red, green, blue, alpha] => [red, green, blue, alpha],
        [red, green, blue] => [red, green, blue, 255],
        [grey, ..] => [grey, grey, grey, 255],
        [] => [0; 4],
    }
}
