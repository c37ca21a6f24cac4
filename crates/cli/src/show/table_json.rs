//! Tables as JSON, in the format of `docs/src/json.md`: types and values exactly as in the file.

use crate::axes::{Axis, windows};
use crate::show::json;
use ndbytes::idv::{Column, ColumnType, ItemType, Table, Value, Values, Vector};
use ndbytes::{Error, Result};
use std::io::{self, Write};

/// The maximum number of rows to write for a table without columns.
const MOST_EMPTY_ROWS: u64 = 1 << 20;

/// The maximum number of rows to read together.
const MOST_TOGETHER: u64 = 1 << 16;

/// The part of a table to print.
pub struct Printed<'a> {
    pub table: &'a Table<'a>,
    /// The columns. Unreadable ones are left out, as in ML.NET.
    pub columns: Vec<Column<'a>>,
    /// The rows.
    pub rows: &'a [Axis],
    /// The text of the slice that selected the rows.
    pub slice: Option<String>,
}

/// Prints a table: its columns, and one row per line.
///
/// # Errors
/// Inner error: the values cannot be read. Outer error: the output cannot be written.
pub fn print(printed: &Printed<'_>, out: &mut dyn Write) -> io::Result<Result<()>> {
    let Printed { table, columns, rows, slice } = printed;
    let columns: Vec<&Column<'_>> = columns.iter().filter(|column| column.is_readable()).collect();
    let row_count = rows.iter().map(|axis| axis.count).fold(0, u64::saturating_add);
    write!(out, "{{\"version\":\"{}/{}\",", table.version(), table.compatible_version())?;
    write!(out, "\"rowCount\":{row_count},")?;
    if let Some(slice) = slice {
        write!(out, "\"slice\":")?;
        json::value(out, slice)?;
        write!(out, ",")?;
    }
    write!(out, "\n\"columns\":[")?;
    for (place, column) in columns.iter().enumerate() {
        out.write_all(if place == 0 { b"\n " } else { b",\n " })?;
        if let Err(error) = print_column(column, out)? {
            return Ok(Err(error));
        }
    }
    write!(out, "],\n\"rows\":[")?;
    let most = columns.first().filter(|column| column.block_count() > 0).map_or(1, |column| {
        let block = column.rows_of_block(0);
        (block.end - block.start).clamp(1, MOST_TOGETHER)
    });
    let mut first = true;
    for window in windows(rows, most).take_while(|_| !columns.is_empty()) {
        let values = columns.iter().map(|column| column.read_rows(window.span.clone()));
        let values = values.collect::<Result<Vec<Values>>>();
        let values = match values {
            Ok(values) => values,
            Err(error) => return Ok(Err(error)),
        };
        for row in window.places {
            out.write_all(if first { b"\n[" } else { b",\n[" })?;
            first = false;
            for (place, values) in values.iter().enumerate() {
                if place > 0 {
                    out.write_all(b",")?;
                }
                print_value(&values.get(row).expect("the row was read"), out)?;
            }
            out.write_all(b"]")?;
        }
    }
    // A table without columns may still have rows, but a few bytes can declare more of them than can be written.
    if columns.is_empty() && row_count <= MOST_EMPTY_ROWS {
        for row in 0..row_count {
            out.write_all(if row == 0 { b"\n[]" } else { b",\n[]" })?;
        }
    }
    writeln!(out, "]}}")?;
    Ok(Ok(()))
}

fn print_column(column: &Column<'_>, out: &mut dyn Write) -> io::Result<Result<(), Error>> {
    write!(out, "{{\"name\":")?;
    json::utf16(out, column.name().encode_utf16())?;
    print_type(column.column_type(), out)?;
    write!(out, ",\"hidden\":{},\"annotations\":[", column.is_hidden())?;
    let mut comma = "";
    for annotation in column.annotations().filter(|annotation| annotation.value_type().is_some()) {
        let value = match annotation.read() {
            Ok(value) => value,
            Err(Error::UnreadableColumn { .. }) => continue,
            Err(error) => return Ok(Err(error)),
        };
        write!(out, "{comma}\n   {{\"kind\":")?;
        comma = ",";
        json::utf16(out, annotation.kind().encode_utf16())?;
        print_type(annotation.value_type(), out)?;
        write!(out, ",\"value\":")?;
        print_value(&value.get(0).expect("an annotation is one value"), out)?;
        write!(out, "}}")?;
    }
    write!(out, "]}}")?;
    Ok(Ok(()))
}

fn print_type(column_type: Option<&ColumnType>, out: &mut dyn Write) -> io::Result<()> {
    let Some(column_type) = column_type else { return Ok(()) };
    write!(out, ",\"type\":")?;
    json::utf16(out, column_type.to_string().encode_utf16())?;
    write!(out, ",\"typeinfo\":")?;
    match &column_type.dims {
        None => print_item_type(column_type.item, out),
        Some(dims) => {
            let dims = dims.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            write!(out, "{{\"kind\":\"vector\",\"dims\":[{dims}],\"item\":")?;
            print_item_type(column_type.item, out)?;
            write!(out, "}}")
        }
    }
}

fn print_item_type(item: ItemType, out: &mut dyn Write) -> io::Result<()> {
    match item {
        ItemType::Key(key) => {
            write!(out, "{{\"kind\":\"key\",\"raw\":\"{}\",\"count\":{}}}", key.stored_as(), key.count)
        }
        ItemType::Text => write!(out, "{{\"kind\":\"Text\"}}"),
        other => write!(out, "{{\"kind\":\"{other}\"}}"),
    }
}

fn print_value(value: &Value<'_>, out: &mut dyn Write) -> io::Result<()> {
    match value {
        Value::Null => write!(out, "null"),
        Value::Int(number) => write!(out, "{number}"),
        Value::Uint(number) => write!(out, "{number}"),
        Value::RowId(id) => write!(out, "[{},{}]", *id as u64, id >> 64),
        Value::F32(number) if number.is_nan() => write!(out, "\"NaN({:#010x})\"", number.to_bits()),
        Value::F32(number) => print_float((*number).into(), out),
        Value::F64(number) if number.is_nan() => write!(out, "\"NaN({:#018x})\"", number.to_bits()),
        Value::F64(number) => print_float(*number, out),
        Value::Bool(value) => write!(out, "{value}"),
        Value::DateTimeOffset(time) => write!(out, "[{},{}]", time.ticks, time.offset_minutes),
        Value::Text(text) => json::utf16(out, text.utf16()),
        Value::Vector(vector) => print_vector(vector, out),
    }
}

fn print_float(number: f64, out: &mut dyn Write) -> io::Result<()> {
    match number {
        f64::INFINITY => write!(out, "\"Infinity\""),
        f64::NEG_INFINITY => write!(out, "\"-Infinity\""),
        number => write!(out, "{number:?}"),
    }
}

fn print_vector(vector: &Vector<'_>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"len\":{},", vector.len())?;
    if let Some(indices) = vector.indices() {
        let indices = indices.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        write!(out, "\"indices\":[{indices}],")?;
    }
    let name = if vector.indices().is_some() { "sparse" } else { "dense" };
    write!(out, "\"{name}\":[")?;
    for (place, item) in vector.stored().enumerate() {
        if place > 0 {
            out.write_all(b",")?;
        }
        print_value(&item, out)?;
    }
    write!(out, "]}}")
}
