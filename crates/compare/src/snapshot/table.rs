//! A table as text: its columns, and its rows one by one or in folds.

use super::item::BoundedText;
use super::page;
use super::{Values, json, short};
use crate::digest::table as digest;
use blake3::Hasher;
use everybyte::numerals::grouped;
use ndbytes::idv::{Column, Table, Value, Values as ColumnValues};
use ndbytes::{Error, Result};
use std::fmt::Write;

/// The maximum number of rows that are shown one by one.
const MOST_ROWS: u64 = 1024;

/// The maximum number of folds. A table that grows keeps its folds until it has twice as many rows.
const MOST_FOLDS: u64 = 64;

/// The maximum number of columns whose folds have their own hashes.
const MOST_COLUMNS: usize = 64;

/// The maximum length of a row's text, in bytes.
const LONGEST_ROW: usize = 1600;

/// The maximum length of an annotation's text, in bytes.
const LONGEST_NOTE: usize = 800;

/// Writes the lines of a table's columns and values.
pub fn lines(table: &Table<'_>, values: Values, room: usize) -> Result<Vec<String>> {
    let columns: Vec<Column<'_>> = table.columns().filter(Column::is_readable).collect();
    let mut lines = Vec::new();
    let (mut digest, mut folds) = (digest::Begun::of(table, columns.len()), Vec::new());
    let steps = (table.rows().checked_next_power_of_two().unwrap_or(1 << 63) / MOST_FOLDS).max(1);
    for column in &columns {
        lines.push(column_line(column));
        for annotation in column.annotations() {
            match annotation.read() {
                Ok(value) => lines.push(format!("  {:?} {}", annotation.kind(), annotated(&value))),
                Err(Error::UnreadableColumn { .. }) => lines.push(format!("  {:?} not read", annotation.kind())),
                Err(error) => return Err(error),
            }
        }
        let mut of_column = Folds::new(steps);
        digest.column(column, &mut |row, value| of_column.add(row, value))?;
        folds.push(of_column.finish());
    }
    lines.push(format!("values blake3 {}", digest.finish()));
    let most = match values {
        Values::Hash | Values::None => return Ok(lines),
        Values::Folded | Values::Small => MOST_ROWS,
        Values::AtMost(rows) => rows,
    };
    lines.push(format!("rows {}", grouped(table.rows())));
    let taken: usize = lines.iter().map(|line| line.len() + 1).sum();
    match rows(table, &columns, most, room.saturating_sub(taken))? {
        Some(rows) => lines.extend(rows),
        None if values == Values::Small => {}
        None => lines.extend(folded(&folds, steps, table.rows())),
    }
    Ok(lines)
}

fn column_line(column: &Column<'_>) -> String {
    let name = column.name();
    let of_type = column.column_type().map_or_else(|| column.codec(), ToString::to_string);
    let hidden = if column.is_hidden() { ", hidden by a later one" } else { "" };
    format!("column {name:?}: {of_type}{hidden}")
}

fn annotated(value: &ColumnValues) -> String {
    let mut room = BoundedText::new(LONGEST_NOTE);
    match value.get(0).map(|value| json::write(&value, &mut room)) {
        Some(Err(_)) => format!("{}… blake3 {}", room.text, short(hash([value.get(0)]).as_bytes())),
        _ => room.text,
    }
}

/// Returns the hash of some values.
fn hash<'v>(values: impl IntoIterator<Item = Option<Value<'v>>>) -> blake3::Hash {
    let (mut hasher, mut bytes) = (Hasher::new(), Vec::new());
    values.into_iter().flatten().for_each(|value| digest::push(&value, &mut hasher, &mut bytes));
    hasher.update(&bytes).finalize()
}

/// Writes the rows one by one; returns `None` if there are more than `most`, or if they take more than `room` bytes.
fn rows(table: &Table<'_>, columns: &[Column<'_>], most: u64, room: usize) -> Result<Option<Vec<String>>> {
    if table.rows() > most || columns.is_empty() {
        return Ok(None);
    }
    let read = columns.iter().map(Column::read).collect::<Result<Vec<ColumnValues>>>()?;
    let (mut lines, mut taken) = (Vec::new(), 0);
    for row in 0..table.rows() as usize {
        let values = || read.iter().map(|values| values.get(row));
        let mut text = BoundedText::new(LONGEST_ROW);
        let line = match values().flatten().enumerate().try_for_each(|(place, value)| {
            text.write_str(if place > 0 { ", " } else { "[" })?;
            json::write(&value, &mut text)
        }) {
            Ok(()) => format!("  {}]", text.text),
            Err(_) => format!("  {}… blake3 {}", text.text, short(hash(values()).as_bytes())),
        };
        taken += page::shown(&line).len() + 1;
        if taken > room {
            return Ok(None);
        }
        lines.push(line);
    }
    Ok(Some(lines))
}

/// The hashes of the folds of one column.
struct Folds {
    steps: u64,
    hasher: Hasher,
    bytes: Vec<u8>,
    rows: u64,
    done: Vec<[u8; 32]>,
}

impl Folds {
    fn new(steps: u64) -> Self {
        Folds { steps, hasher: Hasher::new(), bytes: Vec::new(), rows: 0, done: Vec::new() }
    }

    fn add(&mut self, row: u64, value: &Value<'_>) {
        digest::push(value, &mut self.hasher, &mut self.bytes);
        self.rows += 1;
        if (row + 1).is_multiple_of(self.steps) {
            self.end();
        }
    }

    fn end(&mut self) {
        if self.rows > 0 {
            self.done.push(*self.hasher.update(&self.bytes).finalize().as_bytes());
            self.hasher.reset();
            self.bytes.clear();
            self.rows = 0;
        }
    }

    fn finish(mut self) -> Vec<[u8; 32]> {
        self.end();
        self.done
    }
}

/// Writes a line for each fold: the hash of each column, or a single hash if there are many columns.
fn folded(columns: &[Vec<[u8; 32]>], steps: u64, rows: u64) -> Vec<String> {
    let folds = columns.iter().map(Vec::len).max().unwrap_or(0);
    let line = |fold: usize| {
        let start = fold as u64 * steps;
        let hashes = columns.iter().filter_map(|column| column.get(fold));
        let hashes = if columns.len() <= MOST_COLUMNS {
            hashes.map(short).collect::<Vec<_>>().join(" ")
        } else {
            let mut all = Hasher::new();
            hashes.for_each(|hash| {
                all.update(hash);
            });
            short(all.finalize().as_bytes())
        };
        format!("  [{start}..{}] {hashes}", start.saturating_add(steps).min(rows))
    };
    (0..folds).map(line).collect()
}
