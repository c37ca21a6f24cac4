//! Writing tables: written tables can be read again, and invalid ones are refused.

mod blocks;
mod random;
mod refused;
mod same;
mod sinks;

use ndbytes::Error;
use ndbytes::idv::{self, ColumnType, ItemType, NewColumn, TableWriter, Values, Writer};
use ndbytes_testkit::tables::model::Settings;
use std::io::Cursor;

fn scalar(item: ItemType) -> ColumnType {
    ColumnType::scalar(item)
}

fn vector(item: ItemType, dims: &[u32]) -> ColumnType {
    ColumnType::vector(item, dims)
}

/// The reason for a refusal, as stated in the error.
fn inexpressible<T>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::Inexpressible { format: "IDV", what }) => what,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

/// Starts writing a table of one column.
fn begin(column: NewColumn) -> Result<TableWriter<Cursor<Vec<u8>>>, Error> {
    Writer::new([column]).begin(Cursor::new(Vec::new()))
}

/// Writes a table of one column and returns the file.
fn write(column_type: ColumnType, values: Values) -> Result<Vec<u8>, Error> {
    let mut writer = begin(NewColumn::new("a", column_type))?;
    writer.write(&[values])?;
    Ok(writer.finish_sink()?.into_inner())
}

/// Reads a file, and writes the values again, all at once.
fn written_again(file: &[u8], settings: Settings) -> Vec<u8> {
    let table = idv::from_slice(file).unwrap();
    let columns = table.columns().map(|column| {
        let new = NewColumn::new(column.name(), column.column_type().unwrap().clone());
        column.annotations().fold(new, |new, annotation| {
            new.annotation(annotation.kind(), annotation.value_type().unwrap().clone(), annotation.read().unwrap())
        })
    });
    let mut writer = Writer::new(columns).compression(settings.compression);
    if let Some(rows) = settings.rows_per_block {
        writer = writer.rows_per_block(rows);
    }
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    match table.columns().len() {
        0 => writer.write_empty_rows(table.rows()).unwrap(),
        _ => writer.write(&table.columns().map(|column| column.read().unwrap()).collect::<Vec<_>>()).unwrap(),
    }
    writer.finish_sink().unwrap().into_inner()
}
