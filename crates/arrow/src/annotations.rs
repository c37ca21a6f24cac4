//! Annotations as JSON: `{"type":"Vector<String, 2>","value":["a","b"]}`. A sparse vector also has `length` and `indices`.
//!
//! Annotations become JSON in the metadata of fields, which other programs can read, and come back without loss: 64-bit integers
//! and floats keep all digits. An annotation that cannot be restored is not written, since half an annotation is worse than none.

use ndbytes::idv::{ColumnType, DateTimeOffset, ItemType, Items, Texts, Value, Values};
use serde_json::{Map, Value as Json, json};

/// The maximum number of items in an annotation that becomes metadata.
const MOST_ITEMS: usize = 1 << 20;

/// The maximum number of bytes of an annotation's JSON.
const MOST_BYTES: usize = 32 << 20;

/// Returns the annotation as JSON, or `None` if it is too large for metadata. Also returns `None` if it could not be
/// restored, such as a key without a category. `length` is the length of its vector, if it is known from elsewhere.
pub(crate) fn to_json(value_type: &ColumnType, values: &Values, length: Option<u32>) -> Option<String> {
    if values.items().len() > MOST_ITEMS || has_no_category(value_type, values) {
        return None;
    }
    if let Some(texts) = values.items().texts() {
        let mut bytes = 0_usize;
        for text in texts.iter() {
            bytes = bytes.saturating_add(text.as_bytes().len());
        }
        if bytes > MOST_BYTES / 8 {
            return None;
        }
    }
    let mut object = Map::new();
    object.insert("type".into(), value_type.to_string().into());
    match values.get(0)? {
        Value::Vector(vector) => {
            if let Some(indices) = vector.indices() {
                object.insert("length".into(), length.map_or(vector.len() as u64, u64::from).into());
                object.insert("indices".into(), indices.to_vec().into());
            }
            object.insert("value".into(), Json::Array(vector.stored().map(item_to_json).collect()));
        }
        item => {
            object.insert("value".into(), item_to_json(item));
        }
    }
    Some(Json::Object(object).to_string()).filter(|text| text.len() <= MOST_BYTES)
}

/// Returns whether any key is greater than the number of categories.
fn has_no_category(value_type: &ColumnType, values: &Values) -> bool {
    let ItemType::Key(key) = value_type.item else { return false };
    match values.items() {
        Items::U8(keys) => keys.iter().any(|&raw| u64::from(raw) > key.count),
        Items::U16(keys) => keys.iter().any(|&raw| u64::from(raw) > key.count),
        Items::U32(keys) => keys.iter().any(|&raw| u64::from(raw) > key.count),
        Items::U64(keys) => keys.iter().any(|&raw| raw > key.count),
        _ => false,
    }
}

fn item_to_json(item: Value<'_>) -> Json {
    match item {
        Value::Int(number) => number.into(),
        Value::Uint(number) => number.into(),
        Value::RowId(number) => number.to_string().into(),
        Value::F32(number) if number.is_finite() => f64::from(number).into(),
        Value::F64(number) if number.is_finite() => number.into(),
        // A NaN keeps its bits.
        Value::F32(number) => format!("{number}:{:08x}", number.to_bits()).into(),
        Value::F64(number) => format!("{number}:{:016x}", number.to_bits()).into(),
        Value::Bool(truth) => truth.into(),
        Value::DateTimeOffset(time) => json!([time.ticks, time.offset_minutes]),
        Value::Text(text) => match text.to_str() {
            Some(text) => text.into(),
            None => json!({ "utf16": text.utf16().collect::<Vec<u16>>() }),
        },
        _ => Json::Null,
    }
}

/// Returns the type and the value of an annotation. A missing item becomes a default if `default_for_null` is true.
///
/// # Errors
/// Returns the reason why the text is not an annotation.
pub(crate) fn from_json(text: &str, default_for_null: bool) -> Result<(ColumnType, Values), String> {
    if text.len() > MOST_BYTES {
        return Err(format!("has {} bytes, but at most {MOST_BYTES} are read", text.len()));
    }
    let json: Json = serde_json::from_str(text).map_err(|error| format!("is not JSON: {error}"))?;
    let field = |name: &str| json.get(name).ok_or_else(|| format!("has no {name:?}"));
    let name = field("type")?.as_str().ok_or("has a type that is not a string")?;
    let value_type: ColumnType = name.parse().map_err(|_| format!("has an unknown type, {name:?}"))?;
    let value = field("value")?;
    let mut items = Values::vectors(value_type.item).into_items();
    if value_type.dims.is_none() {
        push(&mut items, value, value_type.item, default_for_null)?;
        return Ok((value_type, Values::scalars(items)));
    }
    for item in value.as_array().ok_or("has a value that is not a list")? {
        push(&mut items, item, value_type.item, default_for_null)?;
    }
    let mut values = Values::vectors(value_type.item);
    let pushed = match json.get("indices") {
        None => values.push_vector(items),
        Some(indices) => {
            let index = |index: &Json| index.as_u64().and_then(|index| u32::try_from(index).ok());
            let indices =
                indices.as_array().and_then(|indices| indices.iter().map(index).collect::<Option<Vec<u32>>>());
            let length = json.get("length").and_then(Json::as_u64).and_then(|length| usize::try_from(length).ok());
            let (Some(indices), Some(length)) = (indices, length) else {
                return Err("has no indices below 2^32, or no length".into());
            };
            values.push_sparse_vector(length, &indices, items)
        }
    };
    pushed.map_err(|error| error.to_string())?;
    Ok((value_type, values))
}

/// Appends an item.
fn push(items: &mut Items, json: &Json, item: ItemType, default_for_null: bool) -> Result<(), String> {
    let bad = || format!("has an item that is not {item}");
    if json.is_null() {
        if !default_for_null {
            return Err("has a missing value, which version 1.1.1.6 cannot hold: choose a replacement for nulls".into());
        }
        push_default(items);
        return Ok(());
    }
    macro_rules! number {
        ($items:expr, $as:ident) => {
            $items.push(json.$as().and_then(|number| number.try_into().ok()).ok_or_else(bad)?)
        };
    }
    match items {
        Items::I8(items) => number!(items, as_i64),
        Items::I16(items) => number!(items, as_i64),
        Items::I32(items) => number!(items, as_i64),
        Items::I64(items) => number!(items, as_i64),
        Items::U8(items) => number!(items, as_u64),
        Items::U16(items) => number!(items, as_u64),
        Items::U32(items) => number!(items, as_u64),
        Items::U64(items) => number!(items, as_u64),
        Items::RowId(items) => items.push(json.as_str().and_then(|text| text.parse().ok()).ok_or_else(bad)?),
        Items::F32(items) => items.push(match bits(json) {
            Some(bits) => f32::from_bits(u32::try_from(bits).map_err(|_| bad())?),
            None => json.as_f64().ok_or_else(bad)? as f32,
        }),
        Items::F64(items) => items.push(match bits(json) {
            Some(bits) => f64::from_bits(bits),
            None => json.as_f64().ok_or_else(bad)?,
        }),
        Items::Bool(items) => items.push(json.as_bool().ok_or_else(bad)?),
        Items::DateTimeOffset(items) => {
            let part = |place: usize| json.get(place).and_then(Json::as_i64);
            let offset_minutes = part(1).and_then(|minutes| minutes.try_into().ok());
            let (Some(ticks), Some(offset_minutes)) = (part(0), offset_minutes) else { return Err(bad()) };
            items.push(DateTimeOffset { ticks, offset_minutes });
        }
        Items::Text(texts) => push_text(texts, json).ok_or_else(bad)?,
    }
    Ok(())
}

/// Returns the bits after the colon.
fn bits(json: &Json) -> Option<u64> {
    let (_, bits) = json.as_str()?.split_once(':')?;
    u64::from_str_radix(bits, 16).ok()
}

fn push_text(texts: &mut Texts, json: &Json) -> Option<()> {
    match json.as_str() {
        Some(text) => texts.push(text),
        None => {
            let units = json.get("utf16")?.as_array()?.iter();
            let units: Option<Vec<u16>> = units.map(|unit| unit.as_u64()?.try_into().ok()).collect();
            texts.push_utf16(&units?);
        }
    }
    Some(())
}

/// Appends zero, false or the empty string.
pub(crate) fn push_default(items: &mut Items) {
    match items {
        Items::I8(items) => items.push(0),
        Items::I16(items) => items.push(0),
        Items::I32(items) => items.push(0),
        Items::I64(items) => items.push(0),
        Items::U8(items) => items.push(0),
        Items::U16(items) => items.push(0),
        Items::U32(items) => items.push(0),
        Items::U64(items) => items.push(0),
        Items::RowId(items) => items.push(0),
        Items::F32(items) => items.push(0.0),
        Items::F64(items) => items.push(0.0),
        Items::Bool(items) => items.push(false),
        Items::DateTimeOffset(items) => items.push(DateTimeOffset::default()),
        Items::Text(texts) => texts.push(""),
    }
}
