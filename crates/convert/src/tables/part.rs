//! Selects columns and rows of batches.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use ndbytes_arrow::InputReader;
use std::ops::Range;

/// Batches with a selection of columns and rows.
pub struct Part<'t> {
    reader: Box<dyn RecordBatchReader + Send + 't>,
    /// The indices of the columns; `None` for all.
    columns: Option<Vec<usize>>,
    /// The remaining rows, counted from the reader's next row.
    rows: Range<u64>,
    given: u64,
    /// The file, for counting the bytes read from it.
    input: Option<InputReader>,
}

impl<'t> Part<'t> {
    /// Selects columns by index, and a range of rows. `None` selects all columns.
    pub fn new(
        reader: Box<dyn RecordBatchReader + Send + 't>,
        columns: Option<Vec<usize>>,
        rows: Range<u64>,
        input: Option<InputReader>,
    ) -> Self {
        Part { reader, columns, rows, given: 0, input }
    }

    /// Returns the number of rows returned so far.
    pub fn given(&self) -> u64 {
        self.given
    }

    /// The number of bytes read from the file.
    pub fn read(&self) -> u64 {
        self.input.as_ref().map_or(0, InputReader::count)
    }

    /// Returns the selected rows and columns of a batch.
    fn cut(&mut self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let length = batch.num_rows() as u64;
        let (start, end) = (self.rows.start.min(length), self.rows.end.min(length));
        self.rows = self.rows.start - start..self.rows.end - end;
        self.given += end - start;
        let batch = batch.slice(start as usize, (end - start) as usize);
        match &self.columns {
            Some(columns) => batch.project(columns),
            None => Ok(batch),
        }
    }
}

impl Iterator for Part<'_> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.rows.end > 0 {
            match self.reader.next()?.and_then(|batch| self.cut(&batch)) {
                Ok(batch) if batch.num_rows() == 0 => {}
                batch => return Some(batch),
            }
        }
        None
    }
}

impl RecordBatchReader for Part<'_> {
    fn schema(&self) -> SchemaRef {
        self.reader.schema()
    }
}
