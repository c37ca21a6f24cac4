//! Batches, their receiver, and the parts of files that they must cover.

use crate::source::{FILE, OnError, ROW};
use crate::told::told;
use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray, UInt64Array, new_null_array};
use datafusion::arrow::datatypes::Schema;
use datafusion::common::{DataFusionError, Result};
use std::ops::Range;
use std::sync::Arc;

/// Receives batches and returns whether it needs more.
pub type Send<'s> = &'s mut dyn FnMut(RecordBatch) -> bool;

/// The required parts of files.
#[derive(Clone, Copy)]
pub struct View<'v> {
    /// The schema of all columns.
    pub full: &'v Schema,
    /// The number of columns before the position columns.
    pub own: usize,
    /// The required columns, by index.
    pub columns: &'v [usize],
    /// The maximum number of rows in a batch.
    pub most: usize,
    pub on_error: OnError,
}

/// Returns an error about a file, with its path.
pub fn failed(path: &str, error: ndbytes::Error) -> DataFusionError {
    match error {
        // The error already names its path.
        error @ ndbytes::Error::Io { path: Some(_), .. } => told(error.to_string()),
        error => told(format!("{path}: {error}")),
    }
}

impl View<'_> {
    /// Returns a batch of the required columns. `places` are the indices of the rows in the file; `make` returns the
    /// file's own columns by index.
    pub fn batch(
        &self,
        path: &str,
        count: usize,
        places: impl Fn() -> Vec<u64>,
        mut make: impl FnMut(usize) -> Result<ArrayRef>,
    ) -> Result<RecordBatch> {
        let arrays = self.columns.iter().map(|&column| match self.full.field(column).name().as_str() {
            FILE if self.is_place(column) => Ok(files(path, count)),
            ROW if self.is_place(column) => Ok(Arc::new(UInt64Array::from(places())) as ArrayRef),
            _ => make(column),
        });
        self.of(arrays.collect::<Result<_>>()?, count)
    }

    /// Sends rows whose values are null. `rows` are their positions in the file, if known; otherwise, one row is sent.
    pub fn send_nulls(&self, path: &str, rows: Option<Range<u64>>, send: Send<'_>) -> Result<bool> {
        let null = |column: usize, count| new_null_array(self.full.field(column).data_type(), count);
        let Some(rows) = rows else {
            let is_file = |column| self.is_place(column) && self.full.field(column).name() == FILE;
            let arrays = self.columns.iter().map(|&it| if is_file(it) { files(path, 1) } else { null(it, 1) });
            return Ok(send(self.of(arrays.collect(), 1)?));
        };
        let mut start = rows.start;
        while start < rows.end {
            let end = rows.end.min(start.saturating_add(self.most as u64));
            let count = (end - start) as usize;
            if !send(self.batch(path, count, || (start..end).collect(), |column| Ok(null(column, count)))?) {
                return Ok(false);
            }
            start = end;
        }
        Ok(true)
    }

    /// Returns whether a column states the position of a row. A file's own columns may have the same names.
    pub fn is_place(&self, column: usize) -> bool {
        column >= self.own
    }

    fn of(&self, arrays: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch> {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let schema = Arc::new(self.full.project(self.columns)?);
        Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?)
    }
}

fn files(path: &str, rows: usize) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(std::iter::repeat_n(path, rows)))
}
