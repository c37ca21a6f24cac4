//! Tables for people, with aligned columns, and with the first and last rows of a long table.
//!
//! Only the printed rows are read: of a billion rows, these are the first twenty and the last ten. If there are many,
//! they are read twice instead of being kept: once for the widths of the columns, and once for printing. Columns that
//! do not fit the terminal are named below the table.

use crate::axes::{Axis, Window, windows};
use crate::show::cell::Cells;
use crate::show::printer::Printer;
use crate::show::style::{FAINT, HEADING, WARNING, counted, grouped};
#[cfg(feature = "convert")]
use crate::show::text::readable;
use crate::show::text::{WIDEST, cut, named, width};
use ndbytes::Result;
use ndbytes::idv::{Column, ItemType, Table};
use std::io;

/// The maximum number of rows of a table that is shown completely.
pub const MOST_ROWS: u64 = 60;

/// The number of first and of last rows to show of a longer table.
const FIRST_ROWS: u64 = 20;
const LAST_ROWS: u64 = 10;

/// The maximum width of a cell, unless a column has the terminal to itself.
const WIDEST_CELL: usize = 50;

/// The maximum width of a row, if there is no terminal.
const WIDEST_ROW: usize = 1000;

/// The space between columns.
const SPACE: usize = 2;

/// The maximum number of columns to name below the table.
const MOST_NAMED: usize = 8;

/// The number of rows to read together.
const WINDOW: u64 = 1000;

/// The part of a table to print.
pub struct Shown<'a> {
    pub table: &'a Table<'a>,
    /// The requested columns, or `None` for all columns that are not hidden.
    pub columns: Option<Vec<Column<'a>>>,
    /// The rows.
    pub rows: &'a [Axis],
    /// Whether to print all rows, however many there are.
    pub all: bool,
}

/// Prints a table. Only the printed rows are read; if there are many, they are read twice, since the widths of the
/// columns are needed first.
///
/// # Errors
/// Inner error: the values cannot be read. Outer error: the output cannot be written.
pub fn print(shown: &Shown<'_>, terminal: Option<usize>, out: &mut Printer<'_>) -> io::Result<Result<()>> {
    let table = shown.table;
    let row_count = shown.rows.iter().map(|axis| axis.count).fold(0, u64::saturating_add);
    let (rows, left) = rows_to_show(shown.rows, shown.all);
    let labels = labels_of(&rows);
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
    fit(&mut printed, &labels, terminal, room);
    if !printed.is_empty()
        && let Err(error) = print_grid(&labels, &printed, &rows, left, out)?
    {
        return Ok(Err(error));
    }
    print_size([row_count, table.rows()], table.columns().len(), out)?;
    let not_shown = seen[printed.len()..].iter().map(|column| named(&column.name(), WIDEST_CELL));
    print_without_room(not_shown, terminal, out)?;
    print_unseen(&unseen, out)?;
    Ok(Ok(()))
}

/// A column whose cells are available as text.
#[cfg(feature = "convert")]
pub struct CellColumn {
    pub name: String,
    pub type_name: String,
    pub is_number: bool,
    /// The cells of the printed rows.
    pub texts: Vec<String>,
}

/// Prints some rows of a table with `all` rows, and the number of omitted rows in between.
#[cfg(feature = "convert")]
pub fn print_cells(
    columns: Vec<CellColumn>,
    (rows, left): (&[Axis], u64),
    all: u64,
    terminal: Option<usize>,
    out: &mut Printer<'_>,
) -> io::Result<()> {
    let labels = labels_of(rows);
    let mut room = terminal.unwrap_or(WIDEST_ROW).saturating_sub(labels.width());
    let names: Vec<String> = columns.iter().map(|column| named(&column.name, WIDEST_CELL)).collect();
    let widest = terminal.unwrap_or(0).max(WIDEST_CELL);
    let mut printed: Vec<Shower<'_>> = Vec::new();
    for column in columns {
        let column = Shower::of_texts(column, widest);
        // The first column is shown even if it has to be cut.
        if column.printed.width() + SPACE > room && !printed.is_empty() {
            break;
        }
        room = room.saturating_sub(column.printed.width() + SPACE);
        printed.push(column);
    }
    fit(&mut printed, &labels, terminal, room);
    if !printed.is_empty() {
        // All texts are available, so no read can fail.
        let _ = print_grid(&labels, &printed, rows, left, out)?;
    }
    let count = rows.iter().map(|axis| axis.count).fold(left, u64::saturating_add);
    print_size([count, all], names.len(), out)?;
    print_without_room(names[printed.len()..].iter().cloned(), terminal, out)
}

/// Prints the numbers of rows and columns.
fn print_size([count, all]: [u64; 2], columns: usize, out: &mut Printer<'_>) -> io::Result<()> {
    let of = if count == all { String::new() } else { format!(" of {}", grouped(all)) };
    let columns = counted(columns as u64, "column");
    writeln!(out, "{FAINT}{}{of} × {columns}{FAINT:#}", counted(count, "row"))
}

/// Names the columns that do not fit on the terminal.
fn print_without_room(
    names: impl ExactSizeIterator<Item = String>,
    terminal: Option<usize>,
    out: &mut Printer<'_>,
) -> io::Result<()> {
    if names.len() == 0 {
        return Ok(());
    }
    let width = terminal.unwrap_or(WIDEST_ROW);
    let count = counted(names.len() as u64, "column");
    let text =
        format!("{count} not shown, because the terminal is too narrow: {}", list(names, width.saturating_sub(36)));
    writeln!(out, "{FAINT}{}{FAINT:#}", cut(&text, width))
}

/// Returns the column of row numbers.
fn labels_of(rows: &[Axis]) -> Printed {
    let mut labels = Printed::new(String::new(), String::new(), Align::Right);
    labels.wanted = rows.iter().map(|axis| width(&last_row(axis).to_string())).max().unwrap_or(0);
    labels
}

/// Distributes the width of a terminal among the columns.
fn fit(printed: &mut [Shower<'_>], labels: &Printed, terminal: Option<usize>, room: usize) {
    let Some(width) = terminal else { return };
    widen(printed, room);
    if let [column] = printed {
        column.printed.room = column.printed.room.min(width.saturating_sub(labels.width() + SPACE).max(1));
    }
}

/// Names the columns that are hidden or unreadable.
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

/// Prints why a column is not shown.
#[cfg(feature = "convert")]
pub fn print_unshown(name: &str, reason: &str, out: &mut Printer<'_>) -> io::Result<()> {
    let name = cut(name, WIDEST_CELL);
    writeln!(out, "{WARNING}the column \"{name}\" is not shown:{WARNING:#} it {reason}")
}

/// Returns the rows to show (all of them, or the first and the last ones), and the number of rows in between.
pub fn rows_to_show(rows: &[Axis], all: bool) -> (Vec<Axis>, u64) {
    match rows {
        [rows] if !all && rows.count > MOST_ROWS => {
            (vec![rows.first(FIRST_ROWS), rows.last(LAST_ROWS)], rows.count - FIRST_ROWS - LAST_ROWS)
        }
        rows => (rows.to_vec(), 0),
    }
}

/// Returns the largest row number of an axis.
fn last_row(rows: &Axis) -> u64 {
    rows.place(0).max(rows.place(rows.count.saturating_sub(1)))
}

/// Returns why a column is not shown.
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

/// Lists as many names as fit.
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
    /// Numbers aligned at their decimal points.
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

/// A column to print.
struct Printed {
    name: String,
    type_name: String,
    align: Align,
    /// The width of the widest cell before cutting.
    wanted: usize,
    /// The maximum widths of numbers before the point, and from the point on.
    point: (usize, usize),
    /// The maximum width of a cell before it is cut.
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

    /// Pads text to the width of the column; numbers are aligned at their points.
    fn padded(&self, text: &str) -> String {
        let point = text.find('.').filter(|_| self.align == Align::Point);
        let behind = point.map_or(0, |point| self.point.1.saturating_sub(text.len() - point));
        let text = cut(&format!("{text}{:behind$}", ""), self.width());
        let padding = " ".repeat(self.width() - width(&text));
        if self.align == Align::Left { text + &padding } else { padding + &text }
    }
}

/// A column whose cells are formatted when they are printed.
struct Shower<'a> {
    /// The column to read the texts from. `None` if all texts are available.
    column: Option<(Column<'a>, Cells)>,
    /// The maximum width of a cell's text.
    room: usize,
    printed: Printed,
    /// The texts of all cells, if there are only a few.
    texts: Option<Vec<String>>,
}

impl<'a> Shower<'a> {
    /// Reads the shown rows of a column to determine its width.
    fn measure(column: &Column<'a>, rows: &[Axis], terminal: Option<usize>) -> Result<Self> {
        let column_type = column.column_type().expect("columns without a type are not shown");
        let cells = Cells::of(column, column_type.item)?;
        let is_vector = column_type.dims.is_some();
        let align = if is_vector { Align::Left } else { align(cells.shown_type()) };
        // Texts may be widened later, but not vectors.
        let room = if is_vector { WIDEST_CELL } else { terminal.unwrap_or(0).max(WIDEST_CELL) };
        let printed = Printed::new(named(&column.name(), WIDEST), column_type.to_string(), align);
        let is_short = rows.iter().map(|axis| axis.count).fold(0, u64::saturating_add) <= WINDOW;
        let mut shower = Shower { column: Some((*column, cells)), room, printed, texts: is_short.then(Vec::new) };
        for window in windows(rows, WINDOW) {
            for text in shower.read(&window)? {
                shower.printed.include(&text);
                shower.texts.iter_mut().for_each(|texts| texts.push(text.clone()));
            }
        }
        Ok(shower)
    }

    /// Creates a column whose texts are available.
    #[cfg(feature = "convert")]
    fn of_texts(column: CellColumn, room: usize) -> Self {
        let CellColumn { name, type_name, is_number, texts } = column;
        let align = if is_number { Align::Point } else { Align::Left };
        let mut printed = Printed::new(named(&name, WIDEST), type_name, align);
        let texts: Vec<String> = texts.iter().map(|text| cut(&readable(text), room)).collect();
        texts.iter().for_each(|text| printed.include(text));
        Shower { column: None, room, printed, texts: Some(texts) }
    }

    /// Reads the texts of the cells in some rows.
    fn read(&self, window: &Window) -> Result<Vec<String>> {
        let Some((column, cells)) = &self.column else { return Ok(Vec::new()) };
        let values = column.read_rows(window.span.clone())?;
        let cell = |&place: &usize| cells.text(&values.get(place).expect("the row was read"), self.room);
        Ok(window.places.iter().map(cell).collect())
    }
}

/// Distributes the remaining width among the columns that would otherwise be cut.
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

/// Prints columns side by side, without the `left` rows between the first and the last ones.
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
