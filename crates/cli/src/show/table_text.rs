//! Tables for people: aligned columns, and the first and last rows of a long table.

use crate::show::cell::Cells;
use crate::show::printer::Printer;
use crate::show::style::{FAINT, HEADING, WARNING, counted};
use crate::show::text::{WIDEST, cut, named, width};
use ndbytes::Result;
use ndbytes::idv::{Column, ItemType, Table};
use std::io;
use std::ops::Range;

/// The most rows of a table that is shown in full.
const MOST_ROWS: u64 = 60;

/// The number of first and last rows that are shown of a longer table.
const FIRST_ROWS: u64 = 20;
const LAST_ROWS: u64 = 10;

/// The widest cell, if a column does not have the terminal for itself.
const WIDEST_CELL: usize = 50;

/// The widest row, if the terminal sets no bounds.
const WIDEST_ROW: usize = 1000;

/// Between columns.
const SPACE: usize = 2;

/// Columns that are named one by one below the table.
const MOST_NAMED: usize = 8;

/// Prints a table. Only the rows that are shown are read.
///
/// # Errors
/// Inner: the error of reading values. Outer: the error of printing.
pub fn print(table: &Table<'_>, terminal: Option<usize>, out: &mut Printer<'_>) -> io::Result<Result<()>> {
    let rows = shown_rows(table.rows());
    let labels = rows.iter().cloned().flatten().map(|row| row.to_string());
    let labels = Printed::new(String::new(), String::new(), labels.collect(), Align::Right);
    let mut room = terminal.unwrap_or(WIDEST_ROW).saturating_sub(labels.width());
    let (seen, unseen): (Vec<_>, Vec<_>) = table.columns().partition(|it| it.is_readable() && !it.is_hidden());
    let mut printed = Vec::new();
    for column in &seen {
        let column = match read(column, &rows, terminal) {
            Ok(column) => column,
            Err(error) => return Ok(Err(error)),
        };
        // The first column is shown even if it has to be cut.
        if column.width() + SPACE > room && !printed.is_empty() {
            break;
        }
        room = room.saturating_sub(column.width() + SPACE);
        printed.push(column);
    }
    if let Some(width) = terminal {
        widen(&mut printed, room);
        if let [column] = &mut printed[..] {
            column.room = column.room.min(width.saturating_sub(labels.width() + SPACE).max(1));
        }
    }
    if !printed.is_empty() {
        let left = table.rows() - labels.cells.len() as u64;
        print_grid(&labels, &printed, left, out)?;
    }
    let count = |number: usize| counted(number as u64, "column");
    writeln!(out, "{FAINT}{} × {}{FAINT:#}", counted(table.rows(), "row"), count(table.columns().len()))?;
    let left = seen[printed.len()..].iter().map(|column| named(&column.name(), WIDEST_CELL));
    if left.len() > 0 {
        let width = terminal.unwrap_or(WIDEST_ROW);
        let count = count(seen.len() - printed.len());
        let text = format!("{count} not shown for want of room: {}", list(left, width.saturating_sub(36)));
        writeln!(out, "{FAINT}{}{FAINT:#}", cut(&text, width))?;
    }
    for column in unseen.iter().take(MOST_NAMED) {
        let (name, reason) = (cut(&column.name(), WIDEST_CELL), unseen_for(column));
        writeln!(out, "{WARNING}column {} \"{name}\" is not shown:{WARNING:#} {reason}", column.index())?;
    }
    if unseen.len() > MOST_NAMED {
        writeln!(
            out,
            "{WARNING}{} more are not shown{WARNING:#}: see `ndbytes info`",
            count(unseen.len() - MOST_NAMED)
        )?;
    }
    Ok(Ok(()))
}

/// The rows of a table that are shown: all of them and an empty range, or the first and the last ones.
fn shown_rows(count: u64) -> [Range<u64>; 2] {
    if count <= MOST_ROWS { [0..count, count..count] } else { [0..FIRST_ROWS, count - LAST_ROWS..count] }
}

/// The reason why a column is not shown.
fn unseen_for(column: &Column<'_>) -> String {
    let codec = column.codec();
    let shown = cut(&codec, WIDEST_CELL);
    match (column.is_readable(), column.column_type()) {
        (true, _) => "a later column has the same name; --json has both".into(),
        (false, None) if matches!(&*codec, "VBuffer" | "Key" | "Key2") => {
            format!("the codec inside \"{shown}\" is unknown")
        }
        (false, None) => format!("its codec \"{shown}\" is unknown"),
        (false, Some(_)) => "its compression is unknown".into(),
    }
}

/// As many names as there is room for.
fn list(names: impl ExactSizeIterator<Item = String>, room: usize) -> String {
    let mut text = String::new();
    let count = names.len();
    for (place, name) in names.enumerate() {
        let more = format!("{}{name}", if place > 0 { ", " } else { "" });
        if place > 0 && (place == MOST_NAMED || width(&text) + width(&more) + 12 > room) {
            return format!("{text}, … +{}", count - place);
        }
        text += &more;
    }
    text
}

#[derive(Clone, Copy, PartialEq)]
enum Align {
    Left,
    Right,
    /// Numbers whose points stand below each other.
    Point,
}

fn align(item: ItemType) -> Align {
    match item {
        ItemType::F32 | ItemType::F64 => Align::Point,
        ItemType::Text | ItemType::Bool | ItemType::TimeSpan | ItemType::DateTime | ItemType::DateTimeOffset => {
            Align::Left
        }
        _ => Align::Right,
    }
}

/// A column as it is printed.
struct Printed {
    name: String,
    type_name: String,
    cells: Vec<String>,
    align: Align,
    /// The width of the widest cell before cutting.
    wanted: usize,
    /// The widest cell that is not cut.
    room: usize,
}

impl Printed {
    fn new(name: String, type_name: String, cells: Vec<String>, align: Align) -> Self {
        let heads = [width(&name).min(WIDEST_CELL), width(&type_name).min(WIDEST_CELL / 2)];
        let wanted = cells.iter().map(|cell| width(cell)).chain(heads).max().unwrap_or(0);
        Printed { name, type_name, cells, align, wanted, room: WIDEST_CELL }
    }

    fn width(&self) -> usize {
        self.wanted.min(self.room)
    }

    /// Text as wide as the column.
    fn padded(&self, text: &str) -> String {
        let text = cut(text, self.width());
        let padding = " ".repeat(self.width() - width(&text));
        if self.align == Align::Left { text + &padding } else { padding + &text }
    }
}

/// Reads the rows of a column that are shown.
fn read(column: &Column<'_>, rows: &[Range<u64>; 2], terminal: Option<usize>) -> Result<Printed> {
    let column_type = column.column_type().expect("columns without a type are not shown");
    let cells = Cells::of(column, column_type.item)?;
    let is_vector = column_type.dims.is_some();
    let align = if is_vector { Align::Left } else { align(cells.shown_type()) };
    // Texts may be widened later, vectors are not.
    let room = if is_vector { WIDEST_CELL } else { terminal.unwrap_or(0).max(WIDEST_CELL) };
    let mut texts = Vec::new();
    for rows in rows {
        let values = column.read_rows(rows.clone())?;
        texts.extend(values.iter().map(|value| cells.text(&value, room)));
    }
    if align == Align::Point {
        align_points(&mut texts);
    }
    Ok(Printed::new(named(&column.name(), WIDEST), column_type.to_string(), texts, align))
}

/// Adds blanks after numbers, so that their points are at the same place.
fn align_points(texts: &mut [String]) {
    let behind = |text: &str| text.find('.').map(|point| text.len() - point);
    let most = texts.iter().filter_map(|text| behind(text)).max().unwrap_or(0);
    for text in texts {
        if let Some(length) = behind(text) {
            text.extend(std::iter::repeat_n(' ', most - length));
        }
    }
}

/// Shares the room that is left among the columns that would have to be cut.
fn widen(columns: &mut [Printed], mut room: usize) {
    let mut cut = columns.iter_mut().filter(|column| column.wanted > column.room).collect::<Vec<_>>();
    cut.sort_by_key(|column| column.wanted);
    let mut count = cut.len();
    for column in cut {
        let more = (room / count).min(column.wanted - column.room);
        column.room += more;
        room -= more;
        count -= 1;
    }
}

/// Prints columns side by side; `left` rows between the first and the last ones are not among their cells.
fn print_grid(labels: &Printed, columns: &[Printed], left: u64, out: &mut Printer<'_>) -> io::Result<()> {
    let line = |cell: &dyn Fn(&Printed) -> String| {
        let cells = columns.iter().map(|column| format!("{:SPACE$}{}", "", column.padded(&cell(column))));
        cells.collect::<String>().trim_end().to_owned()
    };
    writeln!(out, "{}{HEADING}{}{HEADING:#}", labels.padded(""), line(&|column| column.name.clone()))?;
    writeln!(out, "{}{FAINT}{}{FAINT:#}", labels.padded(""), line(&|column| column.type_name.clone()))?;
    for place in 0..labels.cells.len() {
        if place as u64 == FIRST_ROWS && left > 0 {
            let more = counted(left, "more row");
            writeln!(out, "{FAINT}{}{:SPACE$}{more}{FAINT:#}", labels.padded("…"), "")?;
        }
        let label = labels.padded(&labels.cells[place]);
        writeln!(out, "{FAINT}{label}{FAINT:#}{}", line(&|column| column.cells[place].clone()))?;
    }
    Ok(())
}
