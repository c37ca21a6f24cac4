//! Converts arrays to items.

use super::options::{NullPolicy, Zones};
use super::times::{Zone, time_unit};
use crate::error::{Problem, Trouble};
use crate::ticks;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef};
use arrow_buffer::{ArrowNativeType, NullBuffer, ScalarBuffer};
use arrow_schema::{DataType, TimeUnit};
use ndbytes::Memory;
use ndbytes::idv::{DateTimeOffset, ItemType, Items, Texts};

/// How arrays become items.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conversion<'m> {
    pub nulls: NullPolicy,
    pub zones: Zones,
    pub memory: &'m Memory,
}

impl Conversion<'_> {
    /// Returns the items with defaults in place of nulls, which are checked elsewhere.
    pub fn with_defaults(self) -> Self {
        Conversion { nulls: NullPolicy::Default, ..self }
    }

    /// Fails if there is a null without a replacement.
    fn ensure(&self, nulls: Option<&NullBuffer>, is_float: bool) -> Result<(), Problem> {
        let Some(nulls) = nulls.filter(|nulls| nulls.null_count() > 0) else { return Ok(()) };
        let accepted = self.nulls == NullPolicy::Default || (self.nulls == NullPolicy::Nan && is_float);
        match (0..nulls.len()).find(|&item| nulls.is_null(item)).filter(|_| !accepted) {
            None => Ok(()),
            Some(item) => {
                let choices = if is_float { "nan or default" } else { "default" };
                let what =
                    format!("has a null, which version 1.1.1.6 cannot hold: choose a replacement for nulls: {choices}");
                Err(Problem { item, what })
            }
        }
    }
}

/// Returns an array as items of a type that it can be converted to.
pub(crate) fn items(
    array: &ArrayRef,
    item: ItemType,
    nulls: Option<&NullBuffer>,
    conversion: &Conversion<'_>,
) -> Result<Items, Trouble> {
    let is_float = matches!(item, ItemType::F32 | ItemType::F64);
    conversion.ensure(nulls, is_float)?;
    let _items = conversion.memory.take(16 * array.len() as u64, "the items of a column")?;
    let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
    let nan = conversion.nulls == NullPolicy::Nan;
    macro_rules! numbers {
        ($type:ty, $missing:expr) => {{
            let values = array.as_primitive::<$type>().values();
            filled(values, nulls, $missing).into()
        }};
    }
    Ok(match array.data_type() {
        DataType::Int8 => numbers!(Int8Type, 0),
        DataType::Int16 => numbers!(Int16Type, 0),
        DataType::Int32 => numbers!(Int32Type, 0),
        DataType::Int64 => numbers!(Int64Type, 0),
        DataType::UInt8 => numbers!(UInt8Type, 0),
        DataType::UInt16 => numbers!(UInt16Type, 0),
        DataType::UInt32 => numbers!(UInt32Type, 0),
        DataType::UInt64 => numbers!(UInt64Type, 0),
        DataType::Float32 => numbers!(Float32Type, if nan { f32::NAN } else { 0.0 }),
        DataType::Float64 => numbers!(Float64Type, if nan { f64::NAN } else { 0.0 }),
        DataType::Float16 => {
            let missing = if nan { f32::NAN } else { 0.0 };
            let values = array.as_primitive::<Float16Type>().values();
            let number = |item: usize| if is_null(nulls, item) { missing } else { values[item].to_f32() };
            (0..values.len()).map(number).collect::<Vec<f32>>().into()
        }
        DataType::Boolean => {
            let values = array.as_boolean().values();
            (0..values.len()).map(|item| values.value(item) && !is_null(nulls, item)).collect::<Vec<bool>>().into()
        }
        DataType::Utf8 => texts(array.len(), |item| array.as_string::<i32>().value(item), nulls, conversion)?,
        DataType::LargeUtf8 => texts(array.len(), |item| array.as_string::<i64>().value(item), nulls, conversion)?,
        DataType::Utf8View => texts(array.len(), |item| array.as_string_view().value(item), nulls, conversion)?,
        DataType::FixedSizeBinary(16) => {
            let ids = array.as_fixed_size_binary();
            let id = |item: usize| match is_null(nulls, item) {
                true => 0,
                false => u128::from_be_bytes(ids.value(item).try_into().unwrap_or_default()),
            };
            (0..ids.len()).map(id).collect::<Vec<u128>>().into()
        }
        DataType::Date32 | DataType::Date64 | DataType::Time32(_) | DataType::Time64(_) | DataType::Duration(_) => {
            temporal(array, nulls, conversion)?
        }
        DataType::Timestamp(..) | DataType::Struct(_) => temporal(array, nulls, conversion)?,
        DataType::Dictionary(..) => expanded(array, item, nulls, conversion)?,
        other => return Err(unexpected(other)),
    })
}

/// Returns dates, times and durations as items.
fn temporal(array: &ArrayRef, nulls: Option<&NullBuffer>, conversion: &Conversion<'_>) -> Result<Items, Trouble> {
    Ok(match array.data_type() {
        DataType::Date32 => {
            let days = array.as_primitive::<Date32Type>().values();
            times(days.len(), nulls, |item| ticks::date_from_days(days[item]))?.into()
        }
        DataType::Time32(unit) => {
            let values = numbers_of::<i32>(array);
            times(values.len(), nulls, |item| ticks::from_unit(values[item].into(), *unit))?.into()
        }
        DataType::Time64(unit) | DataType::Duration(unit) => {
            let values = numbers_of::<i64>(array);
            times(values.len(), nulls, |item| ticks::from_unit(values[item], *unit))?.into()
        }
        DataType::Date64 => dates(array, TimeUnit::Millisecond, nulls)?.into(),
        DataType::Timestamp(unit, None) => dates(array, *unit, nulls)?.into(),
        DataType::Timestamp(unit, Some(zone)) => {
            let zone = Zone::of(zone, conversion.zones).map_err(Trouble::Column)?;
            with_offsets(&numbers_of(array), Some(*unit), |_, utc| zone.minutes(utc), nulls)?.into()
        }
        DataType::Struct(_) => {
            let (Some(unit), Some(fields)) = (time_unit(array.data_type()), array.as_struct_opt()) else {
                return Err(unexpected(array.data_type()));
            };
            let offsets = fields.column(1).as_primitive::<Int16Type>().values();
            // A time is null if either of its children is null.
            let nulls = NullBuffer::union(nulls, fields.column(0).nulls());
            let nulls = NullBuffer::union(nulls.as_ref(), fields.column(1).nulls());
            conversion.ensure(nulls.as_ref(), false)?;
            with_offsets(&numbers_of(fields.column(0)), unit, |item, _| Ok(offsets[item]), nulls.as_ref())?.into()
        }
        other => return Err(unexpected(other)),
    })
}

fn unexpected(data_type: &DataType) -> Trouble {
    Trouble::Column(format!("has the type {data_type}, which IDV cannot hold"))
}

fn is_null(nulls: Option<&NullBuffer>, item: usize) -> bool {
    nulls.is_some_and(|nulls| nulls.is_null(item))
}

fn filled<T: ArrowNativeType>(values: &ScalarBuffer<T>, nulls: Option<&NullBuffer>, missing: T) -> Vec<T> {
    let mut values = values.to_vec();
    if let Some(nulls) = nulls {
        values.iter_mut().enumerate().filter(|(item, _)| nulls.is_null(*item)).for_each(|(_, value)| *value = missing);
    }
    values
}

/// Returns the numbers of an array of any numeric type.
fn numbers_of<T: ArrowNativeType>(array: &ArrayRef) -> ScalarBuffer<T> {
    let data = array.to_data();
    ScalarBuffer::new(data.buffers()[0].clone(), data.offset(), data.len())
}

fn times(
    length: usize,
    nulls: Option<&NullBuffer>,
    ticks: impl Fn(usize) -> Result<i64, String>,
) -> Result<Vec<i64>, Problem> {
    let time = |item: usize| match is_null(nulls, item) {
        true => Ok(0),
        false => ticks(item).map_err(|what| Problem { item, what }),
    };
    (0..length).map(time).collect()
}

fn dates(array: &ArrayRef, unit: TimeUnit, nulls: Option<&NullBuffer>) -> Result<Vec<i64>, Problem> {
    let values = numbers_of::<i64>(array);
    times(values.len(), nulls, |item| ticks::date_from_unit(values[item], unit))
}

/// Returns times in UTC, or ticks of their clocks, and how far the clocks are ahead.
fn with_offsets(
    values: &[i64],
    unit: Option<TimeUnit>,
    offset_minutes: impl Fn(usize, i64) -> Result<i16, String>,
    nulls: Option<&NullBuffer>,
) -> Result<Vec<DateTimeOffset>, Problem> {
    let time = |(item, &value): (usize, &i64)| {
        if is_null(nulls, item) {
            return Ok(DateTimeOffset::default());
        }
        let placed = || match unit {
            None => Ok((value, offset_minutes(item, value)?)),
            Some(unit) => {
                let utc = ticks::date_from_unit(value, unit)?;
                let minutes = offset_minutes(item, utc)?;
                Ok((ticks::from_utc(utc, minutes)?, minutes))
            }
        };
        let (ticks, offset_minutes) = placed().map_err(|what| Problem { item, what })?;
        Ok(DateTimeOffset { ticks, offset_minutes })
    };
    values.iter().enumerate().map(time).collect()
}

/// Returns texts, whose bytes are debited because many views or keys can share them.
fn texts<'a>(
    length: usize,
    text: impl Fn(usize) -> &'a str,
    nulls: Option<&NullBuffer>,
    conversion: &Conversion<'_>,
) -> Result<Items, Trouble> {
    let text = |item: usize| if is_null(nulls, item) { "" } else { text(item) };
    let bytes = (0..length).map(|item| text(item).len() as u64).fold(0, u64::saturating_add);
    let _bytes = conversion.memory.take(bytes, "the texts of a column")?;
    let mut texts = Texts::default();
    (0..length).for_each(|item| texts.push(text(item)));
    Ok(texts.into())
}

/// Returns the values of a dictionary at the positions of its keys.
fn expanded(
    array: &ArrayRef,
    item: ItemType,
    nulls: Option<&NullBuffer>,
    conversion: &Conversion<'_>,
) -> Result<Items, Trouble> {
    let dictionary = array.as_any_dictionary();
    let values = dictionary.values();
    let logical = array.logical_nulls();
    let nulls = NullBuffer::union(nulls, logical.as_ref());
    conversion.ensure(nulls.as_ref(), false)?;
    let all = items(values, item, values.nulls(), &conversion.with_defaults())?;
    let places = if values.is_empty() { vec![0; array.len()] } else { dictionary.normalized_keys() };
    macro_rules! taken {
        ($all:expr) => {{
            let all = $all;
            let value = |(item, &place): (usize, &usize)| match is_null(nulls.as_ref(), item) {
                true => Default::default(),
                false => all[place],
            };
            places.iter().enumerate().map(value).collect::<Vec<_>>().into()
        }};
    }
    Ok(match all {
        Items::I8(all) => taken!(all),
        Items::I16(all) => taken!(all),
        Items::I32(all) => taken!(all),
        Items::I64(all) => taken!(all),
        Items::U8(all) => taken!(all),
        Items::U16(all) => taken!(all),
        Items::U32(all) => taken!(all),
        Items::U64(all) => taken!(all),
        Items::RowId(all) => taken!(all),
        Items::F32(all) => taken!(all),
        Items::F64(all) => taken!(all),
        Items::Bool(all) => taken!(all),
        Items::DateTimeOffset(all) => taken!(all),
        Items::Text(all) => {
            let text = |item: usize| all.get(places[item]).and_then(|text| text.to_str()).unwrap_or("");
            texts(places.len(), text, nulls.as_ref(), conversion)?
        }
    })
}
