//! Formats item types as NumPy does.

use super::{ItemType, Structure, quoted};
use crate::types::dtype::{Dtype, ElementKind};
use std::fmt;

impl fmt::Display for ItemType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        match self {
            ItemType::Plain(dtype) => return f.write_str(&dtype.descr()),
            ItemType::Structure(structure) if structure.aligned && survives(self) => {
                push_dictionary(&mut text, structure, true, true);
            }
            item => push(&mut text, item, false),
        }
        f.write_str(&text)
    }
}

/// Returns the alignment of a type if its name is read inside that of an aligned structure, in which all structures are aligned.
fn alignment_within(item: &ItemType) -> u64 {
    match item {
        ItemType::Plain(dtype) => dtype.kind.alignment(),
        ItemType::Structure(inner) => {
            inner.fields.iter().map(|field| alignment_within(&field.item_type)).max().unwrap_or(1)
        }
        ItemType::Subarray(inner) => alignment_within(&inner.item),
    }
}

/// Returns whether a type keeps its layout if its name is read inside that of an aligned structure.
fn survives(item: &ItemType) -> bool {
    match item {
        ItemType::Plain(_) => true,
        ItemType::Structure(inner) => {
            inner.size.is_multiple_of(alignment_within(item))
                && inner.fields.iter().all(|field| {
                    field.offset.is_multiple_of(alignment_within(&field.item_type)) && survives(&field.item_type)
                })
        }
        ItemType::Subarray(inner) => survives(&inner.item),
    }
}

/// Appends a type inside another one. `aligned` states whether the outer one is an aligned structure.
fn push(text: &mut String, item: &ItemType, aligned: bool) {
    match item {
        ItemType::Plain(dtype) => {
            text.push('\'');
            text.push_str(&short(*dtype));
            text.push('\'');
        }
        ItemType::Structure(structure) => {
            let is_named = structure.fields.iter().all(|field| !field.name.is_empty());
            // The alignment according to NumPy, and the alignment when the name is read back.
            let seen = |field: &ItemType| if structure.aligned { field.alignment() } else { 1 };
            let read = |field: &ItemType| if aligned { alignment_within(field) } else { 1 };
            if is_named && structure.is_packed(seen) && structure.is_packed(read) {
                push_list(text, structure, aligned);
            } else {
                push_dictionary(text, structure, aligned, false);
            }
        }
        ItemType::Subarray(subarray) => {
            text.push('(');
            push(text, &subarray.item, aligned);
            text.push_str(", ");
            push_shape(text, &subarray.shape);
            text.push(')');
        }
    }
}

/// Formats the name that NumPy uses inside a literal: one-byte types have no byte order, and empty strings have no size.
fn short(dtype: Dtype) -> String {
    let name = dtype.descr();
    let name = name.trim_start_matches('|');
    match dtype.kind {
        ElementKind::Bool => "?".into(),
        ElementKind::Bytes(0) | ElementKind::Str(0) | ElementKind::Record(0) => name.trim_end_matches('0').into(),
        _ => name.into(),
    }
}

/// Appends a shape as a tuple.
pub(crate) fn push_shape(text: &mut String, shape: &[u64]) {
    let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    let end = if extents.len() == 1 { ",)" } else { ")" };
    text.push_str(&format!("({}{end}", extents.join(", ")));
}

fn push_name(text: &mut String, name: &str) {
    text.push_str(&quoted(name.chars().map(u32::from)));
}

fn push_list(text: &mut String, structure: &Structure, aligned: bool) {
    text.push('[');
    for (place, field) in structure.fields.iter().enumerate() {
        text.push_str(if place == 0 { "(" } else { ", (" });
        if let Some(title) = &field.title {
            text.push('(');
            push_name(text, title);
            text.push_str(", ");
            push_name(text, &field.name);
            text.push(')');
        } else {
            push_name(text, &field.name);
        }
        text.push_str(", ");
        match &field.item_type {
            ItemType::Subarray(subarray) => {
                push(text, &subarray.item, aligned);
                text.push_str(", ");
                push_shape(text, &subarray.shape);
            }
            item => push(text, item, aligned),
        }
        text.push(')');
    }
    text.push(']');
}

fn push_dictionary(text: &mut String, structure: &Structure, aligned: bool, says_aligned: bool) {
    let fields = &structure.fields;
    let list = |text: &mut String, key: &str, push: &dyn Fn(&mut String, usize)| {
        text.push_str(key);
        for place in 0..fields.len() {
            text.push_str(if place == 0 { "" } else { ", " });
            push(text, place);
        }
    };
    list(text, "{'names': [", &|text, place| push_name(text, &fields[place].name));
    list(text, "], 'formats': [", &|text, place| push(text, &fields[place].item_type, aligned));
    list(text, "], 'offsets': [", &|text, place| text.push_str(&fields[place].offset.to_string()));
    if fields.iter().any(|field| field.title.is_some()) {
        list(text, "], 'titles': [", &|text, place| match &fields[place].title {
            Some(title) => push_name(text, title),
            None => text.push_str("None"),
        });
    }
    text.push_str(&format!("], 'itemsize': {}", structure.size));
    text.push_str(if says_aligned { ", 'aligned': True}" } else { "}" });
}
