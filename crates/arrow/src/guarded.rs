//! Readers of Arrow's that may meet hostile files.

use crate::error::{Error, Result};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The batches of a file. A panic of Arrow's reader becomes an error, after which there are no more batches.
#[derive(Debug)]
pub struct Guarded<R> {
    reader: Option<R>,
    schema: SchemaRef,
}

impl<R: RecordBatchReader> Guarded<R> {
    /// The reader that is made here.
    pub(crate) fn new(make: impl FnOnce() -> Result<R>) -> Result<Self> {
        let reader = guard(make)?;
        let schema = reader.schema();
        Ok(Guarded { reader: Some(reader), schema })
    }

    /// The same reader, of which more is known: the metadata of the whole.
    #[cfg(feature = "parquet")]
    pub(crate) fn with_schema(self, schema: SchemaRef) -> Self {
        Guarded { schema, ..self }
    }
}

/// Opens a file that Arrow reads.
pub(crate) fn open(path: &Path) -> Result<File> {
    let named = |source| ndbytes::Error::Io { path: Some(path.to_owned()), source };
    Ok(File::open(path).map_err(named)?)
}

/// Turns a panic into an error.
pub(crate) fn guard<T>(make: impl FnOnce() -> Result<T>) -> Result<T> {
    let panicked = |_| Error::Defect("Arrow's reader panicked at a broken file".into());
    catch_unwind(AssertUnwindSafe(make)).map_err(panicked)?
}

impl<R: RecordBatchReader> Iterator for Guarded<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        let next = guard(|| Ok(reader.next().transpose()?)).transpose()?;
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
