//! Byte maps as JSON. `docs/src/json.md` describes it.

use crate::show::json;
use ndbytes::everybyte::map::openers;
use ndbytes::everybyte::{map::Value, reference::Bits, role::Role};
use ndbytes::{ByteMap, Report, Span};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// A byte map.
#[derive(Serialize)]
struct MapObject<'a> {
    path: String,
    format: Option<ndbytes::Format>,
    size: u64,
    spaces: Vec<SpaceObject<'a>>,
    #[serde(serialize_with = "one_by_one")]
    spans: &'a [Span<'a>],
}

/// Serializes spans as objects one by one.
fn one_by_one<S: Serializer>(spans: &[Span<'_>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(spans.iter().map(span_object))
}

/// A space: the file, or decompressed content.
#[derive(Serialize)]
struct SpaceObject<'a> {
    id: u32,
    title: &'a str,
    length: u64,
    opened_by: Option<String>,
}

/// A field, or a gap between fields.
#[derive(Serialize)]
struct SpanObject<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    space: u32,
    offset: u64,
    length: u64,
    r#type: &'a str,
    value: serde_json::Value,
    meaning: Cow<'a, str>,
    doc: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opens: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bits: Vec<BitsObject>,
}

/// A run of bits with a name.
#[derive(Serialize)]
struct BitsObject {
    name: String,
    first: u32,
    width: u32,
    value: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    meaning: String,
}

/// Prints one object with all fields, or only the fields of a part.
pub fn print(
    map: &ByteMap,
    part: Option<&[Span<'_>]>,
    report: &Report,
    path: &Path,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_shown = |id: u32| part.is_none_or(|spans| spans.iter().any(|span| span.space == id));
    let all;
    let spans = match part {
        Some(spans) => spans,
        None => {
            all = map.keyed_spans();
            &all
        }
    };
    let openers = openers(&map.spaces);
    let object = MapObject {
        path: path.display().to_string(),
        format: map.format,
        size: report.size,
        spaces: map
            .spaces
            .iter()
            .filter(|space| is_shown(space.id))
            .map(|space| SpaceObject {
                id: space.id,
                title: &space.title,
                length: space.length,
                opened_by: openers.get(&space.id).cloned(),
            })
            .collect(),
        spans,
    };
    json::line(out, &object)
}

/// Returns the object of a field.
fn span_object<'a>(span: &'a Span<'a>) -> SpanObject<'a> {
    let node = span.node;
    SpanObject {
        path: &span.path,
        key: span.key.as_deref(),
        space: span.space,
        offset: node.start(),
        length: node.length(),
        r#type: node.type_name(),
        value: json_value(&node.value()),
        meaning: node.meaning(),
        doc: node.doc(),
        role: node.role().map(Role::name),
        target: node.role().and_then(Role::target).map(|target| &*target.path),
        origin: node.role().and_then(Role::origin),
        opens: node.opens(),
        bits: node
            .bits()
            .into_iter()
            .map(|Bits { name, first, width, value, meaning, .. }| BitsObject {
                name: name.to_string(),
                first,
                width,
                value,
                meaning: meaning.to_string(),
            })
            .collect(),
    }
}

/// Returns numbers as numbers, and other values as text. A number that does not fit in 64 bits also becomes text.
fn json_value(value: &Value) -> serde_json::Value {
    match value {
        Value::None => serde_json::Value::Null,
        Value::Uint(number) => u64::try_from(*number).map_or_else(|_| number.to_string().into(), Into::into),
        Value::Int(number) => i64::try_from(*number).map_or_else(|_| number.to_string().into(), Into::into),
        Value::Flags(bits) => (*bits).into(),
        // Prints only as many digits as a single needs.
        Value::Single(number) => number.to_string().parse::<f64>().ok().into(),
        Value::Float(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        value => value.to_string().into(),
    }
}
