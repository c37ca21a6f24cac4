//! `ndbytes info`

use super::style::{self, FAINT, HEADING, WARNING};
use super::{Context, Outcome, Paths, json, open, report, streams};
use anstyle::Style;
use ndbytes::archive::{Archive, is_archive};
use ndbytes::{ColumnInfo, Error, Info, Input, Limits, Result};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// Say what files are: format, element type and shape, or columns, sizes, compression. The payload is not looked at. Of a
/// zip archive, the IDV streams are listed.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    paths: Paths,
}

#[derive(Serialize)]
struct InfoObject<'a> {
    path: String,
    #[serde(flatten)]
    info: &'a Info,
}

/// What is printed of a file that is none, or breaks a rule.
#[derive(Serialize)]
struct Refusal<'a> {
    path: String,
    format: Option<&'static str>,
    finding: json::FindingObject<'a>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for (place, path) in arguments.paths.paths.iter().enumerate() {
        let looked = open(path, context.limits).and_then(|input| look(input, context.limits));
        if place > 0 && !arguments.json && looked.is_ok() {
            writeln!(context.out)?;
        }
        let ended = match looked {
            Ok(Looked::File(info)) => tell(Ok(*info), path, arguments, context)?,
            Ok(Looked::Archive(archive)) if arguments.json => {
                let mut worst = Outcome::Clean;
                for (stream, loaded) in archive.load_each() {
                    let info = loaded.and_then(|input| ndbytes::info(input, &context.limits));
                    worst = worst.max(tell(info, &archive.address(stream), arguments, context)?);
                }
                worst
            }
            Ok(Looked::Archive(archive)) => streams::print(path, &archive, context)?,
            Err(error) => tell(Err(error), path, arguments, context)?,
        };
        outcome = outcome.max(ended);
    }
    Ok(outcome)
}

/// What a path leads to.
enum Looked {
    File(Box<Info>),
    /// An archive with IDV streams.
    Archive(Box<Archive<'static>>),
}

fn look(mut input: Input<'static>, limits: Limits) -> Result<Looked> {
    if is_archive(&input) {
        let archive = Archive::read(input, limits)?;
        if !archive.streams().is_empty() {
            return Ok(Looked::Archive(archive.into()));
        }
        input = archive.into_input();
    }
    ndbytes::info(input, &limits).map(|info| Looked::File(info.into()))
}

fn tell(info: Result<Info>, path: &Path, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    match info {
        Ok(info) if arguments.json => {
            json::line(context.out, &InfoObject { path: path.display().to_string(), info: &info })?;
        }
        Ok(info) => print(path, &info, context)?,
        Err(Error::Invalid(finding)) if arguments.json => {
            let finding = (&*finding).into();
            json::line(context.out, &Refusal { path: path.display().to_string(), format: None, finding })?;
            return Ok(Outcome::Findings);
        }
        Err(error) => return report(&error, path, context),
    }
    Ok(Outcome::Clean)
}

fn print(path: &Path, info: &Info, context: &mut Context<'_>) -> io::Result<()> {
    let out = &mut *context.out;
    writeln!(out, "{HEADING}{}{HEADING:#}", style::harmless(&super::shown(path)))?;
    let mut row = |name: &str, value: &str| writeln!(out, "  {name:<12} {value}");
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
        row(name, &style::readable(value))?;
    }
    match &info.table {
        Some(table) if !table.columns.is_empty() => print_columns(&table.columns, out),
        _ => Ok(()),
    }
}

/// What there is to say about a column; the last part may be longer than the terminal is wide.
const HEADS: [&str; 7] = ["#", "column", "type", "blocks", "stored", "compression", "annotations"];

/// The parts that are numbers.
const NUMBERS: [usize; 3] = [0, 3, 4];

/// The widest part that is not cut, on a terminal.
const WIDEST: usize = 36;

fn print_columns(columns: &[ColumnInfo], out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<[String; 7]> = columns.iter().enumerate().map(|(place, column)| parts_of(place, column)).collect();
    let terminal = style::terminal_width();
    let widest = if terminal.is_some() { WIDEST } else { usize::MAX };
    let widths: [usize; 7] = std::array::from_fn(|part| {
        let cells = rows.iter().map(|row| style::width(&row[part]));
        cells.chain([style::width(HEADS[part])]).max().unwrap_or(0).min(widest)
    });
    let line = |cells: [&str; 7]| {
        let mut line = String::new();
        for (part, cell) in cells.into_iter().enumerate().take(6) {
            let cell = style::cut(cell, widths[part]);
            let padding = " ".repeat(widths[part] - style::width(&cell));
            line += &if NUMBERS.contains(&part) { format!("  {padding}{cell}") } else { format!("  {cell}{padding}") };
        }
        let room = terminal.map_or(usize::MAX, |width| width.saturating_sub(style::width(&line) + 2).max(8));
        format!("{line}  {}", style::cut(cells[6], room)).trim_end().to_owned()
    };
    writeln!(out, "\n{FAINT}{}{FAINT:#}", line(HEADS))?;
    for (row, column) in rows.iter().zip(columns) {
        let style = if column.readable && !column.hidden { Style::new() } else { WARNING };
        writeln!(out, "{style}{}{style:#}", line(row.each_ref().map(String::as_str)))?;
    }
    Ok(())
}

fn parts_of(place: usize, column: &ColumnInfo) -> [String; 7] {
    let mut remarks: Vec<String> =
        column.annotations.iter().map(|annotation| style::escaped(&annotation.kind)).collect();
    if column.hidden {
        remarks.push("(hidden by a later column of this name)".into());
    }
    if !column.readable {
        let what = if column.compression.is_none() { "compression" } else { "codec" };
        remarks.push(format!("(not readable: its {what} is not known)"));
    }
    [
        place.to_string(),
        style::named(&column.name),
        style::escaped(&column.r#type),
        style::grouped(column.blocks),
        style::grouped(column.stored_bytes),
        column.compression.unwrap_or("?").to_owned(),
        remarks.join(", "),
    ]
}
