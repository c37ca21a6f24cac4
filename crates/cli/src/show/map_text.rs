//! Texts about a byte map, for tables and pages.

use crate::show::style::{ERROR, OK, counted, grouped};
use crate::show::text::{WIDEST, cut, readable};
use anstyle::Style;
use ndbytes::everybyte::{
    map::{Node, Value},
    role::Role,
};
use ndbytes::{ByteMap, GAP, Report, Severity, Space, Span};
use std::collections::HashMap;

/// Returns the sentence about whether every byte has a field, and its style. For a broken file, the sentence never
/// looks like success.
pub fn accounted_for(spans: &[Span<'_>], report: &Report) -> (Style, String) {
    let gaps = spans.iter().filter(|span| span.node.name() == GAP).map(|span| span.node.end() - span.node.start());
    let errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error).count();
    match (gaps.sum::<u64>(), errors) {
        (0, 0) => (OK, "every byte accounted for".to_owned()),
        (0, errors) => (Style::new(), format!("every byte has a field; {}", counted(errors as u64, "error"))),
        (gaps, _) => (ERROR, format!("{} not accounted for", counted(gaps, "byte"))),
    }
}

/// Returns the title of a space, with its number if there are several.
pub fn title_of(space: &Space, map: &ByteMap) -> String {
    let title = cut(&space.title, WIDEST);
    if space.id > 0 && map.spaces.len() > 2 { format!("space {}: {title}", space.id) } else { title }
}

/// Returns the path of the structure that contains a field: `block[0]` for `block[0].length`.
pub fn structure_around(path: &str) -> &str {
    &path[..path.rfind('.').unwrap_or(0)]
}

/// Returns the path of a structure, with the name of the enclosing element if it has one: `columns[2] "Label" .lookup`.
pub fn structure_title(path: &str, names: &HashMap<String, String>) -> String {
    let end = path.find(']').map_or(path.len(), |end| end + 1);
    match (names.get(&path[..end]), &path[end..]) {
        (Some(name), "") => format!("{path} \"{name}\""),
        (Some(name), rest) => format!("{} \"{name}\" {rest}", &path[..end]),
        (None, _) => path.to_owned(),
    }
}

/// Returns whether a field states the position of another one.
fn is_place(node: Node<'_>) -> bool {
    matches!(node.role(), Some(Role::Place { .. }))
}

/// Returns the value of a field, cut to `room`.
pub fn value(node: Node<'_>, room: usize) -> String {
    let text = match &node.value() {
        Value::None => node.type_name().to_owned(),
        // A number whose bytes are readable text.
        Value::Uint(_) if node.first_bytes().len() >= 4 && node.first_bytes().iter().all(u8::is_ascii_graphic) => {
            format!("\"{}\"", String::from_utf8_lossy(node.first_bytes()))
        }
        // An offset is shown in decimal like all numbers, and in hexadecimal like the offsets of fields.
        Value::Uint(number) if is_place(node) && *number > 9 => format!("{} ({number:#x})", grouped(*number)),
        Value::Int(number) if is_place(node) && *number > 9 => format!("{number} ({number:#x})"),
        Value::Uint(number) => grouped(*number),
        Value::Name(name) => name.to_string(),
        // The column of bytes already shows them.
        Value::Bytes(..) => node.type_name().to_owned(),
        value => value.to_string(),
    };
    cut(&readable(&text), room)
}
