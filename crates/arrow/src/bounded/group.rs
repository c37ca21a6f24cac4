//! A row group, and how many of its rows are read at once.

use super::ensure;
use super::pages::{Pages, VALUE};
use super::purse::Purse;
use crate::error::{Error, Result};
use arrow_schema::{DataType, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::RowGroups;
use parquet::column::page::{PageIterator, PageReader};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of rows of a batch.
const ROWS: u64 = super::ROWS_READ as u64;

/// A part of what is granted: more of it is not taken for the rows of a batch, if fewer rows will do.
const SHARE: u64 = 2;

/// A row group whose columns were opened.
pub(super) struct Group<T> {
    metadata: Arc<ParquetMetaData>,
    pub place: usize,
    /// The pages of the columns that are wanted, until the reader takes them.
    columns: Vec<Mutex<Option<Pages<T>>>>,
    pub purse: Arc<Purse>,
    /// The rows of a batch.
    pub rows: usize,
}

impl<T: ChunkReader> Group<T> {
    /// Opens the wanted columns of a row group. `schema` has the types that they become.
    pub fn open(
        source: &Arc<T>,
        metadata: &Arc<ParquetMetaData>,
        place: usize,
        mask: &ProjectionMask,
        schema: &Schema,
        most: u64,
    ) -> Result<Self> {
        let purse = Arc::new(Purse::new(most));
        let mut columns = Vec::new();
        // Lists of one length have room for their items in each row, also in those that are null.
        let padding = schema.fields().iter().map(|field| padding(field.data_type())).fold(0, u64::saturating_add);
        let mut width = padding;
        let mut widest: Option<(u64, String)> = None;
        for (leaf, chunk) in metadata.row_group(place).columns().iter().enumerate() {
            if !mask.leaf_included(leaf) {
                columns.push(Mutex::new(None));
                continue;
            }
            let pages = Pages::new(Arc::clone(source), Arc::clone(&purse), chunk, place)?;
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
        let left = purse.left();
        let what = || match &widest {
            Some((value, name)) if *value >= padding => format!("a row of {name}"),
            _ => format!("a row of row group {place}, whose lists have one length"),
        };
        ensure(width, left, what)?;
        let rows = (left / SHARE).checked_div(width).unwrap_or(ROWS).clamp(1, ROWS);
        purse.keep(rows.saturating_mul(width), what)?;
        // There are at most 16,384.
        let rows = rows as usize;
        Ok(Group { metadata: Arc::clone(metadata), place, columns, purse, rows })
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
        let pages = pages.ok_or_else(|| ParquetError::General(format!("column {place} is not there")))?;
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

/// Bytes that the lists of one length in a row take, if the row is null.
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

/// The errors of the reader of Parquet, in our words.
pub(super) fn broken(error: &dyn std::fmt::Display) -> Error {
    Error::Broken(error.to_string())
}
