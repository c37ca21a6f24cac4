//! The batches of a Parquet file.

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

/// The batches of a Parquet file. A row group is read after the other one.
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

/// The footer of a file, judged, and what is left of the memory.
fn opened(source: &impl ChunkReader, limits: &Limits) -> Result<(ArrowReaderMetadata, u64)> {
    let left = footer::judge(source, limits)?;
    // Arrow's schema is a text in the footer, which can describe more than it has bytes.
    let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let plain = ArrowReaderMetadata::load(source, plain).map_err(|error| broken(&error))?;
    let notes = plain.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    for note in notes.filter(|note| note.key == parquet::arrow::ARROW_SCHEMA_META_KEY) {
        schema::judge_text(note.value.as_deref().unwrap_or_default(), left)?;
    }
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), ArrowReaderOptions::new());
    Ok((metadata.map_err(|error| broken(&error))?, left))
}

/// The number of rows that a file declares.
pub(crate) fn rows(source: &impl ChunkReader, limits: &Limits) -> Result<u64> {
    let (metadata, _) = reading(|| opened(source, limits))?;
    let rows = metadata.metadata().row_groups().iter().map(|group| u64::try_from(group.num_rows()).unwrap_or(0));
    Ok(rows.fold(0, u64::saturating_add))
}

impl<T: ChunkReader + 'static> Reader<T> {
    /// The columns at some places, or all of them.
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

    /// The next batch of any row group.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some((group, reader)) = &mut self.current {
                group.purse.begin_batch();
                let next = reading(|| Ok(reader.next().transpose()?));
                match next {
                    Ok(Some(batch)) => return Ok(Some(self.named(batch)?)),
                    Ok(None) => self.current = None,
                    Err(error) => {
                        let refused = group.purse.refused();
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

    /// The batch with the metadata of the whole, which the reader drops.
    fn named(&self, batch: RecordBatch) -> Result<RecordBatch> {
        let rows = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let (_, columns, _) = batch.into_parts();
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows)?)
    }
}

/// An error of the reader in a row group, which says what is broken.
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
