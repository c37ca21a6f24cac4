//! Nodes without parts: numbers, texts, bytes and runs of bits.

use crate::read::{Machine, State, Val, unsigned};
use crate::resolve::{Content, Field, Order, Run, Type};
use crate::text::Encoding;
use everybyte::map::{Id, Nodes};
use everybyte::{
    map::{Name, Value},
    reference::Bits,
};

/// The maximum length of a node's text in bytes. For a longer text, its bytes are shown if they are in the file; otherwise, its
/// beginning.
const LONGEST_TEXT: usize = 4096;

/// Returns the name of a number's type; empty for other contents.
pub fn primitive_name(content: &Content) -> Name {
    let integers = |is_signed: bool| {
        if is_signed { ["i8", "i16", "i32", "i64"] } else { ["u8", "u16", "u32", "u64"] }
    };
    match content {
        Content::Int { size, is_signed, .. } => match size {
            1 | 2 | 4 | 8 => integers(*is_signed)[size.trailing_zeros() as usize].into(),
            size => format!("{}{}", if *is_signed { 'i' } else { 'u' }, size * 8).into(),
        },
        Content::Float { size: 4, .. } => Name::new("f32"),
        Content::Float { size, .. } => format!("f{}", size * 8).into(),
        Content::Bits { width, .. } => format!("b{width}").into(),
        Content::Text(_) => Name::new("text"),
        Content::Bytes => Name::new("bytes"),
        _ => Name::default(),
    }
}

/// Returns the name of the type of a value, including what distinguishes it from other types of the field.
pub fn type_of(machine: &Machine<'_>, field: &Field, val: &Val, length: u64) -> (Name, u64) {
    match val {
        Val::Text(_) => (Name::new("text"), 1),
        Val::Bytes(bytes) => match field.check.as_ref().and_then(|_| stated_sum(field, machine.bytes(bytes))) {
            Some(_) => {
                let width = machine.bytes(bytes).len() * 8;
                (format!("u{width}").into(), width as u64)
            }
            None => (Name::new("bytes"), 2),
        },
        Val::Structure(inner) => (machine.own(*inner).name.clone(), u64::from(machine.type_of(*inner)) << 32 | 3),
        _ => match numbered(&field.content, length, matches!(val, Val::Int(..0) | Val::Label(_, ..0))) {
            Some((content, number)) => (primitive_name(content), number),
            None => (primitive_name(&field.content), 0),
        },
    }
}

/// Returns the number type of this length among those that a value selects from, and what distinguishes it from the others.
fn numbered(content: &Content, length: u64, is_negative: bool) -> Option<(&Content, u64)> {
    let Content::Switch { cases, default, .. } = content else { return None };
    let mut contents = cases.iter().map(|(_, case)| case).chain([&**default]);
    contents.find_map(|content| match content {
        Content::Int { size, is_signed, .. } if u64::from(*size) == length && is_negative <= *is_signed => {
            Some((content, length << 8 | u64::from(*is_signed) << 4 | 4))
        }
        Content::Float { size, .. } if u64::from(*size) == length => Some((content, length << 8 | 5)),
        _ => None,
    })
}

/// Returns the value of a field that is not a structure.
pub fn value_of(machine: &Machine<'_>, field: &Field, val: &Val) -> Value {
    match val {
        Val::Int(number) | Val::Label(_, number) => integer(*number),
        Val::Bool(is) => Value::Uint((*is).into()),
        Val::Float(number) => match field.content {
            Content::Float { size: 4, .. } => Value::Single(*number as f32),
            _ => Value::Float(*number),
        },
        // Layouts also show long texts as bytes.
        Val::Text(text) if text.len() > LONGEST_TEXT && is_stored(field) => Value::bytes(text.as_bytes()),
        Val::Text(text) => {
            let end = (0..=text.len().min(LONGEST_TEXT)).rev().find(|&end| text.is_char_boundary(end));
            Value::Text(text[..end.unwrap_or_default()].to_owned())
        }
        Val::Bytes(bytes) => {
            let bytes = machine.bytes(bytes);
            let sum = field.check.as_ref().and_then(|_| stated_sum(field, bytes));
            sum.map_or_else(|| Value::bytes(bytes), |sum| Value::Uint(sum.into()))
        }
        _ => Value::None,
    }
}

/// Returns whether the text of a field is stored in the file unchanged.
fn is_stored(field: &Field) -> bool {
    matches!(&field.content, Content::Text(encoding) if *encoding == Encoding::Ascii || encoding.is_utf8())
}

/// Returns the meaning of a value of an enumeration; empty for others.
pub fn meaning_of(machine: &Machine<'_>, val: &Val) -> String {
    let Val::Label(number, value) = val else { return String::new() };
    let Some(label) = machine.plan.enums[*number].labels.get(value) else { return String::new() };
    let dash = if label.doc.is_empty() { "" } else { ": " };
    format!("{}{dash}{}", label.name, label.doc)
}

/// Returns the checksum in the bytes, the highest byte first; `None` if there are not 1, 2, 4 or 8 of them.
pub fn stated_sum(field: &Field, bytes: &[u8]) -> Option<u64> {
    let is_little = matches!(field.content, Content::Int { order: Order::Little, .. });
    matches!(bytes.len(), 1 | 2 | 4 | 8).then(|| unsigned(bytes, is_little))
}

/// Returns an integer as a value of a map.
fn integer(number: i128) -> Value {
    u128::try_from(number).map_or(Value::Int(number), Value::Uint)
}

/// Returns one node for fields whose bits share bytes; `None` if none of them was read.
pub fn bits_node((machine, nodes): (&Machine<'_>, &mut Nodes), structure: u32, own: &Type, run: &Run) -> Option<Id> {
    let slots = run.places.clone().map(|place| (&own.fields[place], machine.slot(structure, own.params.len() + place)));
    let read: Vec<_> = slots.filter(|(_, slot)| slot.state == State::Done && slot.start < slot.end).collect();
    let (start, end) = (read.first()?.1.start, read.last()?.1.end);
    let total = (end - start) as u32 * 8;
    let mut is_little = false;
    let mut bits = Vec::new();
    for (field, slot) in read {
        let Content::Bits { width, is_little: order } = field.content else { continue };
        is_little = order;
        let before = (slot.start - start) as u32 * 8 + u32::from(slot.bits_before);
        let first = if is_little { before } else { total.saturating_sub(before + width) };
        let none = Name::default;
        let (value, meaning, type_name) = match &slot.val {
            Val::Int(number) => (*number as u64, none(), none()),
            Val::Bool(is) => (u64::from(*is), none(), none()),
            Val::Label(number, value) => {
                let of = &machine.plan.enums[*number];
                let label = of.labels.get(value);
                (*value as u64, label.map_or_else(none, |label| label.name.clone()), of.page.clone())
            }
            _ => (0, none(), none()),
        };
        let (name, doc) = (field.name.clone(), field.doc.clone());
        bits.push(Bits { name, first, width, value, meaning, type_name, doc });
    }
    let stream = machine.structures[structure as usize].stream;
    let space = machine.streams[stream as usize].space;
    let bytes = &machine.spaces[space as usize].bytes[start..end];
    let value = match bytes.len() {
        0..=8 => Value::Flags(unsigned(bytes, is_little)),
        _ => Value::bytes(bytes),
    };
    let node = nodes.leaf(run.name.clone(), start as u64..end as u64);
    Some(node.type_name(format!("b{total}")).value(value).bits(bits).id())
}
