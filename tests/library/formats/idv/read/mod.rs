//! Reading tables: the frozen files, and guarantees of the types.

mod columns;
mod dense;
mod frozen;
mod joined;
mod limits;
mod rows;
mod values;

use crate::formats::idv::PLAIN;
use ndbytes::Error;
use ndbytes::idv::{self, Column, ColumnType, ItemType, NewColumn, Table, Value, Values, Writer};
use ndbytes_testkit::tables::model::{self, Cell, Settings};
use std::io::Cursor;
use std::path::PathBuf;

fn frozen(name: &str) -> PathBuf {
    ndbytes_testkit::frozen("idv").join(name)
}

fn open(name: &str) -> Table<'static> {
    idv::open(frozen(name)).unwrap()
}

fn scalar(name: &str, item: ItemType) -> NewColumn {
    NewColumn::new(name, ColumnType::scalar(item))
}

/// A file of these columns, in one uncompressed block each.
fn file(columns: Vec<(NewColumn, Values)>) -> Vec<u8> {
    file_in(PLAIN, columns)
}

fn file_in(settings: Settings, columns: Vec<(NewColumn, Values)>) -> Vec<u8> {
    let (columns, values): (Vec<NewColumn>, Vec<Values>) = columns.into_iter().unzip();
    let mut writer = Writer::new(columns).compression(settings.compression);
    if let Some(rows) = settings.rows_per_block {
        writer = writer.rows_per_block(rows);
    }
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&values).unwrap();
    writer.finish_sink().unwrap().into_inner()
}

/// Marks a file as version 1.1.1.N.
fn as_version(mut file: Vec<u8>, last: u8) -> Vec<u8> {
    file[8] = last;
    file[16] = last;
    file
}

/// Replaces bytes that occur once in a file.
fn replaced(mut file: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = (0..=file.len() - old.len()).filter(|&at| file[at..].starts_with(old)).collect();
    let [at] = places[..] else { panic!("{old:?} stands at {places:?}") };
    assert_eq!(old.len(), new.len());
    file[at..at + new.len()].copy_from_slice(new);
    file
}

fn cells(column: &Column<'_>) -> Vec<Cell> {
    model::cells(&column.read().unwrap())
}

fn ints(values: &Values) -> Vec<Option<i64>> {
    let int = |value| match value {
        Value::Int(number) => Some(number),
        Value::Null => None,
        other => panic!("{other:?}"),
    };
    values.iter().map(int).collect()
}

fn is_limit<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Limit { .. }))
}
