//! Elements of arrays as Arrow arrays.

use datafusion::arrow::array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, DurationMicrosecondArray, DurationMillisecondArray,
    DurationNanosecondArray, DurationSecondArray, FixedSizeBinaryArray, FixedSizeListArray, PrimitiveArray,
    StringArray, StructArray, TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray,
    TimestampSecondArray,
};
use datafusion::arrow::datatypes::{self as arrow, DataType, Field, Fields};
use datafusion::common::{Result, exec_err};
use ndbytes::{DateUnit, Dtype, ElementKind, ItemType, Scalar, TimeUnit};
use std::sync::Arc;

/// Returns the Arrow type of items; the error is the name of an item type without one.
///
/// Integers of 128 bits become bytes, with the most significant one first.
pub fn data_type(item_type: &ItemType) -> std::result::Result<DataType, String> {
    let none = || Err(item_type.to_string());
    let dtype = match item_type {
        ItemType::Plain(dtype) => dtype,
        ItemType::Structure(structure) => {
            let fields = structure.fields().iter();
            let fields = fields.map(|field| Ok(Field::new(&*field.name, data_type(&field.item_type)?, true)));
            return Ok(DataType::Struct(fields.collect::<std::result::Result<Fields, String>>()?));
        }
        ItemType::Subarray(subarray) => {
            let item = Field::new("item", data_type(subarray.item_type())?, true);
            return match i32::try_from(subarray.count()) {
                Ok(count) => Ok(DataType::FixedSizeList(Arc::new(item), count)),
                Err(_) => none(),
            };
        }
    };
    Ok(match dtype.kind {
        ElementKind::Bool | ElementKind::Bit => DataType::Boolean,
        ElementKind::I8 => DataType::Int8,
        ElementKind::I16 => DataType::Int16,
        ElementKind::I32 => DataType::Int32,
        ElementKind::I64 => DataType::Int64,
        ElementKind::U8 => DataType::UInt8,
        ElementKind::U16 => DataType::UInt16,
        ElementKind::U32 => DataType::UInt32,
        ElementKind::U64 => DataType::UInt64,
        ElementKind::I128 | ElementKind::U128 => DataType::FixedSizeBinary(16),
        ElementKind::F16 => DataType::Float16,
        ElementKind::Bf16 | ElementKind::F32 => DataType::Float32,
        ElementKind::F64 => DataType::Float64,
        ElementKind::Complex32 | ElementKind::Complex64 => DataType::Struct(parts(DataType::Float32)),
        ElementKind::Complex128 => DataType::Struct(parts(DataType::Float64)),
        ElementKind::Bytes(_) | ElementKind::Record(_) => DataType::Binary,
        ElementKind::Str(_) => DataType::Utf8,
        ElementKind::DateTime(unit) => match time_unit(unit) {
            Some(unit) => DataType::Timestamp(unit, None),
            None => return none(),
        },
        ElementKind::TimeDelta(unit) => match time_unit(unit) {
            Some(unit) => DataType::Duration(unit),
            None => return none(),
        },
        _ => return none(),
    })
}

/// Returns the parts of a complex number.
fn parts(part: DataType) -> Fields {
    Fields::from(vec![Field::new("re", part.clone(), false), Field::new("im", part, false)])
}

fn time_unit(unit: TimeUnit) -> Option<arrow::TimeUnit> {
    match unit {
        TimeUnit { unit: DateUnit::Second, count: 1 } => Some(arrow::TimeUnit::Second),
        TimeUnit { unit: DateUnit::Millisecond, count: 1 } => Some(arrow::TimeUnit::Millisecond),
        TimeUnit { unit: DateUnit::Microsecond, count: 1 } => Some(arrow::TimeUnit::Microsecond),
        TimeUnit { unit: DateUnit::Nanosecond, count: 1 } => Some(arrow::TimeUnit::Nanosecond),
        _ => None,
    }
}

/// Returns consecutive items as an array of the type that [`data_type`] returns.
pub fn array(bytes: &[u8], item_type: &ItemType, count: usize) -> Result<ArrayRef> {
    let items = Strided { bytes, start: 0, stride: item_type.stride() as usize, count };
    build(items, item_type)
}

/// Items that are a fixed number of bytes apart.
#[derive(Clone, Copy)]
struct Strided<'a> {
    bytes: &'a [u8],
    start: usize,
    stride: usize,
    count: usize,
}

impl<'a> Strided<'a> {
    fn iter(self, size: usize) -> impl ExactSizeIterator<Item = &'a [u8]> {
        (0..self.count).map(move |item| &self.bytes[self.start + item * self.stride..][..size])
    }
}

fn build(items: Strided<'_>, item_type: &ItemType) -> Result<ArrayRef> {
    match item_type {
        ItemType::Plain(dtype) => plain(items, *dtype),
        ItemType::Structure(structure) => {
            let Ok(DataType::Struct(fields)) = data_type(item_type) else { return untyped(item_type) };
            let columns = structure
                .fields()
                .iter()
                .map(|field| build(Strided { start: items.start + field.offset as usize, ..items }, &field.item_type));
            let columns = columns.collect::<Result<_>>()?;
            Ok(Arc::new(StructArray::try_new_with_length(fields, columns, None, items.count)?))
        }
        ItemType::Subarray(subarray) => {
            let Ok(DataType::FixedSizeList(field, count)) = data_type(item_type) else { return untyped(item_type) };
            let packed: Vec<u8> = items.iter(subarray.size() as usize).flatten().copied().collect();
            let values = array(&packed, subarray.item_type(), items.count * subarray.count() as usize)?;
            Ok(Arc::new(FixedSizeListArray::try_new_with_length(field, count, values, None, items.count)?))
        }
    }
}

fn scalars<'a>(items: Strided<'a>, dtype: Dtype) -> impl Iterator<Item = Scalar> + 'a {
    items.iter(ItemType::Plain(dtype).stride() as usize).map(move |bytes| Scalar::from_bytes(bytes, dtype))
}

/// Converts elements other than structures and subarrays.
fn plain(items: Strided<'_>, dtype: Dtype) -> Result<ArrayRef> {
    Ok(match dtype.kind {
        ElementKind::Bool | ElementKind::Bit => {
            Arc::new(scalars(items, dtype).map(|scalar| Some(scalar == Scalar::Bool(true))).collect::<BooleanArray>())
        }
        ElementKind::I128 | ElementKind::U128 => {
            let bytes = scalars(items, dtype).map(|scalar| match scalar {
                Scalar::Int(value) => value.to_be_bytes(),
                Scalar::Uint(value) => value.to_be_bytes(),
                _ => [0; 16],
            });
            let bytes: Vec<_> = bytes.flatten().collect();
            Arc::new(FixedSizeBinaryArray::try_new(16, bytes.into(), None)?)
        }
        ElementKind::Complex32 | ElementKind::Complex64 => {
            let pairs = scalars(items, dtype)
                .map(|scalar| if let Scalar::Complex64(re, im) = scalar { (re, im) } else { (0.0, 0.0) });
            complex::<arrow::Float32Type>(pairs)?
        }
        ElementKind::Complex128 => {
            let pairs = scalars(items, dtype)
                .map(|scalar| if let Scalar::Complex128(re, im) = scalar { (re, im) } else { (0.0, 0.0) });
            complex::<arrow::Float64Type>(pairs)?
        }
        ElementKind::Bytes(_) | ElementKind::Record(_) => {
            let values = scalars(items, dtype).map(|scalar| match scalar {
                Scalar::ByteString(bytes) | Scalar::Bytes(bytes) => Some(bytes),
                _ => None,
            });
            Arc::new(values.collect::<BinaryArray>())
        }
        ElementKind::Str(_) => Arc::new(scalars(items, dtype).map(text).collect::<Result<StringArray>>()?),
        ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => times(items, dtype)?,
        _ => numbers(items, dtype)?,
    })
}

/// Converts integers and floating-point numbers of at most 64 bits.
fn numbers(items: Strided<'_>, dtype: Dtype) -> Result<ArrayRef> {
    macro_rules! numbers {
        ($type:ident, $variant:ident) => {
            primitive::<arrow::$type>(scalars(items, dtype).map(|scalar| match scalar {
                Scalar::$variant(value) => Some(value as _),
                _ => None,
            }))
        };
    }
    Ok(match dtype.kind {
        ElementKind::I8 => numbers!(Int8Type, Int),
        ElementKind::I16 => numbers!(Int16Type, Int),
        ElementKind::I32 => numbers!(Int32Type, Int),
        ElementKind::I64 => numbers!(Int64Type, Int),
        ElementKind::U8 => numbers!(UInt8Type, Uint),
        ElementKind::U16 => numbers!(UInt16Type, Uint),
        ElementKind::U32 => numbers!(UInt32Type, Uint),
        ElementKind::U64 => numbers!(UInt64Type, Uint),
        ElementKind::F16 => primitive::<arrow::Float16Type>(scalars(items, dtype).map(|scalar| match scalar {
            Scalar::F16(value) => Some(value),
            _ => None,
        })),
        ElementKind::Bf16 | ElementKind::F32 => numbers!(Float32Type, F32),
        ElementKind::F64 => numbers!(Float64Type, F64),
        _ => return untyped(&ItemType::Plain(dtype)),
    })
}

/// Converts dates and durations.
fn times(items: Strided<'_>, dtype: Dtype) -> Result<ArrayRef> {
    macro_rules! times {
        ($unit:expr, $second:ident, $milli:ident, $micro:ident, $nano:ident) => {{
            let steps = scalars(items, dtype).map(|scalar| match scalar {
                Scalar::DateTime(i64::MIN, _) | Scalar::TimeDelta(i64::MIN, _) => None,
                Scalar::DateTime(steps, _) | Scalar::TimeDelta(steps, _) => Some(steps),
                _ => None,
            });
            match time_unit($unit) {
                Some(arrow::TimeUnit::Second) => Arc::new(steps.collect::<$second>()) as ArrayRef,
                Some(arrow::TimeUnit::Millisecond) => Arc::new(steps.collect::<$milli>()),
                Some(arrow::TimeUnit::Microsecond) => Arc::new(steps.collect::<$micro>()),
                Some(arrow::TimeUnit::Nanosecond) => Arc::new(steps.collect::<$nano>()),
                None => return untyped(&ItemType::Plain(dtype)),
            }
        }};
    }
    Ok(match dtype.kind {
        ElementKind::DateTime(unit) => times!(
            unit,
            TimestampSecondArray,
            TimestampMillisecondArray,
            TimestampMicrosecondArray,
            TimestampNanosecondArray
        ),
        ElementKind::TimeDelta(unit) => times!(
            unit,
            DurationSecondArray,
            DurationMillisecondArray,
            DurationMicrosecondArray,
            DurationNanosecondArray
        ),
        _ => return untyped(&ItemType::Plain(dtype)),
    })
}

fn untyped<T>(item_type: &ItemType) -> Result<T> {
    exec_err!("Arrow has no type for {item_type}")
}

fn primitive<T: ArrowPrimitiveType>(values: impl Iterator<Item = Option<T::Native>>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::from_iter(values))
}

fn complex<T: ArrowPrimitiveType>(pairs: impl Iterator<Item = (T::Native, T::Native)>) -> Result<ArrayRef> {
    let (re, im): (Vec<_>, Vec<_>) = pairs.unzip();
    let columns = [re, im].map(|part| Arc::new(PrimitiveArray::<T>::from_iter_values(part)) as ArrayRef);
    Ok(Arc::new(StructArray::try_new(parts(T::DATA_TYPE), columns.into(), None)?))
}

fn text(scalar: Scalar) -> Result<Option<String>> {
    let Scalar::Str(units) = scalar else { return Ok(None) };
    match units.iter().map(|&unit| char::from_u32(unit)).collect::<Option<String>>() {
        Some(text) => Ok(Some(text)),
        None => {
            exec_err!("the text {} contains a code unit that is not a character", ndbytes::quoted(units.into_iter()))
        }
    }
}
