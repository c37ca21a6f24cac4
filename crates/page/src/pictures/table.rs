//! The first rows of tables, and summaries of their columns.

use super::histogram::{Histogram, histogram};
use super::{Picture, note};
use crate::strings::shown;
use ndbytes::idv::{self, ItemType, Table, Value, Values};
use serde::Serialize;
use std::collections::HashSet;

/// The columns and the rows that are shown, and the rows that summaries are made of.
const COLUMNS: usize = 40;
const ROWS: usize = 20;
const SUMMARISED: u64 = 2000;

/// The bins of the distribution of a column.
const BINS: usize = 24;

/// The letters of a text, and the items of a vector.
const LETTERS: usize = 60;
const ITEMS: usize = 6;

/// A column, and what its first values are like.
#[derive(Debug, Serialize)]
pub struct Column {
    name: String,
    type_name: String,
    /// The name of the type of one item.
    item: String,
    blocks: usize,
    stored: u64,
    /// The rows that the summary is made of.
    read: u64,
    /// The number of different texts or categories among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    distinct: Option<usize>,
    missing: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    histogram: Option<Histogram>,
}

/// A value as it is shown.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Missing,
    Bool(bool),
    /// Numbers as text: a script would round the larger ones.
    Number {
        n: String,
    },
    Text(String),
    /// The first items of a vector, and its length.
    Vector {
        v: Vec<Cell>,
        of: usize,
    },
}

pub fn pictures(table: &Table<'_>) -> Vec<Picture> {
    let readable = || table.columns().filter(|column| column.is_readable() && !column.is_hidden());
    let shown_rows = (table.rows().min(ROWS as u64)) as usize;
    let mut cells = vec![Vec::new(); shown_rows];
    let (mut columns, mut notes) = (Vec::new(), Vec::new());
    for column in readable().take(COLUMNS) {
        match summary(&column, &mut cells) {
            Ok(column) => columns.push(column),
            Err(error) => {
                notes.push(note(&error));
                break;
            }
        }
    }
    let table = Picture::Table { rows: table.rows(), columns, all_columns: table.columns().len(), cells };
    std::iter::once(table).chain(notes).collect()
}

fn summary(column: &idv::Column<'_>, cells: &mut [Vec<Cell>]) -> ndbytes::Result<Column> {
    let column_type = column.column_type().expect("the column is readable");
    let read = column.rows().min(SUMMARISED);
    let values = column.read_rows(0..read)?;
    let names = match column_type.item {
        ItemType::Key(_) => column.key_values().ok().flatten(),
        _ => None,
    };
    for (row, cells) in cells.iter_mut().enumerate() {
        cells.push(values.get(row).map_or(Cell::Missing, |value| cell(&value, column_type.item, names.as_ref())));
    }
    let scalars = || values.iter().filter(|_| !values.are_vectors());
    let is_category = matches!(column_type.item, ItemType::Key(_) | ItemType::Text | ItemType::Bool);
    let numbers: Vec<f64> =
        if is_category { Vec::new() } else { scalars().filter_map(|value| number(&value)).collect() };
    let distinct = is_category.then(|| scalars().map(identity).collect::<HashSet<_>>().len());
    Ok(Column {
        name: shown(&column.name(), LETTERS),
        type_name: shown(&column_type.to_string(), LETTERS),
        item: match column_type.item {
            ItemType::Key(_) => "Key".to_owned(),
            item => item.to_string(),
        },
        blocks: column.block_count(),
        stored: column.stored_bytes(),
        read,
        distinct: distinct.filter(|_| !values.are_vectors()),
        missing: scalars().filter(|value| is_missing(value, column_type.item)).count() as u64,
        histogram: histogram(&numbers, column.rows(), BINS),
    })
}

fn is_missing(value: &Value<'_>, item: ItemType) -> bool {
    match value {
        Value::Null => true,
        Value::Uint(0) => matches!(item, ItemType::Key(_)),
        Value::F32(number) => number.is_nan(),
        Value::F64(number) => number.is_nan(),
        _ => false,
    }
}

fn number(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Uint(number) => Some(*number as f64),
        Value::F32(number) => Some(f64::from(*number)),
        Value::F64(number) => Some(*number),
        _ => None,
    }
}

/// What tells a category from others.
fn identity(value: Value<'_>) -> Vec<u8> {
    match value {
        Value::Uint(key) => key.to_le_bytes().to_vec(),
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::Bool(value) => vec![u8::from(value)],
        _ => Vec::new(),
    }
}

fn cell(value: &Value<'_>, item: ItemType, names: Option<&Values>) -> Cell {
    let number = |n: String| Cell::Number { n };
    match value {
        Value::Uint(key) if matches!(item, ItemType::Key(_)) => category(*key, names),
        Value::Int(value) => number(value.to_string()),
        Value::Uint(value) => number(value.to_string()),
        Value::RowId(id) => Cell::Text(format!("{id:032x}")),
        Value::F32(value) => number(value.to_string()),
        Value::F64(value) => number(value.to_string()),
        Value::Bool(value) => Cell::Bool(*value),
        Value::DateTimeOffset(time) => number(time.ticks.to_string()),
        Value::Text(text) => Cell::Text(shown(&text.to_string_lossy(), LETTERS)),
        Value::Vector(vector) => Cell::Vector {
            v: (0..vector.len().min(ITEMS))
                .map(|place| vector.get(place).map_or(Cell::Missing, |value| cell(&value, item, names)))
                .collect(),
            of: vector.len(),
        },
        _ => Cell::Missing,
    }
}

/// The name of a category, or its number if it has none.
fn category(key: u64, names: Option<&Values>) -> Cell {
    let Some(place) = key.checked_sub(1) else { return Cell::Missing };
    let name = names.and_then(|names| names.vector(0)).and_then(|names| names.get(usize::try_from(place).ok()?));
    match name {
        Some(Value::Text(name)) => Cell::Text(shown(&name.to_string_lossy(), LETTERS)),
        _ => Cell::Number { n: key.to_string() },
    }
}
