//! The features of a file: everything that a reader must support to read it, regardless of its numbers.
//!
//! Two files with the same features take roughly the same paths through a reader. Features determine the seed corpus: a
//! file is worth keeping if it has a feature that the others do not have.

use super::map;
use everybyte::map::spans;
use everybyte::map::{Node, Value};
use ndbytes::archive::Archive;
use ndbytes::{ArrayInfo, Error, Info, Input, TableInfo, info};
use std::collections::BTreeSet;

/// The maximum number of members of an archive to describe.
const MEMBERS: usize = 64;

/// The features of a file, and whether it contains an item, a row or a member.
pub struct Features {
    pub names: BTreeSet<String>,
    pub has_payload: bool,
}

impl Features {
    /// The features of a file, from its description and its map.
    pub fn of(file: &[u8]) -> Self {
        let mut features = Features { names: BTreeSet::new(), has_payload: false };
        features.describe(file);
        for span in spans(&map::map(file)) {
            features.names.insert(of_field(&span.path, span.node));
        }
        features
    }

    /// Adds the features that `info` reports for a file, or for the members of an archive.
    fn describe(&mut self, file: &[u8]) {
        let input = || Input::from_slice(file, map::limits());
        match info(input(), &map::limits()) {
            Ok(info) => self.add(&info),
            Err(Error::Archive { .. }) => {
                let Ok(archive) = Archive::read(input(), map::limits()) else { return };
                for member in archive.members().iter().take(MEMBERS) {
                    self.has_payload |= member.length() > 0;
                    if let Some(info) = archive.load(member).ok().and_then(|input| info(input, &map::limits()).ok()) {
                        self.add(&info);
                    }
                }
            }
            Err(_) => {}
        }
    }

    /// Adds the features of a described file.
    fn add(&mut self, info: &Info) {
        self.note("format", info.format.name());
        self.note("version", info.version.as_deref().unwrap_or("none"));
        for (key, value) in &info.details {
            value.split(", ").for_each(|part| self.note(key, &without_numbers(part)));
        }
        for metadata in &info.metadata {
            self.note("metadata", metadata.kind);
        }
        if let Some(array) = &info.array {
            self.add_array(array);
        }
        if let Some(table) = &info.table {
            self.add_table(table);
        }
    }

    /// Adds the features of an array.
    fn add_array(&mut self, array: &ArrayInfo) {
        let has_items = !array.shape.contains(&0);
        self.has_payload |= has_items;
        // The fields of a structure can have any type, and each type also occurs as an element type.
        let item_type = if array.dtype.starts_with(['[', '{', '(']) { "a structure" } else { &*array.dtype };
        self.note("type", item_type);
        self.note("order", array.order);
        self.note("axes", &class(array.shape.len() as u128));
        self.note("items", if has_items { "some" } else { "none" });
    }

    /// Adds the features of a table.
    fn add_table(&mut self, table: &TableInfo) {
        self.has_payload |= table.rows > 0;
        self.note("rows", &class(table.rows.into()));
        for column in &table.columns {
            self.note("type", &without_numbers(&column.r#type));
            self.note("compression", column.compression.unwrap_or("none"));
            self.note("blocks", &class(column.blocks.into()));
            self.note("column", if column.hidden { "hidden" } else { "shown" });
            for annotation in &column.annotations {
                self.note("annotation", &format!("{}: {}", annotation.kind, without_numbers(&annotation.r#type)));
            }
        }
    }

    /// Adds a feature.
    fn note(&mut self, key: &str, value: &str) {
        self.names.insert(format!("{key}: {value}"));
    }
}

/// Returns a text with `#` in place of each number.
fn without_numbers(text: &str) -> String {
    let mut kept = String::new();
    for letter in text.chars() {
        match letter.is_ascii_digit() {
            true if kept.ends_with('#') => {}
            true => kept.push('#'),
            false => kept.push(letter),
        }
    }
    kept
}

/// Returns the class of a number: 0, 1, 2, 3 to 8, or more.
fn class(number: u128) -> String {
    match number {
        0..=2 => number.to_string(),
        3..=8 => "3 to 8".to_owned(),
        _ => "more than 8".to_owned(),
    }
}

/// Returns the path of a field without indices, with its code, its flags, or the class of its number.
fn of_field(path: &str, node: Node<'_>) -> String {
    let value = match &node.value() {
        Value::Name(name) => format!("={name}"),
        Value::Flags(bits) => format!("={bits:#x}"),
        Value::Uint(number) => format!("~{}", class(*number)),
        Value::Int(number) => format!("~{}{}", if *number < 0 { "-" } else { "" }, class(number.unsigned_abs())),
        _ => String::new(),
    };
    map::of_any_element(path) + &value
}
