//! The map of a file as rows, one per field, in file order. The rows of a decompressed space follow the field that
//! opens it.
//!
//! A page has at most 2 MiB, whatever the file. The number of shown elements per list is chosen first, as the largest
//! of a few candidates whose estimated size fits. Then rows are written until the space is used up, and a row
//! [`Row::More`] counts the fields that are left out. Strings are stored once and rows refer to them by index, because
//! most fields of a map repeat the same few strings.

use super::strings::{LONGEST, Strings};
use crate::keys::keys;
use crate::map::{GAP, Space};
use crate::nodes::{Children, Homes, Id, Index, Node};
use crate::role::Role;
use crate::value::{Shown, Value};
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};
use std::collections::{HashMap, HashSet};

/// A generous average for the number of bytes that a row takes in the page.
const ROW: usize = 48;

/// The possible maximum numbers of shown elements per list. The largest one for which the rows fit is used.
const SHOWN: [usize; 5] = [usize::MAX, 4096, 1024, 256, 64];

/// The maximum depth of nested spaces that are shown where they are opened. Deeper spaces come at the end.
const DEEPEST: usize = 16;

/// A row of the tree.
#[derive(Debug)]
pub enum Row {
    /// A field.
    Field(Field),
    /// A space, under the field that opens it: its number, its length and its title.
    Space { depth: usize, id: u32, length: u64, title: usize },
    /// Fields that are left out.
    More { depth: usize, fields: u64 },
}

/// A field. Its strings are indices into the strings of the page.
#[derive(Debug)]
pub struct Field {
    depth: usize,
    name: usize,
    start: u64,
    length: u64,
    type_name: usize,
    value: usize,
    meaning: usize,
    doc: usize,
    rest: Rest,
}

/// Properties that few fields have.
#[derive(Debug, Default, Serialize)]
struct Rest {
    /// The index in the list, or the first and last index of several elements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    index: Vec<u64>,
    #[serde(skip_serializing_if = "is_default")]
    key: usize,
    #[serde(skip_serializing_if = "is_default")]
    role: usize,
    #[serde(skip_serializing_if = "is_default")]
    opens: u32,
    #[serde(skip_serializing_if = "is_default")]
    broken: bool,
    #[serde(skip_serializing_if = "is_default")]
    gap: bool,
    /// True if it is a payload.
    #[serde(skip_serializing_if = "is_default")]
    data: bool,
    #[serde(skip_serializing_if = "is_default")]
    missing: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bits: Vec<(u32, u32, String, usize, usize, usize)>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The rows of a map.
pub struct Rows<'m> {
    spaces: HashMap<u32, &'m Space>,
    shown: usize,
    room: usize,
    strings: Strings,
    rows: Vec<Row>,
    /// The row of each field.
    places: HashMap<(u32, Id), usize>,
    /// The spaces that have rows.
    seen: HashSet<u32>,
}

impl<'m> Rows<'m> {
    /// Creates the rows of a map. Rows and their strings take at most about `room` bytes of the page.
    pub fn new(spaces: &'m [Space], room: usize) -> Self {
        let total = |shown: usize| spaces.iter().map(|space| total(space.nodes.iter(), shown)).sum::<usize>();
        let shown = SHOWN.into_iter().find(|&shown| total(shown) * ROW < room).unwrap_or(SHOWN[SHOWN.len() - 1]);
        let mut rows = Rows {
            spaces: spaces.iter().map(|space| (space.id, space)).collect(),
            shown,
            room,
            strings: Strings::new(),
            rows: Vec::new(),
            places: HashMap::new(),
            seen: HashSet::new(),
        };
        let opened = opened(spaces);
        for space in spaces.iter().filter(|space| !opened.contains(&space.id)) {
            rows.space(space, 0);
        }
        // These are the spaces whose openers are left out.
        for space in spaces {
            rows.space(space, 0);
        }
        rows
    }

    /// The row of a field in a space.
    pub fn place(&self, space: u32, node: Node<'_>) -> Option<usize> {
        self.places.get(&(space, node.id())).copied()
    }

    pub fn into_parts(self) -> (Vec<Row>, Vec<String>) {
        (self.rows, self.strings.into_list())
    }

    fn is_full(&self) -> bool {
        self.rows.len() * ROW + self.strings.taken() > self.room
    }

    fn space(&mut self, space: &'m Space, depth: usize) {
        if self.is_full() || !self.seen.insert(space.id) {
            return;
        }
        let title = self.strings.place(&space.title);
        self.rows.push(Row::Space { depth, id: space.id, length: space.length, title });
        self.nodes((space.id, &space.nodes.homes()), space.nodes.iter(), depth + 1);
    }

    fn nodes(&mut self, (of, homes): (u32, &Homes<'_>), mut nodes: Children<'m>, depth: usize) {
        let keys = keys(nodes.clone(), self.shown);
        let mut place = 0;
        while let Some(node) = nodes.next() {
            if place == self.shown || self.is_full() {
                let fields = node.leaves() as u64 + nodes.map(|node| node.leaves() as u64).sum::<u64>();
                return self.rows.push(Row::More { depth, fields });
            }
            place += 1;
            let key = keys.of(node).map_or(0, |key| self.strings.place(key));
            let name = match homes.path(node) {
                Some(mut home) => {
                    node.step(&mut home);
                    self.strings.place(&home)
                }
                None => self.strings.place(node.name()),
            };
            let field = self.field(node, (name, key), depth);
            self.places.insert((of, node.id()), self.rows.len());
            self.rows.push(Row::Field(field));
            self.nodes((of, homes), node.children(), depth + 1);
            if let Some(space) = node.opens().and_then(|opened| self.spaces.get(&opened)).copied()
                && depth < DEEPEST
            {
                self.space(space, depth + 1);
            }
        }
    }

    fn field(&mut self, node: Node<'_>, (name, key): (usize, usize), depth: usize) -> Field {
        let index = match node.index() {
            None => Vec::new(),
            Some(Index::One(index)) => vec![index],
            Some(Index::Range(first, end)) => vec![first, end],
        };
        let is_gap = node.name() == GAP;
        let strings = &mut self.strings;
        let role = node.role().filter(|role| !matches!(role, Role::Fact | Role::Payload));
        let rest = Rest {
            index,
            key,
            role: role.map_or(0, |role| strings.place(&role.to_string())),
            opens: node.opens().unwrap_or(0),
            broken: !node.is_complete(),
            gap: is_gap,
            data: matches!(node.role(), Some(Role::Payload)),
            missing: node.missing(),
            bits: node
                .bits()
                .iter()
                .map(|bits| {
                    let [name, meaning, doc] = [&bits.name, &bits.meaning, &bits.doc].map(|text| strings.place(text));
                    (bits.first, bits.width, bits.value.to_string(), name, meaning, doc)
                })
                .collect(),
        };
        Field {
            depth,
            name,
            start: node.start(),
            length: node.length(),
            type_name: strings.place(node.type_name()),
            value: strings.place(&value(node)),
            meaning: strings.place(&node.meaning()),
            doc: if is_gap { 0 } else { strings.place(node.doc()) },
            rest,
        }
    }
}

/// Returns the number of fields that are shown.
fn total(nodes: Children<'_>, shown: usize) -> usize {
    nodes.take(shown).map(|node| 1 + total(node.children(), shown)).sum()
}

/// Returns the spaces that fields open.
fn opened(spaces: &[Space]) -> HashSet<u32> {
    spaces.iter().flat_map(|space| space.nodes.all()).filter_map(Node::opens).collect()
}

fn value(node: Node<'_>) -> String {
    match &node.value() {
        // The pane of bytes shows these values.
        Value::None | Value::Bytes(..) => String::new(),
        // The page adds its own quotes and escapes.
        Value::Text(text) => {
            // With its quotes and the ellipsis, it is no longer than any other string.
            let end = text.char_indices().nth(LONGEST - 3).map_or(text.len(), |(end, _)| end);
            let more = if end < text.len() { "…" } else { "" };
            format!("\"{}\"{more}", &text[..end])
        }
        value => Shown { value, is_hex: node.is_hex() }.to_string(),
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut row = to.serialize_seq(None)?;
        match self {
            Row::More { depth, fields } => {
                row.serialize_element(depth)?;
                row.serialize_element(&-1)?;
                row.serialize_element(fields)?;
            }
            Row::Space { depth, id, length, title } => {
                row.serialize_element(depth)?;
                row.serialize_element(&-2)?;
                row.serialize_element(id)?;
                row.serialize_element(length)?;
                row.serialize_element(title)?;
            }
            Row::Field(field) => {
                let Field { depth, name, start, length, type_name, value, meaning, doc, rest } = field;
                for number in [*depth as u64, *name as u64, *start, *length] {
                    row.serialize_element(&number)?;
                }
                for text in [type_name, value, meaning, doc] {
                    row.serialize_element(text)?;
                }
                row.serialize_element(rest)?;
            }
        }
        row.end()
    }
}
