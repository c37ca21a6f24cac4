//! The output of `info`, for people.

use crate::show::printer::Printer;
use crate::show::style::{self, FAINT, HEADING, WARNING};
use crate::show::text::{self, LONGEST, PADDED, WIDEST, cut, named, width};
use anstyle::Style;
use ndbytes::{ColumnInfo, Info, MetadataInfo};
use ndbytes_compare::digest::Digest;
use std::io;
use std::path::Path;

/// Prints the description of a file, and the columns of a table.
pub fn print(
    path: &Path,
    info: &Info,
    digest: Option<Digest>,
    terminal: Option<usize>,
    out: &mut Printer<'_>,
) -> io::Result<()> {
    writeln!(out, "{HEADING}{}{HEADING:#}", text::path(path))?;
    let mut row = |name: &str, value: &str| writeln!(out, "  {name:<12} {}", cut(value, LONGEST));
    row("format", info.format.title())?;
    row("size", &style::counted(info.size, "byte"))?;
    if let Some(version) = &info.version {
        row("version", version)?;
    }
    if let Some(array) = &info.array {
        row("dtype", &array.dtype)?;
        row("shape", &style::shape(&array.shape))?;
        row(
            "order",
            if array.order == "F" { "F (first axis varies fastest)" } else { "C (last axis varies fastest)" },
        )?;
    }
    if let Some(table) = &info.table {
        row("rows", &style::grouped(table.rows))?;
        row("columns", &style::grouped(table.columns.len() as u64))?;
    }
    for (name, value) in &info.details {
        // Metalayers and attributes with values follow below.
        if info.metadata.is_empty() || !matches!(*name, "metalayers" | "attributes") {
            row(name, &text::readable(value))?;
        }
    }
    for MetadataInfo { kind, name, value, flaw, .. } in &info.metadata {
        let unread = || flaw.map_or_else(|| "(not readable)".into(), |rule| format!("(not readable: {rule})"));
        let value = &value.clone().unwrap_or_else(unread);
        match name.is_empty() {
            true => row("", value)?,
            false => row(kind, &format!("{}: {value}", named(name, PADDED)))?,
        }
    }
    if let Some(digest) = digest {
        row("digest", &digest.to_string())?;
    }
    match &info.table {
        Some(table) if !table.columns.is_empty() => print_columns(&table.columns, terminal, out),
        _ => Ok(()),
    }
}

/// The parts of a column's description. The last one may exceed the width of the terminal.
const HEADS: [&str; 7] = ["#", "column", "type", "blocks", "stored", "compression", "annotations"];

/// The indices of the parts that are numbers.
const NUMBERS: [usize; 3] = [0, 3, 4];

/// The maximum number of columns that are listed.
const MOST_COLUMNS: usize = 1000;

/// The maximum width of a part on a terminal before it is cut.
const WIDEST_PART: usize = 36;

/// Prints the first columns of a table, in columns that fit the terminal.
fn print_columns(columns: &[ColumnInfo], terminal: Option<usize>, out: &mut Printer<'_>) -> io::Result<()> {
    let listed = &columns[..columns.len().min(MOST_COLUMNS)];
    let (widest, padded) = if terminal.is_some() { (WIDEST_PART, WIDEST_PART) } else { (WIDEST, PADDED) };
    let mut widths = HEADS.map(width);
    for (place, column) in listed.iter().enumerate() {
        for (most, part) in widths.iter_mut().zip(parts_of(place, column, padded)) {
            *most = width(&part).max(*most);
        }
    }
    let line = |cells: [&str; 7]| {
        let mut line = String::new();
        for (part, cell) in cells[..6].iter().enumerate() {
            let padding = " ".repeat(widths[part].saturating_sub(width(cell)));
            line += &if NUMBERS.contains(&part) { format!("  {padding}{cell}") } else { format!("  {cell}{padding}") };
        }
        let room = terminal.map_or(WIDEST, |columns| columns.saturating_sub(width(&line) + 2).max(8));
        format!("{line}  {}", cut(cells[6], room)).trim_end().to_owned()
    };
    writeln!(out, "\n{FAINT}{}{FAINT:#}", line(HEADS))?;
    for (place, column) in listed.iter().enumerate() {
        let style = if column.readable && !column.hidden { Style::new() } else { WARNING };
        let parts = parts_of(place, column, widest);
        writeln!(out, "{style}{}{style:#}", line(parts.each_ref().map(String::as_str)))?;
    }
    match columns.len() - listed.len() {
        0 => Ok(()),
        more => {
            writeln!(out, "  {FAINT}… and {}; --json lists them{FAINT:#}", style::counted(more as u64, "more column"))
        }
    }
}

/// Returns the parts of a column's description; only the last may be wider than `widest`.
fn parts_of(place: usize, column: &ColumnInfo, widest: usize) -> [String; 7] {
    let mut remarks = String::new();
    let mut remark = |text: &str| {
        // Remarks that do not fit on the terminal are not needed.
        if remarks.len() < LONGEST {
            remarks += if remarks.is_empty() { "" } else { ", " };
            remarks += text;
        }
    };
    for annotation in &column.annotations {
        remark(&cut(&annotation.kind, widest));
    }
    if column.hidden {
        remark("(hidden by a later column of this name)");
    }
    if !column.readable {
        let what = if column.compression.is_none() { "compression" } else { "codec" };
        remark(&format!("(not readable: its {what} is unknown)"));
    }
    [
        place.to_string(),
        named(&column.name, widest),
        cut(&column.r#type, widest),
        style::grouped(column.blocks),
        style::grouped(column.stored_bytes),
        column.compression.unwrap_or("?").to_owned(),
        remarks,
    ]
}

/// Returns a short description of a member.
pub fn holds(info: &Info) -> String {
    match (&info.array, &info.table) {
        (Some(array), _) => format!("{} of {}", style::shape(&array.shape), array.dtype),
        (None, Some(table)) => {
            format!("{}, {}", style::counted(table.rows, "row"), style::counted(table.columns.len() as u64, "column"))
        }
        // The kind of object in the frame, if it is not an array.
        (None, None) => info.details.values().next().cloned().unwrap_or_default(),
    }
}
