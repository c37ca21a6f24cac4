//! Items as arrays. Numbers are not copied.

use super::buffers::{numbers, offsets};
use super::keys;
use super::options::{Options, TextPolicy};
use crate::error::{Problem, Trouble};
use crate::metadata::time_fields;
use crate::ticks;
use crate::ticks::Times;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, PrimitiveArray, StringArray, StructArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use ndbytes::Memory;
use ndbytes::idv::{DateTimeOffset, ItemType, Items, KeyType, Nulls};
use std::sync::Arc;

/// Items; texts are bytes and end offsets.
#[derive(Debug)]
pub(crate) enum Stored {
    Items(Items),
    Text { bytes: Vec<u8>, ends: Vec<u64> },
}

impl From<Items> for Stored {
    fn from(items: Items) -> Self {
        match items {
            Items::Text(texts) => {
                let (bytes, ends) = texts.into_parts();
                Stored::Text { bytes, ends }
            }
            items => Stored::Items(items),
        }
    }
}

/// Returns the validity of items, unless all are valid.
pub(crate) fn validity(nulls: &Nulls, items: usize) -> Option<NullBuffer> {
    let is_valid = |item| !nulls.contains(item);
    (!nulls.is_empty()).then(|| NullBuffer::new(BooleanBuffer::collect_bool(items, is_valid)))
}

/// Returns the type of the array for some items.
pub(crate) fn data_type(item: ItemType, categories: Option<&ArrayRef>, options: &Options) -> DataType {
    match item {
        ItemType::I8 => DataType::Int8,
        ItemType::I16 => DataType::Int16,
        ItemType::I32 => DataType::Int32,
        ItemType::I64 => DataType::Int64,
        ItemType::U8 => DataType::UInt8,
        ItemType::U16 => DataType::UInt16,
        ItemType::U32 => DataType::UInt32,
        ItemType::U64 => DataType::UInt64,
        ItemType::F32 => DataType::Float32,
        ItemType::F64 => DataType::Float64,
        ItemType::Bool => DataType::Boolean,
        ItemType::Text => DataType::Utf8,
        ItemType::DateTime => options.times.unit().map_or(DataType::Int64, |unit| DataType::Timestamp(unit, None)),
        ItemType::TimeSpan => options.times.unit().map_or(DataType::Int64, DataType::Duration),
        ItemType::DateTimeOffset => DataType::Struct(time_with_offset(options.times)),
        ItemType::RowId => DataType::FixedSizeBinary(16),
        ItemType::Key(key) => keys::data_type(stored_key(key), categories, options.keys),
    }
}

/// Returns the number type that stores a key.
fn stored_key(key: KeyType) -> DataType {
    match key.width {
        1 => DataType::UInt8,
        2 => DataType::UInt16,
        4 => DataType::UInt32,
        _ => DataType::UInt64,
    }
}

/// Returns the children of a time with an offset.
fn time_with_offset(times: Times) -> Fields {
    let time = match times.unit() {
        Some(unit) => Field::new(time_fields::TIMESTAMP, DataType::Timestamp(unit, Some("UTC".into())), false),
        None => Field::new(time_fields::TICKS, DataType::Int64, false),
    };
    Fields::from(vec![time, Field::new(time_fields::OFFSET, DataType::Int16, false)])
}

/// Converts items to an array of the type that [`data_type`] returns.
pub(crate) fn array(
    stored: Stored,
    nulls: Option<NullBuffer>,
    item: ItemType,
    categories: Option<&ArrayRef>,
    options: &Options,
    memory: &Memory,
) -> Result<ArrayRef, Trouble> {
    let items = match stored {
        Stored::Text { bytes, ends } => return text(bytes, &ends, nulls, options.text),
        Stored::Items(items) => items,
    };
    Ok(match (items, item) {
        (items, ItemType::Key(_)) => return keys::array(items, categories, options.keys, memory),
        (Items::I64(ticks), ItemType::DateTime) => {
            let units = times(ticks, nulls.as_ref(), |ticks| options.times.of_date(ticks))?;
            match options.times.unit() {
                None => numbers::<Int64Type>(units, nulls),
                Some(TimeUnit::Nanosecond) => numbers::<TimestampNanosecondType>(units, nulls),
                Some(_) => numbers::<TimestampMicrosecondType>(units, nulls),
            }
        }
        (Items::I64(ticks), ItemType::TimeSpan) => {
            let units = times(ticks, nulls.as_ref(), |ticks| options.times.of_ticks(ticks))?;
            match options.times.unit() {
                None => numbers::<Int64Type>(units, nulls),
                Some(TimeUnit::Nanosecond) => numbers::<DurationNanosecondType>(units, nulls),
                Some(_) => numbers::<DurationMicrosecondType>(units, nulls),
            }
        }
        (Items::I8(items), _) => numbers::<Int8Type>(items, nulls),
        (Items::I16(items), _) => numbers::<Int16Type>(items, nulls),
        (Items::I32(items), _) => numbers::<Int32Type>(items, nulls),
        (Items::I64(items), _) => numbers::<Int64Type>(items, nulls),
        (Items::U8(items), _) => numbers::<UInt8Type>(items, nulls),
        (Items::U16(items), _) => numbers::<UInt16Type>(items, nulls),
        (Items::U32(items), _) => numbers::<UInt32Type>(items, nulls),
        (Items::U64(items), _) => numbers::<UInt64Type>(items, nulls),
        (Items::F32(items), _) => numbers::<Float32Type>(items, nulls),
        (Items::F64(items), _) => numbers::<Float64Type>(items, nulls),
        (Items::Bool(items), _) => Arc::new(BooleanArray::new(BooleanBuffer::from(items), nulls)),
        (Items::RowId(ids), _) => row_ids(&ids, nulls, memory)?,
        (Items::DateTimeOffset(items), _) => times_with_offsets(&items, nulls, options.times, memory)?,
        _ => return Err(Trouble::Column("has items of a type that is not known here".into())),
    })
}

/// Converts times to another unit, in place. A missing time is 0.
fn times(
    mut ticks: Vec<i64>,
    nulls: Option<&NullBuffer>,
    convert: impl Fn(i64) -> Result<i64, String>,
) -> Result<Vec<i64>, Problem> {
    for (item, tick) in ticks.iter_mut().enumerate() {
        *tick = match nulls.is_some_and(|nulls| nulls.is_null(item)) {
            true => 0,
            false => convert(*tick).map_err(|what| Problem { item, what })?,
        };
    }
    Ok(ticks)
}

/// Converts identifiers to bytes in the order of their numbers: the highest byte first.
fn row_ids(ids: &[u128], nulls: Option<NullBuffer>, memory: &Memory) -> Result<ArrayRef, Trouble> {
    let _bytes = memory.take(16 * ids.len() as u64, "identifiers of rows")?;
    let bytes: Vec<[u8; 16]> = ids.iter().map(|id| id.to_be_bytes()).collect();
    let bytes = Buffer::from_vec(bytes.into_flattened());
    Ok(Arc::new(FixedSizeBinaryArray::try_new(16, bytes, nulls)?))
}

fn times_with_offsets(
    items: &[DateTimeOffset],
    nulls: Option<NullBuffer>,
    unit: Times,
    memory: &Memory,
) -> Result<ArrayRef, Trouble> {
    let _bytes = memory.take(10 * items.len() as u64, "times with offsets")?;
    let clocks: Vec<i64> = items.iter().map(|time| time.ticks).collect();
    let offsets: Vec<i16> = items.iter().map(|time| time.offset_minutes).collect();
    let offsets = numbers::<Int16Type>(offsets, None);
    let utc = |item: usize, ticks: i64| unit.of_date(ticks::to_utc(ticks, items[item].offset_minutes)?);
    let mut units = clocks;
    if unit != Times::Ticks {
        for (item, ticks) in units.iter_mut().enumerate() {
            *ticks = match nulls.as_ref().is_some_and(|nulls| nulls.is_null(item)) {
                true => 0,
                false => utc(item, *ticks).map_err(|what| Problem { item, what })?,
            };
        }
    }
    let units: ArrayRef = match unit.unit() {
        None => numbers::<Int64Type>(units, None),
        Some(TimeUnit::Nanosecond) => {
            Arc::new(PrimitiveArray::<TimestampNanosecondType>::new(units.into(), None).with_timezone("UTC"))
        }
        Some(_) => Arc::new(PrimitiveArray::<TimestampMicrosecondType>::new(units.into(), None).with_timezone("UTC")),
    };
    Ok(Arc::new(StructArray::try_new(time_with_offset(unit), vec![units, offsets], nulls)?))
}

/// Converts texts, whose bytes are not copied.
fn text(mut bytes: Vec<u8>, ends: &[u64], nulls: Option<NullBuffer>, policy: TextPolicy) -> Result<ArrayRef, Trouble> {
    let offsets = offsets(ends.iter().copied(), "bytes of text")?;
    if let Err(error) = std::str::from_utf8(&bytes) {
        let item = ends.partition_point(|&end| end <= error.valid_up_to() as u64);
        if policy == TextPolicy::Strict {
            let what = "contains an unpaired surrogate, which Arrow text cannot hold: choose the texts lossy".into();
            return Err(Problem { item, what }.into());
        }
        replace_halves(&mut bytes);
    }
    let texts = StringArray::try_new(offsets, Buffer::from_vec(bytes), nulls)?;
    Ok(Arc::new(texts))
}

/// Replaces unpaired surrogates, which take three bytes like U+FFFD.
fn replace_halves(bytes: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(3).position(|three| three[0] == 0xED && three[1] >= 0xA0) {
        at += found;
        bytes[at..at + 3].copy_from_slice("\u{FFFD}".as_bytes());
        at += 3;
    }
}

/// Returns whether no item is missing, and no two are the same.
pub(crate) fn are_distinct(array: &ArrayRef) -> bool {
    use arrow_array::cast::AsArray;
    use std::collections::HashSet;
    if array.null_count() > 0 {
        return false;
    }
    if let Some(texts) = array.as_string_opt::<i32>() {
        let distinct: HashSet<&str> = texts.iter().flatten().collect();
        return distinct.len() == texts.len();
    }
    match array.data_type().primitive_width() {
        Some(width) => {
            let data = array.to_data();
            let bytes = &data.buffers()[0].as_slice()[data.offset() * width..][..array.len() * width];
            bytes.chunks_exact(width).collect::<HashSet<_>>().len() == array.len()
        }
        None => false,
    }
}
