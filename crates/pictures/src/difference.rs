//! The picture of a difference: two arrays with one scale, their difference, and its histogram.

use crate::choice::{Error, is_drawn};
use crate::colours::Palette;
use crate::numbers::{Quantity, pairs, quantities};
use crate::picture_budget::PictureBudget;
use crate::planes::{Heat, Planes, Scaling, shades, sized};
use crate::raster::spread;
use crate::survey::{Line, Numbers, extended};
use ndbytes::everybyte::Endian;
use ndbytes::everybyte::numerals::grouped;
use ndbytes::{Dtype, ElementKind, ItemType, Items, Limits, Pixels};
use ndbytes_compare::diff::coordinates;
use ndbytes_compare::stats::Collector;

/// The maximum number of axes in a caption.
const NAMED: usize = 32;

/// A box of items: the first index on each axis, and the one after the last.
pub type Region = Vec<(u64, u64)>;

/// Two arrays of the same shape, and their difference.
#[derive(Debug)]
pub struct Difference {
    pub(crate) shown: Shown,
    /// The statistics of all differences except zero.
    pub(crate) numbers: Option<Numbers>,
}

/// The first array, the second one, and the second one minus the first.
#[derive(Debug)]
pub(crate) enum Shown {
    /// A plane of each array. A box of differences is its first row and column, and the ones after its last row and
    /// column.
    Planes {
        heats: Box<[Heat; 3]>,
        boxes: Vec<[(u64, u64); 2]>,
        caption: String,
    },
    Lines([Line; 3]),
}

/// The plane of an array that is drawn.
struct Plane {
    shape: Vec<usize>,
    axes: [usize; 2],
    rows: u64,
    columns: u64,
    /// The number of items in a point.
    channels: u64,
    /// Cells.
    height: usize,
    width: usize,
    first: u64,
}

/// A cell of both arrays.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// The means of both arrays.
    means: [f64; 2],
    /// The difference that is farthest from zero, or NaN.
    apart: f64,
}

/// Returns the picture of the differences between two arrays of the same shape. It shows the plane that contains the item `at`,
/// with `regions` as boxes. Every value is read once.
///
/// # Errors
/// [`Error::Refused`] if the shapes differ, or if items are not numbers.
pub fn difference(
    a: &mut dyn Items,
    b: &mut dyn Items,
    (at, regions): (&[u64], &[Region]),
    room: PictureBudget,
    limits: Limits,
) -> Result<Difference, Error> {
    let types = [a.item_type().clone(), b.item_type().clone()];
    if a.shape() != b.shape() {
        return Err(Error::Refused("the difference of arrays with different shapes cannot be drawn".into()));
    }
    if a.count() == 0 || !types.iter().all(is_drawn) {
        return Err(Error::Refused("the items are not numbers, so their difference cannot be drawn".into()));
    }
    let is_complex = types.iter().any(|one| quantities(one).len() > 1);
    let quantity = if is_complex { Quantity::Magnitude } else { Quantity::Value };
    let plane = Plane::of(a, at, room);
    let mut cells = vec![Cell::default(); plane.as_ref().map_or(0, |plane| plane.height * plane.width)];
    let all = a.count();
    let mut lines = [(); 3].map(|()| Line::new(quantity, all));
    let runs = all.min(room.runs);
    let mut collector = Collector::new(&ItemType::Plain(Dtype::new(ElementKind::F64, Endian::Little)));
    let piece = a.piece().min(b.piece()).max(1);
    let (mut start, mut run) = (0, 0);
    let mut bytes = Vec::new();
    while start < all {
        limits.ensure_time()?;
        let count = piece.min(all - start);
        bytes.clear();
        let (one, other) = (a.read(start, count)?, b.read(start, count)?);
        for (place, (one, other)) in pairs(one, &types[0]).zip(pairs(other, &types[1])).enumerate() {
            let index = start + place as u64;
            let numbers = [quantity.of(one), quantity.of(other), apart(one, other, quantity)];
            if numbers[2] != 0.0 {
                bytes.extend_from_slice(&numbers[2].to_le_bytes());
            }
            match &plane {
                Some(plane) => plane.add(index, numbers, &mut cells),
                None => {
                    while index >= spread(run + 1, runs, all) {
                        run += 1;
                    }
                    lines.iter_mut().zip(numbers).for_each(|(line, number)| extended(line, run as usize, number));
                }
            }
        }
        collector.add(&bytes);
        start += count;
    }
    let series = collector.finish().into_iter().next();
    let numbers = series.map(|series| Numbers { all: series.statistics.values, series });
    let shown = plane.map_or(Shown::Lines(lines), |plane| plane.shown(quantity, &cells, regions));
    Ok(Difference { shown, numbers })
}

/// Returns the difference of two numbers. If they are the same, such as two NaNs, it is zero.
fn apart(one: (f64, f64), other: (f64, f64), quantity: Quantity) -> f64 {
    let is_same = |one: f64, other: f64| one == other || one.is_nan() && other.is_nan();
    if is_same(one.0, other.0) && is_same(one.1, other.1) {
        return 0.0;
    }
    quantity.of((other.0 - one.0, other.1 - one.1))
}

impl Plane {
    fn of(items: &dyn Items, at: &[u64], room: PictureBudget) -> Option<Self> {
        let shape = items.shape().to_vec();
        let pixels = Pixels::of(&shape, items.item_type()).filter(|pixels| pixels.are_colours());
        let (axes, channels) = match pixels {
            Some(pixels) => ([shape.len() - 3, shape.len() - 2], pixels.channels),
            None => (Planes::of(&shape)?.axes, 1),
        };
        let (rows, columns) = (shape[axes[0]], shape[axes[1]]);
        let most = sized((rows, columns), (room.plane.0, room.plane.1 * 3 / 10));
        let items = rows as u64 * columns as u64 * channels as u64;
        let index = at.iter().zip(&shape).fold(0, |index: u64, (at, extent)| index * *extent as u64 + at);
        let (height, width) = (rows.min(most.0), columns.min(most.1));
        let (rows, columns, channels) = (rows as u64, columns as u64, channels as u64);
        Some(Plane { shape, axes, rows, columns, channels, height, width, first: index / items * items })
    }

    fn add(&self, index: u64, numbers: [f64; 3], cells: &mut [Cell]) {
        let Some(place) = index.checked_sub(self.first).map(|place| place / self.channels) else { return };
        let (row, column) = (place / self.columns, place % self.columns);
        if row >= self.rows {
            return;
        }
        // The cell whose band holds the place, and the number of its items.
        let band = |place: u64, cells: u64, all: u64| {
            let cell = ((place + 1) * cells - 1) / all;
            (cell as usize, spread(cell + 1, cells, all) - spread(cell, cells, all))
        };
        let (y, tall) = band(row, self.height as u64, self.rows);
        let (x, wide) = band(column, self.width as u64, self.columns);
        let share = (tall * wide * self.channels) as f64;
        let cell = &mut cells[y * self.width + x];
        cell.means = [cell.means[0] + numbers[0] / share, cell.means[1] + numbers[1] / share];
        if numbers[2].is_nan() || numbers[2].abs() > cell.apart.abs() {
            cell.apart = numbers[2];
        }
    }

    fn shown(self, quantity: Quantity, cells: &[Cell], regions: &[Region]) -> Shown {
        let both: Vec<f64> = [0, 1].iter().flat_map(|&side| cells.iter().map(move |cell| cell.means[side])).collect();
        let (mut one, scale) = shades(&both, Scaling::Linear);
        let other = one.split_off(cells.len());
        let apart: Vec<f64> = cells.iter().map(|cell| cell.apart).collect();
        let (between, ends) = shades(&apart, Scaling::Signed);
        let heat = |name: &str, scaling, palette, shades, scale| Heat {
            quantity,
            scaling,
            palette,
            width: self.width,
            height: self.height,
            rows: self.rows as usize,
            columns: self.columns as usize,
            is_sample: false,
            plane: name.to_owned(),
            planes: 1,
            shades,
            scale,
        };
        let heats = [
            heat("A", Scaling::Linear, Palette::Gradient, one, scale),
            heat("B", Scaling::Linear, Palette::Gradient, other, scale),
            heat("B - A", Scaling::Signed, Palette::Signs, between, ends),
        ];
        Shown::Planes { heats: Box::new(heats), boxes: self.boxes(regions), caption: self.caption() }
    }

    /// Returns the plane as a slice, if there are others, and the number of items in a point.
    fn caption(&self) -> String {
        let outer = self.outer();
        let name = |axis: usize| outer.get(axis).map_or(":".to_owned(), u64::to_string);
        let slice = (0..self.shape.len()).map(name).take(NAMED).collect::<Vec<_>>().join(", ");
        let plane = if outer.iter().zip(&self.shape).any(|(_, extent)| *extent > 1) {
            format!("[{slice}]; ")
        } else {
            String::new()
        };
        let items = self.rows * self.columns * self.channels / (self.height * self.width) as u64;
        match items {
            0 | 1 => plane,
            items => format!(
                "{plane}each point of A and B is the mean of about {} items, each point of B - A the largest difference",
                grouped(items)
            ),
        }
    }

    /// Returns the indices of the plane on the axes before its own.
    fn outer(&self) -> Vec<u64> {
        let before: Vec<u64> = self.shape[..self.axes[0]].iter().map(|&extent| extent as u64).collect();
        coordinates(&before, self.first / (self.rows * self.columns * self.channels).max(1))
    }

    /// Returns the boxes of differences that intersect the plane.
    fn boxes(&self, regions: &[Region]) -> Vec<[(u64, u64); 2]> {
        let place = self.outer();
        let meets = |region: &&Region| {
            region.len() == self.shape.len()
                && place.iter().zip(*region).all(|(place, (start, end))| (start..end).contains(&place))
        };
        regions.iter().filter(meets).map(|region| self.axes.map(|axis| region[axis])).collect()
    }
}
