//! The categories of a column of keys, by value.
//!
//! Arrow's dictionaries may change from batch to batch, and the same value may be in several of them, or twice in one.
//! IDV has one list of categories per column. Keys are therefore found by the bytes of their value, across all batches.
//! If consecutive batches share a dictionary, its keys are looked up once.
//!
//! A column whose metadata states its categories may not get new ones: the annotation was written by someone who
//! relies on it.

use super::items::{self, Conversion};
use crate::annotations::push_default;
use crate::error::{Problem, Trouble};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_data::ArrayData;
use ndbytes::idv::{ColumnType, ItemType, Items, Texts, Values};
use ndbytes::{Debited, Memory};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The memory for a category in bytes, in addition to its value, which is stored twice.
const ENTRY: u64 = 96;

/// The categories of a column, by value.
#[derive(Debug)]
pub(crate) struct Categories {
    value_type: ItemType,
    /// The raw key for each value.
    keys: HashMap<Box<[u8]>, u64>,
    /// The values in the order of their keys, if new ones may be added.
    values: Option<Items>,
    debited: Option<Debited>,
    /// The latest dictionary, with the keys of its values.
    last: Option<(ArrayData, Vec<u64>)>,
}

/// Returns whether categories can have values of a type.
pub(crate) fn is_value(item: ItemType) -> bool {
    use ItemType::{F32, F64, I8, I16, I32, I64, Text, U8, U16, U32, U64};
    matches!(item, Text | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | F32 | F64)
}

impl Categories {
    /// Creates an empty list, in which each new value becomes a category.
    pub fn new(value_type: ItemType) -> Self {
        let values = Some(Values::vectors(value_type).into_items());
        Categories { value_type, keys: HashMap::new(), values, debited: None, last: None }
    }

    /// Returns the categories of an annotation, to which none can be added. If two values are equal, the first one is used.
    pub fn stated(value_type: ItemType, values: &Values, memory: &Memory) -> Result<Self, Trouble> {
        let mut categories = Categories { values: None, ..Categories::new(value_type) };
        let Some(vector) = values.vector(0) else { return Ok(categories) };
        // Categories that are not stored have their type's default value.
        let mut default = Values::vectors(value_type).into_items();
        push_default(&mut default);
        let mut stored = vector.indices().map(|indices| indices.iter().enumerate().peekable());
        for item in 0..vector.len() {
            let place = match &mut stored {
                None => Some(item),
                Some(stored) => stored.next_if(|(_, index)| **index as usize == item).map(|(place, _)| place),
            };
            let bytes = place.map_or_else(|| bytes_of(&default, 0), |place| bytes_of(values.items(), place));
            categories.debit(bytes.len(), memory)?;
            categories.keys.entry(bytes).or_insert(item as u64 + 1);
        }
        Ok(categories)
    }

    fn debit(&mut self, bytes: usize, memory: &Memory) -> Result<(), Trouble> {
        let (bytes, what) = (2 * bytes as u64 + ENTRY, "the values of categories");
        match &mut self.debited {
            Some(debited) => debited.grow(bytes, what)?,
            None => self.debited = Some(memory.take(bytes, what)?),
        }
        Ok(())
    }

    /// Returns the raw keys of values, or of a dictionary of them. A null is the missing key, 0.
    pub fn keys_of(&mut self, array: &ArrayRef, conversion: &Conversion<'_>) -> Result<Vec<u64>, Trouble> {
        let Some(dictionary) = array.as_any_dictionary_opt() else {
            let keys = self.keys_of_values(array, conversion)?;
            return keys.into_iter().enumerate().map(|(item, key)| self.known(item, key)).collect();
        };
        let data = dictionary.values().to_data();
        let known = self.last.as_ref().is_some_and(|(last, _)| last.ptr_eq(&data));
        if !known {
            let values = dictionary.values();
            let keys = self.keys_of_values(values, conversion)?;
            self.last = Some((data, keys));
        }
        let of_values: &[u64] = self.last.as_ref().map_or(&[], |(_, keys)| keys);
        let nulls = dictionary.keys().nulls();
        if of_values.is_empty() {
            return Ok(vec![0; array.len()]);
        }
        let places = dictionary.normalized_keys();
        let raw =
            places.iter().enumerate().map(|(item, &place)| match nulls.is_some_and(|nulls| nulls.is_null(item)) {
                true => Ok(0),
                false => self.known(item, of_values[place]),
            });
        raw.collect()
    }

    /// Refuses a value that is not one of the categories.
    fn known(&self, item: usize, key: u64) -> Result<u64, Trouble> {
        if key != u64::MAX {
            return Ok(key);
        }
        let what = "has a value that is not among the KeyValues in its metadata: write it without metadata".into();
        Err(Problem { item, what }.into())
    }

    /// Returns the raw keys of values; `u64::MAX` for those without a category.
    fn keys_of_values(&mut self, array: &ArrayRef, conversion: &Conversion<'_>) -> Result<Vec<u64>, Trouble> {
        let nulls = array.nulls().cloned();
        let items = items::items(array, self.value_type, nulls.as_ref(), &conversion.with_defaults())?;
        let mut keys = Vec::new();
        for item in 0..items.len() {
            if nulls.as_ref().is_some_and(|nulls| nulls.is_null(item)) {
                keys.push(0);
                continue;
            }
            keys.push(self.key(bytes_of(&items, item), &items, item, conversion.memory)?);
        }
        Ok(keys)
    }

    fn key(&mut self, bytes: Box<[u8]>, items: &Items, item: usize, memory: &Memory) -> Result<u64, Trouble> {
        if let Some(&key) = self.keys.get(&bytes) {
            return Ok(key);
        }
        if self.values.is_none() {
            return Ok(u64::MAX);
        }
        self.debit(bytes.len(), memory)?;
        let next = self.keys.len() as u64 + 1;
        if let Entry::Vacant(entry) = self.keys.entry(bytes) {
            entry.insert(next);
        }
        if let Some(values) = &mut self.values {
            append(values, items, item);
        }
        Ok(next)
    }

    /// Returns the number of categories, if new ones may be added.
    pub fn grown(&self) -> Option<u64> {
        self.values.as_ref().map(|_| self.keys.len() as u64)
    }

    /// Returns the values of the categories that still have to be annotated, if there are any.
    pub fn into_values(self) -> Result<Option<(ColumnType, Values)>, ndbytes::Error> {
        let Some(items) = self.values.filter(|items| !items.is_empty()) else { return Ok(None) };
        let mut values = Values::vectors(self.value_type);
        let count = items.len() as u32;
        values.push_vector(items)?;
        Ok(Some((ColumnType::vector(self.value_type, [count]), values)))
    }
}

/// Returns the bytes by which two items are compared.
fn bytes_of(items: &Items, item: usize) -> Box<[u8]> {
    match items {
        Items::I8(items) => items[item].to_le_bytes().into(),
        Items::I16(items) => items[item].to_le_bytes().into(),
        Items::I32(items) => items[item].to_le_bytes().into(),
        Items::I64(items) => items[item].to_le_bytes().into(),
        Items::U8(items) => items[item].to_le_bytes().into(),
        Items::U16(items) => items[item].to_le_bytes().into(),
        Items::U32(items) => items[item].to_le_bytes().into(),
        Items::U64(items) => items[item].to_le_bytes().into(),
        Items::F32(items) => items[item].to_le_bytes().into(),
        Items::F64(items) => items[item].to_le_bytes().into(),
        Items::Text(texts) => texts.get(item).map_or_else(Default::default, |text| text.as_bytes().into()),
        _ => Box::default(),
    }
}

/// Appends one item of a list of the same type.
fn append(values: &mut Items, items: &Items, item: usize) {
    match (values, items) {
        (Items::I8(values), Items::I8(items)) => values.push(items[item]),
        (Items::I16(values), Items::I16(items)) => values.push(items[item]),
        (Items::I32(values), Items::I32(items)) => values.push(items[item]),
        (Items::I64(values), Items::I64(items)) => values.push(items[item]),
        (Items::U8(values), Items::U8(items)) => values.push(items[item]),
        (Items::U16(values), Items::U16(items)) => values.push(items[item]),
        (Items::U32(values), Items::U32(items)) => values.push(items[item]),
        (Items::U64(values), Items::U64(items)) => values.push(items[item]),
        (Items::F32(values), Items::F32(items)) => values.push(items[item]),
        (Items::F64(values), Items::F64(items)) => values.push(items[item]),
        (Items::Text(values), Items::Text(texts)) => push_text(values, texts, item),
        _ => {}
    }
}

fn push_text(values: &mut Texts, texts: &Texts, item: usize) {
    if let Some(text) = texts.get(item).and_then(|text| text.to_str()) {
        values.push(text);
    }
}
