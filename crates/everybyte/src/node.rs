//! Fields of a concrete file, as a tree.

use crate::reference::Bits;
use crate::role::Role;
use crate::sums::Sum;
use crate::value::Value;
use std::fmt::Write;
use std::ops::Range;

/// The place of an element in its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// One element.
    One(u64),
    /// The elements from the first number up to, but not including, the second.
    Range(u64, u64),
}

/// One field of a concrete file: its place and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The field's name; the type's name for a whole structure.
    pub name: &'static str,
    /// Its place in a list.
    pub index: Option<Index>,
    /// Its first byte.
    pub start: u64,
    /// The byte after its last one.
    pub end: u64,
    /// The name of its type.
    pub type_name: String,
    /// Its value.
    pub value: Value,
    /// The meaning of the value, in words.
    pub meaning: String,
    /// The purpose of the field.
    pub doc: &'static str,
    /// The role of its number, if the declaration states one.
    pub role: Option<Role>,
    /// True if its value identifies the element of a list that it is in.
    pub is_key: bool,
    /// The checksum that it is, if the declaration says how it is made.
    pub sum: Option<&'static Sum>,
    /// The number of the space that its bytes decompress into; greater than that of its own space.
    pub opens: Option<u32>,
    /// The text that identifies it in its list, where neither its index nor a field of it does.
    pub key: Option<Box<str>>,
    /// The named bits of its value.
    pub bits: Vec<Bits>,
    /// Bytes that it should have after its last one, where the space ends.
    pub missing: u64,
    /// False if reading failed inside it.
    pub complete: bool,
    /// Bytes of each of the elements that share the node, if these are fixed.
    pub each: Option<u64>,
    /// Its parts, in file order.
    pub children: Vec<Node>,
    /// Its first bytes. Reading leaves them empty; [`Space::new`](crate::map::Space::new) fills them in.
    pub first_bytes: Vec<u8>,
}

impl Node {
    /// A node without parts.
    pub fn leaf(name: &'static str, start: u64, end: u64) -> Self {
        Node {
            name,
            index: None,
            start,
            end,
            type_name: String::new(),
            value: Value::None,
            meaning: String::new(),
            doc: "",
            role: None,
            is_key: false,
            sum: None,
            opens: None,
            key: None,
            bits: Vec::new(),
            missing: 0,
            complete: true,
            each: None,
            children: Vec::new(),
            first_bytes: Vec::new(),
        }
    }

    /// Bytes of memory that the node holds beside its own `size_of`, those of its parts included.
    pub fn heap(&self) -> u64 {
        let key = self.key.as_ref().map_or(0, |key| key.len());
        let texts = self.type_name.capacity() + self.meaning.capacity() + self.first_bytes.capacity() + key;
        let lists = self.bits.capacity() * size_of::<Bits>() + self.children.capacity() * size_of::<Node>();
        (texts + lists) as u64 + self.value.heap() + self.children.iter().map(Node::heap).sum::<u64>()
    }

    /// The number of its fields that have no parts; 1 if it is such a field itself.
    pub fn leaves(&self) -> usize {
        if self.children.is_empty() { 1 } else { self.children.iter().map(Node::leaves).sum() }
    }

    /// The bytes of a field inside this one, by its path from here, such as `lookup[7].offset`. For a field of an
    /// element without a node of its own, the bytes of the element. If sizes differ, those of all elements that share
    /// the node. For a run of bits, the bytes of its integer.
    pub fn locate(&self, path: &str) -> Option<Range<u64>> {
        let (mut node, mut place) = (self, self.start..self.end);
        let steps = path.split(['.', '[']).filter(|step| !step.is_empty());
        for step in steps {
            let element = step.strip_suffix(']').and_then(|index| index.parse().ok());
            let is_it = |child: &&Node| match (element, child.index) {
                (Some(wanted), Some(Index::One(index))) => wanted == index,
                (Some(wanted), Some(Index::Range(start, end))) => (start..end).contains(&wanted),
                (Some(_), None) | (None, Some(_)) => false,
                (None, None) => child.name == step,
            };
            match node.children.iter().find(is_it) {
                Some(child) => {
                    (node, place) = (child, child.start..child.end);
                    if let (Some(wanted), Some(Index::Range(first, _)), Some(each)) = (element, child.index, child.each)
                    {
                        place.start += (wanted - first) * each;
                        place.end = place.start + each;
                    }
                }
                // A list whose elements share one node ends the search.
                None if matches!(node.index, Some(Index::Range(..))) => break,
                // So do bits, which have no bytes of their own.
                None if node.bits.iter().any(|bits| bits.name == step) => break,
                None => return None,
            }
        }
        Some(place)
    }

    /// Adds the step of an element that has a key.
    pub(crate) fn keyed_step(&self, key: &str, path: &mut String) {
        if begins(path) {
            path.push_str(self.name);
        }
        path.push_str(&format!("[{key}]"));
    }

    /// Adds the node's own step to the path of the structure around it.
    pub fn step(&self, path: &mut String) {
        if begins(path) && self.index.is_some() {
            path.push_str(self.name);
        }
        match self.index {
            Some(Index::One(index)) => write!(path, "[{index}]"),
            Some(Index::Range(start, end)) => write!(path, "[{start}..{end}]"),
            None => {
                if !begins(path) {
                    path.push('.');
                }
                write!(path, "{}", self.name)
            }
        }
        .expect("writing to a string does not fail");
    }
}

/// Returns whether nothing stands in a path yet, or nothing after the field that decompresses into a space.
fn begins(path: &str) -> bool {
    path.is_empty() || path.ends_with('!')
}
