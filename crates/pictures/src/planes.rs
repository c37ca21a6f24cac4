//! Planes of numbers as colour maps.
//!
//! A plane is first reduced to cells, by means or by samples. The cells become shades: bytes from 0 to 254, which every
//! medium shows with the same palette. All planes of an array share one scale, so they can be compared. NaN and
//! infinity have a shade of their own, since hiding them would be misleading.

use crate::colours::Palette;
use crate::images::as_base64;
use crate::numbers::{Quantity, quantities, share};
use crate::picture_budget::PictureBudget;
use crate::raster::{Cell, Raster, spread};
use ndbytes::{Error, Items, Limits};
use serde::Serialize;
use std::f64::consts::PI;

/// The shade for values that are not finite, and the highest one for numbers.
const NONE: u8 = 255;
const LAST: f64 = 254.0;

/// The maximum ratio of the sides of a plane that is drawn in proportion, and the ratio for longer planes.
const LONGEST: usize = 4;
const LONG: f64 = 2.0;

/// How numbers become shades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// From the minimum to the maximum.
    #[default]
    Linear,
    /// By rank: the number of cells with a smaller value.
    Rank,
    /// From zero to the maximum.
    Zero,
    /// From -π to π.
    Turn,
    /// Symmetric around zero, up to the number that is farthest from it.
    Signed,
}

/// A plane of an array: a shade for each cell.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Heat {
    /// The quantity that is drawn.
    pub quantity: Quantity,
    /// How numbers become shades.
    pub scaling: Scaling,
    /// How shades become colours.
    pub palette: Palette,
    /// The number of columns of cells.
    pub width: usize,
    /// The number of rows of cells.
    pub height: usize,
    /// The number of rows of the plane.
    pub rows: usize,
    /// The number of columns of the plane.
    pub columns: usize,
    /// Whether a cell shows one item of several. Otherwise, it is the mean of its items.
    pub is_sample: bool,
    /// The plane as a slice.
    pub plane: String,
    /// The number of planes in the array.
    pub planes: u64,
    /// One byte per cell; 255 means that the value is not finite.
    #[serde(serialize_with = "as_base64")]
    pub shades: Vec<u8>,
    /// The minimum of the finite numbers in the cells of all planes that are drawn, the middle, and the maximum. `None` if there is none.
    pub scale: Option<[f64; 3]>,
}

impl Heat {
    /// Returns the minimum and the maximum of the scale.
    pub(crate) fn ends(&self) -> Option<(f64, f64)> {
        let [least, _, greatest] = self.scale?;
        Some(match self.scaling {
            Scaling::Linear | Scaling::Rank => (least, greatest),
            Scaling::Zero => (0.0, greatest),
            Scaling::Turn => (-PI, PI),
            Scaling::Signed => (-farthest(least, greatest), farthest(least, greatest)),
        })
    }

    /// Returns whether any cell has no finite number.
    pub(crate) fn has_none(&self) -> bool {
        self.shades.contains(&NONE)
    }

    /// Returns the colour of a cell.
    pub(crate) fn colour(&self, cell: usize) -> Option<[u8; 3]> {
        let shade = self.shades[cell];
        (shade != NONE).then(|| self.palette.colour(f64::from(shade) / LAST))
    }
}

/// How planes are shown.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub scaling: Scaling,
    pub palette: Palette,
    /// Whether to show the first planes, instead of some between the first and the last.
    pub are_first: bool,
}

/// The planes of an array: the last two axes with more than one item.
#[derive(Debug, Clone)]
pub struct Planes {
    shape: Vec<usize>,
    /// The two axes.
    pub axes: [usize; 2],
    pub count: u64,
}

impl Planes {
    /// Returns `None` if fewer than two axes have several items.
    pub fn of(shape: &[usize]) -> Option<Self> {
        let mut long = (0..shape.len()).rev().filter(|&axis| shape[axis] > 1);
        let (column, row) = (long.next()?, long.next()?);
        let count = shape[..row].iter().fold(1, |count: u64, &extent| count.saturating_mul(extent as u64));
        Some(Planes { shape: shape.to_vec(), axes: [row, column], count })
    }

    /// Creates one plane with one row from a list.
    pub fn of_list(shape: &[usize], count: u64) -> Self {
        let axis = shape.iter().position(|&extent| extent > 1).unwrap_or(0);
        let count = if shape.len() <= 1 { 1 } else { count / shape[axis].max(1) as u64 };
        Planes { shape: shape.to_vec(), axes: [usize::MAX, axis], count }
    }

    fn sides(&self) -> (usize, usize) {
        let side = |axis: usize| self.shape.get(axis).copied().unwrap_or(1);
        (side(self.axes[0]), side(self.axes[1]))
    }

    /// Returns the name of a plane: a slice.
    fn name(&self, mut plane: u64) -> String {
        let mut parts = vec![String::new(); self.shape.len()];
        for axis in (0..self.shape.len()).rev() {
            let is_outer = axis < self.axes[0].min(self.axes[1]);
            let extent = self.shape[axis] as u64;
            parts[axis] = match axis {
                axis if self.axes.contains(&axis) => ":".into(),
                _ if is_outer && extent > 0 => (plane % extent).to_string(),
                _ => "0".into(),
            };
            if is_outer {
                plane /= extent.max(1);
            }
        }
        let more = if parts.len() > 32 { "…, " } else { "" };
        format!("[{more}{}]", parts[parts.len().saturating_sub(32)..].join(", "))
    }

    /// Returns heat maps of some planes: one for each quantity of the items.
    pub fn heats(
        &self,
        items: &mut dyn Items,
        look: Look,
        room: PictureBudget,
        limits: Limits,
    ) -> Result<Vec<Heat>, Error> {
        let item_type = items.item_type().clone();
        let shown = self.count.min(room.planes as u64).max(1);
        // Planes side by side share the width.
        let beside = (shown as f64).sqrt().ceil() as usize;
        let (rows, columns) = self.sides();
        let cells = sized((rows, columns), (room.plane.0 / beside, room.plane.1 / beside));
        let raster = Raster::new((rows, columns, 1), cells, item_type.stride(), room.plane_bytes);
        let mut planes = Vec::new();
        for part in 0..shown {
            // The first plane and the last one, and others evenly between them.
            let plane = if shown == 1 || look.are_first { part } else { spread(part, shown - 1, self.count - 1) };
            let first = plane * rows as u64 * columns as u64;
            planes.push((self.name(plane), raster.cells(items, first, limits)?));
        }
        let mut heats = Vec::new();
        for &quantity in quantities(&item_type) {
            let (scaling, palette) = match quantity {
                Quantity::Value => (look.scaling, look.palette),
                Quantity::Magnitude => (Scaling::Zero, look.palette),
                Quantity::Phase => (Scaling::Turn, Palette::Wheel),
            };
            let numbers = planes.iter().flat_map(|(_, cells)| cells).map(|cell| of(cell, quantity));
            let (shades, scale) = shades(&numbers.collect::<Vec<_>>(), scaling);
            let Raster { height, width, is_sample, .. } = raster;
            let each = shades.chunks((height * width).max(1)).map(<[u8]>::to_vec);
            heats.extend(planes.iter().zip(each).map(|((plane, _), shades)| Heat {
                quantity,
                scaling,
                palette,
                width,
                height,
                rows,
                columns,
                is_sample,
                plane: plane.clone(),
                planes: self.count,
                shades,
                scale,
            }));
        }
        Ok(heats)
    }
}

/// Returns the size of a plane that fills a room. It keeps its proportions unless they are extreme.
pub(crate) fn sized((rows, columns): (usize, usize), room: (usize, usize)) -> (usize, usize) {
    let (rows, columns) = (rows.max(1), columns.max(1));
    let (rows, columns) = if rows / columns > LONGEST {
        (LONG, 1.0)
    } else if columns / rows > LONGEST {
        (1.0, LONG)
    } else {
        (rows as f64, columns as f64)
    };
    let scale = (room.0 as f64 / rows).min(room.1 as f64 / columns);
    let side = |extent: f64, most: usize| ((extent * scale).round() as usize).clamp(1, most.max(1));
    (side(rows, room.0), side(columns, room.1))
}

/// Returns the greater of two distances from zero.
fn farthest(least: f64, greatest: f64) -> f64 {
    least.abs().max(greatest.abs())
}

/// Returns the number to draw for a cell. For an angle, it is the angle of the mean.
fn of(cell: &Cell, quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Magnitude => cell.magnitude,
        other => other.of(cell.mean),
    }
}

/// Returns the shade of each number, and the minimum, the median and the maximum.
pub(crate) fn shades(numbers: &[f64], scaling: Scaling) -> (Vec<u8>, Option<[f64; 3]>) {
    let mut sorted: Vec<f64> = numbers.iter().copied().filter(|number| number.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let (Some(&least), Some(&greatest)) = (sorted.first(), sorted.last()) else {
        return (vec![NONE; numbers.len()], None);
    };
    let below = |number: f64| sorted.partition_point(|&other| other < number) as f64;
    let most = below(greatest);
    let part = |number: f64| match scaling {
        // A plane of one value has the middle shade.
        Scaling::Rank if most == 0.0 => 0.5,
        Scaling::Linear => share(number, least, greatest),
        Scaling::Rank => below(number) / most,
        Scaling::Zero if greatest == 0.0 => 0.0,
        Scaling::Zero => number / greatest,
        Scaling::Turn => (number + PI) / (2.0 * PI),
        Scaling::Signed if farthest(least, greatest) == 0.0 => 0.5,
        Scaling::Signed => 0.5 + number / farthest(least, greatest) / 2.0,
    };
    let shade = |&number: &f64| if number.is_finite() { (part(number) * LAST).round() as u8 } else { NONE };
    (numbers.iter().map(shade).collect(), Some([least, sorted[sorted.len() / 2], greatest]))
}
