//! The values of files and stores for which ndbytes has no rules.

use super::arguments::Arguments;
use super::array::{Source, print_array};
use crate::axes::Axis;
use crate::context::Context;
use crate::show::cells_json;
use crate::show::table_text::{self, CellColumn};
use crate::values::foreign::{Foreign, failure};
use crate::values::grid::Grid;
use crate::values::open::{Failure, chosen};
use crate::values::slice::Chosen;
use ndbytes::Memory;
use ndbytes_convert::TableSource;
use ndbytes_convert::text::{Cell, CellKind};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// A function that prints the path, if there are several.
type Head<'h> = &'h dyn Fn(&mut Context<'_>) -> io::Result<()>;

/// Prints the values.
///
/// # Errors
/// Inner error: the values cannot be read. Outer error: the output cannot be written.
pub fn print(
    foreign: &Foreign,
    path: &Path,
    head: Head<'_>,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Result<(), Failure>> {
    if let Some(table) = foreign.table() {
        return match Rows::read(foreign, table, arguments, context) {
            Ok(rows) => {
                head(context)?;
                rows.print(path, foreign, arguments, context)
            }
            Err(failure) => Ok(Err(failure)),
        };
    }
    if !arguments.columns.is_empty() {
        return Ok(Err(Failure::Words("`--columns` works only with tables, but this is an array".into())));
    }
    let array = match foreign.array() {
        Ok(array) => array,
        Err(failure) => return Ok(Err(failure)),
    };
    let source = array.source();
    let wanted = chosen(foreign.slice.as_ref(), source.shape()).and_then(|chosen| arguments.wanted(chosen));
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(failure) => return Ok(Err(failure)),
    };
    head(context)?;
    let of = Source { path, slice: foreign.slice.as_ref(), length: source.length() };
    print_array(Grid::Foreign(&source, foreign.kind()), of, &wanted, arguments, context)
}

/// The rows of a table to print.
struct Rows {
    table: TableSource,
    axes: Vec<Axis>,
    /// The number of omitted rows between the first and the last ones.
    left: u64,
    count: u64,
    cells: BTreeMap<u64, Vec<Cell>>,
}

impl Rows {
    /// Reads the cells of the requested rows and counts all rows.
    fn read(
        foreign: &Foreign,
        table: &TableSource,
        arguments: &Arguments,
        context: &Context<'_>,
    ) -> Result<Self, Failure> {
        if arguments.images.is_some() {
            return Err(Failure::Words("`--images` works only with arrays, but this is a table".into()));
        }
        let all = foreign.rows(table)?;
        let wanted = arguments.wanted(all)?;
        let axes: Vec<Axis> = wanted.iter().flat_map(Chosen::axes).collect();
        let is_whole = arguments.json || arguments.shows_all();
        let (axes, left) = table_text::rows_to_show(&axes, is_whole);
        let table = match &arguments.columns[..] {
            [] => table.clone(),
            names => table.clone().columns(names),
        };
        let cells = cells(&table, &axes, context)?;
        let count = table.count().map_err(failure)?;
        Ok(Rows { table, axes, left, count, cells })
    }

    /// Prints the rows as text or as JSON, and names the columns that cannot be shown.
    fn print(
        &self,
        path: &Path,
        foreign: &Foreign,
        arguments: &Arguments,
        context: &mut Context<'_>,
    ) -> io::Result<Result<(), Failure>> {
        let columns = match self.table.shown_columns(context.limits) {
            Ok(columns) => columns,
            Err(error) => return Ok(Err(failure(error))),
        };
        let (seen, unseen): (Vec<_>, Vec<_>) = columns.into_iter().partition(|column| column.unshown.is_none());
        let rows = || self.axes.iter().flat_map(|axis| (0..axis.count).map(move |wanted| axis.place(wanted)));
        let rows = || rows().filter_map(|place| self.cells.get(&place));
        if arguments.json {
            let (slice, path) = (foreign.slice.as_ref().map(ToString::to_string), path.display().to_string());
            let head = cells_json::Head { path, format: foreign.kind().name(), slice, columns: &seen };
            return cells_json::print(&head, rows(), context.out.machine()).map(Ok);
        }
        let column = |(place, column): (usize, &ndbytes_convert::ShownColumn)| CellColumn {
            name: column.name.clone(),
            type_name: column.type_name.clone(),
            is_number: column.is_number,
            texts: rows().map(|cells| shown(&cells[place])).collect(),
        };
        let columns: Vec<CellColumn> = seen.iter().enumerate().map(column).collect();
        let all = arguments.shows_all();
        if !all {
            context.out.begin_room(self.table.length());
        }
        table_text::print_cells(columns, (&self.axes, self.left), self.count, context.width, &mut context.out)?;
        for column in unseen {
            let reason = column.unshown.unwrap_or_default();
            table_text::print_unshown(&column.name, &reason, &mut context.out)?;
        }
        if !all {
            context.out.end_room()?;
        }
        Ok(Ok(()))
    }
}

/// Formats a cell for people.
fn shown(cell: &Cell) -> String {
    match cell.kind {
        CellKind::Missing => "null".to_owned(),
        CellKind::Bare | CellKind::Text => cell.text.clone(),
    }
}

/// Returns the cells of some rows, by index.
fn cells(table: &TableSource, axes: &[Axis], context: &Context<'_>) -> Result<BTreeMap<u64, Vec<Cell>>, Failure> {
    let axes: Vec<&Axis> = axes.iter().filter(|axis| axis.count > 0).collect();
    let ends = |axis: &&Axis| [axis.place(0), axis.place(axis.count - 1)];
    let (first, last) = (axes.iter().flat_map(ends).min(), axes.iter().flat_map(ends).max());
    let (Some(first), Some(last)) = (first, last) else { return Ok(BTreeMap::new()) };
    let is_wanted = |row: u64| {
        axes.iter().any(|axis| {
            let [one, other] = ends(axis);
            let is_within = (one.min(other)..=one.max(other)).contains(&row);
            is_within && one.abs_diff(row).is_multiple_of(axis.step.unsigned_abs())
        })
    };
    let memory = Memory::new(context.limits);
    let (mut held, mut rows, mut place, mut failed) = (Vec::new(), BTreeMap::new(), first, None);
    let read = table.clone().rows(first..last.saturating_add(1)).each_row(context.limits, &mut |cells| {
        if is_wanted(place) {
            let needed: usize = cells.iter().map(|cell| size_of::<Cell>() + cell.text.len()).sum();
            // There are two copies of the cells while they are printed.
            match memory.take(2 * needed as u64, "the rows that are printed") {
                Ok(debited) => held.push(debited),
                Err(error) => {
                    failed = Some(error);
                    return false;
                }
            }
            rows.insert(place, cells.to_vec());
        }
        place += 1;
        true
    });
    match failed {
        Some(error) => Err(error.into()),
        None => read.map(|()| rows).map_err(failure),
    }
}
