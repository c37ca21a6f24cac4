//! Tables from third-party files as JSON, in the format of `docs/src/json.md`.

use crate::show::json;
use ndbytes_convert::ShownColumn;
use ndbytes_convert::text::Cell;
use std::io::{self, Write};

/// The part before the rows.
pub struct Head<'h> {
    /// The path as given by the user.
    pub path: String,
    pub format: &'static str,
    /// The text of the slice that selected the rows.
    pub slice: Option<String>,
    pub columns: &'h [ShownColumn],
}

/// Prints a table: its columns, and one row per line.
pub fn print<'c>(
    head: &Head<'_>,
    rows: impl Iterator<Item = &'c Vec<Cell>> + Clone,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{{\"path\":")?;
    json::value(out, &head.path)?;
    write!(out, ",\"format\":\"{}\",\"rowCount\":{}", head.format, rows.clone().count())?;
    if let Some(slice) = &head.slice {
        write!(out, ",\"slice\":")?;
        json::value(out, slice)?;
    }
    write!(out, ",\n\"columns\":[")?;
    for (place, column) in head.columns.iter().enumerate() {
        out.write_all(if place == 0 { b"\n {\"name\":" } else { b",\n {\"name\":" })?;
        json::value(out, &column.name)?;
        write!(out, ",\"type\":")?;
        json::value(out, &column.type_name)?;
        write!(out, "}}")?;
    }
    write!(out, "],\n\"rows\":[")?;
    for (place, cells) in rows.enumerate() {
        out.write_all(if place == 0 { b"\n[" } else { b",\n[" })?;
        for (place, cell) in cells.iter().enumerate() {
            write!(out, "{}{}", if place == 0 { "" } else { "," }, cell.to_json())?;
        }
        out.write_all(b"]")?;
    }
    writeln!(out, "]}}")
}
