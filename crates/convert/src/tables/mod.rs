//! Tables: what each format can hold, and writing them batch by batch.
//!
//! Every table is converted as a stream of Arrow batches, so memory does not grow with the number of rows.

pub mod arrays;
mod choice;
mod column;
#[cfg(feature = "png")]
mod images;
mod join;
mod losses;
mod part;
mod pieces;
mod plain;
mod rows;
pub mod sink;
pub mod source;
mod statistics;
pub mod text;

use crate::error::{Error, Loss, Result};
use crate::kind::FileKind;
use crate::options::Options;
use crate::target::Target;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::ArrowError;
use ndbytes_arrow::table::Times;
use pieces::{Pieces, TooLong};
use sink::Output;
use source::TableSource;
use std::sync::Arc;

pub use rows::ShownColumn;
pub use statistics::ColumnStatistics;

/// Converts tables. They are concatenated by row.
pub fn convert(
    tables: &[&TableSource],
    kind: FileKind,
    target: Target<'_>,
    options: &Options<'_>,
) -> Result<Vec<Loss>> {
    let (choice, times, mut losses) = choice::choose(tables, kind, options)?;
    let mut opened = tables.iter().map(|table| table.open(&choice)).collect::<Result<Vec<_>>>()?;
    let (schema, lost) = join::join(&opened, kind)?;
    losses.extend(lost);
    for one in &opened {
        losses.extend(losses::of(one, kind)?);
    }
    if kind.is_lines() {
        let names: Vec<&str> = tables.iter().map(|table| table.name()).collect();
        losses.extend(text::losses(kind, &schema, &names.join(" and ")));
    }
    options.ensure_allowed(&losses)?;
    // No unit was requested. Written from ticks, the text has all digits of the times.
    let are_ticks = kind.is_lines() && options.tables.times.is_none() && times == Times::Ticks;
    let schema = if are_ticks { text::ticks::mark(&schema) } else { schema };
    let mut output = Output::new(kind, target)?;
    let mut sink = sink::begin(kind, output.sink()?, &schema, options)?;
    for (place, one) in opened.iter_mut().enumerate() {
        (options.progress)(place, 0);
        let (mut told, name) = (0, one.table.address());
        let mut batches = one.batches()?;
        while let Some(batch) = batches.next() {
            let batch = batch.map_err(|error| Error::of_arrow(error, name))?;
            options.limits.ensure_time()?;
            let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            let batch = RecordBatch::try_new_with_options(Arc::clone(&schema), batch.columns().to_vec(), &rows);
            let batch = batch.map_err(|error| Error::of_arrow(error, name))?;
            for piece in Pieces::new(batch, kind, one.for_a_batch(&options.limits)) {
                sink.write(&piece.map_err(|row| Error::of_row(row, name))?)?;
                output.pass_on(&options.limits)?;
            }
            let read = one.read_of(&batches);
            (options.progress)(place, read - told);
            told = read;
        }
    }
    let end = sink.finish()?;
    output.end(end, &options.limits)?;
    Ok(losses)
}

impl Error {
    /// Returns the error of a reader or a writer of tables, with the name of its source.
    pub(super) fn of_table(error: ndbytes_arrow::Error, name: &str) -> Error {
        match error {
            ndbytes_arrow::Error::Ndbytes(error) => Error::Library(error),
            ndbytes_arrow::Error::Arrow(error) => Error::of_arrow(error, name),
            error => Error::Table { name: name.to_owned(), error },
        }
    }

    /// Returns the error for a row that exceeds the memory limit.
    fn of_row(TooLong { needed, left }: TooLong, name: &str) -> Error {
        Error::of_table(ndbytes_arrow::Error::Memory { what: "a row".into(), needed, left }, name)
    }

    /// Returns an error of Arrow, or the error of this project that it wraps.
    pub(super) fn of_arrow(error: ArrowError, name: &str) -> Error {
        match error {
            ArrowError::ExternalError(inner) => match inner.downcast::<ndbytes_arrow::Error>() {
                Ok(error) => Error::of_table(*error, name),
                Err(inner) => Error::Table { name: name.to_owned(), error: ArrowError::ExternalError(inner).into() },
            },
            error => Error::Table { name: name.to_owned(), error: error.into() },
        }
    }
}
