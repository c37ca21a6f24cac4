//! Builds arrays from values.

use super::cell::{OFFSET, TIMESTAMP};
use super::guess::Type;
use super::scalar::{self, Scalar};
use super::times::Time;
use arrow_array::types::*;
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, FixedSizeListArray, ListArray, PrimitiveArray, StringArray, StructArray,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields, TimeUnit};
use std::collections::HashMap;
use std::sync::Arc;

/// The values of a column, which become an array.
#[derive(Debug)]
pub struct Items {
    kind: Type,
    valid: Vec<bool>,
    bools: Vec<bool>,
    ints: Vec<i64>,
    uints: Vec<u64>,
    floats: Vec<f64>,
    singles: Vec<f32>,
    offsets: Vec<i16>,
    ends: Vec<i32>,
    bytes: Vec<u8>,
}

impl Items {
    /// Creates an empty column.
    pub fn new(kind: Type) -> Self {
        Items {
            kind,
            valid: Vec::new(),
            bools: Vec::new(),
            ints: Vec::new(),
            uints: Vec::new(),
            floats: Vec::new(),
            singles: Vec::new(),
            offsets: Vec::new(),
            ends: vec![0],
            bytes: Vec::new(),
        }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.valid.len()
    }

    /// Returns whether they are texts.
    pub fn are_texts(&self) -> bool {
        self.kind == Type::Text
    }

    /// Appends a missing value.
    pub fn push_missing(&mut self) {
        self.valid.push(false);
        match self.kind {
            Type::Bool => self.bools.push(false),
            Type::Int(_) => self.ints.push(0),
            Type::Uint => self.uints.push(0),
            Type::Float => self.floats.push(0.0),
            Type::Single => self.singles.push(0.0),
            Type::Zoned => {
                self.ints.push(0);
                self.offsets.push(0);
            }
            Type::Text => self.ends.push(self.bytes.len() as i32),
        }
    }

    /// Appends a value with its text. Returns `None` if the column has another type, which means that the file has changed.
    pub fn push(&mut self, scalar: Scalar, text: &str) -> Option<()> {
        match (&self.kind, scalar) {
            (Type::Text, _) => {
                let end = i32::try_from(self.bytes.len() + text.len()).ok()?;
                self.bytes.extend_from_slice(text.as_bytes());
                self.ends.push(end);
            }
            (Type::Bool, Scalar::Bool(truth)) => self.bools.push(truth),
            (Type::Int(DataType::Int64), Scalar::Int(number)) => self.ints.push(number.try_into().ok()?),
            (Type::Int(DataType::Date32), Scalar::Time(Time::Date(day))) => self.ints.push(day.into()),
            (Type::Int(DataType::Timestamp(unit, _)), Scalar::Time(Time::Point(nanoseconds)))
            | (Type::Int(DataType::Duration(unit)), Scalar::Time(Time::Span(nanoseconds))) => {
                self.ints.push(steps(nanoseconds, *unit)?);
            }
            (Type::Uint, Scalar::Int(number)) => self.uints.push(number.try_into().ok()?),
            (Type::Float, Scalar::Int(number)) => self.floats.push(number as f64),
            (Type::Float, Scalar::Float(number)) => self.floats.push(number),
            (Type::Single, Scalar::Int(number)) => self.singles.push(scalar::single(text, number as f64)),
            (Type::Single, Scalar::Float(number)) => self.singles.push(scalar::single(text, number)),
            (Type::Zoned, Scalar::Time(Time::Zoned(nanoseconds, minutes))) => {
                self.ints.push(steps(nanoseconds, TimeUnit::Microsecond)?);
                self.offsets.push(minutes);
            }
            _ => return None,
        }
        self.valid.push(true);
        Some(())
    }

    /// Removes all values and returns them as an array.
    pub fn take(&mut self) -> Result<ArrayRef, ArrowError> {
        let full = std::mem::replace(self, Items::new(self.kind.clone()));
        let nulls = nulls(full.valid);
        Ok(match full.kind {
            Type::Bool => Arc::new(BooleanArray::new(BooleanBuffer::from(full.bools), nulls)),
            Type::Int(DataType::Date32) => {
                numbers::<Date32Type>(full.ints.into_iter().map(|day| day as i32).collect(), nulls)
            }
            Type::Int(DataType::Timestamp(TimeUnit::Nanosecond, _)) => {
                numbers::<TimestampNanosecondType>(full.ints, nulls)
            }
            Type::Int(DataType::Timestamp(..)) => numbers::<TimestampMicrosecondType>(full.ints, nulls),
            Type::Int(DataType::Duration(TimeUnit::Nanosecond)) => numbers::<DurationNanosecondType>(full.ints, nulls),
            Type::Int(DataType::Duration(_)) => numbers::<DurationMicrosecondType>(full.ints, nulls),
            Type::Int(_) => numbers::<Int64Type>(full.ints, nulls),
            Type::Uint => numbers::<UInt64Type>(full.uints, nulls),
            Type::Float => numbers::<Float64Type>(full.floats, nulls),
            Type::Single => numbers::<Float32Type>(full.singles, nulls),
            Type::Zoned => {
                let utc = PrimitiveArray::<TimestampMicrosecondType>::new(full.ints.into(), None).with_timezone("UTC");
                let offsets = numbers::<Int16Type>(full.offsets, None);
                Arc::new(StructArray::try_new(zoned(), vec![Arc::new(utc), offsets], nulls)?)
            }
            Type::Text => {
                let offsets = OffsetBuffer::new(ScalarBuffer::from(full.ends));
                Arc::new(StringArray::try_new(offsets, Buffer::from_vec(full.bytes), nulls)?)
            }
        })
    }

    /// Returns the field of a column of such values.
    pub fn field(&self, name: &str) -> Field {
        let data_type = match &self.kind {
            Type::Bool => DataType::Boolean,
            Type::Int(data_type) => data_type.clone(),
            Type::Uint => DataType::UInt64,
            Type::Float => DataType::Float64,
            Type::Single => DataType::Float32,
            Type::Zoned => DataType::Struct(zoned()),
            Type::Text => DataType::Utf8,
        };
        let extension = ("ARROW:extension:name".to_owned(), "arrow.timestamp_with_offset".to_owned());
        let metadata = if self.kind == Type::Zoned { HashMap::from([extension]) } else { HashMap::new() };
        Field::new(name, data_type, true).with_metadata(metadata)
    }
}

/// Returns the array of vectors of a fixed size.
pub fn fixed(items: ArrayRef, size: i32, child: Field, valid: Option<Vec<bool>>) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(FixedSizeListArray::try_new(Arc::new(child), size, items, valid.and_then(nulls))?))
}

/// Returns the array of vectors of any size.
pub fn lists(items: ArrayRef, ends: Vec<i32>, child: Field, valid: Vec<bool>) -> Result<ArrayRef, ArrowError> {
    let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
    Ok(Arc::new(ListArray::try_new(Arc::new(child), offsets, items, nulls(valid))?))
}

/// Returns the null buffer, or `None` if there are no nulls, as Arrow prefers.
fn nulls(valid: Vec<bool>) -> Option<NullBuffer> {
    valid.contains(&false).then(|| NullBuffer::from(valid))
}

/// Returns an array of numbers without copying them.
fn numbers<T: ArrowPrimitiveType>(items: Vec<T::Native>, nulls: Option<NullBuffer>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(items), nulls))
}

/// Returns the fields of a time with an offset: the instant in UTC, and the offset in minutes.
fn zoned() -> Fields {
    let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    Fields::from(vec![Field::new(TIMESTAMP, time, false), Field::new(OFFSET, DataType::Int16, false)])
}

/// Converts nanoseconds to steps of a unit: nanoseconds, or microseconds for any other unit. `None` if the result exceeds 64 bits.
fn steps(nanoseconds: i128, unit: TimeUnit) -> Option<i64> {
    let steps = if unit == TimeUnit::Nanosecond { nanoseconds } else { nanoseconds / 1000 };
    steps.try_into().ok()
}
