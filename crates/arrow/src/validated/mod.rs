//! Validates batches from other programs before they are used.
//!
//! A C stream is a set of raw pointers from another program. Arrow's import cannot check them, and the rest of the
//! Arrow crates then trusts offsets and keys when reading memory. Everything that can be checked is checked here,
//! once per batch.

mod arrays;
mod offsets;
mod texts;

use crate::error::{Error, Result, Trouble};
use crate::panics::guard;
use arrays::{Dictionaries, Walk, ensure_known};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use ndbytes::{Limits, Memory};

/// The batches of a reader, each validated before it is returned.
///
/// The Arrow crates trust everything that comes through Arrow's C stream: they do not check offsets before reading
/// memory. Here, each column and each of its children is checked: offsets of texts, bytes and lists, views, dictionary
/// keys, UTF-8, null counts, and the lengths of children. After an error, there are no more batches.
///
/// ```
/// # use arrow_array::{RecordBatch, RecordBatchIterator, StringArray, ffi_stream::FFI_ArrowArrayStream};
/// # use std::sync::Arc;
/// # let texts = Arc::new(StringArray::from(vec!["a", "b"])) as arrow_array::ArrayRef;
/// # let batch = RecordBatch::try_from_iter([("Text", texts)])?;
/// # let schema = batch.schema();
/// # let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.idv");
/// use ndbytes::Limits;
/// use ndbytes_arrow::{Validated, idv};
///
/// let limits = Limits::default().started();
/// let batches = Validated::import(stream, limits)?; // of another language
/// idv::write(&path, batches, idv::WriteOptions::new().limits(limits))?;
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
///
/// # What it costs
/// Each offset, view and key of a batch is checked once. So is each byte of text in the rows of the batch, even if many
/// views share it. For a slice, nothing else is checked. To check this, views are sorted, which takes 12 bytes per
/// view, charged to [`Limits::memory`]. A dictionary is checked only once while the batches share its memory, which is
/// kept until then. The clock of [`Limits::time`] is checked before each array.
///
/// # What is trusted
/// The C interface does not state how long the buffers of an array are. They are assumed to be as long as the length of the array
/// and its last offset imply. Arrow's import also assumes that, before anything can be checked; with debug assertions, it ends the
/// program if the last offset is negative. For views, buffers are assumed to be as long as the interface states.
#[derive(Debug)]
pub struct Validated<R> {
    /// `None` after an error.
    reader: Option<R>,
    schema: SchemaRef,
    looks: Looks,
}

/// The state for examining a batch.
#[derive(Debug)]
struct Looks {
    limits: Limits,
    memory: Memory,
    /// The dictionaries of each column.
    dictionaries: Vec<Dictionaries>,
    /// The number of the next batch.
    batch: u64,
}

impl Validated<RecordBatchStreamReader> {
    /// Validates the batches of a C stream. If the clock of the limits was started, it keeps running.
    ///
    /// # Errors
    /// As for [`Validated::new`]; also [`Error::Arrow`] if the stream has no schema.
    pub fn import(stream: FFI_ArrowArrayStream, limits: Limits) -> Result<Self> {
        Validated::new(guarded(|| Ok(RecordBatchStreamReader::try_new(stream)?))?, limits)
    }
}

impl<R: RecordBatchReader> Validated<R> {
    /// Validates the batches of a reader. If the clock of the limits was started, it keeps running.
    ///
    /// # Errors
    /// [`Error::Column`] if a column has maps, unions, runs or list views, which IDV cannot represent and which are not checked
    /// here.
    pub fn new(reader: R, limits: Limits) -> Result<Self> {
        let schema = reader.schema();
        for field in schema.fields() {
            ensure_known(field.data_type()).map_err(|trouble| trouble.of(field.name(), |item| item as u64))?;
        }
        let dictionaries = schema.fields().iter().map(|_| Dictionaries::default()).collect();
        let looks = Looks { limits, memory: Memory::new(limits), dictionaries, batch: 0 };
        Ok(Validated { reader: Some(reader), schema, looks })
    }
}

impl Looks {
    fn ensure_valid(&mut self, batch: &RecordBatch) -> Result<()> {
        let schema = batch.schema();
        let columns = schema.fields().iter().zip(batch.columns()).zip(&mut self.dictionaries);
        for ((field, column), known) in columns {
            let mut walk = Walk { limits: self.limits, memory: &self.memory, known };
            walk.ensure_valid(column, "").map_err(|trouble| {
                let trouble = match trouble {
                    Trouble::Column(what) => Trouble::Column(format!("is not valid in batch {}: {what}", self.batch)),
                    other => other,
                };
                trouble.of(field.name(), |item| item as u64)
            })?;
        }
        self.batch += 1;
        Ok(())
    }
}

/// Converts a panic of the import to an error, which says that the parts of an array do not fit together.
fn guarded<T>(import: impl FnOnce() -> Result<T>) -> Result<T> {
    guard(import, |_| Error::Stream("its arrays violate Arrow's C data interface".into()))
}

impl<R: RecordBatchReader> Iterator for Validated<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (reader, looks) = (self.reader.as_mut()?, &mut self.looks);
        let next = guarded(|| {
            let Some(batch) = reader.next().transpose()? else { return Ok(None) };
            looks.ensure_valid(&batch)?;
            Ok(Some(batch))
        });
        let next = next.transpose()?;
        if next.is_err() {
            self.reader = None;
        }
        Some(next.map_err(ArrowError::from))
    }
}

impl<R: RecordBatchReader> RecordBatchReader for Validated<R> {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
