//! Converts types that Parquet does not have to types that it does: either nothing is lost or the value is refused.
//!
//! Seconds become milliseconds, and dates in milliseconds become days. Parquet would store both as plain integers, and readers
//! that do not use the Arrow schema stored with them show integers. Dictionaries of values that no reader turns back into
//! dictionaries become plain values.

use crate::error::{Problem, Trouble};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date64Type, Int16Type, Int32Type, Int64Type, RunEndIndexType, Time32SecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, OffsetSizeTrait, RunArray, make_array};
use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_data::transform::MutableArrayData;
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{
    DECIMAL64_MAX_PRECISION, DataType, Field, FieldRef, Fields, IntervalUnit, Schema, SchemaRef, TimeUnit,
};
use std::ops::Range;
use std::sync::Arc;

/// The number of milliseconds in a day.
const DAY: i64 = 86_400_000;

/// Returns the schema of a table with Parquet's types.
pub(crate) fn schema(schema: &SchemaRef) -> SchemaRef {
    Arc::new(Schema::new_with_metadata(fields(schema.fields()), schema.metadata().clone()))
}

fn fields(fields: &Fields) -> Fields {
    fields.iter().map(field).collect()
}

fn field(field: &FieldRef) -> FieldRef {
    let data_type = data_type(field.data_type());
    if &data_type == field.data_type() {
        return FieldRef::clone(field);
    }
    Arc::new(Field::clone(field).with_data_type(data_type))
}

/// Returns the type of the same values in Parquet.
fn data_type(of: &DataType) -> DataType {
    match of {
        DataType::Timestamp(TimeUnit::Second, zone) => DataType::Timestamp(TimeUnit::Millisecond, zone.clone()),
        DataType::Time32(TimeUnit::Second) => DataType::Time32(TimeUnit::Millisecond),
        DataType::Date64 => DataType::Date32,
        DataType::List(item) => DataType::List(field(item)),
        DataType::LargeList(item) => DataType::LargeList(field(item)),
        DataType::ListView(item) => DataType::ListView(field(item)),
        DataType::LargeListView(item) => DataType::LargeListView(field(item)),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(field(item), *length),
        DataType::Struct(children) => DataType::Struct(fields(children)),
        DataType::Map(entries, is_sorted) => DataType::Map(field(entries), *is_sorted),
        DataType::Dictionary(keys, values) => match data_type(values) {
            values if is_spread(&values) => values,
            values => DataType::Dictionary(keys.clone(), Box::new(values)),
        },
        DataType::RunEndEncoded(ends, values) => DataType::RunEndEncoded(FieldRef::clone(ends), field(values)),
        other => other.clone(),
    }
}

/// Returns whether values are written without their dictionary. Arrow's reader creates no dictionaries of booleans, nor of
/// fixed-size bytes that have their own type. pyarrow's loses durations and zones along with the dictionary.
fn is_spread(values: &DataType) -> bool {
    match values {
        DataType::Boolean | DataType::Float16 | DataType::Interval(_) | DataType::Duration(_) => true,
        DataType::Timestamp(_, zone) => zone.is_some(),
        DataType::Decimal128(digits, _) | DataType::Decimal256(digits, _) => *digits > DECIMAL64_MAX_PRECISION,
        _ => false,
    }
}

/// Returns whether the Parquet writer fails for a type that it accepts in its schema.
pub(crate) fn is_refused(of: &DataType) -> bool {
    *of == DataType::Interval(IntervalUnit::MonthDayNano) || children_of(of).into_iter().any(is_refused)
}

/// Returns the values of a column in the type that [`schema`] assigns to it.
///
/// # Errors
/// [`Trouble::Item`] for the first row with a value that this type cannot represent.
pub(crate) fn column(array: &ArrayRef, to: &DataType) -> Result<ArrayRef, Trouble> {
    let mut fits = true;
    let data = values(array.to_data(), to, &mut fits)?;
    // Items that no row refers to are not written, so they need not be valid.
    let misfit = |item| misfit(array, item).map(|what| Problem { item, what });
    match (!fits).then(|| (0..array.len()).find_map(misfit)).flatten() {
        Some(misfit) => Err(misfit.into()),
        None => Ok(make_array(data)),
    }
}

/// Returns values in another type. Values that it cannot represent become 0, and `fits` becomes false.
fn values(data: ArrayData, to: &DataType, fits: &mut bool) -> Result<ArrayData, Trouble> {
    if data.data_type() == to {
        return Ok(data);
    }
    let buffer = match data.data_type() {
        DataType::Timestamp(..) => each(data.buffer(0), data.len(), wide_millis, fits),
        DataType::Time32(_) => each(data.buffer(0), data.len(), short_millis, fits),
        DataType::Date64 => each(data.buffer(0), data.len(), days, fits),
        DataType::Dictionary(_, of) if is_spread(&data_type(of)) => {
            return Ok(spread(&data, &values(data.child_data()[0].clone(), to, fits)?));
        }
        _ => {
            let children = data.child_data().iter().zip(children_of(to));
            let children = children.map(|(child, to)| values(child.clone(), to, fits));
            let children = children.collect::<Result<_, Trouble>>()?;
            return Ok(data.into_builder().data_type(to.clone()).child_data(children).build()?);
        }
    };
    let built = ArrayDataBuilder::new(to.clone()).len(data.len()).add_buffer(buffer).nulls(data.nulls().cloned());
    Ok(built.build()?)
}

/// Returns the values that the keys of a dictionary refer to.
#[allow(deprecated, reason = "Arrow 59, which the engines take, has no other methods")]
fn spread(keys: &ArrayData, values: &ArrayData) -> ArrayData {
    let dictionary = make_array(keys.clone());
    // All keys are nulls if there are no values.
    let places = if values.is_empty() { Vec::new() } else { dictionary.as_any_dictionary().normalized_keys() };
    let mut spread = MutableArrayData::new(vec![values], true, keys.len());
    for item in 0..keys.len() {
        match places.get(item) {
            Some(&place) if keys.is_valid(item) => spread.extend(0, place, place + 1),
            _ => spread.extend_nulls(1),
        }
    }
    spread.freeze()
}

fn each<T: Copy, U: ArrowNativeType>(
    values: &[T],
    len: usize,
    of: impl Fn(T) -> Result<U, &'static str>,
    fits: &mut bool,
) -> Buffer {
    let mut of = |value| {
        of(value).unwrap_or_else(|_| {
            *fits = false;
            U::default()
        })
    };
    values.iter().take(len).map(|value| of(*value)).collect::<Vec<U>>().into()
}

fn wide_millis(seconds: i64) -> Result<i64, &'static str> {
    seconds.checked_mul(1000).ok_or("milliseconds of 64 bits")
}

fn short_millis(seconds: i32) -> Result<i32, &'static str> {
    seconds.checked_mul(1000).ok_or("milliseconds of 32 bits")
}

fn days(millis: i64) -> Result<i32, &'static str> {
    let days = (millis % DAY == 0).then_some(millis / DAY).ok_or("whole days")?;
    i32::try_from(days).map_err(|_| "days of 32 bits")
}

fn children_of(of: &DataType) -> Vec<&DataType> {
    match of {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => vec![item.data_type()],
        DataType::Struct(children) => children.iter().map(|child| child.data_type()).collect(),
        DataType::Dictionary(_, values) => vec![values],
        DataType::RunEndEncoded(ends, values) => vec![ends.data_type(), values.data_type()],
        _ => Vec::new(),
    }
}

/// Returns the reason why an item cannot be represented, if there is one. The bytes of nulls have no meaning.
fn misfit(array: &dyn Array, item: usize) -> Option<String> {
    if array.is_null(item) {
        return None;
    }
    let among = |values: &dyn Array, mut items: Range<usize>| items.find_map(|item| misfit(values, item));
    match array.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => {
            let seconds = array.as_primitive::<TimestampSecondType>().value(item);
            in_words(seconds, "seconds since 1970", wide_millis(seconds))
        }
        DataType::Time32(TimeUnit::Second) => {
            let seconds = array.as_primitive::<Time32SecondType>().value(item);
            in_words(seconds.into(), "seconds", short_millis(seconds))
        }
        DataType::Date64 => {
            let millis = array.as_primitive::<Date64Type>().value(item);
            in_words(millis, "milliseconds since 1970", days(millis))
        }
        DataType::Struct(_) => array.as_struct().columns().iter().find_map(|child| misfit(child, item)),
        DataType::List(_) => among(array.as_list::<i32>().values(), list(array.as_list::<i32>().value_offsets(), item)),
        DataType::LargeList(_) => {
            among(array.as_list::<i64>().values(), list(array.as_list::<i64>().value_offsets(), item))
        }
        DataType::Map(..) => among(array.as_map().entries(), list(array.as_map().value_offsets(), item)),
        DataType::ListView(_) => among(array.as_list_view::<i32>().values(), view::<i32>(array, item)),
        DataType::LargeListView(_) => among(array.as_list_view::<i64>().values(), view::<i64>(array, item)),
        DataType::FixedSizeList(_, length) => {
            let length = length.as_usize();
            among(array.as_fixed_size_list().values(), item * length..(item + 1) * length)
        }
        DataType::Dictionary(..) => {
            let one = array.slice(item, 1);
            let one = one.as_any_dictionary();
            misfit(one.values(), one.normalized_keys()[0])
        }
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => run::<Int16Type>(array, item),
            DataType::Int32 => run::<Int32Type>(array, item),
            _ => run::<Int64Type>(array, item),
        },
        _ => None,
    }
}

fn in_words<T>(value: i64, unit: &str, fits: Result<T, &'static str>) -> Option<String> {
    let kind = fits.err()?;
    Some(format!("has {value} {unit}, which Parquet cannot hold as {kind}: write an Arrow file"))
}

fn list<O: OffsetSizeTrait>(offsets: &[O], item: usize) -> Range<usize> {
    offsets[item].as_usize()..offsets[item + 1].as_usize()
}

fn view<O: OffsetSizeTrait>(array: &dyn Array, item: usize) -> Range<usize> {
    let list = array.as_list_view::<O>();
    let start = list.value_offset(item).as_usize();
    start..start + list.value_size(item).as_usize()
}

fn run<R: RunEndIndexType>(array: &dyn Array, item: usize) -> Option<String> {
    let runs = array.as_any().downcast_ref::<RunArray<R>>()?;
    misfit(runs.values(), runs.get_physical_index(item))
}
