//! A field of a map in the making, to be edited.

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

/// A field of a map in the making. Each method gives it another fact, and gives it back; [`id`](NodeMut::id) and
/// [`add`](NodeMut::add) stand at the end.
pub struct NodeMut<'m> {
    nodes: &'m mut Nodes,
    number: u32,
}

#[allow(clippy::return_self_not_must_use, reason = "the node keeps what it was given")]
impl<'m> NodeMut<'m> {
    pub(super) fn new(nodes: &'m mut Nodes, number: u32) -> Self {
        NodeMut { nodes, number }
    }

    /// Its number.
    pub fn id(self) -> Id {
        Id(self.number)
    }

    /// Adds it to the first level, after the others. Its number is returned.
    pub fn add(self) -> Id {
        let id = Id(self.number);
        self.nodes.add(id);
        id
    }

    /// The field as it is now.
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

    /// Its name.
    pub fn name(self, name: impl Into<Name>) -> Self {
        self.label(|facts| facts.name = name.into())
    }

    /// Its place in a list.
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

    /// Its bytes.
    pub fn place(self, place: Range<u64>) -> Self {
        let entry = self.nodes.entry_mut(self.number);
        (entry.start, entry.end) = (place.start, place.end);
        self
    }

    /// The name of its type.
    pub fn type_name(self, name: impl Into<Name>) -> Self {
        self.label(|facts| facts.type_name = name.into())
    }

    /// Its value.
    pub fn value(self, value: Value) -> Self {
        self.nodes.set_value(self.number, &value);
        self
    }

    /// The meaning of its value.
    pub fn meaning(self, meaning: impl Into<Cow<'static, str>>) -> Self {
        self.nodes.set_meaning(self.number, meaning.into());
        self
    }

    /// The purpose of the field.
    pub fn doc(self, doc: impl Into<Name>) -> Self {
        self.label(|facts| facts.doc = doc.into())
    }

    /// The role of its number.
    pub fn role(self, role: impl Into<Option<Role>>) -> Self {
        self.label(|facts| facts.role = role.into())
    }

    /// The checksum that it is.
    pub fn sum(self, sum: Option<&'static Sum>) -> Self {
        self.label(|facts| facts.sum = sum)
    }

    /// The number of the space that its bytes decompress into.
    pub fn opens(self, space: impl Into<Option<u32>>) -> Self {
        let space = space.into();
        if space.is_some() || self.as_node().opens().is_some() {
            self.nodes.side_mut(self.number).opens = space;
        }
        self
    }

    /// The bytes that are joined into the content of the space that it opens, if they are not its own.
    pub fn pieces(self, pieces: impl Into<Box<[Range<u64>]>>) -> Self {
        let pieces = pieces.into();
        if !pieces.is_empty() {
            self.nodes.side_mut(self.number).pieces = pieces;
        }
        self
    }

    /// The text that identifies it in its list.
    pub fn key(self, key: impl Into<Option<String>>) -> Self {
        if let Some(key) = key.into() {
            self.nodes.side_mut(self.number).key = Some(key.into());
        }
        self
    }

    /// A field of the same name and index at another place, without anything else.
    pub(crate) fn alone(self, place: Range<u64>) -> NodeMut<'m> {
        let (name, index) = (self.nodes.name_of(self.number), self.as_node().index());
        let node = self.nodes.leaf(name, place);
        match index {
            Some(index) => node.index(index),
            None => node,
        }
    }

    /// The named bits of its value.
    pub fn bits(self, bits: Vec<Bits>) -> Self {
        if !bits.is_empty() {
            self.nodes.side_mut(self.number).bits = bits.into();
        }
        self
    }

    /// Bytes that it should have after its last one.
    pub fn missing(self, bytes: u64) -> Self {
        if bytes > 0 || self.as_node().missing() > 0 {
            self.nodes.side_mut(self.number).missing = bytes;
        }
        self
    }

    /// False if reading failed inside it.
    pub fn complete(self, is_complete: bool) -> Self {
        self.nodes.entry_mut(self.number).set(BROKEN, !is_complete);
        self
    }

    /// Bytes of each of the elements that share it.
    pub fn each(self, bytes: impl Into<Option<u64>>) -> Self {
        if let Some(bytes) = bytes.into() {
            self.nodes.side_mut(self.number).each = Some(bytes);
        }
        self
    }

    /// True if it has parts that the map has no room for.
    pub fn cut(self, is_cut: bool) -> Self {
        self.nodes.entry_mut(self.number).set(CUT, is_cut);
        self
    }

    /// True of a field whose other parts stand elsewhere.
    pub(crate) fn around(self) -> Self {
        self.nodes.entry_mut(self.number).set(AROUND, true);
        self
    }

    /// Adds a field to its parts, after the others. The field stood nowhere so far.
    pub fn push(self, part: Id) -> Self {
        self.extend([part])
    }

    /// Adds fields to its parts, after the others.
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

    /// Takes its parts off: they stand nowhere.
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
