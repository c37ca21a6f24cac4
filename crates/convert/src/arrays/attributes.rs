//! Attributes and axis names, which both b2nd and Zarr support.
//!
//! Attributes are msgpack in b2nd and JSON in Zarr. Values that both can express are converted; a binary value, or a
//! map with keys that are not strings, is reported as a loss. The axis names of xarray, by convention an attribute in
//! Zarr 2, become proper axis names.

use super::part::ArraySource;
use crate::error::Result;
use crate::zarr::array::ZarrArray;
use crate::zarr::fill;
use crate::zarr::meta::v2::AXES;
use ndbytes::rmpv;
use ndbytes::schemas::blosc2::LONGEST_NAME;
use ndbytes::{Array, b2nd};
use serde_json::{Map, Number, Value};

/// The maximum number of attributes in b2nd.
const MOST: usize = 16;

/// The maximum nesting of lists in an attribute.
const DEEPEST: usize = 32;

/// The metadata of a source: what Zarr can hold, and the rest.
#[derive(Debug, Default)]
pub struct Kept {
    pub attributes: Map<String, Value>,
    /// The names of the axes.
    pub axes: Option<Vec<Option<String>>>,
    /// Other metadata of the source, as text.
    pub others: Vec<String>,
}

/// Returns the metadata of a source in the form of Zarr.
pub fn of_source(part: &ArraySource<'_>) -> Result<Kept> {
    if let Some(array) = part.zarr() {
        let described = array.described();
        let axes = described.axes.clone().filter(|_| part.keeps_axes());
        let others = match (&described.axes, &axes) {
            (Some(_), None) => vec!["the names of the axes".into()],
            _ => Vec::new(),
        };
        return Ok(Kept { attributes: described.attributes.clone(), axes, others });
    }
    let mut kept = Kept::default();
    let Some(Array::B2nd(array)) = part.array() else { return Ok(kept) };
    for name in array.attribute_names() {
        let value = array.attribute_value(&name).ok();
        kept.take(value, name, "attribute", part);
    }
    for name in array.metalayer_names() {
        let value = array.metalayer_value(&name).ok();
        kept.take(value, name, "metalayer", part);
    }
    Ok(kept)
}

impl Kept {
    /// Accepts an attribute, or records it as lost. The attribute that xarray reserves for axis names becomes the names
    /// of the axes if it fits.
    fn take(&mut self, value: Option<rmpv::Value>, name: String, what: &str, part: &ArraySource<'_>) {
        let value = value.and_then(|value| json(&value, 0));
        if name == AXES && self.axes.is_none() && part.keeps_axes() {
            self.axes = value.as_ref().and_then(|value| names(value, part.shape().len()));
            if self.axes.is_some() {
                return;
            }
        }
        match value {
            Some(value) if !self.attributes.contains_key(&name) => {
                self.attributes.insert(name, value);
            }
            _ => self.others.push(format!("the {what} {name:?}")),
        }
    }
}

/// Returns the names of axes in a list of strings and nulls, one per axis, or `None` for anything else.
fn names(value: &Value, axes: usize) -> Option<Vec<Option<String>>> {
    let name = |name: &Value| match name {
        Value::Null => Some(None),
        Value::String(name) => Some(Some(name.clone())),
        _ => None,
    };
    let names: Option<Vec<_>> = value.as_array()?.iter().map(name).collect();
    names.filter(|names| names.len() == axes)
}

/// Converts a msgpack value to JSON, or returns `None` if JSON cannot express it.
fn json(value: &rmpv::Value, depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    Some(match value {
        rmpv::Value::Nil => Value::Null,
        rmpv::Value::Boolean(value) => Value::Bool(*value),
        rmpv::Value::Integer(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => Value::Number(number.into()),
            (None, number) => Value::Number(number?.into()),
        },
        rmpv::Value::F64(number) => Value::Number(Number::from_f64(*number)?),
        rmpv::Value::String(text) => Value::String(text.as_str()?.to_owned()),
        rmpv::Value::Array(list) => list.iter().map(|value| json(value, depth + 1)).collect::<Option<_>>()?,
        rmpv::Value::Map(pairs) => {
            let mut map = Map::new();
            for (name, value) in pairs {
                if map.insert(name.as_str()?.to_owned(), json(value, depth + 1)?).is_some() {
                    return None;
                }
            }
            Value::Object(map)
        }
        _ => return None,
    })
}

/// Returns the metadata of a Zarr array as b2nd attributes, and the metadata that b2nd cannot hold.
fn of_zarr(array: &ZarrArray<'_>, is_whole: bool) -> (Vec<(String, rmpv::Value)>, Vec<String>) {
    let described = array.described();
    let (mut attributes, mut others) = (Vec::new(), Vec::new());
    if let Some(axes) = &described.axes {
        match is_whole && !described.attributes.contains_key(AXES) {
            true => {
                let name = |name: &Option<String>| name.as_deref().map_or(rmpv::Value::Nil, Into::into);
                attributes.push((AXES.to_owned(), rmpv::Value::Array(axes.iter().map(name).collect())));
            }
            false => others.push("the names of the axes".into()),
        }
    }
    for (name, value) in &described.attributes {
        let fits = (1..=LONGEST_NAME).contains(&name.len()) && attributes.len() < MOST;
        match fits {
            true => attributes.push((name.clone(), msgpack(value))),
            false => others.push(format!("the attribute {name:?}")),
        }
    }
    others.extend(fill_value(array));
    (attributes, others)
}

/// Converts JSON to msgpack, the encoding of b2nd's attributes.
fn msgpack(value: &Value) -> rmpv::Value {
    match value {
        Value::Null => rmpv::Value::Nil,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into(),
            (None, Some(number)) => number.into(),
            (None, None) => number.as_f64().unwrap_or(f64::NAN).into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(list) => rmpv::Value::Array(list.iter().map(msgpack).collect()),
        Value::Object(map) => {
            rmpv::Value::Map(map.iter().map(|(name, value)| (name.as_str().into(), msgpack(value))).collect())
        }
    }
}

/// Returns a nonzero fill value, as text.
fn fill_value(array: &ZarrArray<'_>) -> Option<String> {
    let described = array.described();
    let is_zero = described.fill.iter().all(|&byte| byte == 0);
    (!is_zero).then(|| format!("the fill value {}", fill::value(&described.fill, &described.item_type)))
}

/// Returns all metadata of a Zarr array, as text.
pub fn all_of_zarr(array: &ZarrArray<'_>) -> Vec<String> {
    let described = array.described();
    let attributes = described.attributes.keys().map(|name| format!("the attribute {name:?}"));
    let axes = described.axes.is_some().then(|| "the names of the axes".to_owned());
    attributes.chain(axes).chain(fill_value(array)).collect()
}

/// Returns the metadata of a Zarr array that b2nd cannot hold, as text.
pub fn lost_in_b2nd(part: &ArraySource<'_>) -> Vec<String> {
    part.zarr().map(|array| of_zarr(array, part.keeps_axes()).1).unwrap_or_default()
}

/// The maximum length of a Zarr chunk that becomes a b2nd chunk.
const LARGEST_CHUNK: u64 = 1 << 30;

/// Returns the writer with the chunk shape of a Zarr array, if b2nd supports it: inner chunks become blocks.
fn with_chunks(writer: b2nd::Writer, part: &ArraySource<'_>, array: &ZarrArray<'_>) -> b2nd::Writer {
    let described = array.described();
    let within = |extents: &[u64]| -> Vec<usize> {
        let within = extents.iter().zip(part.shape());
        within.map(|(&extent, &whole)| usize::try_from(extent).unwrap_or(whole).min(whole)).collect()
    };
    let (chunk, inner) = (within(&described.chunk), within(described.together()));
    let bytes = chunk.iter().fold(array.item_type().size(), |bytes, &extent| bytes.saturating_mul(extent as u64));
    if !part.is_whole() || chunk.contains(&0) || bytes > LARGEST_CHUNK {
        return writer;
    }
    let writer = writer.chunks(&chunk);
    if described.together() == described.chunk { writer } else { writer.blocks(&inner) }
}

/// Returns the writer with the attributes and the chunk shape of a Zarr array.
pub fn with_attributes(writer: b2nd::Writer, part: &ArraySource<'_>) -> Result<b2nd::Writer> {
    let Some(array) = part.zarr() else { return Ok(writer) };
    let writer = with_chunks(writer, part, array);
    let (attributes, _) = of_zarr(array, part.keeps_axes());
    Ok(attributes.iter().try_fold(writer, |writer, (name, value)| writer.attribute(name, value))?)
}
