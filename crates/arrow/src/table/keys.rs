//! Keys as Arrow arrays: dictionaries, values or numbers.
//!
//! IDV stores 0 for the missing key and counts categories from 1. Arrow counts from 0 and has nulls. A key beyond the
//! number of categories is only a warning for `check`, but it would be an invalid dictionary for Arrow, so it is an
//! error here.

use super::buffers::{numbers, offsets};
use super::options::Keys;
use crate::error::Trouble;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, DictionaryArray, PrimitiveArray, StringArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_schema::DataType;
use ndbytes::Memory;
use ndbytes::idv::Items;
use std::sync::Arc;

/// Returns the type of the array for keys that are stored as `raw`.
pub(crate) fn data_type(raw: DataType, categories: Option<&ArrayRef>, keys: Keys) -> DataType {
    match (categories, keys) {
        (Some(values), Keys::Dictionary) => DataType::Dictionary(Box::new(raw), Box::new(values.data_type().clone())),
        (Some(values), Keys::Text) => values.data_type().clone(),
        _ => raw,
    }
}

/// Returns keys as an array. The missing key is null.
pub(crate) fn array(
    items: Items,
    categories: Option<&ArrayRef>,
    keys: Keys,
    memory: &Memory,
) -> Result<ArrayRef, Trouble> {
    macro_rules! array {
        ($raw:expr, $type:ty) => {{
            let mut raw = $raw;
            let is_missing = raw.iter().any(|&key| key == 0);
            let nulls =
                is_missing.then(|| NullBuffer::new(BooleanBuffer::collect_bool(raw.len(), |item| raw[item] != 0)));
            match (categories, keys) {
                (Some(values), Keys::Dictionary) => {
                    raw.iter_mut().for_each(|key| *key = key.saturating_sub(1));
                    let keys = PrimitiveArray::<$type>::new(raw.into(), nulls);
                    // Nothing else can be wrong with them.
                    let array = DictionaryArray::<$type>::try_new(keys, Arc::clone(values));
                    Ok(Arc::new(array.map_err(|_| none_of_categories())?))
                }
                (Some(values), Keys::Text) => gather(values, raw.iter().map(|&key| u64::from(key)), nulls, memory),
                _ => Ok(numbers::<$type>(raw, nulls)),
            }
        }};
    }
    match items {
        Items::U8(raw) => array!(raw, UInt8Type),
        Items::U16(raw) => array!(raw, UInt16Type),
        Items::U32(raw) => array!(raw, UInt32Type),
        Items::U64(raw) => array!(raw, UInt64Type),
        _ => Err(Trouble::Column("has keys that are not unsigned integers".into())),
    }
}

/// Returns the message for a key that exceeds the number of categories, about which `check` only warns.
fn none_of_categories() -> Trouble {
    Trouble::Column("has a key without a category".into())
}

/// Returns the value of every key. A missing key gets a default.
fn gather(
    values: &ArrayRef,
    keys: impl ExactSizeIterator<Item = u64> + Clone,
    nulls: Option<NullBuffer>,
    memory: &Memory,
) -> Result<ArrayRef, Trouble> {
    let place = |key: u64| key.checked_sub(1).map(|category| category as usize);
    if keys.clone().filter_map(place).any(|place| place >= values.len()) {
        return Err(none_of_categories());
    }
    macro_rules! primitive {
        ($type:ty) => {{
            let values = values.as_primitive::<$type>().values();
            let _bytes =
                memory.take((keys.len() * size_of_val(&values[..1.min(values.len())])) as u64, "values of keys")?;
            numbers::<$type>(
                keys.map(|key| place(key).map_or(Default::default(), |place| values[place])).collect(),
                nulls,
            )
        }};
    }
    Ok(match values.data_type() {
        DataType::Utf8 => {
            let values = values.as_string::<i32>();
            let text = |key: u64| place(key).map_or("", |place| values.value(place));
            let ends = keys.clone().scan(0_u64, |end, key| {
                *end += text(key).len() as u64;
                Some(*end)
            });
            let offsets = offsets(ends, "bytes of text")?;
            // `last` differs between the versions of Arrow.
            let length = offsets[offsets.len() - 1];
            let _bytes = memory.take(length as u64, "values of keys")?;
            let mut bytes = Vec::new();
            keys.for_each(|key| bytes.extend_from_slice(text(key).as_bytes()));
            Arc::new(StringArray::try_new(offsets, Buffer::from_vec(bytes), nulls)?)
        }
        DataType::Int8 => primitive!(Int8Type),
        DataType::Int16 => primitive!(Int16Type),
        DataType::Int32 => primitive!(Int32Type),
        DataType::Int64 => primitive!(Int64Type),
        DataType::UInt8 => primitive!(UInt8Type),
        DataType::UInt16 => primitive!(UInt16Type),
        DataType::UInt32 => primitive!(UInt32Type),
        DataType::UInt64 => primitive!(UInt64Type),
        DataType::Float32 => primitive!(Float32Type),
        DataType::Float64 => primitive!(Float64Type),
        other => return Err(Trouble::Column(format!("has categories of the type {other}"))),
    })
}
