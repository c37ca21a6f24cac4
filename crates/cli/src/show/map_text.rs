//! The words that show a byte map, in tables and on pages alike.

use crate::show::style::{ERROR, OK, counted, grouped};
use crate::show::text::{WIDEST, cut, readable};
use anstyle::Style;
use ndbytes::everybyte::{Node, Role, Value};
use ndbytes::{ByteMap, GAP, Report, Severity, Space, Span};
use std::collections::HashMap;

/// Returns the sentence on whether every byte has a field, and its style, which is not that of success in a broken file.
pub fn accounted_for(spans: &[Span<'_>], report: &Report) -> (Style, String) {
    let gaps = spans.iter().filter(|span| span.node.name() == GAP).map(|span| span.node.end() - span.node.start());
    let errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error).count();
    match (gaps.sum::<u64>(), errors) {
        (0, 0) => (OK, "every byte accounted for".to_owned()),
        (0, errors) => (Style::new(), format!("every byte has a field; {}", counted(errors as u64, "error"))),
        (gaps, _) => (ERROR, format!("{} not accounted for", counted(gaps, "byte"))),
    }
}

/// The title of a space, with its number if there are several.
pub fn title_of(space: &Space, map: &ByteMap) -> String {
    let title = cut(&space.title, WIDEST);
    if space.id > 0 && map.spaces.len() > 2 { format!("space {}: {title}", space.id) } else { title }
}

/// The path of the structure that a field is in: `block[0]` of `block[0].length`.
pub fn structure_around(path: &str) -> &str {
    &path[..path.rfind('.').unwrap_or(0)]
}

/// The path of a structure; if it is in an element that has a name, with that: `columns[2] "Label" .lookup`.
pub fn structure_title(path: &str, names: &HashMap<String, String>) -> String {
    let end = path.find(']').map_or(path.len(), |end| end + 1);
    match (names.get(&path[..end]), &path[end..]) {
        (Some(name), "") => format!("{path} \"{name}\""),
        (Some(name), rest) => format!("{} \"{name}\" {rest}", &path[..end]),
        (None, _) => path.to_owned(),
    }
}

/// Returns whether a field states where another one is.
fn is_place(node: Node<'_>) -> bool {
    matches!(node.role(), Some(Role::Place { .. }))
}

/// The value of a field, which takes no more than `room`.
pub fn value(node: Node<'_>, room: usize) -> String {
    let text = match &node.value() {
        Value::None => node.type_name().to_owned(),
        // A number whose bytes are readable text.
        Value::Uint(_) if node.first_bytes().len() >= 4 && node.first_bytes().iter().all(u8::is_ascii_graphic) => {
            format!("\"{}\"", String::from_utf8_lossy(node.first_bytes()))
        }
        // An offset, in decimal as all numbers and in hexadecimal as the offsets of fields.
        Value::Uint(number) if is_place(node) && *number > 9 => format!("{} ({number:#x})", grouped(*number)),
        Value::Int(number) if is_place(node) && *number > 9 => format!("{number} ({number:#x})"),
        Value::Uint(number) => grouped(*number),
        Value::Name(name) => name.to_string(),
        // They are shown in the column of bytes.
        Value::Bytes(..) => node.type_name().to_owned(),
        value => value.to_string(),
    };
    cut(&readable(&text), room)
}
