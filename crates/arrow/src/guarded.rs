//! Calls of foreign readers and writers that may panic.

use crate::error::{Error, Result};
use crate::panics::guard;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};

/// The batches of a file. A panic of Arrow's reader becomes an error, after which there are no more batches.
#[derive(Debug)]
pub struct Guarded<R> {
    reader: Option<R>,
    schema: SchemaRef,
}

impl<R: RecordBatchReader> Guarded<R> {
    /// The reader that is made here.
    pub(crate) fn new(make: impl FnOnce() -> Result<R>) -> Result<Self> {
        let reader = reading(make)?;
        let schema = reader.schema();
        Ok(Guarded { reader: Some(reader), schema })
    }
}

/// Turns a panic of a reader into an error: a file that it does not expect is broken.
pub(crate) fn reading<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    guard(read, |_| Error::Broken("its reader gave up on values that break the rules of the format".into()))
}

/// Turns a panic of a writer into an error.
pub(crate) fn writing<T>(write: impl FnOnce() -> Result<T>) -> Result<T> {
    guard(write, |words| Error::Defect(format!("the writer of another crate panicked: {words}")))
}

impl<R: RecordBatchReader> Iterator for Guarded<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        let next = reading(|| Ok(reader.next().transpose()?)).transpose()?;
        if next.is_err() {
            self.reader = None;
        }
        Some(next.map_err(ArrowError::from))
    }
}

impl<R: RecordBatchReader> RecordBatchReader for Guarded<R> {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
