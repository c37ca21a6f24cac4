//! An array as rows: of its items, or of what lies along its first axis.

use super::batch::{Send, batch, failed};
use super::elements;
use crate::source::{Kind, Rows, Source};
use crate::stores;
use datafusion::arrow::array::{ArrayRef, FixedSizeListArray, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::{Result, plan_err};
use ndbytes::{Array, File, ItemType};
use std::ops::Range;
use std::sync::Arc;

/// The maximum number of bytes of items in a batch.
const MOST_BYTES: u64 = 16 << 20;

/// An array that is open.
pub struct OpenArray {
    array: Array<'static>,
    path: String,
    rows: Rows,
}

impl OpenArray {
    pub fn open(path: &str, source: &Source) -> Result<Self> {
        let options = ndbytes::Options::new().limits(source.limits());
        let at_path = |error| failed(path, error);
        let input = stores::open(path, source.limits()).map_err(at_path)?;
        let array = options.read(input).and_then(File::into_array).map_err(at_path)?;
        let rows = if let Kind::Array(rows) = source.kind { rows } else { Rows::Items };
        Ok(OpenArray { array, path: path.to_owned(), rows })
    }

    /// The columns: those of the indices, then that of the value.
    pub fn schema(&self, rows: Rows) -> Result<Schema> {
        let value = match elements::data_type(&self.array.item_type()) {
            Ok(value) => value,
            Err(what) => return plan_err!("{:?} holds {what}, for which Arrow has no type", self.path),
        };
        let index = |axis| Field::new(format!("axis_{axis}"), DataType::UInt64, false);
        // Points in time may be none.
        let field = |value| Field::new("value", value, true);
        Ok(match rows {
            Rows::Items => {
                Schema::new((0..self.array.shape().len()).map(index).chain([field(value)]).collect::<Vec<_>>())
            }
            Rows::First => {
                let item = Arc::new(Field::new("item", value, true));
                Schema::new(vec![index(0), field(DataType::FixedSizeList(item, self.row_items()? as i32))])
            }
        })
    }

    /// The number of rows, and of those that are best read at once.
    pub fn extent(&self, rows: Rows) -> Result<(u64, u64)> {
        let items = self.array.items();
        match rows {
            Rows::Items => Ok((items.count(), items.piece())),
            Rows::First => {
                let rows = self.array.shape().first().map_or(0, |&rows| rows as u64);
                Ok((rows, items.piece().div_ceil(self.row_items()?.max(1))))
            }
        }
    }

    /// The number of items at one index of the first axis.
    fn row_items(&self) -> Result<u64> {
        let Some((_, rest)) = self.array.shape().split_first() else {
            return plan_err!("{:?} has no axes, so that it has no rows: ask for its items", self.path);
        };
        let items = rest.iter().try_fold(1_u64, |items, &extent| items.checked_mul(extent as u64));
        let bytes = items.and_then(|items| items.checked_mul(self.array.item_type().stride().max(1)));
        match (items, bytes) {
            (Some(items), Some(..=MOST_BYTES)) => Ok(items),
            _ => plan_err!("a row of {:?} has more than {MOST_BYTES} bytes: ask for its items", self.path),
        }
    }

    /// Sends the batches of some rows.
    pub fn read(
        &self,
        rows: Option<Range<u64>>,
        full: &Schema,
        columns: Option<&[usize]>,
        most: usize,
        send: Send<'_>,
    ) -> Result<bool> {
        if self.schema(self.rows)? != *full {
            return plan_err!("{:?} is another array than when the query was planned", self.path);
        }
        let item_type = self.array.item_type();
        let row_items = if self.rows == Rows::Items { 1 } else { self.row_items()? };
        let row_bytes = row_items.saturating_mul(item_type.stride().max(1));
        let step = (most as u64).min(MOST_BYTES / row_bytes.max(1)).max(1);
        let (count, _) = self.extent(self.rows)?;
        let rows = rows.unwrap_or(0..count);
        let mut items = self.array.items();
        let piece = items.piece().div_ceil(row_items.max(1)).max(1);
        let mut start = rows.start;
        while start < rows.end {
            // A piece is decoded at once, and handed on in batches.
            let end = rows.end.min((start / piece + 1).saturating_mul(piece)).min(start.saturating_add(step));
            let taken = start..end;
            let value_at = full.fields().len() - 1;
            let wanted = |column: usize| columns.is_none_or(|columns| columns.contains(&column));
            let value = match wanted(value_at) {
                true => {
                    let bytes = items
                        .read(start.saturating_mul(row_items), (end - start).saturating_mul(row_items))
                        .map_err(|error| failed(&self.path, error))?;
                    Some(self.value(bytes, &item_type, &taken, row_items, full.field(value_at))?)
                }
                false => None,
            };
            let all = 0..full.fields().len();
            let arrays =
                columns.map_or_else(|| all.collect(), <[usize]>::to_vec).into_iter().map(|column| match &value {
                    Some(value) if column == value_at => value.clone(),
                    _ => self.indices(column, taken.clone()),
                });
            if !send(batch(full, columns, (end - start) as usize, arrays.collect())?) {
                return Ok(false);
            }
            start = end;
        }
        Ok(true)
    }

    fn value(
        &self,
        bytes: &[u8],
        item_type: &ItemType,
        rows: &Range<u64>,
        row_items: u64,
        field: &Field,
    ) -> Result<ArrayRef> {
        let count = ((rows.end - rows.start) * row_items) as usize;
        let items = elements::array(bytes, item_type, count)?;
        match (self.rows, field.data_type()) {
            (Rows::First, DataType::FixedSizeList(item, size)) => {
                let rows = (rows.end - rows.start) as usize;
                Ok(Arc::new(FixedSizeListArray::try_new_with_length(item.clone(), *size, items, None, rows)?))
            }
            _ => Ok(items),
        }
    }

    /// The index of rows along an axis.
    fn indices(&self, axis: usize, rows: Range<u64>) -> ArrayRef {
        if self.rows == Rows::First {
            return Arc::new(UInt64Array::from_iter_values(rows));
        }
        let shape = self.array.shape();
        let extent = shape[axis] as u64;
        let below: u64 = shape[axis + 1..].iter().fold(1, |items, &extent| items.saturating_mul(extent as u64));
        Arc::new(UInt64Array::from_iter_values(rows.map(|row| row / below.max(1) % extent.max(1))))
    }
}
