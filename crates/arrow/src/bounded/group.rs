//! A row group, and how many of its rows are read at once.
//!
//! The reader decodes a fixed number of rows at once. If a dictionary has one entry of 1 GiB, each row that refers to
//! it costs 1 GiB, so a file of a few bytes per row can demand any amount of memory. The number of rows per batch
//! therefore follows from the widest possible row and half of the remaining budget. Ordinary files get 16,384 rows.

use super::ensure;
use super::pages::{Pages, VALUE};
use super::row_group_budget::RowGroupBudget;
use crate::error::{Error, Result};
use arrow_schema::{DataType, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::RowGroups;
use parquet::column::page::{PageIterator, PageReader};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of rows in a batch.
const ROWS: u64 = super::ROWS_READ as u64;

/// The fraction of the memory budget beyond which the number of rows per batch is reduced.
const SHARE: u64 = 2;

/// A row group with opened columns.
pub(super) struct Group<T> {
    metadata: Arc<ParquetMetaData>,
    pub place: usize,
    /// The pages of the requested columns, until the reader takes them.
    columns: Vec<Mutex<Option<Pages<T>>>>,
    pub budget: Arc<RowGroupBudget>,
    /// The number of rows of a batch.
    pub rows: usize,
}

impl<T: ChunkReader> Group<T> {
    /// Opens the requested columns of a row group. `schema` contains the types that the columns are converted to.
    pub fn open(
        source: &Arc<T>,
        metadata: &Arc<ParquetMetaData>,
        place: usize,
        mask: &ProjectionMask,
        schema: &Schema,
        most: u64,
    ) -> Result<Self> {
        let budget = Arc::new(RowGroupBudget::new(most));
        let mut columns = Vec::new();
        // Fixed-size lists have room for their items in every row, even in null rows.
        let padding = schema.fields().iter().map(|field| padding(field.data_type())).fold(0, u64::saturating_add);
        let mut width = padding;
        let mut widest: Option<(u64, String)> = None;
        for (leaf, chunk) in metadata.row_group(place).columns().iter().enumerate() {
            if !mask.leaf_included(leaf) {
                columns.push(Mutex::new(None));
                continue;
            }
            let pages = Pages::new(Arc::clone(source), Arc::clone(&budget), chunk, place)?;
            let value = match pages.column().repetition {
                0 => pages.column().value(pages.longest()),
                // Its offsets. The items are counted page by page.
                _ => VALUE,
            };
            width = width.saturating_add(value);
            if widest.as_ref().is_none_or(|(most, _)| value > *most) {
                widest = Some((value, pages.column().name.clone()));
            }
            columns.push(Mutex::new(Some(pages)));
        }
        let left = budget.left();
        let what = || match &widest {
            Some((value, name)) if *value >= padding => format!("a row of {name}"),
            _ => format!("a row of row group {place}, whose lists have one length"),
        };
        ensure(width, left, what)?;
        let rows = (left / SHARE).checked_div(width).unwrap_or(ROWS).clamp(1, ROWS);
        budget.keep(rows.saturating_mul(width), what)?;
        // There are at most 16,384.
        let rows = rows as usize;
        Ok(Group { metadata: Arc::clone(metadata), place, columns, budget, rows })
    }

    fn row_group(&self) -> &RowGroupMetaData {
        self.metadata.row_group(self.place)
    }
}

impl<T: ChunkReader + 'static> RowGroups for Group<T> {
    fn num_rows(&self) -> usize {
        usize::try_from(self.row_group().num_rows()).unwrap_or(0)
    }

    fn column_chunks(&self, place: usize) -> ParquetResult<Box<dyn PageIterator>> {
        let column = self.columns.get(place);
        let pages = column.and_then(|column| column.lock().unwrap_or_else(PoisonError::into_inner).take());
        let pages = pages.ok_or_else(|| ParquetError::General(format!("column {place} is missing")))?;
        Ok(Box::new(One(Some(Box::new(pages)))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.row_group()))
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The pages of one row group.
struct One(Option<Box<dyn PageReader>>);

impl Iterator for One {
    type Item = ParquetResult<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(Ok)
    }
}

impl PageIterator for One {}

/// Returns how many bytes the fixed-size lists in a row take if the row is null.
fn padding(data_type: &DataType) -> u64 {
    match data_type {
        DataType::FixedSizeList(item, length) => {
            let length = u64::try_from(*length).unwrap_or(0);
            let width = item.data_type().primitive_width().unwrap_or(16) as u64;
            length.saturating_mul(width.saturating_add(VALUE).saturating_add(padding(item.data_type())))
        }
        DataType::Struct(fields) => fields.iter().map(|field| padding(field.data_type())).fold(0, u64::saturating_add),
        DataType::List(item) | DataType::LargeList(item) | DataType::Map(item, _) => padding(item.data_type()),
        _ => 0,
    }
}

/// Converts an error from the Parquet reader to an error of this crate.
pub(super) fn broken(error: &dyn std::fmt::Display) -> Error {
    Error::Broken(error.to_string())
}
