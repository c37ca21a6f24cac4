//! Calls to third-party readers and writers that may panic.
//!
//! Files from strangers reach `unwrap`s in other crates. A panic must not end a server that only wanted to read a
//! table, so it becomes an error. The state of the reader is unknown afterwards, so it is dropped.

use crate::error::{Error, Result};
use crate::panics::guard;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};

/// Reads batches with a reader of another crate. If that reader panics, the panic becomes an error, and there are no more batches.
///
/// ```
/// # use arrow_array::{ArrayRef, Int32Array, RecordBatch, RecordBatchIterator};
/// # let numbers: ArrayRef = std::sync::Arc::new(Int32Array::from(vec![1, 2]));
/// # let batch = RecordBatch::try_from_iter([("Number", numbers)])?;
/// # let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
/// use ndbytes_arrow::ipc;
///
/// let mut bytes = Vec::new();
/// ipc::write_stream(&mut bytes, batches)?;
/// let mut reader = ipc::read_stream(&bytes[..])?; // a `Guarded`
/// assert_eq!(reader.next().unwrap()?.num_rows(), 2);
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
#[derive(Debug)]
pub struct Guarded<R> {
    reader: Option<R>,
    schema: SchemaRef,
}

impl<R: RecordBatchReader> Guarded<R> {
    /// Wraps the reader that `make` creates.
    pub(crate) fn new(make: impl FnOnce() -> Result<R>) -> Result<Self> {
        let reader = reading(make)?;
        let schema = reader.schema();
        Ok(Guarded { reader: Some(reader), schema })
    }
}

/// Converts a panic of a reader to an error, since a file that it does not expect is broken.
pub(crate) fn reading<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    guard(read, |_| Error::Broken("the reader failed on invalid values".into()))
}

/// Converts a panic of a writer to an error.
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
