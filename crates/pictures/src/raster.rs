//! Planes of items as cells that a picture has room for.

use crate::numbers::pairs;
use ndbytes::{Error, Items, Limits};
use std::ops::Range;

/// Items that are read at once at most, where few of them are wanted.
const AT_ONCE: u64 = 16 << 10;

/// The place where one of `count` parts of `all` begins.
pub fn spread(part: u64, count: u64, all: u64) -> u64 {
    (u128::from(part) * u128::from(all) / u128::from(count.max(1))) as u64
}

/// A plane of items, and the cells that stand for them.
#[derive(Debug, Clone, Copy)]
pub struct Raster {
    pub rows: usize,
    pub columns: usize,
    /// Items beside each other that are one point of the plane.
    pub channels: usize,
    /// Cells.
    pub height: usize,
    pub width: usize,
    /// True if a cell stands for one item of several.
    pub is_sample: bool,
}

/// The sums of the items of a cell, each divided by their number: their mean.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cell {
    pub mean: (f64, f64),
    pub magnitude: f64,
}

impl Raster {
    /// A plane with at most as many cells as there is room for. If it has more bytes than `most`, each cell has one item.
    pub fn new((rows, columns, channels): (usize, usize, usize), room: (usize, usize), stride: u64, most: u64) -> Self {
        let bytes = (rows as u128) * (columns as u128) * (channels as u128) * u128::from(stride);
        let (height, width) = (rows.min(room.0), columns.min(room.1));
        let is_sample = bytes > u128::from(most) && (height < rows || width < columns);
        Raster { rows, columns, channels, height, width, is_sample }
    }

    fn band(part: usize, count: usize, all: usize) -> Range<u64> {
        let edge = |part: usize| spread(part as u64, count as u64, all as u64);
        edge(part)..edge(part + 1)
    }

    /// The cells of the plane that begins at an item: row by row, and the channels of each.
    pub fn cells(self, items: &mut dyn Items, first: u64, limits: Limits) -> Result<Vec<Cell>, Error> {
        let mut cells = vec![Cell::default(); self.height * self.width * self.channels];
        for (y, cells) in cells.chunks_mut((self.width * self.channels).max(1)).enumerate() {
            let band = Self::band(y, self.height, self.rows);
            let rows = if self.is_sample { band.start..band.start + 1 } else { band };
            let number = rows.end - rows.start;
            for row in rows {
                limits.ensure_time()?;
                let start = first + row * (self.columns * self.channels) as u64;
                self.add_row(items, start, number, cells)?;
            }
        }
        Ok(cells)
    }

    /// Adds the items of a row, which is one of `rows` of its cells.
    fn add_row(self, items: &mut dyn Items, start: u64, rows: u64, cells: &mut [Cell]) -> Result<(), Error> {
        let (item_type, channels, stride) =
            (items.item_type().clone(), self.channels as u64, items.item_type().stride());
        let all = self.columns as u64 * channels;
        // Of a long row of a sample, what lies between the items is left out.
        if self.is_sample && all > AT_ONCE {
            for (x, cells) in cells.chunks_mut(self.channels).enumerate() {
                let first = Self::band(x, self.width, self.columns).start * channels;
                for (cell, pair) in cells.iter_mut().zip(pairs(items.read(start + first, channels)?, &item_type)) {
                    cell.add(pair, rows as f64);
                }
            }
            return Ok(());
        }
        let piece = (items.piece() / channels).max(1) * channels;
        let (mut x, mut band) = (0, Self::band(0, self.width, self.columns));
        for first in (0..all).step_by(piece as usize) {
            let bytes = items.read(start + first, piece.min(all - first))?;
            for (pixel, bytes) in bytes.chunks((channels * stride).max(1) as usize).enumerate() {
                let column = first / channels + pixel as u64;
                while column >= band.end {
                    x += 1;
                    band = Self::band(x, self.width, self.columns);
                }
                if self.is_sample && column > band.start {
                    continue;
                }
                let share = if self.is_sample { rows } else { rows * (band.end - band.start) };
                let cells = &mut cells[x * self.channels..];
                for (cell, pair) in cells.iter_mut().zip(pairs(bytes, &item_type)) {
                    cell.add(pair, share as f64);
                }
            }
        }
        Ok(())
    }
}

impl Cell {
    /// Adds one of `share` items.
    fn add(&mut self, (real, imaginary): (f64, f64), share: f64) {
        // Divided first: the sum may be beyond the floats.
        self.mean = (self.mean.0 + real / share, self.mean.1 + imaginary / share);
        self.magnitude += real.hypot(imaginary) / share;
    }
}
