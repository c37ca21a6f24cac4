//! Access to the fields of an arena.

use super::arena::{Id, Nodes};
use super::edit::NodeMut;
use super::entry::Entry;
use super::labels::{Facts, FactsId};
use super::node::{All, Children, Node};
use crate::name::Name;
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;

impl Nodes {
    /// Creates a field without parts. It has no position until it is [added](Nodes::add) or [pushed](NodeMut::push).
    pub fn leaf(&mut self, name: impl Into<Name>, place: Range<u64>) -> NodeMut<'_> {
        let facts = self.facts(Facts::new(name));
        self.leaf_of(facts, place)
    }

    /// Creates a field with these facts and without parts. It has no position until it is [added](Nodes::add) or
    /// [pushed](NodeMut::push).
    pub fn leaf_of(&mut self, facts: FactsId, place: Range<u64>) -> NodeMut<'_> {
        let id = Id(self.push(Entry::new(facts.0, place.start, place.end)));
        self.edit(id)
    }

    /// The fields of the top level.
    pub fn iter(&self) -> Children<'_> {
        Children::new(self, self.level.first)
    }

    /// The first field of the top level: the structure that was traced.
    ///
    /// # Panics
    /// Panics if there are no fields.
    pub fn root(&self) -> Node<'_> {
        self.iter().next().expect("a structure was traced")
    }

    /// All fields, each before its parts.
    pub fn all(&self) -> All<'_> {
        All::new(self, self.level.first)
    }

    /// The field with this number.
    pub fn node(&self, id: Id) -> Node<'_> {
        Node::new(self, id.0)
    }

    /// Returns a field for editing.
    pub fn edit(&mut self, id: Id) -> NodeMut<'_> {
        NodeMut::new(self, id.0)
    }
}

/// Maps are equal if their fields are equal, regardless of their layout in memory.
impl PartialEq for Nodes {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Debug for Nodes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'m> IntoIterator for &'m Nodes {
    type Item = Node<'m>;
    type IntoIter = Children<'m>;

    fn into_iter(self) -> Children<'m> {
        self.iter()
    }
}
