//! Batches of other programs, which are looked at before they are believed.

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

/// The batches of a reader, each of which is validated as a whole before it is handed out.
///
/// Arrow's crates believe all that comes through Arrow's C stream: they read memory without a look at offsets. Each
/// column and each of its children is checked: offsets of texts, bytes and lists, views, the keys of dictionaries,
/// UTF-8, the numbers of nulls. The lengths of children are checked, too. After an error there are no more batches.
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
/// Each offset, view and key of a batch is looked at once. So is each byte of text that the rows of the batch have,
/// even if many views share it. Of a slice, nothing else is looked at. Views are put in order for that, which takes 12
/// bytes for each, debited from [`Limits::memory`]. A dictionary is looked at once as long as the batches share its
/// memory, which is kept until then. The clock of [`Limits::time`] is looked at before each array.
///
/// # What is believed
/// The C interface does not say how long the buffers of an array are. They are believed to be as long as the length of
/// the array and its last offset say. Arrow's import does so before anything can be looked at; built with debug
/// assertions, it ends the program if the last offset is negative. Of views, buffers are believed to be as long as the
/// interface says.
#[derive(Debug)]
pub struct Validated<R> {
    /// `None` after an error.
    reader: Option<R>,
    schema: SchemaRef,
    looks: Looks,
}

/// The state for looking at a batch.
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
    /// The batches of a C stream. The clock of the limits runs if it was started.
    ///
    /// # Errors
    /// As for [`Validated::new`], and [`Error::Arrow`] if the stream has no schema.
    pub fn import(stream: FFI_ArrowArrayStream, limits: Limits) -> Result<Self> {
        Validated::new(guarded(|| Ok(RecordBatchStreamReader::try_new(stream)?))?, limits)
    }
}

impl<R: RecordBatchReader> Validated<R> {
    /// The batches of a reader. The clock of the limits runs if it was started.
    ///
    /// # Errors
    /// [`Error::Column`] if a column has maps, unions, runs or views of lists: IDV cannot hold them, and nothing here looks at them.
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

/// Turns a panic of the import into an error: arrays whose parts do not fit each other.
fn guarded<T>(import: impl FnOnce() -> Result<T>) -> Result<T> {
    guard(import, |_| Error::Stream("its arrays break the rules of Arrow's C interface".into()))
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
