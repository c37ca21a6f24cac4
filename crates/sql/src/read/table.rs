//! The rows of an IDV table.

use super::batch::{Send, View, failed};
use crate::source::{Kind, OnError, Source};
use crate::told::told;
use datafusion::arrow::array::{RecordBatch, new_null_array};
use datafusion::arrow::datatypes::{Field, FieldRef, Schema};
use datafusion::arrow::error::ArrowError;
use datafusion::common::{DataFusionError, Result};
use ndbytes::{Input, idv};
use ndbytes_arrow::Error;
use ndbytes_arrow::table::{ArrowTable, Options};
use std::collections::HashMap;
use std::ops::Range;
use std::str::FromStr;

/// The minimum number of rows in a piece, before rounding up to complete blocks.
const ROWS: u64 = 8192;

/// The prefix of the metadata that identifies an extension type.
const EXTENSION: &str = "ARROW:extension:";

/// An open table.
pub struct OpenTable {
    table: ArrowTable,
    path: String,
}

/// For each column of the table, in order, the index of the column in the file; `None` if the file does not have it.
pub type Columns = Vec<Option<usize>>;

impl OpenTable {
    pub fn open(path: &str, source: &Source) -> Result<Self> {
        let limits = source.limits();
        let at_path = |error| failed(path, error);
        let input = Input::open(path, limits).map_err(at_path)?;
        let table = idv::Options::new().limits(limits).read(input).map_err(at_path)?;
        let table = ArrowTable::new(table, options(source)?.limits(limits)).map_err(|error| failed_at(path, error))?;
        Ok(OpenTable { table, path: path.to_owned() })
    }

    /// Returns the columns. Annotations are dropped, because the annotations of one file need not apply to the others.
    pub fn schema(&self) -> Schema {
        let schema = self.table.schema();
        let fields = schema.fields().iter().map(|field| {
            let mut metadata = field.metadata().clone();
            metadata.retain(|key, _| key.starts_with(EXTENSION));
            // Only files of old versions have missing values.
            Field::new(field.name(), field.data_type().clone(), true).with_metadata(metadata)
        });
        Schema::new(fields.collect::<Vec<_>>())
    }

    /// Returns the file's columns for the first `own` columns of the table. A file with different columns is refused,
    /// unless columns are matched by name.
    pub fn columns(&self, full: &Schema, own: usize, source: &Source) -> Result<Columns> {
        let schema = self.schema();
        let by_name = matches!(&source.kind, Kind::Idv(options) if options.union_by_name);
        let names: HashMap<_, _> = schema.fields().iter().enumerate().map(|(at, field)| (field.name(), at)).collect();
        let mut is_there = vec![false; names.len()];
        let mut place = |(at, field): (usize, &FieldRef)| {
            let place = if by_name { names.get(field.name()).copied() } else { Some(at) };
            if let Some(is_there) = place.and_then(|at| is_there.get_mut(at)) {
                *is_there = true;
            }
            match place.and_then(|at| Some((at, schema.fields().get(at)?))) {
                Some((at, found)) if found == field => Ok(Some(at)),
                Some((at, found)) => Err(self.differs(at, found, field)),
                None if by_name => Ok(None),
                None => Err(told(format!("{:?} is missing the column {:?}", self.path, field.name()))),
            }
        };
        let columns = full.fields()[..own].iter().enumerate().map(&mut place).collect::<Result<Columns>>()?;
        match is_there.iter().position(|is_there| !is_there) {
            Some(more) => Err(told(format!(
                "{:?} has the column {:?}, which the table does not have: union_by_name => true takes all columns",
                self.path,
                schema.field(more).name()
            ))),
            None => Ok(columns),
        }
    }

    /// Returns the message about a column whose type or name differs from the table's.
    pub fn differs(&self, at: usize, found: &Field, expected: &Field) -> DataFusionError {
        told(format!(
            "the column {at} of {:?} is {:?} of {}, but it is {:?} of {} in the table",
            self.path,
            found.name(),
            found.data_type(),
            expected.name(),
            expected.data_type()
        ))
    }

    pub fn rows(&self) -> u64 {
        self.table.rows()
    }

    /// Returns the number of rows to read at once.
    pub fn block(&self) -> Result<u64> {
        let mut ranges = self.table.ranges().map_err(|error| failed_at(&self.path, error))?;
        Ok(ranges.next().map_or(1, |rows| rows.end - rows.start))
    }

    /// Sends the batches of some rows.
    pub fn read(&self, rows: Range<u64>, columns: &Columns, view: &View<'_>, send: Send<'_>) -> Result<bool> {
        // The columns to read, by their indices in the file, and their indices in the result.
        let (mut own, mut places) = (Vec::new(), vec![None; columns.len()]);
        for &column in view.columns {
            if let Some(place) = columns.get(column).copied().flatten() {
                places[column] = Some(own.len());
                own.push(place);
            }
        }
        // An unreadable block does not affect other blocks, unless the query is set to fail.
        let block = match view.on_error {
            OnError::Fail => u64::MAX,
            OnError::Skip | OnError::Null => self.block()?.max(1),
        };
        let project = || self.table.project(&own).map_err(|error| failed_at(&self.path, error));
        let table = (!own.is_empty()).then(project).transpose()?;
        let reading = Reading { path: &self.path, table, places };
        let mut start = rows.start;
        while start < rows.end {
            let end = rows.end.min((start / block + 1).saturating_mul(block));
            let mut at = start;
            match reading.read(&mut at, end, view, send) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(error) if view.on_error == OnError::Fail => return Err(error),
                Err(_) if view.on_error == OnError::Null && !view.send_nulls(&self.path, Some(at..end), send)? => {
                    return Ok(false);
                }
                Err(_) => {}
            }
            start = end;
        }
        Ok(true)
    }
}

/// The columns of a table that are being read.
struct Reading<'r> {
    path: &'r str,
    /// The table with these columns; `None` if there are none.
    table: Option<ArrowTable>,
    /// The indices in its batches, by the columns of the complete table.
    places: Vec<Option<usize>>,
}

impl Reading<'_> {
    /// Sends rows, counted from `at`.
    fn read(&self, at: &mut u64, end: u64, view: &View<'_>, send: Send<'_>) -> Result<bool> {
        let Some(table) = &self.table else {
            // No columns are needed, so rows are only counted.
            while *at < end {
                let count = (end - *at).min(view.most as u64) as usize;
                if !self.send(None, *at, count, view, send)? {
                    return Ok(false);
                }
                *at += count as u64;
            }
            return Ok(true);
        };
        for made in table.batches_of(*at..end).map_err(|error| failed_at(self.path, error))? {
            let made = made.map_err(|error| told(format!("{}: {}", self.path, words(&error))))?;
            let mut start = 0;
            while start < made.num_rows() {
                let part = made.slice(start, view.most.min(made.num_rows() - start));
                start += part.num_rows();
                if !self.send(Some(&part), *at, part.num_rows(), view, send)? {
                    return Ok(false);
                }
                *at += part.num_rows() as u64;
            }
        }
        Ok(true)
    }

    fn send(&self, made: Option<&RecordBatch>, at: u64, count: usize, view: &View<'_>, send: Send<'_>) -> Result<bool> {
        let batch = view.batch(
            self.path,
            count,
            || (at..at + count as u64).collect(),
            |column| {
                Ok(match (made, self.places.get(column).copied().flatten()) {
                    (Some(made), Some(place)) => made.column(place).clone(),
                    _ => new_null_array(view.full.field(column).data_type(), count),
                })
            },
        )?;
        Ok(send(batch))
    }
}

/// Returns the message of an Arrow error, without the prefix about its origin.
fn words(error: &ArrowError) -> String {
    match error {
        ArrowError::ExternalError(error) => error.to_string(),
        other => other.to_string(),
    }
}

fn options(source: &Source) -> Result<Options> {
    let Kind::Idv(options) = &source.kind else { return Ok(Options::new()) };
    // If a block cannot be read, only its rows are lost.
    let rows = if source.on_error == OnError::Fail { ROWS } else { 1 };
    Ok(Options::new()
        .rows(rows)
        .keys(choice(&options.keys)?)
        .times(choice(&options.times)?)
        .sparse(choice(&options.sparse)?)
        .text(choice(&options.text)?))
}

/// Parses the value of an option.
pub fn choice<T: FromStr<Err = String>>(name: &str) -> Result<T> {
    name.parse().map_err(DataFusionError::Plan)
}

fn failed_at(path: &str, error: Error) -> DataFusionError {
    match error {
        Error::Ndbytes(error) => failed(path, error),
        other => told(format!("{path}: {other}")),
    }
}
