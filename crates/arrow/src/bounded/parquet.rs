//! The batches of a Parquet file.
//!
//! Row groups are opened one after another, and only one is in memory. Arrow's schema in the footer is checked before
//! it is parsed, because it can describe far more than its length suggests.

use super::group::{Group, broken};
use super::{footer, schema};
use crate::error::{Error, Result};
use crate::guarded::reading;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use ndbytes::Limits;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader};
use parquet::arrow::{FieldLevels, ProjectionMask, parquet_to_arrow_field_levels};
use parquet::file::reader::ChunkReader;
use std::ops::Range;
use std::sync::Arc;

/// The batches of a Parquet file. Row groups are read one after another, each within the memory limit.
///
/// ```
/// # use arrow_array::{ArrayRef, Int32Array, RecordBatch, RecordBatchIterator};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.parquet");
/// # let numbers = |first| -> ArrayRef { std::sync::Arc::new(Int32Array::from(vec![first, 2])) };
/// # let batch = RecordBatch::try_from_iter([("Id", numbers(1)), ("Size", numbers(7))])?;
/// # let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
/// # ndbytes_arrow::parquet::write(&path, batches, &ndbytes_arrow::parquet::Options::new())?;
/// use arrow_array::RecordBatchReader;
/// use ndbytes_arrow::parquet;
///
/// // Only the second column of `Id` and `Size`.
/// let mut reader = parquet::read_from(std::fs::File::open(&path).unwrap(), Some(&[1]), &Default::default())?;
/// assert_eq!(reader.schema().field(0).name(), "Size");
/// assert_eq!(reader.next().unwrap()?.num_rows(), 2);
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
pub struct Reader<T> {
    source: Arc<T>,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    levels: FieldLevels,
    schema: SchemaRef,
    most: u64,
    groups: Range<usize>,
    current: Option<(Group<T>, ParquetRecordBatchReader)>,
}

/// Returns the checked footer of a file, and the remaining memory.
fn opened(source: &impl ChunkReader, limits: &Limits) -> Result<(ArrowReaderMetadata, u64)> {
    let left = footer::judge(source, limits)?;
    // Arrow's schema is text in the footer, which can describe far more than its length suggests.
    let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let plain = ArrowReaderMetadata::load(source, plain).map_err(|error| broken(&error))?;
    let notes = plain.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    for note in notes.filter(|note| note.key == parquet::arrow::ARROW_SCHEMA_META_KEY) {
        schema::judge_text(note.value.as_deref().unwrap_or_default(), left)?;
    }
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), ArrowReaderOptions::new());
    Ok((metadata.map_err(|error| broken(&error))?, left))
}

/// Returns the number of rows that a file declares.
pub(crate) fn rows(source: &impl ChunkReader, limits: &Limits) -> Result<u64> {
    let (metadata, _) = reading(|| opened(source, limits))?;
    let rows = metadata.metadata().row_groups().iter().map(|group| u64::try_from(group.num_rows()).unwrap_or(0));
    Ok(rows.fold(0, u64::saturating_add))
}

impl<T: ChunkReader + 'static> Reader<T> {
    /// Opens a file to read the columns at these indices, or all columns.
    pub(crate) fn open(source: T, columns: Option<&[usize]>, limits: &Limits) -> Result<Self> {
        reading(|| {
            let (metadata, most) = opened(&source, limits)?;
            let (mask, schema) = match columns {
                None => (ProjectionMask::all(), Arc::clone(metadata.schema())),
                Some(columns) => {
                    let schema = metadata.schema().project(columns)?;
                    let mask = ProjectionMask::roots(metadata.parquet_schema(), columns.iter().copied());
                    (mask, Arc::new(schema))
                }
            };
            let hint = Some(metadata.schema().fields());
            let levels = parquet_to_arrow_field_levels(metadata.parquet_schema(), mask.clone(), hint);
            let levels = levels.map_err(|error| broken(&error))?;
            let groups = 0..metadata.metadata().num_row_groups();
            Ok(Reader { source: Arc::new(source), metadata, mask, levels, schema, most, groups, current: None })
        })
    }

    /// Returns the next batch of any row group.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some((group, reader)) = &mut self.current {
                group.budget.begin_batch();
                let next = reading(|| Ok(reader.next().transpose()?));
                match next {
                    Ok(Some(batch)) => return Ok(Some(self.named(batch)?)),
                    Ok(None) => self.current = None,
                    Err(error) => {
                        let refused = group.budget.refused();
                        return Err(refused.unwrap_or_else(|| in_words(error, group.place)));
                    }
                }
            }
            let Some(place) = self.groups.next() else { return Ok(None) };
            let metadata = self.metadata.metadata();
            self.current = Some(reading(|| {
                let group = Group::open(&self.source, metadata, place, &self.mask, &self.schema, self.most)?;
                let reader = ParquetRecordBatchReader::try_new_with_row_groups(&self.levels, &group, group.rows, None);
                Ok((group, reader.map_err(|error| broken(&error))?))
            })?);
        }
    }

    /// Returns the batch with the metadata of the whole file, which the reader drops.
    fn named(&self, batch: RecordBatch) -> Result<RecordBatch> {
        let rows = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let (_, columns, _) = batch.into_parts();
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows)?)
    }
}

/// Returns an error from the reader in a row group, with a description of what is broken.
fn in_words(error: Error, group: usize) -> Error {
    match error {
        Error::Arrow(ArrowError::ParquetError(words)) | Error::Broken(words) => {
            Error::Broken(format!("row group {group}: {words}"))
        }
        Error::Arrow(error) => Error::Broken(format!("row group {group}: {error}")),
        error => error,
    }
}

impl<T: ChunkReader + 'static> Iterator for Reader<T> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_batch();
        if next.is_err() {
            (self.current, self.groups) = (None, 0..0);
        }
        next.map_err(ArrowError::from).transpose()
    }
}

impl<T: ChunkReader + 'static> RecordBatchReader for Reader<T> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
