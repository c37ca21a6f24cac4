//! Planes of items, reduced to the cells of a picture.
//!
//! A cell is the mean of its items if reading them all is affordable; otherwise it shows one of them, and the caption
//! says so. Rows are read in order, once each, so a compressed array is decoded only once.

use crate::numbers::pairs;
use ndbytes::{Error, ItemType, Items, Limits};
use std::ops::Range;

/// The maximum number of items that are read at once if few of them are needed.
const AT_ONCE: u64 = 16 << 10;

/// Returns the index at which one of `count` parts of `all` items begins.
pub fn spread(part: u64, count: u64, all: u64) -> u64 {
    (u128::from(part) * u128::from(all) / u128::from(count.max(1))) as u64
}

/// A plane of items, and the cells that represent them.
#[derive(Debug, Clone, Copy)]
pub struct Raster {
    pub rows: usize,
    pub columns: usize,
    /// The number of adjacent items that form one point of the plane.
    pub channels: usize,
    /// Cells.
    pub height: usize,
    pub width: usize,
    /// Whether a cell shows one item of several.
    pub is_sample: bool,
}

/// The sums of the items of a cell, each divided by their number: their mean.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cell {
    pub mean: (f64, f64),
    pub magnitude: f64,
}

impl Raster {
    /// Creates a plane with at most this number of cells. If it has more bytes than `most`, each cell shows one item.
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

    /// Returns the cells of the plane that begins at an item: row by row, and the channels of each.
    pub fn cells(self, items: &mut dyn Items, first: u64, limits: Limits) -> Result<Vec<Cell>, Error> {
        let mut cells = vec![Cell::default(); self.height * self.width * self.channels];
        let width = (self.width * self.channels).max(1);
        let length = (self.columns * self.channels) as u64;
        let at_once = items.piece() / length.max(1);
        if !self.is_sample && at_once > 1 {
            self.add_rows(items, first, at_once, &mut cells, limits)?;
            return Ok(cells);
        }
        for (y, cells) in cells.chunks_mut(width).enumerate() {
            let band = Self::band(y, self.height, self.rows);
            let rows = if self.is_sample { band.start..band.start + 1 } else { band };
            let number = rows.end - rows.start;
            for row in rows {
                limits.ensure_time()?;
                self.add_row(items, first + row * length, number, cells)?;
            }
        }
        Ok(cells)
    }

    /// Adds all rows. Adjacent rows are read together: they are in the same chunks, which are decoded once.
    fn add_rows(
        self,
        items: &mut dyn Items,
        first: u64,
        at_once: u64,
        cells: &mut [Cell],
        limits: Limits,
    ) -> Result<(), Error> {
        let (item_type, length) = (items.item_type().clone(), (self.columns * self.channels) as u64);
        let width = (self.width * self.channels).max(1);
        let (mut y, mut band) = (0, Self::band(0, self.height, self.rows));
        for start in (0..self.rows as u64).step_by(at_once as usize) {
            limits.ensure_time()?;
            let number = at_once.min(self.rows as u64 - start);
            let bytes = items.read(first + start * length, number * length)?;
            for (row, bytes) in (start..).zip(bytes.chunks((length * item_type.stride()).max(1) as usize)) {
                while row >= band.end {
                    y += 1;
                    band = Self::band(y, self.height, self.rows);
                }
                let cells = &mut cells[y * width..][..width];
                self.add(bytes, &item_type, 0, &mut self.columns_of(0), band.end - band.start, cells);
            }
        }
        Ok(())
    }

    /// Adds the items of a row. Its cells cover `rows` rows.
    fn add_row(self, items: &mut dyn Items, start: u64, rows: u64, cells: &mut [Cell]) -> Result<(), Error> {
        let (item_type, channels) = (items.item_type().clone(), self.channels as u64);
        let all = self.columns as u64 * channels;
        // In a long row of a sample, the items in between are skipped.
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
        let mut at = self.columns_of(0);
        for first in (0..all).step_by(piece as usize) {
            let bytes = items.read(start + first, piece.min(all - first))?;
            self.add(bytes, &item_type, first / channels, &mut at, rows, cells);
        }
        Ok(())
    }

    /// Returns a cell of a row, and its columns.
    fn columns_of(self, x: usize) -> (usize, Range<u64>) {
        (x, Self::band(x, self.width, self.columns))
    }

    /// Adds items that start at a column to the cells of their row, starting with the cell `at`.
    fn add(
        self,
        bytes: &[u8],
        item_type: &ItemType,
        first: u64,
        at: &mut (usize, Range<u64>),
        rows: u64,
        cells: &mut [Cell],
    ) {
        let pixels = bytes.chunks((self.channels as u64 * item_type.stride()).max(1) as usize);
        for (column, bytes) in (first..).zip(pixels) {
            while column >= at.1.end {
                *at = self.columns_of(at.0 + 1);
            }
            let (x, band) = (at.0, &at.1);
            if self.is_sample && column > band.start {
                continue;
            }
            let share = if self.is_sample { rows } else { rows * (band.end - band.start) };
            let cells = &mut cells[x * self.channels..];
            for (cell, pair) in cells.iter_mut().zip(pairs(bytes, item_type)) {
                cell.add(pair, share as f64);
            }
        }
    }
}

impl Cell {
    /// Adds one of the `share` items of a cell.
    fn add(&mut self, (real, imaginary): (f64, f64), share: f64) {
        // Divided first: the sum may be beyond the floats.
        self.mean = (self.mean.0 + real / share, self.mean.1 + imaginary / share);
        self.magnitude += real.hypot(imaginary) / share;
    }
}
