//! The fields of a file as lines: choices of its author, and contradictions to the rest of the file.
//!
//! Most fields, such as offsets, lengths, counts and checksums, follow from others. In a review they are noise, because
//! one inserted row changes hundreds of them. They are left out unless they contradict the rest of the file. Elements
//! of a list with equal values share a line.

use super::{Choices, Fields};
use everybyte::links::Links;
use everybyte::map::Span;
use everybyte::{
    map::{Index, Node, Value},
    reference::Bits,
    role::Role,
};
use ndbytes::ByteMap;
use std::collections::{HashMap, HashSet};

/// The names that layouts use for bytes that are the same in every file.
const FIXED: [&str; 2] = ["magic", "head"];

/// The ending of such a name, if a structure has several of them.
const FIXED_END: &str = "_head";

/// The maximum number of elements of a list on a line.
const MOST_ELEMENTS: usize = 64;

/// The placeholder for a value that is left out on request.
pub const REDACTED: &str = "[redacted]";

/// A line that is being built: a field, or a list of them.
struct FieldLine {
    key: String,
    value: String,
    /// The offset, if it is to be shown.
    place: String,
    /// The number of elements, if it is a list.
    elements: u64,
}

/// Writes the lines of the fields. `used` records which of the patterns matched a field.
pub fn lines(map: &ByteMap, choices: &Choices, used: &mut [bool]) -> Vec<String> {
    let wrong = contradictions(map);
    let spans = map.keyed_spans();
    let shown = spans.iter().filter(|span| is_shown(span, choices.fields, &wrong));
    let mut facts: Vec<FieldLine> = Vec::new();
    for span in shown {
        let fact = fact(span, choices, used);
        match facts.last_mut().filter(|_| choices.fields == Fields::Facts) {
            Some(last) if joins(last, &fact, span.node) => join(last, fact),
            _ => facts.push(fact),
        }
    }
    match choices.fields {
        Fields::Facts => collapsed(facts),
        Fields::WithOffsets | Fields::Everything => facts.into_iter().map(|fact| line(&fact)).collect(),
    }
}

/// Returns the numbers that contradict the field they describe, by space and offset.
fn contradictions(map: &ByteMap) -> HashSet<(u32, u64)> {
    let links = Links::new(&map.spaces);
    let wrong = links.all().filter(|link| link.agrees() == Some(false));
    wrong.map(|link| (link.space, link.number.start())).collect()
}

fn is_shown(span: &Span<'_>, fields: Fields, wrong: &HashSet<(u32, u64)>) -> bool {
    let node = span.node;
    let is_empty = node.start() == node.end() && node.is_complete();
    match fields {
        Fields::Everything => !is_empty,
        _ if is_empty || is_data(node) || is_fixed(node) => false,
        Fields::WithOffsets => true,
        Fields::Facts => match node.role() {
            Some(Role::Place { .. } | Role::Extent { .. } | Role::CheckOf { .. }) => false,
            Some(Role::Counts { .. } | Role::CopyOf { .. }) => wrong.contains(&(span.space, node.start())),
            _ => !is_said_by_key(span),
        },
    }
}

/// Returns whether a field is a name that is part of the keys of its siblings.
fn is_said_by_key(span: &Span<'_>) -> bool {
    let key = span.key.as_deref().filter(|_| span.node.is_key());
    key.is_some_and(|key| key.contains(&format!("[{}", span.node.value())))
}

/// Returns whether a field is content, whose bytes are hashed and whose values are printed below.
pub fn is_data(node: Node<'_>) -> bool {
    node.role() == Some(&Role::Payload) || node.opens().is_some()
}

/// Returns whether a field is the same in every file, or correctly unused.
fn is_fixed(node: Node<'_>) -> bool {
    let is_named = FIXED.contains(&node.name()) || node.name().ends_with(FIXED_END);
    let is_unused = node.type_name().starts_with("Zeros<") && matches!(node.value(), Value::Uint(0));
    node.is_complete() && (is_named || is_unused)
}

fn fact(span: &Span<'_>, choices: &Choices, used: &mut [bool]) -> FieldLine {
    let (node, key) = (span.node, span.key.as_ref().unwrap_or(&span.path));
    let mut is_redacted = choices.is_without_writer && node.role() == Some(&Role::Writer);
    for (pattern, used) in choices.redacted.iter().zip(used) {
        if pattern.matches(key) {
            (*used, is_redacted) = (true, true);
        }
    }
    let value = match choices.fields {
        _ if is_redacted => REDACTED.to_owned(),
        Fields::Everything => everything(node),
        Fields::Facts | Fields::WithOffsets => value(node),
    };
    let place = match choices.fields {
        Fields::Facts => String::new(),
        Fields::WithOffsets => format!("   (at {:#x})", node.start()),
        Fields::Everything => format!("{:#06x} +{}  ", node.start(), node.length()),
    };
    FieldLine { key: key.clone(), value, place, elements: 0 }
}

/// Returns a value as a reader would describe it: by name rather than by code.
fn value(node: Node<'_>) -> String {
    let missing = if node.is_complete() { "" } else { " (truncated)" };
    let named = |bits: &Bits| {
        let value = if bits.meaning.is_empty() { bits.value.to_string() } else { bits.meaning.to_string() };
        match (bits.width, bits.value) {
            (1, 0) => None,
            (1, _) => Some(bits.name.to_string()),
            // Unused bytes carry no information.
            (_, 0) if bits.meaning.is_empty() => None,
            _ => Some(format!("{} {value}", bits.name)),
        }
    };
    let bits: Vec<String> = node.bits().iter().filter_map(named).collect();
    let said = match &node.value() {
        _ if !bits.is_empty() => bits.join(", "),
        Value::None if node.meaning().is_empty() => format!("{} of {}", length(node), node.type_name()),
        value @ (Value::Name(_) | Value::Text(_) | Value::Single(_) | Value::Float(_)) => value.to_string(),
        value if node.meaning().is_empty() => value.to_string(),
        _ => node.meaning().into_owned(),
    };
    said + missing
}

fn length(node: Node<'_>) -> String {
    everybyte::numerals::counted(node.length(), "byte")
}

/// Returns a value, its type, its meaning and its role.
fn everything(node: Node<'_>) -> String {
    let mut parts = vec![node.value().to_string(), format!("({})", node.type_name())];
    parts.extend(node.bits().iter().map(|bits| format!("{} {}", bits.name, bits.value)));
    parts.push(node.meaning().into_owned());
    parts.extend(node.role().map(|role| format!("[{role}]")));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// Returns whether an element directly follows the others of its list.
fn joins(list: &FieldLine, next: &FieldLine, node: Node<'_>) -> bool {
    let Some(Index::One(index)) = node.index() else { return false };
    let Some(around) = next.key.strip_suffix(&format!("[{index}]")) else { return false };
    match list.elements {
        0 => list.key.strip_suffix(']').is_some_and(|key| {
            key.rsplit_once('[')
                .is_some_and(|(key, last)| key == around && last.parse::<u64>().is_ok_and(|last| last + 1 == index))
        }),
        elements => list.key == around && elements == index,
    }
}

fn join(list: &mut FieldLine, next: FieldLine) {
    if list.elements == 0 {
        // The list began with the first element that is shown.
        let (key, first) = list.key.rsplit_once('[').unwrap_or((&list.key, ""));
        list.elements = first.trim_end_matches(']').parse::<u64>().unwrap_or(0) + 1;
        list.key = key.to_owned();
    }
    list.elements += 1;
    match list.elements as usize {
        ..=MOST_ELEMENTS => list.value = format!("{} {}", list.value, next.value),
        elements if elements == MOST_ELEMENTS + 1 => list.value.push_str(" …"),
        _ => {}
    }
}

fn line(fact: &FieldLine) -> String {
    let FieldLine { key, value, place, elements } = fact;
    let of = if *elements as usize > MOST_ELEMENTS { format!(" ({elements})") } else { String::new() };
    if place.starts_with('0') { format!("{place}{key}: {value}") } else { format!("{key}: {value}{of}{place}") }
}

/// Joins fields that differ only in list elements into one line with the most frequent value. Elements with other
/// values keep their own lines.
fn collapsed(facts: Vec<FieldLine>) -> Vec<String> {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, fact) in facts.iter().enumerate() {
        groups.entry(pattern(&fact.key)).or_default().push(place);
    }
    let mut said: HashSet<usize> = HashSet::new();
    let mut lines = Vec::new();
    for (place, fact) in facts.iter().enumerate() {
        if said.contains(&place) {
            continue;
        }
        let pattern = pattern(&fact.key);
        let group = &groups[&pattern];
        let mut counts: HashMap<&str, usize> = HashMap::new();
        if group[0] == place {
            group.iter().for_each(|&one| *counts.entry(&facts[one].value).or_default() += 1);
        }
        // This is the value of more than half of the elements, so no other value can be more frequent.
        let most = counts.into_iter().find(|&(_, count)| count > 1 && 2 * count > group.len());
        if let Some((value, count)) = most {
            let of = if count == group.len() { String::new() } else { format!(" of {}", group.len()) };
            lines.push(format!("{pattern}: {value} ({count}{of})"));
            said.extend(group.iter().filter(|&&one| facts[one].value == value));
        }
        if !said.contains(&place) {
            lines.push(line(fact));
        }
    }
    lines
}

/// Returns a key with `*` for every element of a list.
fn pattern(key: &str) -> String {
    let mut pattern = String::new();
    let (mut is_inside, mut is_quoted, mut is_escaped) = (false, false, false);
    for letter in key.chars() {
        match letter {
            '[' if !is_inside => {
                is_inside = true;
                pattern.push_str("[*");
            }
            ']' if is_inside && !is_quoted => {
                is_inside = false;
                pattern.push(']');
            }
            '"' if is_inside && !is_escaped => is_quoted = !is_quoted,
            letter if !is_inside => pattern.push(letter),
            _ => {}
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn patterns_have_no_elements() {
        assert_eq!(pattern(r#"columns["a[0]\"]"~1].x[2].y!z[3..5]"#), "columns[*].x[*].y!z[*]");
    }
}
