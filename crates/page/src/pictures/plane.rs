//! A plane of numbers as a map of colours.

use super::numbers::{Quantity, quantities};
use super::raster::{Cell, Raster};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ndbytes::{Error, Items, Limits};
use serde::Serialize;
use std::f64::consts::PI;

/// The rows and columns of a map.
const ROOM: (usize, usize) = (96, 160);

/// The shade of what is no finite number, and the last one of numbers.
const NONE: u8 = 255;
const LAST: f64 = 254.0;

/// How numbers become shades.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// By the number of cells that are less.
    Rank,
    /// From zero to the greatest number.
    Zero,
    /// From -π to π.
    Turn,
}

/// A plane of an array: a shade for each cell.
#[derive(Debug, Serialize)]
pub struct Heat {
    pub quantity: Quantity,
    pub scaling: Scaling,
    pub width: usize,
    pub height: usize,
    pub rows: usize,
    pub columns: usize,
    /// True if a cell stands for one item of several. Else it is the mean of its items.
    pub is_sample: bool,
    /// The plane as a slice.
    pub plane: String,
    /// A byte for each cell in Base64; 255 is no finite number.
    pub shades: String,
    /// The least finite number of the cells, the middle one, and the greatest. `None` if there is none.
    pub scale: Option<[f64; 3]>,
}

/// The first plane of the last two axes: a map for each quantity of its items.
pub fn heat(items: &mut dyn Items, limits: Limits) -> Result<Vec<Heat>, Error> {
    let shape = items.shape().to_vec();
    let (outer, &[rows, columns]) = shape.split_last_chunk().expect("a plane has two axes");
    let item_type = items.item_type().clone();
    let raster = Raster::new((rows, columns, 1), ROOM, item_type.stride());
    let cells = raster.cells(items, 0, limits)?;
    let zeros = "0, ".repeat(outer.len().min(30));
    let plane = format!("[{zeros}:, :]");
    let picture = |&quantity: &Quantity| {
        let numbers: Vec<f64> = cells.iter().map(|cell| of(cell, quantity)).collect();
        let scaling = match quantity {
            Quantity::Value => Scaling::Rank,
            Quantity::Magnitude => Scaling::Zero,
            Quantity::Phase => Scaling::Turn,
        };
        let (shades, scale) = shades(&numbers, scaling);
        let Raster { height, width, is_sample, .. } = raster;
        let (plane, shades) = (plane.clone(), STANDARD.encode(&shades));
        Heat { quantity, scaling, width, height, rows, columns, is_sample, plane, shades, scale }
    };
    Ok(quantities(&item_type).iter().map(picture).collect())
}

/// The number to draw of a cell. The angle is that of the mean.
fn of(cell: &Cell, quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Magnitude => cell.magnitude,
        other => other.of(cell.mean),
    }
}

/// The shade of each number, and the least, the middle and the greatest number.
fn shades(numbers: &[f64], scaling: Scaling) -> (Vec<u8>, Option<[f64; 3]>) {
    let mut sorted: Vec<f64> = numbers.iter().copied().filter(|number| number.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let (Some(&least), Some(&greatest)) = (sorted.first(), sorted.last()) else {
        return (vec![NONE; numbers.len()], None);
    };
    let below = |number: f64| sorted.partition_point(|&other| other < number) as f64;
    let most = below(greatest);
    let share = |number: f64| match scaling {
        // A plane of one value has the middle shade.
        Scaling::Rank if most == 0.0 => 0.5,
        Scaling::Rank => below(number) / most,
        Scaling::Zero if greatest == 0.0 => 0.0,
        Scaling::Zero => number / greatest,
        Scaling::Turn => (number + PI) / (2.0 * PI),
    };
    let shade = |&number: &f64| if number.is_finite() { (share(number) * LAST).round() as u8 } else { NONE };
    (numbers.iter().map(shade).collect(), Some([least, sorted[sorted.len() / 2], greatest]))
}
