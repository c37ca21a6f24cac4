//! Tables for people: aligned columns, and the first and last rows of a long table.

use crate::axes::{Axis, Window, windows};
use crate::show::cell::Cells;
use crate::show::printer::Printer;
use crate::show::style::{FAINT, HEADING, WARNING, counted, grouped};
use crate::show::text::{WIDEST, cut, named, width};
use ndbytes::Result;
use ndbytes::idv::{Column, ItemType, Table};
use std::io;

/// The maximum number of rows of a table that is shown in full.
pub const MOST_ROWS: u64 = 60;

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

/// Rows that are read together.
const WINDOW: u64 = 1000;

/// The part of a table that is printed.
pub struct Shown<'a> {
    pub table: &'a Table<'a>,
    /// The columns that were requested, or `None` for all that are not hidden.
    pub columns: Option<Vec<Column<'a>>>,
    /// The rows.
    pub rows: &'a [Axis],
    /// True if all of the rows are printed, however many there are.
    pub all: bool,
}

/// Prints a table. Only the rows that are shown are read; of many rows, twice: for the widths of the columns, too.
///
/// # Errors
/// Inner: the error of reading values. Outer: the error of printing.
pub fn print(shown: &Shown<'_>, terminal: Option<usize>, out: &mut Printer<'_>) -> io::Result<Result<()>> {
    let table = shown.table;
    let row_count = shown.rows.iter().map(|axis| axis.count).fold(0, u64::saturating_add);
    let (rows, left) = rows_to_show(shown, row_count);
    let mut labels = Printed::new(String::new(), String::new(), Align::Right);
    labels.wanted = rows.iter().map(|axis| width(&last_row(axis).to_string())).max().unwrap_or(0);
    let mut room = terminal.unwrap_or(WIDEST_ROW).saturating_sub(labels.width());
    let (seen, unseen): (Vec<_>, Vec<_>) = match &shown.columns {
        Some(columns) => (columns.clone(), Vec::new()),
        None => table.columns().partition(|it| it.is_readable() && !it.is_hidden()),
    };
    let mut printed = Vec::new();
    for column in &seen {
        let column = match Shower::measure(column, &rows, terminal) {
            Ok(column) => column,
            Err(error) => return Ok(Err(error)),
        };
        // The first column is shown even if it has to be cut.
        if column.printed.width() + SPACE > room && !printed.is_empty() {
            break;
        }
        room = room.saturating_sub(column.printed.width() + SPACE);
        printed.push(column);
    }
    if let Some(width) = terminal {
        widen(&mut printed, room);
        if let [column] = &mut printed[..] {
            column.printed.room = column.printed.room.min(width.saturating_sub(labels.width() + SPACE).max(1));
        }
    }
    if !printed.is_empty()
        && let Err(error) = print_grid(&labels, &printed, &rows, left, out)?
    {
        return Ok(Err(error));
    }
    let count = |number: usize| counted(number as u64, "column");
    let of = if row_count == table.rows() { String::new() } else { format!(" of {}", grouped(table.rows())) };
    writeln!(out, "{FAINT}{}{of} × {}{FAINT:#}", counted(row_count, "row"), count(table.columns().len()))?;
    let not_shown = seen[printed.len()..].iter().map(|column| named(&column.name(), WIDEST_CELL));
    if not_shown.len() > 0 {
        let width = terminal.unwrap_or(WIDEST_ROW);
        let count = count(seen.len() - printed.len());
        let text = format!("{count} not shown for want of room: {}", list(not_shown, width.saturating_sub(36)));
        writeln!(out, "{FAINT}{}{FAINT:#}", cut(&text, width))?;
    }
    print_unseen(&unseen, out)?;
    Ok(Ok(()))
}

/// Names the columns that are hidden, or cannot be read.
fn print_unseen(unseen: &[Column<'_>], out: &mut Printer<'_>) -> io::Result<()> {
    for column in unseen.iter().take(MOST_NAMED) {
        let (name, reason) = (cut(&column.name(), WIDEST_CELL), unseen_for(column));
        writeln!(out, "{WARNING}column {} \"{name}\" is not shown:{WARNING:#} {reason}", column.index())?;
    }
    if unseen.len() > MOST_NAMED {
        writeln!(
            out,
            "{WARNING}{} more are not shown{WARNING:#}: see `ndbytes info`",
            counted((unseen.len() - MOST_NAMED) as u64, "column")
        )?;
    }
    Ok(())
}

/// The rows that are shown: all of them, or the first and the last ones; and the number of those between.
fn rows_to_show(shown: &Shown<'_>, count: u64) -> (Vec<Axis>, u64) {
    match shown.rows {
        [rows] if !shown.all && count > MOST_ROWS => {
            (vec![rows.first(FIRST_ROWS), rows.last(LAST_ROWS)], count - FIRST_ROWS - LAST_ROWS)
        }
        rows => (rows.to_vec(), 0),
    }
}

/// The greatest number of the rows of an axis.
fn last_row(rows: &Axis) -> u64 {
    rows.place(0).max(rows.place(rows.count.saturating_sub(1)))
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
    align: Align,
    /// The width of the widest cell before cutting.
    wanted: usize,
    /// The maximum number of columns that a number takes before its point, and from the point on.
    point: (usize, usize),
    /// The widest cell that is not cut.
    room: usize,
}

impl Printed {
    fn new(name: String, type_name: String, align: Align) -> Self {
        let wanted = width(&name).min(WIDEST_CELL).max(width(&type_name).min(WIDEST_CELL / 2));
        Printed { name, type_name, align, wanted, point: (0, 0), room: WIDEST_CELL }
    }

    /// Makes the column as wide as a cell.
    fn include(&mut self, cell: &str) {
        match cell.find('.').filter(|_| self.align == Align::Point) {
            Some(point) => {
                self.point = (self.point.0.max(point), self.point.1.max(cell.len() - point));
                self.wanted = self.wanted.max(self.point.0 + self.point.1);
            }
            None => self.wanted = self.wanted.max(width(cell)),
        }
    }

    fn width(&self) -> usize {
        self.wanted.min(self.room)
    }

    /// Text as wide as the column; numbers with their points below each other.
    fn padded(&self, text: &str) -> String {
        let point = text.find('.').filter(|_| self.align == Align::Point);
        let behind = point.map_or(0, |point| self.point.1.saturating_sub(text.len() - point));
        let text = cut(&format!("{text}{:behind$}", ""), self.width());
        let padding = " ".repeat(self.width() - width(&text));
        if self.align == Align::Left { text + &padding } else { padding + &text }
    }
}

/// A column whose cells are made when they are printed.
struct Shower<'a> {
    column: Column<'a>,
    cells: Cells,
    /// The widest text of a cell.
    room: usize,
    printed: Printed,
    /// The texts of all cells, if there are few.
    texts: Option<Vec<String>>,
}

impl<'a> Shower<'a> {
    /// Reads the rows of a column that are shown, for its width.
    fn measure(column: &Column<'a>, rows: &[Axis], terminal: Option<usize>) -> Result<Self> {
        let column_type = column.column_type().expect("columns without a type are not shown");
        let cells = Cells::of(column, column_type.item)?;
        let is_vector = column_type.dims.is_some();
        let align = if is_vector { Align::Left } else { align(cells.shown_type()) };
        // Texts may be widened later, vectors are not.
        let room = if is_vector { WIDEST_CELL } else { terminal.unwrap_or(0).max(WIDEST_CELL) };
        let printed = Printed::new(named(&column.name(), WIDEST), column_type.to_string(), align);
        let is_short = rows.iter().map(|axis| axis.count).fold(0, u64::saturating_add) <= WINDOW;
        let mut shower = Shower { column: *column, cells, room, printed, texts: is_short.then(Vec::new) };
        for window in windows(rows, WINDOW) {
            for text in shower.read(&window)? {
                shower.printed.include(&text);
                shower.texts.iter_mut().for_each(|texts| texts.push(text.clone()));
            }
        }
        Ok(shower)
    }

    /// The texts of the cells of some rows.
    fn read(&self, window: &Window) -> Result<Vec<String>> {
        let values = self.column.read_rows(window.span.clone())?;
        let cell = |&place: &usize| self.cells.text(&values.get(place).expect("the row was read"), self.room);
        Ok(window.places.iter().map(cell).collect())
    }
}

/// Shares the room that is left among the columns that would have to be cut.
fn widen(columns: &mut [Shower<'_>], mut room: usize) {
    let columns = columns.iter_mut().map(|column| &mut column.printed);
    let mut cut = columns.filter(|column| column.wanted > column.room).collect::<Vec<_>>();
    cut.sort_by_key(|column| column.wanted);
    let mut count = cut.len();
    for column in cut {
        let more = (room / count).min(column.wanted - column.room);
        column.room += more;
        room -= more;
        count -= 1;
    }
}

/// Prints columns side by side; `left` rows between the first and the last ones are not among them.
fn print_grid(
    labels: &Printed,
    columns: &[Shower<'_>],
    rows: &[Axis],
    left: u64,
    out: &mut Printer<'_>,
) -> io::Result<Result<()>> {
    let line = |cell: &dyn Fn(usize, &Shower<'_>) -> String| {
        let cells = columns.iter().enumerate();
        let cells =
            cells.map(|(place, column)| format!("{:SPACE$}{}", "", column.printed.padded(&cell(place, column))));
        cells.collect::<String>().trim_end().to_owned()
    };
    let heading = line(&|_, column| column.printed.name.clone());
    let types = line(&|_, column| column.printed.type_name.clone());
    writeln!(out, "{}{HEADING}{heading}{HEADING:#}", labels.padded(""))?;
    writeln!(out, "{}{FAINT}{types}{FAINT:#}", labels.padded(""))?;
    let mut shown = 0;
    for window in windows(rows, WINDOW) {
        let read = columns.iter().map(|column| match &column.texts {
            Some(texts) => Ok(texts[shown..shown + window.places.len()].to_vec()),
            None => column.read(&window),
        });
        let texts = match read.collect::<Result<Vec<Vec<String>>>>() {
            Ok(texts) => texts,
            Err(error) => return Ok(Err(error)),
        };
        for (row, place) in window.places.iter().enumerate() {
            if shown as u64 == FIRST_ROWS && left > 0 {
                let more = counted(left, "more row");
                writeln!(out, "{FAINT}{}{:SPACE$}{more}{FAINT:#}", labels.padded("…"), "")?;
            }
            let label = labels.padded(&(window.span.start + *place as u64).to_string());
            writeln!(out, "{FAINT}{label}{FAINT:#}{}", line(&|column, _| texts[column][row].clone()))?;
            shown += 1;
        }
    }
    Ok(Ok(()))
}
