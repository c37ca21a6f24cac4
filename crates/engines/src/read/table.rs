//! The rows of an IDV table.

use super::batch::{Send, batch, failed};
use crate::source::{Kind, Source};
use crate::stores;
use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::common::{DataFusionError, Result, plan_err};
use ndbytes::idv;
use ndbytes_arrow::Error;
use ndbytes_arrow::table::{ArrowTable, Options};
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

/// The rows of a piece, at least: they are rounded up to whole blocks.
const ROWS: u64 = 8192;

/// The prefix of the metadata that says what a field is, whatever its type.
const EXTENSION: &str = "ARROW:extension:";

/// A table that is open.
pub struct OpenTable {
    table: ArrowTable,
    path: String,
}

impl OpenTable {
    /// Opens a table. Its columns are those of `full`, if that is given.
    pub fn open(path: &str, source: &Source, full: Option<&Schema>) -> Result<Self> {
        let limits = source.limits();
        let at_path = |error| failed(path, error);
        let input = stores::open(path, limits).map_err(at_path)?;
        let table = idv::Options::new().limits(limits).read(input).map_err(at_path)?;
        let table = ArrowTable::new(table, options(source)?.limits(limits)).map_err(|error| failed_at(path, error))?;
        let open = OpenTable { table, path: path.to_owned() };
        if let Some(full) = full {
            open.compare(full)?;
        }
        Ok(open)
    }

    /// The columns. What the annotations of one file say is not said of all of them.
    pub fn schema(&self) -> SchemaRef {
        let schema = self.table.schema();
        let fields = schema.fields().iter().map(|field| {
            let mut metadata = field.metadata().clone();
            metadata.retain(|key, _| key.starts_with(EXTENSION));
            // Files of old versions have missing values, others of the same columns have none.
            Field::new(field.name(), field.data_type().clone(), true).with_metadata(metadata)
        });
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    /// Refuses a table with other columns than the first one.
    fn compare(&self, full: &Schema) -> Result<()> {
        let own = self.schema();
        for (at, field) in full.fields().iter().enumerate() {
            match own.fields().get(at) {
                Some(other) if other == field => {}
                Some(other) => {
                    return plan_err!(
                        "the column {at} of {:?} is {:?} of {}, but it is {:?} of {} in the table",
                        self.path,
                        other.name(),
                        other.data_type(),
                        field.name(),
                        field.data_type()
                    );
                }
                None => return plan_err!("{:?} is missing the column {:?}", self.path, field.name()),
            }
        }
        match own.fields().get(full.fields().len()) {
            Some(more) => plan_err!("{:?} has the column {:?}, which the table does not have", self.path, more.name()),
            None => Ok(()),
        }
    }

    pub fn rows(&self) -> u64 {
        self.table.rows()
    }

    /// The rows that are best read at once.
    pub fn block(&self) -> Result<u64> {
        let mut ranges = self.table.ranges().map_err(|error| failed_at(&self.path, error))?;
        Ok(ranges.next().map_or(1, |rows| rows.end - rows.start))
    }

    /// Sends the batches of some rows.
    pub fn read(
        &self,
        rows: Option<Range<u64>>,
        full: &Schema,
        columns: Option<&[usize]>,
        most: usize,
        send: Send<'_>,
    ) -> Result<bool> {
        let rows = rows.unwrap_or(0..self.rows());
        let failed = |error| failed_at(&self.path, error);
        if columns.is_some_and(<[_]>::is_empty) {
            return send_counted(rows, full, most, send);
        }
        let table = match columns {
            Some(columns) => self.table.project(columns).map_err(failed)?,
            None => self.table.clone(),
        };
        for made in table.batches_of(rows).map_err(failed)? {
            let made = made.map_err(|error| DataFusionError::External(format!("{}: {error}", self.path).into()))?;
            let mut start = 0;
            while start < made.num_rows() {
                let part = made.slice(start, most.min(made.num_rows() - start));
                start += part.num_rows();
                if !send(batch(full, columns, part.num_rows(), part.columns().to_vec())?) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Batches of no columns: rows are only counted.
fn send_counted(rows: Range<u64>, full: &Schema, most: usize, send: Send<'_>) -> Result<bool> {
    let mut start = rows.start;
    while start < rows.end {
        let end = rows.end.min(start.saturating_add(most as u64));
        if !send(batch(full, Some(&[]), (end - start) as usize, vec![])?) {
            return Ok(false);
        }
        start = end;
    }
    Ok(true)
}

fn options(source: &Source) -> Result<Options> {
    let Kind::Idv(options) = &source.kind else { return Ok(Options::new()) };
    Ok(Options::new()
        .rows(ROWS)
        .keys(choice(&options.keys)?)
        .times(choice(&options.times)?)
        .sparse(choice(&options.sparse)?)
        .text(choice(&options.text)?))
}

/// The value of an option by its name.
pub fn choice<T: FromStr<Err = String>>(name: &str) -> Result<T> {
    name.parse().map_err(DataFusionError::Plan)
}

fn failed_at(path: &str, error: Error) -> DataFusionError {
    match error {
        Error::Ndbytes(error) => failed(path, error),
        other => DataFusionError::External(format!("{path}: {other}").into()),
    }
}
