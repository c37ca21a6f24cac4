//! `ndbytes cat`: prints values.
//!
//! Each path is opened as an array, a table, or a third-party file, and its slice is resolved before anything is read.
//! Output for people is abbreviated to the first and last values; `--all` and JSON print everything.

mod arguments;
mod array;
#[cfg(feature = "convert")]
mod foreign;

pub use arguments::Arguments;

use crate::axes::Axis;
use crate::context::{Context, Outcome};
use crate::show::style::HEADING;
use crate::show::{table_json, table_text, text};
use crate::values::grid::Grid;
use crate::values::near::nearest;
use crate::values::open::{Failure, Named, Values, named};
use crate::values::slice::Chosen;
use crate::values::tolerate::{Tolerate, print_known};
use array::{Source, print_array};
use ndbytes::idv::{Column, Table};
use ndbytes::{Error, File};
use std::io;
use std::path::Path;

/// Prints the values of all paths. A path that cannot be read does not affect the others; the worst outcome determines
/// the exit status.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut worst = Outcome::Clean;
    let paths = &arguments.paths.paths;
    let tolerate = arguments.tolerate.among(paths.len());
    for path in paths {
        context.begin();
        worst = worst.max(print_path(path, &tolerate, arguments, context)?);
    }
    Ok(worst)
}

/// Prints the values at a path.
fn print_path(
    path: &Path,
    tolerate: &Tolerate,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let has_head = arguments.paths.paths.len() > 1 && !arguments.json;
    let head = |context: &mut Context<'_>| match has_head {
        true => writeln!(context.out, "{HEADING}{}{HEADING:#}", text::path(path)),
        false => Ok(()),
    };
    let values = match named(path, tolerate, context) {
        Ok(Named::Values(values)) => values,
        #[cfg(feature = "convert")]
        Ok(Named::Foreign(foreign)) => {
            let printed = foreign::print(&foreign, path, &head, arguments, context)?;
            return end(printed.map(|()| Outcome::Clean), path, arguments, context);
        }
        Err(failure) => return failure.refuse(path, context),
    };
    let wanted = match values.chosen().and_then(|chosen| arguments.wanted(chosen)) {
        Ok(wanted) => wanted,
        Err(failure) => return failure.refuse(path, context),
    };
    head(context)?;
    let printed = print(&values, &wanted, path, arguments, context)?;
    let known = match printed {
        Ok(()) => Ok(print_known(path, &values.file, context).map(|()| Outcome::Clean)?),
        Err(failure) => Err(failure),
    };
    end(known, path, arguments, context)
}

/// Ends the output for a path.
fn end(
    ended: Result<Outcome, Failure>,
    path: &Path,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let outcome = match ended {
        Ok(outcome) => outcome,
        Err(failure) => failure.refuse(path, context)?,
    };
    if !arguments.json {
        context.out.separate();
    }
    Ok(outcome)
}

/// Prints opened values: an array with its slices, or a table.
fn print(
    values: &Values,
    wanted: &[Chosen],
    path: &Path,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Result<(), Failure>> {
    match &values.file {
        File::Array(array) if arguments.columns.is_empty() => {
            let source = Source { path, slice: values.slice.as_ref(), length: values.length };
            print_array(Grid::Array(array), source, wanted, arguments, context)
        }
        File::Table(_) if arguments.images.is_some() => {
            Ok(Err(Failure::Words("`--images` works only with arrays, but this is a table".into())))
        }
        File::Table(table) => match columns(table, &arguments.columns) {
            Ok(columns) => print_table(table, columns, values, wanted, arguments, context),
            Err(failure) => Ok(Err(failure)),
        },
        _ => Ok(Err(Failure::Words("`--columns` works only with tables, but this is an array".into()))),
    }
}

/// Prints rows of a table. `columns` are the requested ones, or all visible ones.
fn print_table(
    table: &Table<'_>,
    columns: Option<Vec<Column<'_>>>,
    values: &Values,
    wanted: &[Chosen],
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Result<(), Failure>> {
    let rows: Vec<Axis> = wanted.iter().flat_map(Chosen::axes).collect();
    let count = rows.iter().map(|axis| axis.count).fold(0, u64::saturating_add);
    let is_shown = arguments.json || arguments.all || count <= table_text::MOST_ROWS;
    if is_shown
        && columns.is_none()
        && count == table.rows()
        && let Err(error) = table.ensure_rest()
    {
        return Ok(Err(error.into()));
    }
    if arguments.json {
        let slice = values.slice.as_ref().map(ToString::to_string);
        let columns = columns.unwrap_or_else(|| table.columns().collect());
        let printed = table_json::Printed { table, columns, rows: &rows, slice };
        return Ok(table_json::print(&printed, context.out.machine())?.map_err(Failure::Error));
    }
    let all = arguments.shows_all();
    if !all {
        context.out.begin_room(values.length);
    }
    let shown = table_text::Shown { table, columns, rows: &rows, all };
    let printed = table_text::print(&shown, context.width, &mut context.out)?;
    if !all {
        context.out.end_room()?;
    }
    Ok(printed.map_err(Failure::Error))
}

/// Returns the columns with these names, or `None` if none is named.
fn columns<'t>(table: &'t Table<'_>, names: &[String]) -> Result<Option<Vec<Column<'t>>>, Failure> {
    let column = |name: &String| match table.column(name) {
        Err(Error::NoColumn { .. }) => {
            let near = nearest(name, table.columns().map(|column| column.name()));
            let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            Err(Failure::Words(format!("there is no column \"{name}\"{near}")))
        }
        column => Ok(column?),
    };
    if names.is_empty() { Ok(None) } else { names.iter().map(column).collect::<Result<_, _>>().map(Some) }
}
