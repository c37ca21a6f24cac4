//! Values of tables as JSON, one row per line.

use super::item::{self, BoundedText};
use ndbytes::idv::{Text, Value, Vector};
use std::fmt::{self, Write};

/// Appends a value.
pub fn write(value: &Value<'_>, to: &mut BoundedText) -> fmt::Result {
    match value {
        Value::Null => to.write_str("null"),
        Value::Int(number) => write!(to, "{number}"),
        Value::Uint(number) => write!(to, "{number}"),
        Value::RowId(id) => write!(to, "\"{id:032x}\""),
        Value::F32(number) => float(to, number, (*number).into()),
        Value::F64(number) => float(to, number, *number),
        Value::Bool(value) => write!(to, "{value}"),
        Value::DateTimeOffset(time) => write!(to, "[{}, {}]", time.ticks, time.offset_minutes),
        Value::Text(text) => quoted(to, *text),
        Value::Vector(vector) => write_vector(vector, to),
    }
}

/// Writes a float. JSON has no NaN and no infinity, so they are strings.
fn float(to: &mut BoundedText, number: &dyn fmt::Debug, value: f64) -> fmt::Result {
    if value.is_finite() { write!(to, "{number:?}") } else { write!(to, "\"{value}\"") }
}

fn quoted(to: &mut BoundedText, text: Text<'_>) -> fmt::Result {
    let letters = char::decode_utf16(text.utf16());
    item::quoted(to, letters.map(|letter| letter.map_err(|half| half.unpaired_surrogate().into())))
}

/// Writes `[1, 2]`, or `{"of": 9, "7": 1}` for a vector that stores only some of its items.
fn write_vector(vector: &Vector<'_>, to: &mut BoundedText) -> fmt::Result {
    match vector.indices() {
        None => {
            to.write_str("[")?;
            for (place, item) in vector.stored().enumerate() {
                to.write_str(if place > 0 { ", " } else { "" })?;
                write(&item, to)?;
            }
            to.write_str("]")
        }
        Some(indices) => {
            write!(to, "{{\"of\": {}", vector.len())?;
            for (index, item) in indices.iter().zip(vector.stored()) {
                write!(to, ", \"{index}\": ")?;
                write(&item, to)?;
            }
            to.write_str("}")
        }
    }
}
