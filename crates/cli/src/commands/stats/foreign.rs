//! The statistics of files and stores without rules.

use super::find::{Found, Of, of_grid, rows_and_columns};
use super::tell::tell;
use crate::context::{Context, Outcome};
use crate::show::progress::Progress;
use crate::show::stats_text::Line;
use crate::values::foreign::{Foreign, failure};
use crate::values::grid::Grid;
use crate::values::open::{Failure, chosen};
use ndbytes_convert::TableSource;
use ndbytes_convert::door::NamedArray;
use std::io;
use std::path::Path;

/// Summarises the table, or each of the arrays.
pub fn summarise(
    foreign: &Foreign,
    path: &Path,
    as_json: bool,
    progress: &Progress,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    if let Some(table) = foreign.table() {
        let found = of_table(foreign, table, path, progress, context);
        return print(found, path, as_json, progress, context);
    }
    let arrays = match foreign.arrays() {
        Ok(arrays) => arrays,
        Err(failure) => return progress.aside(|| failure.refuse(path, context)),
    };
    if arrays.len() != 1 && foreign.slice.is_some() {
        let failure = foreign.array().err().unwrap_or_else(|| Failure::Words("it has no array".into()));
        return progress.aside(|| failure.refuse(path, context));
    }
    let mut worst = Outcome::Clean;
    for array in &arrays {
        let found = of_array(foreign, array, path, progress, context);
        let path = if arrays.len() == 1 { path.to_owned() } else { foreign.address(array) };
        worst = worst.max(print(found, &path, as_json, progress, context)?);
    }
    Ok(worst)
}

/// Prints the statistics, or the reason why there are none.
fn print(
    found: Result<Found, Failure>,
    path: &Path,
    as_json: bool,
    progress: &Progress,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    progress.aside(|| match found {
        Ok(found) => tell(found, path, as_json, context).map(|()| Outcome::Clean),
        Err(failure) => failure.refuse(path, context),
    })
}

/// Returns the statistics of an array in a third-party format.
fn of_array(
    foreign: &Foreign,
    array: &NamedArray<'_>,
    path: &Path,
    progress: &Progress,
    context: &Context<'_>,
) -> Result<Found, Failure> {
    let source = array.source();
    let length = source.length();
    progress.expect(length);
    let mut at_hand = progress.begin(path, length);
    let chosen = chosen(foreign.slice.as_ref(), source.shape())?;
    let kind = foreign.kind();
    let of = Of { slice: foreign.slice.as_ref(), length, format: [kind.name(), kind.title()] };
    of_grid(Grid::Foreign(&source, kind), &chosen, &of, context.limits.started(), &mut at_hand)
}

/// Returns the statistics of a table in a third-party format.
fn of_table(
    foreign: &Foreign,
    table: &TableSource,
    path: &Path,
    progress: &Progress,
    context: &Context<'_>,
) -> Result<Found, Failure> {
    let length = table.length();
    progress.expect(length);
    let mut at_hand = progress.begin(path, length);
    let table = foreign.rows_of(table)?;
    let mut rows = 0;
    let columns = table.statistics(context.limits, &mut |count| rows += count).map_err(failure)?;
    at_hand.advance(length);
    let kind = foreign.kind();
    let of = Of { slice: foreign.slice.as_ref(), length, format: [kind.name(), kind.title()] };
    let holds = rows_and_columns(rows, columns.len());
    let line = |column: ndbytes_convert::ColumnStatistics| Line {
        name: column.name,
        type_name: column.type_name,
        item: None,
        statistics: column.statistics,
    };
    Ok(of.found(columns.into_iter().map(line).collect(), None, holds))
}
