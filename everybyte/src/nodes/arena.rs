//! The arena of a space's fields.
//!
//! Fields are indices into one vector, not boxes, because a map is built front to back, copied and dropped as a whole,
//! and cut back to a [`Mark`] when an alternative is rejected. A new field has no position yet. It gets one, exactly
//! once, when it is added to the top level or pushed to another field.

use super::entry::{Entry, Kind, MOST_NODES, NONE, SHOWN_BYTES, Side};
use super::labels::{Facts, FactsId, Labels, Names};
use crate::error::ParseError;
use crate::violation::Violations;
use std::ops::Range;

/// The fields of one space or of one structure that was traced.
///
/// Each field takes 64 bytes; facts that many fields share are stored once. [`Node`](crate::map::Node) reads a field,
/// and [`NodeMut`](crate::map::NodeMut) edits it. To build a map by hand, combine fields by number:
///
/// ```
/// use everybyte::map::Nodes;
///
/// let mut nodes = Nodes::new();
/// let length = nodes.leaf("length", 0..4).id();
/// let text = nodes.leaf("text", 4..10).meaning("six letters").id();
/// let note = nodes.leaf("note", 0..10).extend([length, text]).id();
/// nodes.add(note);
/// let ends: Vec<u64> = nodes.root().children().map(|part| part.end()).collect();
/// assert_eq!(ends, [4, 10]);
/// ```
#[derive(Clone)]
pub struct Nodes {
    pub(super) entries: Vec<Entry>,
    pub(super) labels: Labels,
    pub(super) names: Names,
    pub(super) sides: Vec<Side>,
    /// The strings and bytes of values.
    pub(super) texts: Vec<u8>,
    /// The first bytes of fields without parts.
    pub(super) samples: Vec<u8>,
    /// The top level.
    pub(super) level: Chain,
    /// The node to which parts were added last, with its parts. This avoids searching for their end.
    pub(super) latest: (u32, Chain),
    /// The maximum number of fields that a reader records.
    pub(super) most: u64,
    /// Structures at offsets that were found since the last call.
    pub(crate) asides: Vec<Id>,
    /// The contents of fields that were found since the last call.
    pub(crate) opened: Vec<Opened>,
}

/// The content of a field.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The node of the field.
    pub opener: Id,
    /// The ranges of the joined bytes, if they are not the bytes of the field.
    pub pieces: Vec<Range<u64>>,
    pub title: String,
    pub content: Vec<u8>,
    /// The fields of the content, starting with its first structure.
    pub nodes: Nodes,
    pub root: Id,
    pub flaws: Violations,
    /// The reason why the content cannot be read.
    pub error: Option<Box<ParseError>>,
}

/// The number of a field within its space.
///
/// ```
/// use everybyte::map::Nodes;
///
/// let mut nodes = Nodes::new();
/// let length = nodes.leaf("length", 0..4).add();
/// nodes.edit(length).name("size");
/// assert_eq!(nodes.node(length).name(), "size");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub(crate) u32);

/// The first and the last of a run of fields.
#[derive(Debug, Clone, Copy)]
pub struct Chain {
    pub first: u32,
    pub last: u32,
}

impl Chain {
    pub const EMPTY: Chain = Chain { first: NONE, last: NONE };
}

/// The sizes of an arena, to which it can be truncated.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    entries: usize,
    sides: usize,
    texts: usize,
}

impl Default for Nodes {
    fn default() -> Self {
        Nodes::new()
    }
}

impl Nodes {
    /// Creates an arena without fields.
    pub fn new() -> Self {
        Nodes::within(MOST_NODES)
    }

    /// Creates an arena without fields; readers record at most this number of fields.
    pub(crate) const fn within(most: u64) -> Self {
        Nodes {
            entries: Vec::new(),
            labels: Labels::new(),
            names: Names::new(),
            sides: Vec::new(),
            texts: Vec::new(),
            samples: Vec::new(),
            level: Chain::EMPTY,
            latest: (NONE, Chain::EMPTY),
            most,
            asides: Vec::new(),
            opened: Vec::new(),
        }
    }

    /// Returns the number of these facts. For many fields, call this method once per declaration and create the
    /// fields with [`leaf_of`](Nodes::leaf_of).
    pub fn facts(&mut self, facts: Facts) -> FactsId {
        FactsId(self.labels.number(facts))
    }

    /// Appends a field to the top level.
    pub fn add(&mut self, id: Id) {
        let mut level = self.level;
        self.link(&mut level, id.0);
        self.level = level;
    }

    /// Moves the parts of the root to the top level.
    #[must_use]
    pub fn into_parts(mut self) -> Self {
        let parts = self.level.first;
        if parts != NONE {
            self.level = self.chain_from(self.entry(parts).first);
        }
        self
    }

    /// Replaces the top level with these fields.
    pub fn set_level(&mut self, ids: impl IntoIterator<Item = Id>) {
        let mut level = Chain::EMPTY;
        ids.into_iter().for_each(|id| self.link(&mut level, id.0));
        self.level = level;
    }

    /// The heap memory in bytes that the fields take.
    pub fn heap(&self) -> u64 {
        let lists = self.entries.capacity() * size_of::<Entry>() + self.sides.capacity() * size_of::<Side>();
        let kept = self.texts.capacity() + self.samples.capacity();
        let beside: u64 = self.sides.iter().map(Side::heap).sum();
        (lists + kept) as u64 + beside + self.labels.heap() + self.names.heap()
    }

    /// The memory usage of a node and its first bytes.
    pub(super) fn held(&self, number: u32) -> u64 {
        let entry = self.entry(number);
        let text = match entry.kind {
            Kind::Text => entry.words[1],
            Kind::Bytes => entry.words[0] & 0xffff,
            _ => 0,
        };
        let beside = self.side(number).map_or(0, |side| size_of::<Side>() as u64 + side.heap());
        size_of::<Entry>() as u64 + SHOWN_BYTES + text + beside
    }

    pub(crate) fn push(&mut self, entry: Entry) -> u32 {
        let number = self.entries.len();
        assert!(number < NONE as usize, "a map has at most 2^32 - 1 fields");
        self.entries.push(entry);
        number as u32
    }

    /// Adds a node to the end of a chain.
    pub(crate) fn link(&mut self, chain: &mut Chain, number: u32) {
        self.entry_mut(number).next = NONE;
        match chain.last {
            NONE => chain.first = number,
            last => self.entry_mut(last).next = number,
        }
        chain.last = number;
    }

    /// Returns the chain that begins with a node.
    pub(super) fn chain_from(&self, first: u32) -> Chain {
        let (mut last, mut next) = (NONE, first);
        while next != NONE {
            (last, next) = (next, self.entry(next).next);
        }
        Chain { first, last }
    }

    /// Returns the number of fields created, including those without a position.
    pub(crate) fn made(&self) -> usize {
        self.entries.len()
    }

    /// Returns the current sizes.
    pub(crate) fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), sides: self.sides.len(), texts: self.texts.len() }
    }

    /// Discards all fields, but keeps the facts of their declarations.
    pub(crate) fn clear(&mut self) {
        self.cut_to(Mark { entries: 0, sides: 0, texts: 0 });
        self.level = Chain::EMPTY;
    }

    /// Discards all fields created since the mark. None of them may be linked.
    pub(crate) fn cut_to(&mut self, mark: Mark) {
        self.entries.truncate(mark.entries);
        self.sides.truncate(mark.sides);
        self.texts.truncate(mark.texts);
        self.latest = (NONE, Chain::EMPTY);
    }
}
