//! Arrays as the values of a column: items, and their division into vectors.

use super::items::{self, Conversion};
use super::options::NullPolicy;
use super::types::{Target, as_stored};
use crate::error::{Problem, Result, Trouble};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, OffsetSizeTrait};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use ndbytes::idv::{ItemType, Items, Layout, Values};

impl Target {
    /// Returns the values of an array. `first` is its first row in the table.
    pub fn values(&mut self, array: &ArrayRef, first: u64, conversion: &Conversion<'_>) -> Result<Values> {
        let mut rows = None;
        let values = self.make(array, &mut rows, conversion);
        values.map_err(|trouble| trouble.of(&self.name, |item| first + rows.map_or(item, |row_of| row_of(item)) as u64))
    }

    fn make(
        &mut self,
        array: &ArrayRef,
        rows: &mut Option<Box<dyn Fn(usize) -> usize>>,
        conversion: &Conversion<'_>,
    ) -> Result<Values, Trouble> {
        let nulls = array.logical_nulls();
        if self.column_type.dims.is_none() {
            return Ok(Values::scalars(self.items(array, nulls, conversion)?));
        }
        match array.data_type() {
            DataType::FixedSizeList(_, size) => {
                let size = usize::try_from(*size).unwrap_or(0);
                let lists = array.as_fixed_size_list();
                *rows = Some(Box::new(move |item| item.checked_div(size).unwrap_or(item)));
                if size == 0 {
                    ensure_rows(nulls.as_ref(), conversion)?;
                    return self.ragged(self.none()?, &vec![0; array.len()]);
                }
                let of_rows = nulls.map(|nulls| nulls.expand(size));
                let of_items = NullBuffer::union(of_rows.as_ref(), lists.values().logical_nulls().as_ref());
                let items = self.items(lists.values(), of_items, conversion)?;
                Ok(Values::dense(items, size as u32)?)
            }
            DataType::List(_) => self.lists::<i32>(array, rows, conversion),
            DataType::LargeList(_) => self.lists::<i64>(array, rows, conversion),
            data_type if as_stored(data_type) => self.as_stored(array, rows, conversion),
            other => Err(Trouble::Column(format!("has the type {other}, which IDV cannot hold"))),
        }
    }

    /// Returns an empty list of the column's item type.
    fn none(&self) -> Result<Items, Trouble> {
        Ok(Values::vectors(self.column_type.item).into_items())
    }

    fn ragged(&self, items: Items, lengths: &[u32]) -> Result<Values, Trouble> {
        let rows = lengths.len();
        let ends = lengths.iter().scan(0_u64, |end, &length| {
            *end += u64::from(length);
            Some(*end)
        });
        let item_ends: Vec<u64> = ends.collect();
        let layout = Layout::Mixed {
            lengths,
            item_ends: &item_ends,
            index_ends: &vec![0; rows],
            sparse: &vec![false; rows],
            indices: &[],
        };
        Ok(Values::with_layout(items, layout)?)
    }

    fn lists<O: OffsetSizeTrait>(
        &mut self,
        array: &ArrayRef,
        rows: &mut Option<Box<dyn Fn(usize) -> usize>>,
        conversion: &Conversion<'_>,
    ) -> Result<Values, Trouble> {
        let lists = array.as_list::<O>();
        ensure_rows(lists.nulls(), conversion)?;
        let (items, lengths) = self.items_of_lists::<O>(array, rows, conversion)?;
        self.ragged(items, &lengths)
    }

    /// Returns the items of all lists, and the lengths of the lists. A null list has no items.
    fn items_of_lists<O: OffsetSizeTrait>(
        &mut self,
        array: &ArrayRef,
        rows: &mut Option<Box<dyn Fn(usize) -> usize>>,
        conversion: &Conversion<'_>,
    ) -> Result<(Items, Vec<u32>), Trouble> {
        let lists = array.as_list::<O>();
        let offsets = lists.value_offsets();
        let (first, last) = (offsets[0].as_usize(), offsets[lists.len()].as_usize());
        let ends: Vec<usize> = offsets[1..].iter().map(|offset| offset.as_usize() - first).collect();
        let mut lengths = Vec::new();
        for row in 0..lists.len() {
            let length = offsets[row + 1].as_usize() - offsets[row].as_usize();
            if lists.is_null(row) && length > 0 {
                let what = "is null, but has items".into();
                return Err(Trouble::Item(Problem { item: offsets[row].as_usize() - first, what }));
            }
            let too_long =
                |_| Trouble::Column(format!("has a list of {length} items, but IDV allows at most 2^31 - 1"));
            lengths.push(u32::try_from(length).map_err(too_long)?);
        }
        *rows = Some(Box::new(move |item| ends.partition_point(|&end| end <= item)));
        let values = lists.values().slice(first, last - first);
        let nulls = values.logical_nulls();
        Ok((self.items(&values, nulls, conversion)?, lengths))
    }

    /// Returns the values of stored vectors.
    fn as_stored(
        &mut self,
        array: &ArrayRef,
        rows: &mut Option<Box<dyn Fn(usize) -> usize>>,
        conversion: &Conversion<'_>,
    ) -> Result<Values, Trouble> {
        let vectors = array.as_struct();
        let refuse = |item: usize, what: &str| Err(Trouble::Item(Problem { item, what: what.into() }));
        let nulls = NullBuffer::union(vectors.nulls(), vectors.column(0).nulls());
        let nulls = NullBuffer::union(nulls.as_ref(), vectors.column(2).nulls());
        if let Some(row) = nulls.and_then(|nulls| (0..nulls.len()).find(|&row| nulls.is_null(row))) {
            return refuse(row, "is a null among vectors as they are stored");
        }
        let lengths = vectors.column(0).as_primitive::<UInt32Type>().values();
        let places = vectors.column(1).as_list::<i32>();
        let all_places = places.values().as_primitive::<UInt32Type>();
        let (items, counts) = self.items_of_lists::<i32>(vectors.column(2), rows, conversion)?;
        let (mut sparse, mut item_ends, mut index_ends, mut indices) = (vec![], vec![], vec![], Vec::<u32>::new());
        let mut end = 0_u64;
        for (row, &count) in counts.iter().enumerate() {
            end += u64::from(count);
            item_ends.push(end);
            // A vector that stores all of its items has no indices in the file.
            let is_sparse = places.is_valid(row) && count < lengths[row];
            if is_sparse {
                let (first, last) = (places.value_offsets()[row] as usize, places.value_offsets()[row + 1] as usize);
                indices.extend_from_slice(&all_places.values()[first..last]);
            }
            sparse.push(is_sparse);
            index_ends.push(indices.len() as u64);
        }
        let layout = Layout::Mixed {
            lengths,
            item_ends: &item_ends,
            index_ends: &index_ends,
            sparse: &sparse,
            indices: &indices,
        };
        Values::with_layout(items, layout).map_err(|error| Trouble::Column(format!("has invalid vectors: {error}")))
    }

    /// Returns the items of an array, including keys.
    fn items(
        &mut self,
        array: &ArrayRef,
        nulls: Option<NullBuffer>,
        conversion: &Conversion<'_>,
    ) -> Result<Items, Trouble> {
        let ItemType::Key(key) = self.column_type.item else {
            return items::items(array, self.column_type.item, nulls.as_ref(), conversion);
        };
        let Some(categories) = &mut self.categories else {
            // Raw keys, in which a null is the missing key.
            return items::items(array, self.column_type.item, nulls.as_ref(), &conversion.with_defaults());
        };
        let mut raw = categories.keys_of(array, conversion)?;
        if let Some(nulls) = &nulls {
            raw.iter_mut().enumerate().filter(|(item, _)| nulls.is_null(*item)).for_each(|(_, key)| *key = 0);
        }
        macro_rules! narrow {
            ($number:ty) => {{
                let narrow = |key: u64| <$number>::try_from(key);
                let keys: Result<Vec<$number>, _> = raw.into_iter().map(narrow).collect();
                keys.map_err(|_| {
                    Trouble::Column(format!("has more categories than keys of {} bytes can number", key.width))
                })?
                .into()
            }};
        }
        Ok(match key.width {
            1 => narrow!(u8),
            2 => narrow!(u16),
            4 => narrow!(u32),
            _ => raw.into(),
        })
    }
}

/// Refuses null rows that are not empty vectors.
fn ensure_rows(nulls: Option<&NullBuffer>, conversion: &Conversion<'_>) -> Result<(), Trouble> {
    match nulls.and_then(|nulls| (0..nulls.len()).find(|&row| nulls.is_null(row))) {
        Some(row) if conversion.nulls != NullPolicy::Default => Err(Trouble::Column(format!(
            "has a null in row {row} of a batch, which version 1.1.1.6 cannot hold: choose the nulls default"
        ))),
        _ => Ok(()),
    }
}
