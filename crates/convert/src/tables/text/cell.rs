//! Values of Arrow as text.

use super::ticks::Ticks;
use super::times;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, Float16Array};
use arrow_schema::{DataType, Field, TimeUnit};
use ndbytes::DateUnit;
use ndbytes::internals::shortest_half;
use std::fmt::{Display, Write};

/// The kind of text in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// The value is missing.
    Missing,
    /// A number or a boolean, in JSON syntax.
    Bare,
    /// A number without digits, or a time.
    Word,
    /// A text.
    Text,
}

/// How items are converted to text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct How {
    /// Whether a NaN without a payload is written as `NaN` or `-NaN` instead of its bits.
    pub plain_nan: bool,
    /// The meaning of integers that are IDV ticks.
    pub ticks: Option<Ticks>,
}

/// Appends the text of an item that is not a list.
///
/// # Errors
/// Returns a clause about the value that cannot be written.
pub fn put(array: &dyn Array, row: usize, how: How, out: &mut String) -> Result<Cell, String> {
    let plain_nan = how.plain_nan;
    if array.is_null(row) {
        return Ok(Cell::Missing);
    }
    macro_rules! bare {
        ($type:ty) => {
            bare(array.as_primitive::<$type>().value(row), out)
        };
    }
    Ok(match array.data_type() {
        DataType::Null => Cell::Missing,
        DataType::Boolean => bare(array.as_boolean().value(row), out),
        DataType::Int8 => bare!(Int8Type),
        DataType::Int16 => bare!(Int16Type),
        DataType::Int32 => bare!(Int32Type),
        DataType::Int64 => {
            let value = array.as_primitive::<Int64Type>().value(row);
            match how.ticks {
                Some(ticks) => time(ticks.text(value), out)?,
                None => bare(value, out),
            }
        }
        DataType::UInt8 => bare!(UInt8Type),
        DataType::UInt16 => bare!(UInt16Type),
        DataType::UInt32 => bare!(UInt32Type),
        DataType::UInt64 => bare!(UInt64Type),
        DataType::Float16 => half(array.as_primitive::<Float16Type>(), row, plain_nan, out),
        DataType::Float32 => float(array.as_primitive::<Float32Type>().value(row), plain_nan, out),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row), plain_nan, out),
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) | DataType::Decimal256(..) => {
            decimal(array, row, out)
        }
        DataType::Utf8 => text(array.as_string::<i32>().value(row), out),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row), out),
        DataType::Utf8View => text(array.as_string_view().value(row), out),
        DataType::Binary => hexadecimal(array.as_binary::<i32>().value(row), out),
        DataType::LargeBinary => hexadecimal(array.as_binary::<i64>().value(row), out),
        DataType::BinaryView => hexadecimal(array.as_binary_view().value(row), out),
        DataType::FixedSizeBinary(_) => hexadecimal(array.as_fixed_size_binary().value(row), out),
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) | DataType::Duration(_) => {
            temporal(array, row, out)?
        }
        DataType::Time32(_) | DataType::Time64(_) => temporal(array, row, out)?,
        DataType::Dictionary(..) => match category(array, row) {
            Some((values, place)) => put(values, place, how, out)?,
            None => return Err(format!("has keys of the type {}", array.data_type())),
        },
        DataType::Struct(_) if is_time_with_offset(array.data_type(), how.ticks) => with_offset(array, row, out)?,
        other => return Err(format!("has the type {other}")),
    })
}

/// Appends a decimal number.
fn decimal(array: &dyn Array, row: usize, out: &mut String) -> Cell {
    let text = match array.data_type() {
        DataType::Decimal32(..) => array.as_primitive::<Decimal32Type>().value_as_string(row),
        DataType::Decimal64(..) => array.as_primitive::<Decimal64Type>().value_as_string(row),
        DataType::Decimal128(..) => array.as_primitive::<Decimal128Type>().value_as_string(row),
        _ => array.as_primitive::<Decimal256Type>().value_as_string(row),
    };
    bare(text, out)
}

/// Appends a date, a time or a duration.
fn temporal(array: &dyn Array, row: usize, out: &mut String) -> Result<Cell, String> {
    macro_rules! point {
        ($type:ty, $unit:ident) => {
            time(times::point(array.as_primitive::<$type>().value(row).into(), DateUnit::$unit, 1), out)?
        };
    }
    macro_rules! span {
        ($type:ty, $nanoseconds:literal) => {{
            let steps = i128::from(array.as_primitive::<$type>().value(row));
            time(Some(times::span(steps * $nanoseconds)), out)?
        }};
    }
    Ok(match array.data_type() {
        DataType::Date32 => point!(Date32Type, Day),
        DataType::Date64 => point!(Date64Type, Millisecond),
        DataType::Timestamp(unit, zone) => {
            match unit {
                TimeUnit::Second => point!(TimestampSecondType, Second),
                TimeUnit::Millisecond => point!(TimestampMillisecondType, Millisecond),
                TimeUnit::Microsecond => point!(TimestampMicrosecondType, Microsecond),
                TimeUnit::Nanosecond => point!(TimestampNanosecondType, Nanosecond),
            };
            if zone.is_some() {
                out.push_str(&times::offset(0));
            }
            Cell::Word
        }
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => span!(DurationSecondType, 1_000_000_000),
            TimeUnit::Millisecond => span!(DurationMillisecondType, 1_000_000),
            TimeUnit::Microsecond => span!(DurationMicrosecondType, 1000),
            TimeUnit::Nanosecond => span!(DurationNanosecondType, 1),
        },
        DataType::Time32(TimeUnit::Second) => span!(Time32SecondType, 1_000_000_000),
        DataType::Time32(_) => span!(Time32MillisecondType, 1_000_000),
        DataType::Time64(TimeUnit::Nanosecond) => span!(Time64NanosecondType, 1),
        DataType::Time64(_) => span!(Time64MicrosecondType, 1000),
        other => return Err(format!("has the type {other}")),
    })
}

/// Returns whether [`put`] supports the type.
pub fn is_item(data_type: &DataType, ticks: Option<Ticks>) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_plain(values),
        other => is_plain(other) || is_time_with_offset(other, ticks),
    }
}

/// Returns whether a type prints as a single value.
fn is_plain(data_type: &DataType) -> bool {
    !data_type.is_nested() && !matches!(data_type, DataType::Dictionary(..) | DataType::Interval(_))
}

/// Returns whether the type is a time (in UTC, or ticks of a clock), together with the clock's offset from UTC in minutes.
pub fn is_time_with_offset(data_type: &DataType, ticks: Option<Ticks>) -> bool {
    let DataType::Struct(fields) = data_type else { return false };
    let is_time = |time: &Field| match time.data_type() {
        DataType::Timestamp(TimeUnit::Microsecond | TimeUnit::Nanosecond, Some(_)) => time.name() == TIMESTAMP,
        DataType::Int64 => ticks.is_some(),
        _ => false,
    };
    matches!(&fields[..], [time, offset]
        if is_time(time) && offset.name() == OFFSET && *offset.data_type() == DataType::Int16)
}

/// The children of the extension type `arrow.timestamp_with_offset`.
pub const TIMESTAMP: &str = "timestamp";
/// The number of minutes that the clock was ahead of UTC.
pub const OFFSET: &str = "offset_minutes";

/// Writes the local time and its offset from UTC.
fn with_offset(array: &dyn Array, row: usize, out: &mut String) -> Result<Cell, String> {
    let (clocks, offsets) = (array.as_struct().column(0), array.as_struct().column(1));
    if clocks.is_null(row) || offsets.is_null(row) {
        return Ok(Cell::Missing);
    }
    let minutes = offsets.as_primitive::<Int16Type>().value(row);
    if let Some(ticks) = clocks.as_primitive_opt::<Int64Type>() {
        return time(Ticks::Point.text(ticks.value(row)).map(|text| text + &times::offset(minutes)), out);
    }
    let (utc, unit, steps) = match clocks.as_primitive_opt::<TimestampMicrosecondType>() {
        Some(clocks) => (clocks.value(row), DateUnit::Microsecond, 60_000_000),
        None => (clocks.as_primitive::<TimestampNanosecondType>().value(row), DateUnit::Nanosecond, 60_000_000_000),
    };
    let local = i64::from(minutes).checked_mul(steps).and_then(|ahead| utc.checked_add(ahead));
    let text = local.and_then(|local| times::point(local, unit, 1)).map(|text| text + &times::offset(minutes));
    time(text, out)
}

/// Returns the values of a dictionary, and the index of a row's value.
fn category(array: &dyn Array, row: usize) -> Option<(&dyn Array, usize)> {
    let dictionary = array.as_any_dictionary_opt()?;
    let keys: &dyn Array = dictionary.keys();
    macro_rules! place {
        ($($variant:ident $type:ty),*) => {
            match keys.data_type() {
                $(DataType::$variant => usize::try_from(keys.as_primitive::<$type>().value(row)).ok()?,)*
                _ => return None,
            }
        };
    }
    let place = place!(Int8 Int8Type, Int16 Int16Type, Int32 Int32Type, Int64 Int64Type, UInt8 UInt8Type,
        UInt16 UInt16Type, UInt32 UInt32Type, UInt64 UInt64Type);
    let values: &ArrayRef = dictionary.values();
    (place < values.len()).then(|| (values.as_ref(), place))
}

/// Writes a value that needs no quotes in JSON.
fn bare(value: impl Display, out: &mut String) -> Cell {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
    Cell::Bare
}

/// Writes a text.
fn text(value: &str, out: &mut String) -> Cell {
    out.push_str(value);
    Cell::Text
}

/// Writes bytes as lower-case hexadecimal digits.
fn hexadecimal(bytes: &[u8], out: &mut String) -> Cell {
    bytes.iter().for_each(|byte| {
        let _ = write!(out, "{byte:02x}");
    });
    Cell::Text
}

/// Writes a time. `None` stands for an instant outside the calendar.
fn time(text: Option<String>, out: &mut String) -> Result<Cell, String> {
    out.push_str(&text.ok_or("has a time that is not a date")?);
    Ok(Cell::Word)
}

/// A floating-point number of some width.
trait Float: std::fmt::Debug + Copy + Into<f64> {
    /// Returns the bits as `cat --json` shows them.
    fn bits(self) -> String;
    /// Returns whether a NaN has no payload.
    fn is_usual(self) -> bool;
}

impl Float for f32 {
    fn bits(self) -> String {
        format!("{:#010x}", self.to_bits())
    }

    fn is_usual(self) -> bool {
        self.to_bits() & 0x7fff_ffff == 0x7fc0_0000
    }
}

impl Float for f64 {
    fn bits(self) -> String {
        format!("{:#018x}", self.to_bits())
    }

    fn is_usual(self) -> bool {
        self.to_bits() & (u64::MAX >> 1) == 0x7ff8_0000_0000_0000
    }
}

/// Writes a half float, with only the digits that its width needs.
fn half(array: &Float16Array, row: usize, plain_nan: bool, out: &mut String) -> Cell {
    match array.value(row) {
        number if number.is_finite() => bare(format_args!("{:?}", shortest_half(number)), out),
        number => float(number.to_f32(), plain_nan, out),
    }
}

/// Writes the shortest text that can be parsed back exactly.
fn float<F: Float>(number: F, plain_nan: bool, out: &mut String) -> Cell {
    let wide: f64 = number.into();
    let sign = if wide.is_sign_negative() { "-" } else { "" };
    let _ = if wide.is_nan() && plain_nan && number.is_usual() {
        write!(out, "{sign}NaN")
    } else if wide.is_nan() {
        write!(out, "NaN({})", number.bits())
    } else if wide.is_infinite() {
        write!(out, "{sign}Infinity")
    } else {
        let _ = write!(out, "{number:?}");
        return Cell::Bare;
    };
    Cell::Word
}
