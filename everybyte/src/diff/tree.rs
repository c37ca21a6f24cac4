//! The fields of a map by key. A field stored in several pieces is one entry.
//!
//! Both trees share one table of names, so two steps are equal if their numbers are equal, and no strings are
//! compared later. The elements of a list may be parts of a field with the list's name, or they may be stored
//! separately, at their own offsets. Here, they are one list in either case. Keys of nested spaces grow with each
//! level, so only the first 32 levels are nested, and deeper content has its own root.

use crate::diff::structure::Side;
use crate::keys::keys;
use crate::links::Links;
use crate::map::Space;
use crate::nodes::{Children, Home, Id, Index, Node};
use crate::role::Role;
use std::collections::{BTreeMap, HashMap};

/// The maximum number of nested spaces in keys. Deeper content has its own root.
const MOST_NESTED: u32 = 32;

/// The root's number in a tree.
pub const ROOT: usize = 0;

/// A step from an entry to one of its parts. Steps of the two trees are equal if their keys are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// The number of the name.
    pub name: u32,
    /// The element of a list.
    pub element: Element,
    /// True if the part is in the space that the entry opens.
    pub is_content: bool,
    /// The number of previous leaves with the same step.
    pub repeat: u32,
}

/// What identifies an element of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// It is not an element.
    No,
    /// A key, by its number.
    Key(u32),
    /// Its index.
    One(u64),
    /// Several elements that share one field, starting with this index.
    From(u64),
}

/// A field of a map, or all pieces of a field.
pub struct Entry<'m> {
    /// The first piece; `None` for the root and for a list whose elements are stored separately.
    pub node: Option<Node<'m>>,
    /// Its index among the fields of the map; for a list without a field, the index of its first element.
    pub number: usize,
    /// Its space.
    pub space: u32,
    pub parent: usize,
    pub step: Step,
    /// The number of its key, without indices.
    pub pattern: u32,
    /// Its parts, in file order.
    pub children: Vec<usize>,
    /// True if it opens a space.
    pub opens: bool,
    /// True if it contains a payload.
    pub has_payload: bool,
    /// True if a space that it opens contains a payload.
    pub has_payload_content: bool,
    /// True if everything in it, except payloads, follows from other fields.
    pub is_derived: bool,
}

/// The names and keys of both trees, and the patterns of keys.
#[derive(Default)]
pub struct Names<'m> {
    texts: Vec<String>,
    names: HashMap<&'m str, u32>,
    keys: HashMap<String, u32>,
    patterns: HashMap<(u32, u32, bool, bool), u32>,
}

impl<'m> Names<'m> {
    /// Returns the number of a name. Comparing numbers is faster than comparing strings.
    fn name(&mut self, name: &'m str) -> u32 {
        *self.names.entry(name).or_insert_with(|| {
            self.texts.push(name.to_owned());
            self.texts.len() as u32 - 1
        })
    }

    /// Returns the number of a key.
    fn key(&mut self, key: &str) -> u32 {
        if let Some(&number) = self.keys.get(key) {
            return number;
        }
        self.texts.push(key.to_owned());
        let number = self.texts.len() as u32 - 1;
        self.keys.insert(key.to_owned(), number);
        number
    }

    /// The number of a path without indices. Entries with the same pattern may correspond.
    fn pattern(&mut self, parent: u32, step: Step) -> u32 {
        let next = self.patterns.len() as u32 + 1;
        let is_element = step.element != Element::No;
        *self.patterns.entry((parent, step.name, is_element, step.is_content)).or_insert(next)
    }

    /// The text of a key or name.
    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }
}

/// The entries that open spaces.
#[derive(Default)]
struct Openers {
    /// The field that opens each space, and how deeply the space is nested.
    of: HashMap<u32, (usize, u32)>,
    /// The number of spaces that enclose the fields being added.
    nested: u32,
}

impl Openers {
    fn add(&mut self, opened: u32, entry: usize) {
        if self.nested < MOST_NESTED {
            self.of.entry(opened).or_insert((entry, self.nested + 1));
        }
    }
}

/// A field of a map: its node, its number among all fields, and its space.
#[derive(Clone, Copy)]
struct Piece<'m> {
    node: Option<Node<'m>>,
    number: usize,
    space: u32,
}

/// A walk over the fields of a space.
struct Walk<'w, 'm> {
    space: u32,
    /// The fields that are stored outside the structures they belong to, with their numbers.
    strays: BTreeMap<Id, (Node<'m>, usize)>,
    names: &'w mut Names<'m>,
    openers: &'w mut Openers,
}

/// The fields of a map, by key.
pub struct Tree<'m> {
    pub entries: Vec<Entry<'m>>,
    pub links: Links<'m>,
    /// The entry of each field, by field number.
    entry_of: Vec<usize>,
    /// The entry for each step and the number of leaves that repeat it.
    steps: HashMap<(usize, Step), (usize, u32)>,
}

impl<'m> Tree<'m> {
    /// Builds the tree of one side. `names` is shared by both sides, so that equal names have equal numbers.
    pub fn new(side: &Side<'m>, names: &mut Names<'m>) -> Self {
        let links = Links::new(side.spaces);
        let mut tree = Tree { entries: Vec::new(), entry_of: Vec::new(), steps: HashMap::new(), links };
        let step = Step { name: 0, element: Element::No, is_content: false, repeat: 0 };
        tree.push(ROOT, step, Piece { node: None, number: 0, space: 0 }, names);
        let mut openers = Openers::default();
        for space in side.spaces {
            let (opener, nested) = openers.of.get(&space.id).copied().unwrap_or((ROOT, 0));
            openers.nested = nested;
            let first = tree.entry_of.len();
            let mut walk = Walk { space: space.id, strays: BTreeMap::new(), names, openers: &mut openers };
            tree.add(space.nodes.iter(), first, (opener, opener != ROOT), &mut walk);
            tree.settle(space, first, (opener, opener != ROOT), walk);
        }
        tree.judge();
        tree
    }

    fn add(
        &mut self,
        nodes: Children<'m>,
        mut number: usize,
        (around, is_content): (usize, bool),
        walk: &mut Walk<'_, 'm>,
    ) -> usize {
        let keys = keys(nodes.clone(), usize::MAX);
        for node in nodes {
            if node.home().is_some() {
                walk.strays.insert(node.id(), (node, number));
                number += node.all().count();
            } else {
                number = self.one((node, number), keys.of(node), (around, is_content), walk);
            }
        }
        number
    }

    /// Adds a field with this number and its parts. Returns the number of the next field.
    fn one(
        &mut self,
        (node, number): (Node<'m>, usize),
        key: Option<&str>,
        (around, is_content): (usize, bool),
        walk: &mut Walk<'_, 'm>,
    ) -> usize {
        let element = match (key, node.index()) {
            (Some(key), _) => Element::Key(walk.names.key(key)),
            (None, Some(Index::One(index))) => Element::One(index),
            (None, Some(Index::Range(start, _))) => Element::From(start),
            (None, None) => Element::No,
        };
        let step = Step { name: walk.names.name(node.name()), element, is_content, repeat: 0 };
        let piece = Piece { node: Some(node), number, space: walk.space };
        let entry = self.entry(around, step, piece, walk.names);
        if self.entry_of.len() <= number {
            self.entry_of.extend(std::iter::repeat_n(ROOT, number + 1 - self.entry_of.len()));
        }
        self.entry_of[number] = entry;
        if let Some(opened) = node.opens() {
            self.entries[entry].opens = true;
            walk.openers.add(opened, entry);
        }
        self.add(node.children(), number + 1, (entry, false), walk)
    }

    /// Adds the fields of a space that are stored outside their structures. A structure is created before its parts.
    fn settle(&mut self, space: &'m Space, first: usize, level: (usize, bool), mut walk: Walk<'_, 'm>) {
        if walk.strays.is_empty() {
            return;
        }
        let numbers: HashMap<Id, usize> = space.nodes.all().map(Node::id).zip(first..).collect();
        let missing = (first + numbers.len()).saturating_sub(self.entry_of.len());
        self.entry_of.extend(std::iter::repeat_n(ROOT, missing));
        while let Some((_, (node, number))) = walk.strays.pop_first() {
            let around = match node.home() {
                Some(Home::Field(home)) => numbers.get(&home.id()).map(|&home| (self.entry_of[home], false)),
                _ => None,
            };
            let around = around.filter(|&(entry, _)| entry != ROOT).unwrap_or(level);
            self.one((node, number), None, around, &mut walk);
        }
    }

    /// Returns the entry of a node, which is a new one unless other pieces of the same field already have an entry.
    fn entry(&mut self, parent: usize, step: Step, piece: Piece<'m>, names: &mut Names<'m>) -> usize {
        let (mut parent, mut step) = (parent, step);
        // Elements at the top level of a space form one list with the elements inside a field that has the list's name.
        if step.element != Element::No && (parent == ROOT || step.is_content) {
            let list = Step { element: Element::No, ..step };
            parent = match self.child(parent, list) {
                Some(list) => list,
                None => self.push(parent, list, Piece { node: None, ..piece }, names),
            };
            step.is_content = false;
        }
        let Some((found, repeats)) = self.steps.get_mut(&(parent, step)) else {
            return self.push(parent, step, piece, names);
        };
        let first = &mut self.entries[*found].node;
        if let Some(node) = piece.node.filter(|node| !node.is_leaf())
            && first.is_none_or(|first| !first.is_leaf())
        {
            first.get_or_insert(node);
            return *found;
        }
        *repeats += 1;
        step.repeat = *repeats;
        self.push(parent, step, piece, names)
    }

    /// Adds an entry.
    fn push(&mut self, parent: usize, step: Step, piece: Piece<'m>, names: &mut Names<'m>) -> usize {
        let Piece { node, number, space } = piece;
        let next = self.entries.len();
        let pattern = match self.entries.get(parent) {
            Some(around) => names.pattern(around.pattern, step),
            None => 0,
        };
        if next != ROOT {
            self.steps.insert((parent, step), (next, 0));
            self.entries[parent].children.push(next);
        }
        self.entries.push(Entry {
            node,
            number,
            space,
            parent,
            step,
            pattern,
            children: Vec::new(),
            opens: false,
            has_payload: false,
            has_payload_content: false,
            is_derived: true,
        });
        next
    }

    /// Records payloads and fields that follow from other fields. Parts have higher numbers than the fields that
    /// contain them.
    fn judge(&mut self) {
        for number in (1..self.entries.len()).rev() {
            let entry = &self.entries[number];
            let is_payload = entry.is_payload();
            let has_payload = is_payload || entry.has_payload;
            let is_leaf = entry.children.iter().all(|&child| self.entries[child].step.is_content);
            // Stored bytes follow from the content that they decompress into.
            let is_empty = entry.node.is_none_or(|node| node.start() == node.end());
            let follows = is_payload || is_empty || !is_leaf || !entry.children.is_empty() || self.is_led(entry);
            let is_derived = entry.is_derived && follows;
            let (parent, is_content) = (entry.parent, entry.step.is_content);
            let entry = &mut self.entries[number];
            (entry.has_payload, entry.is_derived) = (has_payload, is_derived);
            let around = &mut self.entries[parent];
            around.has_payload |= has_payload;
            around.has_payload_content |= has_payload && is_content;
            around.is_derived &= is_derived;
        }
    }

    /// Returns whether a number refers to another field that the map contains.
    fn is_led(&self, entry: &Entry<'m>) -> bool {
        let Some(role) = entry.node.and_then(|node| node.role()) else { return false };
        if role.target().is_none() {
            return false;
        }
        match self.links.link(entry.number) {
            Some(link) => link.subject.is_some() || link.value == Some(0),
            // Several numbers in one field are not distinguished.
            None => true,
        }
    }

    /// The entry of the field with this number.
    pub fn entry_of(&self, number: usize) -> usize {
        self.entry_of[number]
    }

    /// Finds the part of an entry at this step.
    pub fn child(&self, entry: usize, step: Step) -> Option<usize> {
        self.steps.get(&(entry, step)).map(|&(found, _)| found)
    }

    /// The entry and all entries that contain it, from the inside out, without the root.
    pub fn outwards(&self, entry: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(entry), |&entry| Some(self.entries[entry].parent)).take_while(|&entry| entry != ROOT)
    }

    /// Builds the key of an entry. Steps for which `is_any` is true get `*` instead of an index.
    pub fn key(&self, entry: usize, names: &Names<'_>, is_any: impl Fn(usize) -> bool) -> String {
        let mut path: Vec<usize> = self.outwards(entry).collect();
        path.reverse();
        let mut key = String::new();
        for (place, &entry) in path.iter().enumerate() {
            let entry = &self.entries[entry];
            if entry.step.is_content {
                key.push('!');
            }
            let Some(node) = entry.node else { continue };
            match entry.step.element {
                Element::No => node.step(&mut key),
                _ if is_any(place) => node.keyed_step("*", &mut key),
                Element::Key(number) => node.keyed_step(names.text(number), &mut key),
                Element::One(_) | Element::From(_) => node.step(&mut key),
            }
        }
        key
    }
}

impl Entry<'_> {
    /// Returns whether it is a whole payload.
    pub fn is_payload(&self) -> bool {
        self.node.is_some_and(|node| node.role() == Some(&Role::Payload))
    }

    /// Returns whether it has no parts in its own space.
    pub fn is_leaf(&self) -> bool {
        self.node.is_some_and(|node| node.is_leaf())
    }
}
