//! A field of a concrete file, to be read.

use super::arena::{Id, Nodes};
use super::entry::{AROUND, BROKEN, CUT, Entry, NONE, ONE, RANGE};
use super::labels::Facts;
use crate::alignment::Alignment;
use crate::name::Name;
use crate::packing::Codec;
use crate::reference::Bits;
use crate::role::Role;
use crate::sums::Sum;
use crate::value::Value;
use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter, Write};
use std::ops::Range;

/// The place of an element in its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// One element.
    One(u64),
    /// The elements from the first number up to, but not including, the second.
    Range(u64, u64),
}

/// One field of a concrete file: its place and its value. It is a number among the fields of its space.
#[derive(Clone, Copy)]
pub struct Node<'m> {
    nodes: &'m Nodes,
    number: u32,
}

impl<'m> Node<'m> {
    pub(super) fn new(nodes: &'m Nodes, number: u32) -> Self {
        Node { nodes, number }
    }

    pub(super) fn nodes(self) -> &'m Nodes {
        self.nodes
    }

    fn entry(self) -> &'m Entry {
        self.nodes.entry(self.number)
    }

    fn facts(self) -> &'m Facts {
        self.nodes.labels.get(self.entry().label)
    }

    /// Its number among the fields of its space.
    pub fn id(self) -> Id {
        Id(self.number)
    }

    /// The field's name; the type's name for a whole structure.
    pub fn name(self) -> &'m str {
        &self.facts().name
    }

    /// The same, to be kept longer than the map.
    pub fn shared_name(self) -> &'m Name {
        &self.facts().name
    }

    /// Its place in a list.
    pub fn index(self) -> Option<Index> {
        let entry = self.entry();
        match (entry.is(ONE), entry.is(RANGE)) {
            (true, _) => Some(Index::One(entry.index)),
            (_, true) => Some(Index::Range(entry.index, self.nodes.side(self.number).map_or(0, |side| side.index_end))),
            _ => None,
        }
    }

    /// Its first byte.
    pub fn start(self) -> u64 {
        self.entry().start
    }

    /// The byte after its last one.
    pub fn end(self) -> u64 {
        self.entry().end
    }

    /// Its bytes.
    pub fn place(self) -> Range<u64> {
        self.start()..self.end()
    }

    /// The number of its bytes.
    pub fn length(self) -> u64 {
        self.end() - self.start()
    }

    /// The name of its type.
    pub fn type_name(self) -> &'m str {
        &self.facts().type_name
    }

    /// Its value.
    pub fn value(self) -> Value {
        self.nodes.value(self.number)
    }

    /// The meaning of the value, in words; empty if it has none.
    pub fn meaning(self) -> Cow<'m, str> {
        self.nodes.meaning(self.number)
    }

    /// The purpose of the field.
    pub fn doc(self) -> &'m str {
        &self.facts().doc
    }

    /// The role of its number, if the declaration states one.
    pub fn role(self) -> Option<&'m Role> {
        self.facts().role.as_ref()
    }

    /// Returns whether its value identifies the element of a list that it is in.
    pub fn is_key(self) -> bool {
        self.facts().is_key
    }

    /// The way in which its bytes unpack into content, if the declaration says it.
    pub fn codec(self) -> Option<&'static Codec> {
        self.facts().codec
    }

    /// The checksum that it is, if the declaration says how it is made.
    pub fn sum(self) -> Option<&'static Sum> {
        self.facts().sum
    }

    /// True if its value is shown in base 16.
    pub fn is_hex(self) -> bool {
        self.facts().show.is_hex
    }

    /// True of a value that follows from other fields, and has no bytes of its own.
    pub fn is_computed(self) -> bool {
        self.facts().show.is_computed
    }

    /// The number of the space that its bytes decompress into; greater than that of its own space.
    pub fn opens(self) -> Option<u32> {
        self.nodes.side(self.number)?.opens
    }

    /// The bytes of its own space that are joined into the content of the space that it opens, one piece after the other. Empty if
    /// its own bytes are that content.
    pub fn pieces(self) -> &'m [Range<u64>] {
        self.nodes.side(self.number).map_or(&[], |side| &side.pieces)
    }

    /// The text that identifies it in its list, where neither its index nor a field of it does.
    pub fn key(self) -> Option<&'m str> {
        self.nodes.side(self.number)?.key.as_deref()
    }

    /// The multiple up to which it goes, if it is padding with the right bytes. Such a field may have no bytes.
    pub fn alignment(self) -> Option<Alignment> {
        self.nodes.side(self.number)?.alignment
    }

    /// The named bits of its value.
    pub fn bits(self) -> Vec<Bits> {
        self.nodes.bits(self.number)
    }

    /// Bytes that it should have after its last one, where the space ends.
    pub fn missing(self) -> u64 {
        self.nodes.side(self.number).map_or(0, |side| side.missing)
    }

    /// Returns whether it was read whole; false if reading failed inside it.
    pub fn is_complete(self) -> bool {
        !self.entry().is(BROKEN)
    }

    /// Returns whether one of its parts stands in it, and the others stand elsewhere.
    pub(crate) fn is_around(self) -> bool {
        self.entry().is(AROUND)
    }

    /// Returns whether it has parts that are not shown, since the map has no room for them.
    pub fn is_cut(self) -> bool {
        self.entry().is(CUT)
    }

    /// Bytes of each of the elements that share the node, if these are fixed.
    pub fn each(self) -> Option<u64> {
        self.nodes.side(self.number)?.each
    }

    /// Its parts, in file order.
    pub fn children(self) -> Children<'m> {
        Children::new(self.nodes, self.entry().first)
    }

    /// Returns whether it has no parts.
    pub fn is_leaf(self) -> bool {
        self.entry().first == NONE
    }

    /// The first of its parts that has this name.
    pub fn child(self, name: &str) -> Option<Node<'m>> {
        self.children().find(|child| child.name() == name)
    }

    /// The field and all that is in it, each before its parts.
    pub fn all(self) -> impl Iterator<Item = Node<'m>> + use<'m> {
        std::iter::once(self).chain(All::new(self.nodes, self.entry().first))
    }

    /// Its first bytes, of a field without parts. Reading leaves them empty; [`Space::new`](crate::map::Space::new) fills them in.
    pub fn first_bytes(self) -> &'m [u8] {
        let Entry { sample, sampled, .. } = *self.entry();
        self.nodes.samples.get(sample as usize..sample as usize + usize::from(sampled)).unwrap_or_default()
    }

    /// Bytes of memory that it takes in its map, with all that is in it.
    pub fn heap(self) -> u64 {
        self.all().map(|node| self.nodes.held(node.number)).sum()
    }

    /// The number of its fields that have no parts; 1 if it is such a field itself.
    pub fn leaves(self) -> usize {
        self.all().filter(|node| node.is_leaf()).count()
    }

    /// The bytes of a field inside this one, by its path from here, such as `lookup[7].offset`. For a field of an
    /// element without a node of its own, the bytes of the element. If sizes differ, those of all elements that share
    /// the node. For a run of bits, the bytes of its integer.
    pub fn locate(self, path: &str) -> Option<Range<u64>> {
        let (mut node, mut place) = (self, self.place());
        let steps = path.split(['.', '[']).filter(|step| !step.is_empty());
        for step in steps {
            let element = step.strip_suffix(']').and_then(|index| index.parse().ok());
            let is_it = |child: &Node<'_>| match (element, child.index()) {
                (Some(wanted), Some(Index::One(index))) => wanted == index,
                (Some(wanted), Some(Index::Range(start, end))) => (start..end).contains(&wanted),
                (Some(_), None) | (None, Some(_)) => false,
                (None, None) => child.name() == step,
            };
            match node.children().find(is_it) {
                Some(child) => {
                    (node, place) = (child, child.place());
                    if let (Some(wanted), Some(Index::Range(first, _)), Some(each)) =
                        (element, child.index(), child.each())
                    {
                        place.start += (wanted - first) * each;
                        place.end = place.start + each;
                    }
                }
                // A list whose elements share one node ends the search.
                None if matches!(node.index(), Some(Index::Range(..))) => break,
                // So do bits, which have no bytes of their own.
                None if node.bits().iter().any(|bits| bits.name == step) => break,
                None => return None,
            }
        }
        Some(place)
    }

    /// Adds the step of an element that has a key.
    pub(crate) fn keyed_step(self, key: &str, path: &mut String) {
        if begins(path) {
            path.push_str(self.name());
        }
        path.push_str(&format!("[{key}]"));
    }

    /// Adds the node's own step to the path of the structure around it.
    pub fn step(self, path: &mut String) {
        step(self.name(), self.index(), path);
    }
}

/// Adds the step of a field to the path of the structure around it.
pub fn step(name: &str, index: Option<Index>, path: &mut String) {
    let begins = begins(path);
    if begins || index.is_none() {
        path.push_str(if begins { "" } else { "." });
        path.push_str(name);
    }
    match index {
        Some(Index::One(index)) => write!(path, "[{index}]"),
        Some(Index::Range(start, end)) => write!(path, "[{start}..{end}]"),
        None => Ok(()),
    }
    .expect("writing to a string does not fail");
}

/// Returns whether nothing stands in a path yet, or nothing after the field that decompresses into a space.
fn begins(path: &str) -> bool {
    path.is_empty() || path.ends_with('!')
}

/// Fields are equal if all that they say is, and their parts are.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        let (facts, others) = (self.facts(), other.facts());
        let are_alike = facts.name == others.name
            && facts.doc == others.doc
            && facts.type_name == others.type_name
            && facts.role == others.role
            && facts.is_key == others.is_key
            && facts.sum == others.sum;
        are_alike
            && self.place() == other.place()
            && self.index() == other.index()
            && self.value() == other.value()
            && self.meaning() == other.meaning()
            && self.opens() == other.opens()
            && self.key() == other.key()
            && self.bits() == other.bits()
            && self.missing() == other.missing()
            && self.is_complete() == other.is_complete()
            && self.each() == other.each()
            && self.alignment() == other.alignment()
            && self.first_bytes() == other.first_bytes()
            && self.children().eq(other.children())
    }
}

impl Debug for Node<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Node");
        shown.field("name", &self.name()).field("index", &self.index()).field("place", &self.place());
        shown.field("type_name", &self.type_name()).field("value", &self.value()).field("meaning", &self.meaning());
        shown.field("role", &self.role()).field("opens", &self.opens()).field("is_complete", &self.is_complete());
        shown.field("children", &self.children().collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

/// The parts of a field, or the fields of a first level, in file order.
#[derive(Debug, Clone)]
pub struct Children<'m> {
    nodes: &'m Nodes,
    next: u32,
}

impl<'m> Children<'m> {
    pub(super) fn new(nodes: &'m Nodes, first: u32) -> Self {
        Children { nodes, next: first }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.next == NONE
    }
}

impl<'m> Iterator for Children<'m> {
    type Item = Node<'m>;

    fn next(&mut self) -> Option<Node<'m>> {
        if self.next == NONE {
            return None;
        }
        let node = Node::new(self.nodes, self.next);
        self.next = self.nodes.entry(self.next).next;
        Some(node)
    }
}

/// All fields of a space, each before its parts.
#[derive(Debug, Clone)]
pub struct All<'m> {
    nodes: &'m Nodes,
    /// The next field of each level.
    open: Vec<u32>,
}

impl<'m> All<'m> {
    pub(super) fn new(nodes: &'m Nodes, first: u32) -> Self {
        All { nodes, open: if first == NONE { Vec::new() } else { vec![first] } }
    }
}

impl<'m> Iterator for All<'m> {
    type Item = Node<'m>;

    fn next(&mut self) -> Option<Node<'m>> {
        let number = self.open.pop()?;
        let entry = self.nodes.entry(number);
        self.open.extend([entry.next, entry.first].into_iter().filter(|&next| next != NONE));
        Some(Node::new(self.nodes, number))
    }
}
