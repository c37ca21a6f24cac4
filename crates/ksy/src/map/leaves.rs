//! Nodes without parts: numbers, texts, bytes and runs of bits.

use crate::read::{Machine, State, Val, unsigned};
use crate::resolve::{Content, Field, Order, Run, Type};
use everybyte::{Bits, Name, Node, Value};

/// The longest text of a node, in bytes. The file has the rest.
const LONGEST_TEXT: usize = 4096;

/// The name of a number's type; empty for other contents.
pub fn primitive_name(content: &Content) -> String {
    match content {
        Content::Int { size, is_signed, .. } => format!("{}{}", if *is_signed { 'i' } else { 'u' }, size * 8),
        Content::Float { size, .. } => format!("f{}", size * 8),
        Content::Bits { width, .. } => format!("b{width}"),
        Content::Text(_) => "text".into(),
        Content::Bytes => "bytes".into(),
        _ => String::new(),
    }
}

/// Gives a node the value of its field.
pub fn fill(machine: &Machine<'_>, field: &Field, val: &Val, node: &mut Node) {
    node.type_name = primitive_name(&field.content);
    match val {
        Val::Int(number) | Val::Label(_, number) => node.value = integer(*number),
        Val::Bool(is) => node.value = Value::Uint((*is).into()),
        Val::Float(number) => {
            let is_single = matches!(field.content, Content::Float { size: 4, .. });
            node.value = if is_single { Value::Single(*number as f32) } else { Value::Float(*number) };
        }
        Val::Text(text) => {
            node.type_name = "text".into();
            let end = (0..=text.len().min(LONGEST_TEXT)).rev().find(|&end| text.is_char_boundary(end));
            node.value = Value::Text(text[..end.unwrap_or_default()].to_owned());
        }
        Val::Bytes(bytes) => {
            let bytes = machine.bytes(bytes);
            node.type_name = "bytes".into();
            node.value = match field.check.as_ref().and_then(|_| stated_sum(field, bytes)) {
                Some(sum) => {
                    node.type_name = format!("u{}", bytes.len() * 8);
                    Value::Uint(sum.into())
                }
                None => Value::bytes(bytes),
            };
        }
        _ => {}
    }
    if let Val::Label(number, value) = val
        && let Some(label) = machine.plan.enums[*number].labels.get(value)
    {
        let dash = if label.doc.is_empty() { "" } else { ": " };
        node.meaning = format!("{}{dash}{}", label.name, label.doc);
    }
}

/// The checksum that bytes state, the highest byte first; `None` if they are none of 1, 2, 4 or 8 bytes.
pub fn stated_sum(field: &Field, bytes: &[u8]) -> Option<u64> {
    let is_little = matches!(field.content, Content::Int { order: Order::Little, .. });
    matches!(bytes.len(), 1 | 2 | 4 | 8).then(|| unsigned(bytes, is_little))
}

fn integer(number: i128) -> Value {
    u128::try_from(number).map_or(Value::Int(number), Value::Uint)
}

/// One node for fields whose bits share bytes; `None` if none of them was read.
pub fn bits_node(machine: &Machine<'_>, structure: u32, own: &Type, run: &Run) -> Option<Node> {
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
        let (value, meaning) = match &slot.val {
            Val::Int(number) => (*number as u64, ""),
            Val::Bool(is) => (u64::from(*is), ""),
            Val::Label(number, value) => {
                let label = machine.plan.enums[*number].labels.get(value);
                (*value as u64, label.map_or("", |label| label.name))
            }
            _ => (0, ""),
        };
        bits.push(Bits {
            name: field.name.into(),
            first,
            width,
            value,
            meaning: meaning.into(),
            type_name: Name::default(),
            doc: field.doc.into(),
        });
    }
    let stream = machine.structures[structure as usize].stream;
    let space = machine.streams[stream as usize].space;
    let bytes = &machine.spaces[space as usize].bytes[start..end];
    let value = match bytes.len() {
        0..=8 => Value::Flags(unsigned(bytes, is_little)),
        _ => Value::bytes(bytes),
    };
    Some(Node { bits, value, type_name: format!("b{total}"), ..Node::leaf(run.name, start as u64, end as u64) })
}
