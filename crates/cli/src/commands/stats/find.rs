//! Computes the statistics of values, with progress.

use crate::axes::{Axis, windows};
use crate::show::progress::AtHand;
use crate::show::stats_json::Chunks;
use crate::show::stats_text::Line;
use crate::show::style::{counted, shape};
use crate::values::grid::Grid;
use crate::values::open::{Failure, Values};
use crate::values::slice::{Chosen, Slice};
use ndbytes::idv::{Column, Table};
use ndbytes::{Decoded, File, Items, Limits, Result};
use ndbytes_compare::stats::{Collector, ColumnCollector, Series, each_piece};

/// The number of rows that are read together.
const WINDOW: u64 = 1 << 16;

/// The statistics of a file.
pub struct Found {
    pub lines: Vec<Line>,
    pub chunks: Option<Chunks>,
    /// A description of the values.
    pub holds: String,
    /// The name of the format in JSON, and in headings.
    pub format: [&'static str; 2],
    pub slice: Option<String>,
    /// The length of the file in bytes.
    pub length: u64,
}

/// Returns the statistics of the values in a file.
pub fn find(values: &Values, limits: Limits, mut at_hand: AtHand<'_>) -> std::result::Result<Found, Failure> {
    let chosen = values.chosen()?;
    let limits = limits.started();
    let format = values.file.format();
    let of = Of { slice: values.slice.as_ref(), length: values.length, format: [format.name(), format.title()] };
    match &values.file {
        File::Array(array) => of_grid(Grid::Array(array), &chosen, &of, limits, &mut at_hand),
        File::Table(table) => {
            let rows: Vec<Axis> = chosen.axes().collect();
            let lines = columns(table, &rows, limits, &mut at_hand)?;
            if values.slice.is_none() {
                table.ensure_rest()?;
            }
            let count = rows.iter().map(|axis| axis.count).sum();
            Ok(of.found(lines, None, rows_and_columns(count, table.columns().len())))
        }
    }
}

/// The file that values come from.
pub struct Of<'o> {
    pub slice: Option<&'o Slice>,
    pub length: u64,
    pub format: [&'static str; 2],
}

impl Of<'_> {
    /// Returns the result, with properties of the file.
    pub fn found(&self, lines: Vec<Line>, chunks: Option<Chunks>, holds: String) -> Found {
        let (slice, length, format) = (self.slice.map(ToString::to_string), self.length, self.format);
        Found { lines, chunks, holds, format, slice, length }
    }
}

/// Describes the numbers of rows and columns.
pub fn rows_and_columns(rows: u64, columns: usize) -> String {
    format!("{}, {}", counted(rows, "row"), counted(columns as u64, "column"))
}

/// Returns the statistics of items of an array.
pub fn of_grid(
    grid: Grid<'_>,
    chosen: &Chosen,
    of: &Of<'_>,
    limits: Limits,
    at_hand: &mut AtHand<'_>,
) -> std::result::Result<Found, Failure> {
    let mut items = grid.select(chosen)?;
    let extents: Vec<u64> = items.shape().iter().map(|&extent| extent as u64).collect();
    let item_type = grid.item_type();
    let holds = format!("{} of {item_type}", shape(&extents));
    let whole = grid.array().filter(|_| of.slice.is_none());
    let series = match whole.filter(|array| array.is_fortran_order()) {
        Some(array) => {
            // The order does not matter, so items are read as they are stored.
            let bytes = array.bytes()?;
            let shape = [bytes.len() / item_type.stride().max(1) as usize];
            collect(&mut Decoded::new(&bytes, &item_type, &shape)?, of.length, limits, at_hand)?
        }
        None => collect(&mut *items, of.length, limits, at_hand)?,
    };
    let type_name = item_type.to_string();
    let line = |Series { name, statistics, .. }| Line { name, type_name: type_name.clone(), item: None, statistics };
    let chunks = whole.map(Chunks::of).transpose()?.flatten();
    Ok(of.found(series.into_iter().map(line).collect(), chunks, holds))
}

/// Returns the statistics of items, with progress in bytes of their file.
fn collect(items: &mut dyn Items, length: u64, limits: Limits, at_hand: &mut AtHand<'_>) -> Result<Vec<Series>> {
    let mut collector = Collector::new(items.item_type());
    let count = items.count();
    each_piece(items, |span, bytes| {
        limits.ensure_time()?;
        collector.add(bytes);
        let read = span.end - span.start;
        at_hand.advance((u128::from(length) * u128::from(read) / u128::from(count)) as u64);
        Ok(())
    })?;
    Ok(collector.finish())
}

/// Returns the statistics of the columns that are readable and not hidden.
fn columns(table: &Table<'_>, rows: &[Axis], limits: Limits, at_hand: &mut AtHand<'_>) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for column in table.columns().filter(|column| column.is_readable() && !column.is_hidden()) {
        let Some(column_type) = column.column_type() else { continue };
        let mut collector = ColumnCollector::new(column_type);
        for window in windows(rows, block_rows(&column)) {
            limits.ensure_time()?;
            let values = column.read_rows(window.span.clone())?;
            if window.places.len() as u64 == window.span.end - window.span.start {
                collector.add(&values);
            } else {
                window.places.iter().for_each(|&place| collector.add(&values.slice(place..place + 1)));
            }
        }
        at_hand.advance(column.stored_bytes());
        let (name, type_name) = (column.name(), column_type.to_string());
        lines.push(Line { name, type_name, item: Some(column_type.item), statistics: collector.finish() });
    }
    Ok(lines)
}

/// Returns the number of rows in the first block, so that no block is decoded twice.
fn block_rows(column: &Column<'_>) -> u64 {
    let first = if column.block_count() > 0 { column.rows_of_block(0) } else { 0..1 };
    (first.end - first.start).clamp(1, WINDOW)
}
