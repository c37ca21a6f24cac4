//! Divides a batch into pieces that are written at once.
//!
//! An Arrow file may be a single batch. Writers keep a copy of their input, some with an overhead per value. So they
//! get only as many rows as the memory limit allows.

use crate::kind::FileKind;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;

/// The overhead per value in the Parquet writer: two levels and a position.
const VALUE: u64 = 16;

/// The maximum number of bytes of memory per byte of text, which is an escape of six characters in a buffer that
/// doubles as it grows.
const TEXT: u64 = 12;

/// The pieces of a batch, in their order.
pub struct Pieces {
    /// The remaining pieces in reverse order, so the last one is next.
    left: Vec<RecordBatch>,
    factor: u64,
    most: u64,
}

/// A row that exceeds the memory limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// The number of bytes that it needs.
    pub needed: u64,
    /// The number of bytes that may be used.
    pub left: u64,
}

impl Pieces {
    /// Divides a batch into parts of at most `most` bytes each when written.
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

/// Returns the length of the values of an array in bytes. `is_spread` is true if dictionaries are expanded, so each row
/// has its own copy of a value.
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
            // In the worst case, every row has the longest value.
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

/// Returns the number of bytes between the first offset and the last one.
fn span<O: arrow_array::OffsetSizeTrait>(offsets: &[O]) -> u64 {
    bounds(offsets).1 as u64
}

/// Returns the first offset and the distance to the last one.
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
