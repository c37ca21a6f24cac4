//! The rows of a batch that are written at once.
//!
//! A file of Arrow may be one batch. Writers hold a copy of what they write, some of them with more beside each value.
//! So they get as many rows as the granted memory allows.

use crate::kind::FileKind;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;

/// The bytes that a value takes beside its own in the writer of Parquet: two levels and a place.
const VALUE: u64 = 16;

/// The most that a byte of a row becomes as text: an escape of six characters, in a buffer that grows to twice its content.
const TEXT: u64 = 12;

/// The pieces of a batch, in their order.
pub struct Pieces {
    /// The last one is the next.
    left: Vec<RecordBatch>,
    factor: u64,
    most: u64,
}

/// A row that takes more than is granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Bytes that it takes.
    pub needed: u64,
    /// Bytes that are granted.
    pub left: u64,
}

impl Pieces {
    /// The pieces of a batch that is written as some kind, each of at most so many bytes.
    pub fn new(batch: RecordBatch, kind: FileKind, most: u64) -> Self {
        Pieces { left: vec![batch], factor: if kind.is_lines() { TEXT } else { 1 }, most }
    }
}

impl Iterator for Pieces {
    type Item = Result<RecordBatch, TooLong>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let batch = self.left.pop()?;
            let (rows, most) = (batch.num_rows(), self.most);
            let costs = batch.columns().iter().map(|column| cost(column.as_ref(), self.factor > 1));
            let needed = costs.fold(0, u64::saturating_add).saturating_mul(self.factor);
            if needed <= most {
                return Some(Ok(batch));
            }
            if rows <= 1 {
                self.left.clear();
                return Some(Err(TooLong { needed, left: most }));
            }
            let middle = rows / 2;
            self.left.push(batch.slice(middle, rows - middle));
            self.left.push(batch.slice(0, middle));
        }
    }
}

/// The bytes that the values of an array take. `is_spread` says whether each row gets the value of its dictionary.
fn cost(array: &dyn Array, is_spread: bool) -> u64 {
    let length = array.len() as u64;
    let own = length.saturating_mul(VALUE);
    let within = match array.data_type() {
        DataType::Utf8 => span(array.as_string::<i32>().value_offsets()),
        DataType::LargeUtf8 => span(array.as_string::<i64>().value_offsets()),
        DataType::Binary => span(array.as_binary::<i32>().value_offsets()),
        DataType::LargeBinary => span(array.as_binary::<i64>().value_offsets()),
        DataType::Utf8View => array.as_string_view().lengths().map(u64::from).fold(0, u64::saturating_add),
        DataType::BinaryView => array.as_binary_view().lengths().map(u64::from).fold(0, u64::saturating_add),
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let range = bounds(list.value_offsets());
            cost(&list.values().slice(range.0, range.1), is_spread)
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            let range = bounds(list.value_offsets());
            cost(&list.values().slice(range.0, range.1), is_spread)
        }
        DataType::Map(..) => {
            let map = array.as_map();
            let range = bounds(map.value_offsets());
            cost(&map.entries().slice(range.0, range.1), is_spread)
        }
        DataType::FixedSizeList(..) => cost(array.as_fixed_size_list().values().as_ref(), is_spread),
        DataType::Struct(_) => {
            let columns = array.as_struct().columns();
            columns.iter().map(|column| cost(column.as_ref(), is_spread)).fold(0, u64::saturating_add)
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = dictionary.values();
            // A row gets the longest of the values, for all that is known.
            let longest = if is_spread { values.get_buffer_memory_size() as u64 } else { 0 };
            longest.min(longest.saturating_mul(length))
        }
        data_type => match data_type.primitive_width() {
            Some(width) => length.saturating_mul(width as u64),
            None if matches!(data_type, DataType::Null | DataType::Boolean) => 0,
            None => array.get_buffer_memory_size() as u64,
        },
    };
    own.saturating_add(within)
}

/// The bytes between the first offset and the last one.
fn span<O: arrow_array::OffsetSizeTrait>(offsets: &[O]) -> u64 {
    bounds(offsets).1 as u64
}

/// The first offset, and the distance to the last one.
fn bounds<O: arrow_array::OffsetSizeTrait>(offsets: &[O]) -> (usize, usize) {
    let (first, last) = (offsets.first(), offsets.last());
    let (first, last) = (first.map_or(0, |first| first.as_usize()), last.map_or(0, |last| last.as_usize()));
    (first, last.saturating_sub(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, ListArray, StringArray};
    use std::sync::Arc;

    fn rows(batch: RecordBatch, kind: FileKind, most: u64) -> Result<Vec<usize>, TooLong> {
        Pieces::new(batch, kind, most).map(|piece| piece.map(|piece| piece.num_rows())).collect()
    }

    #[test]
    fn batch_is_cut_until_each_piece_is_granted() {
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values(["a".repeat(1000), "b".repeat(3000), "c".into()]));
        let batch = RecordBatch::try_from_iter([("it", texts)]).unwrap();
        assert_eq!(rows(batch.clone(), FileKind::Parquet, 5000), Ok(vec![3]));
        assert_eq!(rows(batch.clone(), FileKind::Parquet, 4000), Ok(vec![1, 2]));
        assert_eq!(rows(batch.clone(), FileKind::Parquet, 3016), Ok(vec![1, 1, 1]));
        assert_eq!(rows(batch.clone(), FileKind::Parquet, 3015), Err(TooLong { needed: 3016, left: 3015 }));
        assert_eq!(rows(batch, FileKind::Csv, 40_000), Ok(vec![1, 2]), "escapes are longer than characters");
    }

    #[test]
    fn list_takes_what_its_items_take() {
        let items = ListArray::from_iter_primitive::<arrow_array::types::Int64Type, _, _>([
            Some(vec![Some(1); 100]),
            Some(vec![Some(2); 10]),
        ]);
        let batch = RecordBatch::try_from_iter([("it", Arc::new(items) as ArrayRef)]).unwrap();
        assert_eq!(rows(batch.clone(), FileKind::Arrow, 100 * 24 + 16), Ok(vec![1, 1]));
        assert_eq!(rows(batch, FileKind::Arrow, 110 * 24 + 32), Ok(vec![2]));
    }
}
