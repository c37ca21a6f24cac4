//! Parquet files, whose pages are measured before they are decoded.

use super::super::known::{Known, OTHER_COLUMNS, too_large};
use super::super::options::Options;
use super::file_bytes::bytes;
use super::heads::{self, Announced};
use super::views;
use crate::bounded::ROWS_READ;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use std::collections::HashMap;
use std::fs::File;

impl Known {
    /// Adds the rows of a Parquet file.
    pub(super) fn read_parquet(&mut self, file: File, length: u64, options: &Options) -> Result<bool, String> {
        let limits = options.limits;
        heads::metadata(&file, length, self.left(limits))?;
        let broken = |error: ParquetError| error.to_string();
        // Arrow's schema is also in the metadata, but is not read: see `arrow`.
        let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let plain = ArrowReaderMetadata::load(&file, plain).map_err(broken)?;
        let viewed = views::schema(plain.schema()).ok_or(OTHER_COLUMNS)?;
        let viewed = ArrowReaderOptions::new().with_schema(viewed);
        let viewed = ArrowReaderMetadata::try_new(plain.metadata().clone(), viewed).map_err(broken)?;
        let pages = file.try_clone().map_err(|error| error.to_string())?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, viewed);
        let metadata = builder.metadata();
        let notes = metadata.file_metadata().key_value_metadata().into_iter().flatten();
        let notes: HashMap<_, _> = notes.filter_map(|it| Some((it.key.clone(), it.value.clone()?))).collect();
        let mut adding = self.begin(|key| notes.get(key).cloned(), options)?;
        measure(&pages, length, metadata, self.left(limits))
            .map_err(|words| words.unwrap_or_else(|| too_large(limits)))?;
        for batch in builder.with_batch_size(ROWS_READ).build().map_err(broken)? {
            let Ok(batch) = batch else { return Ok(false) };
            self.insert(views::owned(&batch, self.left(limits), limits)?, &mut adding)?;
        }
        Ok(true)
    }
}

/// Adds up the claims of all pages. A row group with a single row is decoded completely. `None` if that exceeds the
/// limit.
fn measure(file: &File, length: u64, metadata: &ParquetMetaData, most: u64) -> Result<(), Option<String>> {
    let mut all = Announced::default();
    for group in metadata.row_groups() {
        let mut of_group = Announced::default();
        for column in group.columns() {
            let (start, count) = column.byte_range();
            if start.checked_add(count).is_none_or(|end| end > length) {
                return Err(Some("a column ends beyond the end of the file: it may be truncated".to_owned()));
            }
            of_group.add(&bytes(file, start, count)?)?;
            let is_too_much = all.size().saturating_add(of_group.size()) > most || of_group.memory() > most;
            if is_too_much {
                return Err(None);
            }
        }
        all.join(of_group);
    }
    Ok(())
}
