//! A short description of a b2nd array.

use super::array::Array;
use super::open::Options;
use super::rules::NO_ARRAY;
use crate::blosc2::attributes;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::words::bytes;
use crate::format::Format;
use crate::format::excerpt::Excerpt;
use crate::format::info::{ArrayInfo, Info, MOST_METADATA, MetadataInfo};
use crate::zip::store::may_be_no_array;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// Describes an array without reading its chunks.
pub(crate) fn info(input: Input<'_>, limits: Limits) -> Result<(Info, Vec<Finding>)> {
    let (size, is_no_array_fine) = (input.length(), may_be_no_array(&input));
    let array = match Options::new().limits(limits).read(input) {
        Ok(array) => array,
        Err(Error::Invalid(finding)) if finding.rule == &NO_ARRAY && is_no_array_fine => {
            return Ok((no_array(size, finding.message), Vec::new()));
        }
        Err(error) => return Err(error),
    };
    let described = ArrayInfo {
        shape: array.shape().iter().map(|&extent| extent as u64).collect(),
        dtype: array.item_type().to_string(),
        order: "C",
    };
    let info = Info {
        format: Format::B2nd,
        size,
        version: Some(array.frame_version().to_string()),
        array: Some(described),
        table: None,
        details: details(&array),
        metadata: metadata(&array)?,
    };
    Ok((info, array.warnings().to_vec()))
}

/// Describes a frame that is not an array, with the reason why it is not.
fn no_array(size: u64, reason: String) -> Info {
    Info {
        format: Format::B2nd,
        size,
        version: None,
        array: None,
        table: None,
        details: BTreeMap::from([("no array", reason)]),
        metadata: Vec::new(),
    }
}

/// Returns the shapes of chunks and blocks, the codec, the filters, and the names of metalayers and attributes.
fn details(array: &Array<'_>) -> BTreeMap<&'static str, String> {
    let extents =
        |extents: &[usize]| format!("({})", extents.iter().map(usize::to_string).collect::<Vec<_>>().join(", "));
    let filters = array.filters();
    let mut details = BTreeMap::from([
        ("chunks", extents(&array.chunk_shape())),
        ("blocks", extents(&array.block_shape())),
        ("chunk count", array.chunk_count().to_string()),
        ("codec", format!("{}, level {}", array.codec().name().unwrap_or("not defined"), array.level())),
        ("filters", if filters.is_empty() { "none".to_owned() } else { filters.join(", ") }),
        ("stored", bytes(array.stored_bytes())),
    ]);
    if array.is_sparse() {
        details.insert("chunk files", "one a chunk".into());
    }
    for (what, names) in [("metalayers", array.metalayer_names()), ("attributes", array.attribute_names())] {
        if !names.is_empty() {
            details.insert(what, names.join(", "));
        }
    }
    details
}

/// Once this many bytes of metalayers and attributes have been read, no more are read.
const MOST_BYTES: u64 = 16 << 20;

/// Returns the first metalayers and attributes, with their values. A broken one has no value. Exceeding a limit is an error, because a
/// limit is not a property of the file.
fn metadata(array: &Array<'_>) -> Result<Vec<MetadataInfo>> {
    let layers = array.metalayer_names().into_iter().map(|name| ("metalayer", name));
    let attributes = array.attribute_names().into_iter().map(|name| ("attribute", name));
    let mut read = 0;
    let described = layers.chain(attributes).take(MOST_METADATA).map(|(kind, name)| {
        let content = (read < MOST_BYTES)
            .then(|| if kind == "attribute" { array.attribute(&name) } else { array.metalayer(&name) })
            .transpose();
        let (content, flaw) = match content {
            Ok(content) => (content, None),
            Err(error @ (Error::Limit { .. } | Error::Time { .. } | Error::Io { .. })) => return Err(error),
            Err(error) => (None, error.finding().map(|finding| finding.rule.id)),
        };
        read += content.as_ref().map_or(0, |bytes| bytes.len() as u64);
        let value = content.map(|bytes| told(&bytes, &name, array));
        Ok(MetadataInfo { kind, name, value, flaw })
    });
    described.collect()
}

/// Formats a value as text: msgpack in JSON syntax, and anything else as hexadecimal bytes.
fn told(bytes: &[u8], name: &str, array: &Array<'_>) -> String {
    match attributes::value(bytes, name, array.input().budget()) {
        Ok(value) => {
            let mut excerpt = Excerpt::default();
            // An excerpt that is full returns an error, which is expected here.
            let _ = write_value(&mut excerpt, &value);
            excerpt.into_text()
        }
        Err(_) => Excerpt::of_bytes(&bytes[..bytes.len().min(Excerpt::BYTES as usize)]),
    }
}

/// Writes a value. Its depth is bounded when it is read.
fn write_value(to: &mut Excerpt, value: &rmpv::Value) -> fmt::Result {
    match value {
        rmpv::Value::Nil => to.write_str("null"),
        rmpv::Value::String(text) => match text.as_str() {
            Some(text) => write!(to, "{text:?}"),
            None => write_bytes(to, text.as_bytes()),
        },
        rmpv::Value::Binary(bytes) | rmpv::Value::Ext(_, bytes) => write_bytes(to, bytes),
        rmpv::Value::Array(values) => {
            to.write_str("[")?;
            for (place, value) in values.iter().enumerate() {
                to.write_str(if place > 0 { ", " } else { "" })?;
                write_value(to, value)?;
            }
            to.write_str("]")
        }
        rmpv::Value::Map(entries) => {
            to.write_str("{")?;
            for (place, (key, value)) in entries.iter().enumerate() {
                to.write_str(if place > 0 { ", " } else { "" })?;
                write_value(to, key)?;
                to.write_str(": ")?;
                write_value(to, value)?;
            }
            to.write_str("}")
        }
        number => write!(to, "{number}"),
    }
}

/// Writes bytes as hexadecimal digits until the excerpt is full.
fn write_bytes(to: &mut Excerpt, bytes: &[u8]) -> fmt::Result {
    to.write_str("0x")?;
    bytes.iter().try_for_each(|byte| write!(to, "{byte:02x}"))
}
