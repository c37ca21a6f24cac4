//! Edits a field of a map that is being built.
//!
//! Facts that the fields of one declaration share, such as the name or the role, are stored in their label. An edit changes a copy
//! of the label and leaves the other fields alone. For many fields with the same facts, [`Nodes::leaf_of`] avoids these copies.

use super::arena::{Chain, Id, Nodes};
use super::entry::{AROUND, BROKEN, CUT, NONE, ONE, RANGE};
use super::labels::Facts;
use super::node::{Index, Node};
use crate::name::Name;
use crate::reference::Bits;
use crate::role::Role;
use crate::sums::Sum;
use crate::value::Value;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A field of a map that is being built. Each method sets a fact and returns the field; [`id`](NodeMut::id) and
/// [`add`](NodeMut::add) come last.
///
/// ```
/// use everybyte::map::{Nodes, Value};
///
/// let mut nodes = Nodes::new();
/// let length = nodes.leaf("length", 0..2).type_name("u16").value(Value::Uint(3)).doc("Bytes of the text.").add();
/// let length = nodes.node(length);
/// assert_eq!((length.value(), length.doc()), (Value::Uint(3), "Bytes of the text."));
/// ```
pub struct NodeMut<'m> {
    nodes: &'m mut Nodes,
    number: u32,
}

#[allow(clippy::return_self_not_must_use, reason = "the node keeps what it was given")]
impl<'m> NodeMut<'m> {
    pub(super) fn new(nodes: &'m mut Nodes, number: u32) -> Self {
        NodeMut { nodes, number }
    }

    /// Returns its number.
    pub fn id(self) -> Id {
        Id(self.number)
    }

    /// Appends it to the top level and returns its number.
    pub fn add(self) -> Id {
        let id = Id(self.number);
        self.nodes.add(id);
        id
    }

    /// The field, for reading.
    pub fn as_node(&self) -> Node<'_> {
        Node::new(self.nodes, self.number)
    }

    fn label(self, change: impl FnOnce(&mut Facts)) -> Self {
        let entry = self.nodes.entry(self.number);
        let mut facts = self.nodes.labels.get(entry.label).clone();
        change(&mut facts);
        let label = self.nodes.labels.number(facts);
        self.nodes.entry_mut(self.number).label = label;
        self
    }

    /// Sets its name.
    pub fn name(self, name: impl Into<Name>) -> Self {
        self.label(|facts| facts.name = name.into())
    }

    /// Sets its index in a list.
    pub fn index(self, index: Index) -> Self {
        let (first, end) = match index {
            Index::One(index) => (index, None),
            Index::Range(first, end) => (first, Some(end)),
        };
        if let Some(end) = end {
            self.nodes.side_mut(self.number).index_end = end;
        }
        let entry = self.nodes.entry_mut(self.number);
        entry.index = first;
        entry.set(ONE, end.is_none());
        entry.set(RANGE, end.is_some());
        self
    }

    /// Sets the range of its bytes.
    pub fn place(self, place: Range<u64>) -> Self {
        let entry = self.nodes.entry_mut(self.number);
        (entry.start, entry.end) = (place.start, place.end);
        self
    }

    /// Sets the name of its type.
    pub fn type_name(self, name: impl Into<Name>) -> Self {
        self.label(|facts| facts.type_name = name.into())
    }

    /// Sets its value.
    pub fn value(self, value: Value) -> Self {
        self.nodes.set_value(self.number, &value);
        self
    }

    /// Sets the meaning of its value.
    pub fn meaning(self, meaning: impl Into<Cow<'static, str>>) -> Self {
        self.nodes.set_meaning(self.number, meaning.into());
        self
    }

    /// Sets the purpose of the field.
    pub fn doc(self, doc: impl Into<Name>) -> Self {
        self.label(|facts| facts.doc = doc.into())
    }

    /// Sets the role of its number.
    pub fn role(self, role: impl Into<Option<Role>>) -> Self {
        self.label(|facts| facts.role = role.into())
    }

    /// Sets the checksum that it contains.
    pub fn sum(self, sum: Option<&'static Sum>) -> Self {
        self.label(|facts| facts.sum = sum)
    }

    /// Sets the number of the space that its bytes decompress into.
    pub fn opens(self, space: impl Into<Option<u32>>) -> Self {
        let space = space.into();
        if space.is_some() || self.as_node().opens().is_some() {
            self.nodes.side_mut(self.number).opens = space;
        }
        self
    }

    /// Sets the bytes that are joined into the content of the space that it opens; by default, these are its own bytes.
    pub fn pieces(self, pieces: impl Into<Box<[Range<u64>]>>) -> Self {
        let pieces = pieces.into();
        if !pieces.is_empty() {
            self.nodes.side_mut(self.number).pieces = pieces;
        }
        self
    }

    /// Sets the string that identifies it in its list.
    pub fn key(self, key: impl Into<Option<String>>) -> Self {
        if let Some(key) = key.into() {
            self.nodes.side_mut(self.number).key = Some(key.into());
        }
        self
    }

    /// Returns a field with only the same name and index, at another position.
    pub(crate) fn alone(self, place: Range<u64>) -> NodeMut<'m> {
        let (name, index) = (self.nodes.name_of(self.number), self.as_node().index());
        let node = self.nodes.leaf(name, place);
        match index {
            Some(index) => node.index(index),
            None => node,
        }
    }

    /// Sets the named bits of its value.
    pub fn bits(self, bits: Vec<Bits>) -> Self {
        if !bits.is_empty() {
            self.nodes.side_mut(self.number).bits = bits.into();
        }
        self
    }

    /// Sets the number of bytes that are missing at its end.
    pub fn missing(self, bytes: u64) -> Self {
        if bytes > 0 || self.as_node().missing() > 0 {
            self.nodes.side_mut(self.number).missing = bytes;
        }
        self
    }

    /// Sets whether it was read completely.
    pub fn complete(self, is_complete: bool) -> Self {
        self.nodes.entry_mut(self.number).set(BROKEN, !is_complete);
        self
    }

    /// Sets the length in bytes of each element that shares it.
    pub fn each(self, bytes: impl Into<Option<u64>>) -> Self {
        if let Some(bytes) = bytes.into() {
            self.nodes.side_mut(self.number).each = Some(bytes);
        }
        self
    }

    /// Sets whether the map has no room for some of its parts.
    pub fn cut(self, is_cut: bool) -> Self {
        self.nodes.entry_mut(self.number).set(CUT, is_cut);
        self
    }

    /// Marks a field whose other parts are elsewhere.
    pub(crate) fn around(self) -> Self {
        self.nodes.entry_mut(self.number).set(AROUND, true);
        self
    }

    /// Appends a field to its parts. The field must not have a position yet.
    pub fn push(self, part: Id) -> Self {
        self.extend([part])
    }

    /// Appends fields to its parts.
    pub fn extend(self, parts: impl IntoIterator<Item = Id>) -> Self {
        let (known, latest) = self.nodes.latest;
        let first = self.nodes.entry(self.number).first;
        let mut chain = match known == self.number && latest.first == first {
            true => latest,
            false => self.nodes.chain_from(first),
        };
        parts.into_iter().for_each(|part| self.nodes.link(&mut chain, part.0));
        self.nodes.entry_mut(self.number).first = chain.first;
        self.nodes.latest = (self.number, chain);
        self
    }

    /// Detaches its parts, which then have no position.
    pub fn take_parts(&mut self) -> Vec<Id> {
        let parts = self.as_node().children().map(Node::id).collect();
        self.nodes.entry_mut(self.number).first = NONE;
        self.nodes.latest = (NONE, Chain::EMPTY);
        parts
    }
}

impl fmt::Debug for NodeMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_node().fmt(f)
    }
}
