//! The first rows of tables, and summaries of their columns.

use super::picture::{Cell, Column, Picture, note};
use everybyte::page::shown;
use ndbytes::Limits;
use ndbytes::idv::{self, ColumnType, ItemType, Table, Value, Values};
use ndbytes_compare::stats::{ColumnCollector, Statistics};

/// The maximum number of columns and rows that are shown.
const COLUMNS: usize = 40;
const ROWS: usize = 20;

/// The approximate number of values read from all columns. For longer columns, only the first blocks are read.
const MOST: u64 = 1 << 25;

/// The maximum number of characters in a text, and of items in a vector.
const LETTERS: usize = 60;
const ITEMS: usize = 6;

pub fn pictures(table: &Table<'_>, limits: Limits) -> Vec<Picture> {
    let readable = || table.columns().filter(|column| column.is_readable() && !column.is_hidden());
    let shown_rows = (table.rows().min(ROWS as u64)) as usize;
    let mut cells = vec![Vec::new(); shown_rows];
    let (mut columns, mut notes) = (Vec::new(), Vec::new());
    let share = MOST / readable().take(COLUMNS).count().max(1) as u64;
    for column in readable().take(COLUMNS) {
        match summary(&column, &mut cells, share, limits) {
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

fn summary(column: &idv::Column<'_>, cells: &mut [Vec<Cell>], share: u64, limits: Limits) -> ndbytes::Result<Column> {
    let column_type = column.column_type().expect("the column is readable");
    let first = column.read_rows(0..cells.len() as u64)?;
    let names = match column_type.item {
        ItemType::Key(_) => column.key_values().ok().flatten(),
        _ => None,
    };
    for (row, cells) in cells.iter_mut().enumerate() {
        cells.push(first.get(row).map_or(Cell::Missing, |value| cell(&value, column_type.item, names.as_ref())));
    }
    let (read, statistics) = statistics(column, column_type, share, limits)?;
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
        statistics,
    })
}

/// Returns the statistics of all rows of a column, or of the first ones, and the number of rows.
fn statistics(
    column: &idv::Column<'_>,
    column_type: &ColumnType,
    share: u64,
    limits: Limits,
) -> ndbytes::Result<(u64, Statistics)> {
    let mut collector = ColumnCollector::new(column_type);
    let (mut rows, mut values) = (0, 0);
    for block in 0..column.block_count() {
        if values >= share {
            break;
        }
        limits.ensure_time()?;
        let read = column.read_block(block)?;
        collector.add(&read);
        values += read.rows().max(read.items().len()) as u64;
        rows = column.rows_of_block(block).end;
    }
    Ok((rows, collector.finish()))
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

/// Returns the name of a category, or its number if it has none.
fn category(key: u64, names: Option<&Values>) -> Cell {
    let Some(place) = key.checked_sub(1) else { return Cell::Missing };
    let name = names.and_then(|names| names.vector(0)).and_then(|names| names.get(usize::try_from(place).ok()?));
    match name {
        Some(Value::Text(name)) => Cell::Text(shown(&name.to_string_lossy(), LETTERS)),
        _ => Cell::Number { n: key.to_string() },
    }
}
