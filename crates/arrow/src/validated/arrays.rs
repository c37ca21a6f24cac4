//! Checks arrays and their parts.
//!
//! Each array is visited with its children, once per batch. Types that IDV cannot represent are refused before anything
//! in them is read. A dictionary is checked once while batches share it: it is kept, so its address cannot be reused by
//! another one in the meantime.

use super::offsets::{ensure_offsets, part};
use super::texts::{self, Bytes};
use crate::error::Trouble;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrowPrimitiveType, GenericListArray, OffsetSizeTrait, PrimitiveArray, downcast_integer_array,
};
use arrow_buffer::ArrowNativeType;
use arrow_data::ArrayData;
use arrow_schema::DataType;
use ndbytes::{Limits, Memory};
use std::collections::HashMap;
use std::ops::Range;

/// The dictionaries of a column that were examined last, by their position in it. They are kept, so that nothing else is allocated at their
/// address.
pub(super) type Dictionaries = HashMap<String, ArrayData>;

/// Refuses types whose arrays cannot be validated.
pub(super) fn ensure_known(data_type: &DataType) -> Result<(), Trouble> {
    match data_type {
        DataType::Null | DataType::Boolean => Ok(()),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(()),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Ok(()),
        DataType::FixedSizeBinary(size) if *size >= 0 => Ok(()),
        DataType::FixedSizeList(item, size) if *size >= 0 => ensure_known(item.data_type()),
        DataType::List(item) | DataType::LargeList(item) => ensure_known(item.data_type()),
        DataType::Struct(fields) => fields.iter().try_for_each(|field| ensure_known(field.data_type())),
        DataType::Dictionary(keys, values) if keys.is_integer() => ensure_known(values),
        other if other.is_primitive() => Ok(()),
        other => Err(Trouble::Column(format!("has the type {other}, which IDV cannot hold"))),
    }
}

/// A walk over an array of a column.
pub(super) struct Walk<'w> {
    pub limits: Limits,
    pub memory: &'w Memory,
    pub known: &'w mut Dictionaries,
}

fn refuse(what: String) -> Result<(), Trouble> {
    Err(Trouble::Column(what))
}

impl Walk<'_> {
    /// Checks an array at a position in the column, such as `""` or `its items`.
    pub fn ensure_valid(&mut self, array: &dyn Array, place: &str) -> Result<(), Trouble> {
        self.limits.ensure_time()?;
        ensure_nulls(array, place)?;
        match array.data_type() {
            DataType::Utf8 => texts::ensure_valid(array.as_string::<i32>(), Bytes::Text, place),
            DataType::LargeUtf8 => texts::ensure_valid(array.as_string::<i64>(), Bytes::Text, place),
            DataType::Utf8View => texts::ensure_views(array.as_string_view(), Bytes::Text, self.memory, place),
            DataType::Binary => texts::ensure_valid(array.as_binary::<i32>(), Bytes::Any, place),
            DataType::LargeBinary => texts::ensure_valid(array.as_binary::<i64>(), Bytes::Any, place),
            DataType::BinaryView => texts::ensure_views(array.as_binary_view(), Bytes::Any, self.memory, place),
            DataType::List(_) => self.ensure_lists(array.as_list::<i32>(), place),
            DataType::LargeList(_) => self.ensure_lists(array.as_list::<i64>(), place),
            DataType::FixedSizeList(_, size) => {
                let (items, place) = (array.as_fixed_size_list().values(), part(place, "items"));
                let needed = usize::try_from(*size).ok().and_then(|size| size.checked_mul(array.len()));
                match needed == Some(items.len()) {
                    true => self.ensure_valid(items, &place),
                    false => refuse(format!("{} lists of {size} have {} items", array.len(), items.len())),
                }
            }
            DataType::Struct(fields) => {
                for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                    let place = part(place, &format!("field {:?}", field.name()));
                    if column.len() != array.len() {
                        return refuse(format!("{place} has {} items, but should have {}", column.len(), array.len()));
                    }
                    self.ensure_valid(column, &place)?;
                }
                Ok(())
            }
            DataType::Dictionary(..) => self.ensure_dictionary(array, place),
            _ => Ok(()),
        }
    }

    fn ensure_lists<O: OffsetSizeTrait>(&mut self, lists: &GenericListArray<O>, place: &str) -> Result<(), Trouble> {
        let items = lists.values();
        let part = part(place, "items");
        let Range { start, end } = ensure_offsets(lists.value_offsets(), items.len(), &part)?;
        // The bytes of other rows are not part of this batch.
        self.ensure_valid(&items.slice(start, end - start), &part)
    }

    fn ensure_dictionary(&mut self, array: &dyn Array, place: &str) -> Result<(), Trouble> {
        let dictionary = array.as_any_dictionary();
        let (keys, values) = (dictionary.keys(), dictionary.values());
        let part = part(place, "dictionary");
        downcast_integer_array!(
            keys => ensure_keys(keys, values.len(), &part)?,
            other => return refuse(format!("{part} has keys of the type {other}")),
        );
        let data = values.to_data();
        if self.known.get(&part).is_none_or(|known| !known.ptr_eq(&data)) {
            self.ensure_valid(values, &part)?;
            self.known.insert(part, data);
        }
        Ok(())
    }
}

/// Refuses a null count that differs from the actual one.
fn ensure_nulls(array: &dyn Array, place: &str) -> Result<(), Trouble> {
    let Some(nulls) = array.nulls() else { return Ok(()) };
    let found = nulls.len() - nulls.inner().count_set_bits();
    match found == nulls.null_count() && nulls.len() == array.len() {
        true => Ok(()),
        false => refuse(format!("{} are declared as {}, but are {found}", part(place, "nulls"), nulls.null_count())),
    }
}

fn ensure_keys<K: ArrowPrimitiveType>(keys: &PrimitiveArray<K>, count: usize, place: &str) -> Result<(), Trouble> {
    let is_none = |&(item, key): &(usize, &K::Native)| {
        key.to_usize().is_none_or(|key| key >= count) && keys.nulls().is_none_or(|nulls| nulls.is_valid(item))
    };
    match keys.values().iter().enumerate().find(is_none) {
        None => Ok(()),
        Some((item, key)) => refuse(format!("key {item} is {key:?}, but {place} has {count} values")),
    }
}
