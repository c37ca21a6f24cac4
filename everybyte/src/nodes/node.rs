//! Reads a field of a map.
//!
//! A [`Node`] consists of a reference to the arena and a number, so it is cheap to copy. Everything it returns is
//! looked up on demand: the declaration in the labels, rare facts in a separate table, and values in the text buffer.

use super::arena::{Id, Nodes};
use super::entry::{AROUND, BROKEN, CUT, Entry, NONE, ONE, RANGE};
use super::labels::Facts;
use crate::alignment::Alignment;
use crate::codec::Codec;
use crate::name::Name;
use crate::reference::Bits;
use crate::role::Role;
use crate::sums::Sum;
use crate::value::Value;
use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter, Write};
use std::ops::Range;

/// The index of an element in its list.
///
/// ```
/// use everybyte::map::Index;
/// # use everybyte::{Format, explain, layout};
/// #[layout]
/// struct Points {
///     #[br(count = 2)]
///     points: Vec<Point>,
/// }
///
/// #[layout]
/// struct Point {
///     x: u8,
///     y: u8,
/// }
/// # impl Format for Points { const NAME: &'static str = "points"; }
///
/// let explained = explain::<Points>(&[1, 2, 3, 4]);
/// let nodes = &explained.spaces[0].nodes;
/// let points = nodes.iter().next().unwrap();
/// assert_eq!(points.children().nth(1).unwrap().index(), Some(Index::One(1)));
/// assert_eq!(points.index(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// One element.
    One(u64),
    /// The elements from the first index up to, but not including, the second.
    Range(u64, u64),
}

/// One field of a file: its position and its value. It refers to its space by number.
///
/// ```
/// # use everybyte::{Format, explain, layout};
/// #[layout]
/// struct Points {
///     #[br(count = 2)]
///     points: Vec<Point>,
/// }
///
/// #[layout]
/// struct Point {
///     x: u8,
///     y: u8,
/// }
/// # impl Format for Points { const NAME: &'static str = "points"; }
///
/// let explained = explain::<Points>(&[1, 2, 3, 4]);
/// let nodes = &explained.spaces[0].nodes;
/// let points = nodes.iter().next().unwrap();
/// let second = points.children().nth(1).unwrap();
/// assert_eq!((second.place(), second.child("y").unwrap().value().to_string()), (2..4, "4".to_owned()));
/// ```
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

    /// Its number within its space.
    pub fn id(self) -> Id {
        Id(self.number)
    }

    /// The name of the field; for a whole structure, the name of the type.
    pub fn name(self) -> &'m str {
        &self.facts().name
    }

    /// Like [`name`](Self::name), but may outlive the map.
    pub fn shared_name(self) -> &'m Name {
        &self.facts().name
    }

    /// Its index in a list.
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

    /// The byte after its last byte.
    pub fn end(self) -> u64 {
        self.entry().end
    }

    /// The range of its bytes.
    pub fn place(self) -> Range<u64> {
        self.start()..self.end()
    }

    /// Its length in bytes.
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

    /// The meaning of the value, as text; empty if it has none.
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

    /// Returns whether its value identifies the list element that contains it.
    pub fn is_key(self) -> bool {
        self.facts().is_key
    }

    /// The codec that unpacks its bytes, if the declaration has one.
    pub fn codec(self) -> Option<&'static Codec> {
        self.facts().codec
    }

    /// The checksum, if the declaration states how it is computed.
    pub fn sum(self) -> Option<&'static Sum> {
        self.facts().sum
    }

    /// Returns whether its value is shown in hexadecimal.
    pub fn is_hex(self) -> bool {
        self.facts().show.is_hex
    }

    /// Returns whether its value is computed from other fields, in which case it has no bytes.
    pub fn is_computed(self) -> bool {
        self.facts().show.is_computed
    }

    /// The number of the space that its bytes decompress into; always greater than the number of the space that contains the field.
    pub fn opens(self) -> Option<u32> {
        self.nodes.side(self.number)?.opens
    }

    /// The bytes that are joined, in order, into the content of the space that it opens. Empty if its own bytes are that content.
    pub fn pieces(self) -> &'m [Range<u64>] {
        self.nodes.side(self.number).map_or(&[], |side| &side.pieces)
    }

    /// The string that identifies it in its list, if neither its index nor one of its fields identifies it.
    pub fn key(self) -> Option<&'m str> {
        self.nodes.side(self.number)?.key.as_deref()
    }

    /// The multiple that it fills up to, if it is padding with the correct bytes. Such a field may have no bytes.
    pub fn alignment(self) -> Option<Alignment> {
        self.nodes.side(self.number)?.alignment
    }

    /// The named bits of its value.
    pub fn bits(self) -> Vec<Bits> {
        self.nodes.bits(self.number)
    }

    /// The number of bytes that are missing at its end, because the space ends.
    pub fn missing(self) -> u64 {
        self.nodes.side(self.number).map_or(0, |side| side.missing)
    }

    /// Returns whether it was read completely.
    pub fn is_complete(self) -> bool {
        !self.entry().is(BROKEN)
    }

    /// Returns whether one of its parts is inside it and the others are elsewhere.
    pub(crate) fn is_around(self) -> bool {
        self.entry().is(AROUND)
    }

    /// Returns whether some of its parts are not shown because the map has no room for them.
    pub fn is_cut(self) -> bool {
        self.entry().is(CUT)
    }

    /// The length in bytes of each element that shares the node, if it is fixed.
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

    /// Its first part with this name.
    pub fn child(self, name: &str) -> Option<Node<'m>> {
        self.children().find(|child| child.name() == name)
    }

    /// The field and everything inside it, each before its parts.
    pub fn all(self) -> impl Iterator<Item = Node<'m>> + use<'m> {
        std::iter::once(self).chain(All::new(self.nodes, self.entry().first))
    }

    /// The first bytes of a field without parts. Reading leaves them empty; [`Space::new`](crate::map::Space::new) fills them in.
    pub fn first_bytes(self) -> &'m [u8] {
        let Entry { sample, sampled, .. } = *self.entry();
        self.nodes.samples.get(sample as usize..sample as usize + usize::from(sampled)).unwrap_or_default()
    }

    /// The memory in bytes that it takes in its map, including everything inside it.
    pub fn heap(self) -> u64 {
        self.all().map(|node| self.nodes.held(node.number)).sum()
    }

    /// The number of its leaves; 1 if it is a leaf itself.
    pub fn leaves(self) -> usize {
        self.all().filter(|node| node.is_leaf()).count()
    }

    /// Finds the bytes of a field inside this one by its relative path, such as `lookup[7].offset`. An element without
    /// its own node is located within the shared one. If element sizes differ, the bytes of all elements that share the
    /// node are returned. For a bit field, the bytes of its integer are returned.
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
                // So does a bit field, which has no separate bytes.
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

    /// Appends the node's step to the path of the enclosing structure.
    pub fn step(self, path: &mut String) {
        step(self.name(), self.index(), path);
    }
}

/// Appends the step of a field to the path of the enclosing structure.
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

/// Returns whether a path is empty or ends with the field that decompresses into a space.
fn begins(path: &str) -> bool {
    path.is_empty() || path.ends_with('!')
}

/// Fields are equal if all of their properties and their parts are equal.
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

/// The parts of a field, or the fields of the top level, in file order.
///
/// ```
/// # use everybyte::{Format, explain, layout};
/// #[layout]
/// struct Points {
///     #[br(count = 2)]
///     points: Vec<Point>,
/// }
///
/// #[layout]
/// struct Point {
///     x: u8,
///     y: u8,
/// }
/// # impl Format for Points { const NAME: &'static str = "points"; }
///
/// let explained = explain::<Points>(&[1, 2, 3, 4]);
/// let nodes = &explained.spaces[0].nodes;
/// let points = nodes.iter().next().unwrap().children();
/// let starts: Vec<u64> = points.map(|point| point.start()).collect();
/// assert_eq!(starts, [0, 2]);
/// ```
#[derive(Debug, Clone)]
pub struct Children<'m> {
    nodes: &'m Nodes,
    next: u32,
}

impl<'m> Children<'m> {
    pub(super) fn new(nodes: &'m Nodes, first: u32) -> Self {
        Children { nodes, next: first }
    }

    /// Returns whether there are no fields.
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
///
/// ```
/// # use everybyte::{Format, explain, layout};
/// #[layout]
/// struct Points {
///     #[br(count = 2)]
///     points: Vec<Point>,
/// }
///
/// #[layout]
/// struct Point {
///     x: u8,
///     y: u8,
/// }
/// # impl Format for Points { const NAME: &'static str = "points"; }
///
/// let explained = explain::<Points>(&[1, 2, 3, 4]);
/// let nodes = &explained.spaces[0].nodes;
/// let leaves = nodes.all().filter(|node| node.is_leaf()).count();
/// assert_eq!((nodes.all().count(), leaves), (7, 4), "the list, two points, and two numbers in each");
/// ```
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
