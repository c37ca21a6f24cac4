//! The comparison of two aligned maps.
//!
//! Each pair of leaves is compared by bytes and by value. If the value is equal but the bytes are reversed, only the
//! byte order changed. Payloads are counted, not listed. Numbers that refer to other fields are set aside until all
//! pairs are compared, because judging them requires knowing which fields differ.

use crate::diff::align::align;
use crate::diff::bytes::{Bytes, Outcome};
use crate::diff::collapse::collapsed;
use crate::diff::comparison::{Comparison, Raw};
use crate::diff::data::Tally;
use crate::diff::structure::{Kind, Moved, Options, Side, Structure};
use crate::diff::tree::{Entry, Names, ROOT, Tree};
use crate::nodes::Node;
use crate::role::Role;
use crate::value::Value;
use std::collections::{HashMap, HashSet};

/// Compares two maps.
pub fn compare(a: &Side<'_>, b: &Side<'_>, options: &Options) -> Structure {
    let mut names = Names::default();
    let trees = [a, b].map(|side| Tree::new(side, &mut names));
    let trees = [&trees[0], &trees[1]];
    let alignment = align(trees[0], trees[1]);
    let mut comparison = Comparison {
        trees,
        names: &names,
        alignment: &alignment,
        raws: Vec::new(),
        differs: vec![false; trees[0].entries.len()],
        numbers: Vec::new(),
        found: Structure::default(),
        lists: HashSet::new(),
        grown: HashSet::new(),
        unread: HashMap::new(),
        shifted: Vec::new(),
    };
    let mut bytes = Bytes::new([a, b], options.compared_bytes);
    let mut tally = Tally::default();
    for &(a, b) in alignment.pairs.iter().skip(1) {
        comparison.pair(a, b, &mut bytes, &mut tally, options);
    }
    comparison.alone(&mut tally);
    comparison.found.data = tally.into_data(&comparison, options);
    comparison.spread();
    comparison.judge();
    comparison.found.unread = comparison.all_unread();
    for place in 0..alignment.reordered.len() {
        let list = alignment.reordered[place].0;
        let first = alignment.reordered[place].1[0][0];
        let about = [Some(place), None];
        let sides = [Some(if list == ROOT { first } else { list }), alignment.of_a[first]];
        comparison.raws.push(Raw { kind: Kind::Reordered, sides, bits: None, about, different: 0 });
    }
    comparison.runs(options.most);
    collapsed(comparison, options)
}

impl Comparison<'_, '_> {
    /// Compares a field with its counterpart.
    fn pair(&mut self, a: usize, b: usize, bytes: &mut Bytes<'_, '_>, tally: &mut Tally, options: &Options) {
        let entries = [&self.trees[0].entries[a], &self.trees[1].entries[b]];
        let [Some(node_a), Some(node_b)] = entries.map(|entry| entry.node) else { return };
        let are_data = entries.iter().any(|entry| entry.is_payload());
        match entries.map(|entry| entry.is_leaf()) {
            _ if are_data => {
                if tally.is_stored([self.trees[0], self.trees[1]], [a, b]) {
                    self.data((a, node_a), (b, node_b), bytes, tally, options);
                }
            }
            [true, true] if entries.iter().any(|entry| entry.has_payload_content) => {
                self.data((a, node_a), (b, node_b), bytes, tally, options);
            }
            [true, true] => self.leaf((a, node_a), (b, node_b), bytes),
            [false, false] => {
                if node_a.value() != node_b.value() || node_a.missing() != node_b.missing() {
                    self.change(Kind::Changed, [a, b]);
                }
            }
            _ if entries.iter().all(|entry| entry.is_derived) => self.differs[a] = true,
            _ => {
                self.differs[a] = true;
                self.change(Kind::Changed, [a, b]);
            }
        }
    }

    /// Compares two payloads by bytes only, because their parts are not listed.
    fn data(
        &mut self,
        (a, node_a): (usize, Node<'_>),
        (b, node_b): (usize, Node<'_>),
        bytes: &mut Bytes<'_, '_>,
        tally: &mut Tally,
        options: &Options,
    ) {
        let spaces = [self.trees[0].entries[a].space, self.trees[1].entries[b].space];
        let mut is_different = node_a.length() != node_b.length();
        let mut different = 0;
        if !is_different && !self.is_ignored([Some(a), Some(b)], None, options) {
            let outcome = match options.payloads {
                true => bytes.compare((node_a, spaces[0]), (node_b, spaces[1])),
                false => Outcome::default(),
            };
            self.unread(a, outcome.unread);
            different = outcome.different;
            is_different = different > 0;
        }
        if is_different {
            self.differs[a] = true;
            tally.differ(self.trees, self.alignment, [a, b], different);
        } else {
            self.stay(a, b);
        }
    }

    /// Compares two fields without parts. Bytes and values are compared separately, because equal bytes may differ in meaning, and
    /// equal values may be encoded differently.
    fn leaf(&mut self, (a, node_a): (usize, Node<'_>), (b, node_b): (usize, Node<'_>), bytes: &mut Bytes<'_, '_>) {
        let entries = [&self.trees[0].entries[a], &self.trees[1].entries[b]];
        let length = node_a.length();
        let is_as_long = length == node_b.length();
        let outcome = if is_as_long {
            bytes.compare((node_a, entries[0].space), (node_b, entries[1].space))
        } else {
            Default::default()
        };
        self.unread(a, outcome.unread);
        let are_bytes_equal = is_as_long && outcome.different == 0;
        let is_said_equal = same_value(&node_a.value(), &node_b.value())
            && node_a.meaning() == node_b.meaning()
            && node_a.type_name() == node_b.type_name()
            && node_a.missing() == node_b.missing()
            && node_a.is_complete() == node_b.is_complete();
        let role = node_a.role().or(node_b.role());
        self.differs[a] |= !are_bytes_equal && !matches!(role, Some(Role::CheckOf { .. }));
        if entries.iter().all(|entry| entry.opens) {
            // The unpacked content is compared field by field.
            if are_bytes_equal {
                self.stay(a, b)
            } else {
                self.follow([a, b])
            }
            return;
        }
        let is_number = role.is_some_and(|role| role.target().is_some());
        let is_place = matches!(role, Some(Role::Place { .. }));
        let is_recoded = is_said_equal && !are_bytes_equal && is_as_long && is_reversed(node_a, node_b);
        let is_equal = is_said_equal && (are_bytes_equal || is_recoded);
        if is_place || is_number && !is_equal {
            self.numbers.push((a, b));
        }
        if is_recoded {
            self.found.recoded += 1;
        } else if is_equal {
            self.stay(a, b);
        } else if !is_number {
            self.facts([a, b], [node_a, node_b], outcome.different);
        }
    }

    /// Records a change to a fact, one bit field at a time.
    fn facts(&mut self, sides: [usize; 2], nodes: [Node<'_>; 2], different: u64) {
        let [a, b] = nodes.map(Node::bits);
        let are_alike = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.name == b.name && a.width == b.width);
        let before = self.raws.len();
        if are_alike {
            let differing = a.iter().zip(&b).enumerate().filter(|(_, (a, b))| a.value != b.value);
            let sides = sides.map(Some);
            self.raws.extend(differing.map(|(place, _)| Raw {
                kind: Kind::Changed,
                sides,
                bits: Some(place),
                about: [None; 2],
                different: 0,
            }));
        }
        if self.raws.len() == before {
            let sides = sides.map(Some);
            self.raws.push(Raw { kind: Kind::Changed, sides, bits: None, about: [None; 2], different });
        }
    }

    /// Records the position of a field that is equal in both files.
    fn stay(&mut self, a: usize, b: usize) {
        let [(from, space), (to, _)] = [(0, a), (1, b)].map(|(side, entry)| {
            let entry = &self.trees[side].entries[entry];
            (entry.node.map_or(0, |node| node.start()), entry.space)
        });
        if from != to {
            let number = self.trees[0].entries[a].number;
            self.shifted.push((number, Moved { space, from, to, fields: 1 }));
        }
    }

    /// Records the fields that are in only one file.
    fn alone(&mut self, tally: &mut Tally) {
        let alignment = self.alignment;
        for (side, kind, entries) in [(0, Kind::Removed, &alignment.removed), (1, Kind::Added, &alignment.added)] {
            for &entry in entries {
                let tree = self.trees[side];
                tally.alone(self.trees, alignment, side, entry);
                let (around, name) = (tree.entries[entry].parent, tree.entries[entry].step.name);
                if let Some(around) = if side == 0 { Some(around) } else { alignment.of_b[around] } {
                    self.differs[around] = true;
                    self.lists.insert((around, name));
                    self.grown.insert((around, name));
                }
                if tree.entries[entry].is_derived {
                    self.found.follows += derived(tree, entry);
                    continue;
                }
                // A list that is not a field itself is recognised by its elements.
                let itself = [entry];
                let told = if tree.entries[entry].node.is_some() { &itself } else { &tree.entries[entry].children[..] };
                self.raws.extend(told.iter().map(|&entry| {
                    let sides = if side == 0 { [Some(entry), None] } else { [None, Some(entry)] };
                    Raw { kind, sides, bits: None, about: [None; 2], different: 0 }
                }));
            }
        }
    }

    /// Marks everything that contains a differing field.
    fn spread(&mut self) {
        for entry in (1..self.differs.len()).rev() {
            if self.differs[entry] {
                let Entry { parent, step, .. } = self.trees[0].entries[entry];
                self.differs[parent] = true;
                self.lists.insert((parent, step.name));
            }
        }
    }

    fn unread(&mut self, entry: usize, bytes: u64) {
        if bytes > 0 {
            let tree = self.trees[0];
            let content = tree.outwards(entry).find(|&entry| tree.entries[entry].step.is_content);
            let opener = content.map_or(ROOT, |content| tree.entries[content].parent);
            *self.unread.entry(opener).or_default() += bytes;
        }
    }

    /// The number of bytes that were not compared. If stored bytes are equal, so is their decompressed content.
    fn all_unread(&self) -> u64 {
        let is_open = |opener: usize| opener == ROOT || self.differs[opener] || self.unread.contains_key(&ROOT);
        self.unread.iter().filter(|(opener, _)| is_open(**opener)).map(|(_, bytes)| bytes).sum()
    }

    /// Merges equal fields that moved by the same number of bytes into runs.
    fn runs(&mut self, most: usize) {
        self.shifted.sort_by_key(|(number, _)| *number);
        self.found.elsewhere = self.shifted.len() as u64;
        for (_, moved) in std::mem::take(&mut self.shifted) {
            let runs = &mut self.found.moved;
            match runs.last().is_some_and(|last| (last.space, last.shift()) == (moved.space, moved.shift())) {
                true => runs.iter_mut().next_back().into_iter().for_each(|last| last.fields += 1),
                false if runs.len() < most => runs.push(moved),
                false => break,
            }
        }
    }
}

/// Returns the number of fields in an entry that follow from other fields.
fn derived(tree: &Tree<'_>, entry: usize) -> u64 {
    let mut open = vec![entry];
    let mut count = 0;
    while let Some(entry) = open.pop() {
        let entry = &tree.entries[entry];
        if entry.is_payload() {
            open.extend(entry.children.iter().filter(|&&child| tree.entries[child].step.is_content));
            continue;
        }
        count += u64::from(entry.is_leaf());
        open.extend(&entry.children);
    }
    count
}

/// Returns whether two values are equal. NaN is equal to itself.
fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Single(a), Value::Single(b)) => a.to_bits() == b.to_bits(),
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (a, b) => a == b,
    }
}

/// Returns whether both fields have the same number or code, in opposite byte orders.
fn is_reversed(a: Node<'_>, b: Node<'_>) -> bool {
    let is_number = !matches!(a.value(), Value::None | Value::Text(_) | Value::Bytes(..));
    is_number && a.first_bytes().iter().eq(b.first_bytes().iter().rev())
}
