//! Merges changes that differ only in list indices.
//!
//! A version number that changes in each of a thousand chunks is one change in a thousand places, with the key
//! `chunks[*].header.version`. Changes are grouped by pattern, kind and both values. An index that is the same in all
//! members of a group stays in the key. The memory for a group is bounded, and further changes are only counted.

use crate::diff::comparison::{Comparison, Raw};
use crate::diff::structure::{Change, Kind, Options, Place, Structure};
use crate::diff::tree::{Element, Tree};
use crate::diff::words;
use crate::name::Name;
use crate::reference::Bits;
use crate::value::Value;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The maximum number of keys that are kept for one change.
const MOST_KEYS: usize = 100;

/// The maximum total number of keys that are kept for merged changes.
const MOST_KEYS_IN_ALL: usize = 10_000;

/// The maximum number of index masks per pattern for which fields are counted.
const MOST_MASKS: usize = 4;

/// The maximum number of elements that the report of a new order names.
const MOST_ELEMENTS: usize = 6;

/// The properties that similar changes have in common: the pattern of the key, the kind, the bit field and the values.
type Alike = (u32, Kind, Option<usize>, [String; 2], u64);

/// Similar changes.
struct Group {
    raw: Raw,
    times: u64,
    /// The first members.
    members: Vec<usize>,
    /// A bit for each step with an index that differs among the members.
    mask: u64,
    total: u64,
    bytes: [u64; 2],
    texts: [String; 2],
}

/// Sorts changes and merges similar ones.
pub fn collapsed(mut comparison: Comparison<'_, '_>, options: &Options) -> Structure {
    let mut raws = std::mem::take(&mut comparison.raws);
    let place = |raw: &Raw| {
        let [a, b] = [0, 1].map(|side| raw.sides[side].map(|entry| comparison.trees[side].entries[entry].number));
        (a.is_none(), a.or(b), raw.bits)
    };
    raws.sort_by_key(place);
    let mut groups: Vec<Group> = Vec::new();
    let mut numbers: HashMap<Alike, usize> = HashMap::new();
    let (mut further, mut ignored, mut listed, mut keys) = (0, 0, 0, 0);
    for raw in raws {
        let name = bits_of(&comparison, &raw).map(|[a, _]| a.name);
        if comparison.is_ignored(raw.sides, name.as_deref(), options) {
            ignored += 1;
            comparison.found.follows -= u64::from(raw.kind == Kind::Follows);
            continue;
        }
        let (side, entry) = subject(&raw);
        let texts = texts(&comparison, &raw);
        let alike = (comparison.trees[side].entries[entry].pattern, raw.kind, raw.bits, texts.clone(), raw.different);
        let number = match numbers.get(&alike) {
            Some(&number) => number,
            // Derived changes must not crowd out the others.
            None if listed >= options.most && raw.kind != Kind::Follows || groups.len() >= 2 * options.most => {
                further += u64::from(raw.kind != Kind::Follows);
                continue;
            }
            None => {
                listed += usize::from(raw.kind != Kind::Follows);
                numbers.insert(alike, groups.len());
                let members = Vec::new();
                groups.push(Group { raw, times: 0, members, mask: 0, total: 0, bytes: [0; 2], texts });
                groups.len() - 1
            }
        };
        keys += groups[number].add(&comparison, &raw, keys < MOST_KEYS_IN_ALL);
    }
    count(&comparison, &mut groups);
    order(&comparison, &mut groups);
    let changes = groups.iter().map(|group| group.change(&comparison)).collect();
    let mut found = comparison.found;
    (found.changes, found.further, found.ignored) = (changes, further, ignored);
    found
}

/// Returns the entry that a change affects, and its side.
fn subject(raw: &Raw) -> (usize, usize) {
    match raw.sides {
        [Some(a), _] => (0, a),
        [None, b] => (1, b.unwrap_or_default()),
    }
}

fn bits_of(comparison: &Comparison<'_, '_>, raw: &Raw) -> Option<[Bits; 2]> {
    let place = raw.bits?;
    let bits = |side: usize| comparison.node(side, raw.sides[side]?)?.bits().into_iter().nth(place);
    Some([bits(0)?, bits(1)?])
}

/// Returns the text of a change on each side.
fn texts(comparison: &Comparison<'_, '_>, raw: &Raw) -> [String; 2] {
    if let Some([a, b]) = bits_of(comparison, raw) {
        return words::of_bits(&a, &b);
    }
    let node = |side: usize| comparison.node(side, raw.sides[side]?);
    match raw.kind {
        Kind::Reordered => {
            let Some(place) = raw.about[0] else { return Default::default() };
            let [a, b] = &comparison.alignment.reordered[place].1;
            // Start at the first element that moved.
            let first = a.iter().zip(b).take_while(|(a, b)| a == b).count();
            [a, b].map(|elements| listed(comparison, elements, first))
        }
        Kind::PointsElsewhere => [0, 1].map(|side| {
            let target = |entry| comparison.trees[side].key(entry, comparison.names, |_| false);
            raw.about[side].map_or_else(|| "nothing".into(), target)
        }),
        _ => match (node(0), node(1)) {
            (Some(a), Some(b)) => words::of_both(a, b),
            (a, b) => [a, b].map(|node| node.filter(|node| node.is_leaf()).map_or(String::new(), words::of_one)),
        },
    }
}

/// Returns a list of the keys of elements, from the index `first` on. `…` replaces omitted keys.
fn listed(comparison: &Comparison<'_, '_>, elements: &[usize], first: usize) -> String {
    let tree = comparison.trees[0];
    let key = |&entry: &usize| match tree.entries[entry].step.element {
        Element::Key(number) => match comparison.names.text(number) {
            key if key.contains(',') && !key.starts_with('"') => format!("[{key}]"),
            key => key.to_owned(),
        },
        _ => String::new(),
    };
    let shown: Vec<String> = elements[first..].iter().take(MOST_ELEMENTS).map(key).collect();
    let before = if first > 0 { "…," } else { "" };
    let after = if elements.len() - first > MOST_ELEMENTS { ",…" } else { "" };
    format!("{before}{}{after}", shown.join(","))
}

impl Group {
    /// Adds a change. Returns the number of keys kept for it.
    fn add(&mut self, comparison: &Comparison<'_, '_>, raw: &Raw, has_room: bool) -> usize {
        let (side, entry) = subject(raw);
        let tree = comparison.trees[side];
        self.mask |= difference(tree, subject(&self.raw).1, entry);
        self.times += 1;
        for side in [0, 1] {
            let node = raw.sides[side].and_then(|entry| comparison.node(side, entry));
            self.bytes[side] += node.map_or(0, |node| node.length());
        }
        // The first member of a group is always kept.
        let is_kept = self.members.len() < MOST_KEYS && (has_room || self.members.is_empty());
        self.members.extend(is_kept.then_some(entry));
        usize::from(is_kept && self.times > 1)
    }

    fn change(&self, comparison: &Comparison<'_, '_>) -> Change {
        let (side, entry) = subject(&self.raw);
        let tree = comparison.trees[side];
        let place = |side: usize| {
            let entry = &comparison.trees[side].entries[self.raw.sides[side]?];
            let node = entry.node?;
            let bits = self.raw.bits.and_then(|place| node.bits().into_iter().nth(place));
            Some(Place {
                space: entry.space,
                offset: node.start(),
                length: self.bytes[side],
                value: bits
                    .as_ref()
                    .map_or_else(|| words::bounded(&node.value()), |bits| Value::Uint(bits.value.into())),
                meaning: bits.map_or_else(|| node.meaning().into_owned(), |bits| bits.meaning.to_string()),
                text: self.texts[side].clone(),
            })
        };
        let bits = bits_of(comparison, &self.raw).map(|[a, _]| a);
        let is_structure = tree.entries[entry].node.is_some_and(|node| !node.is_leaf());
        let keys = self.members.iter().map(|&member| tree.key(member, comparison.names, |_| false));
        Change {
            kind: self.raw.kind,
            key: self.key(comparison),
            bits: bits.as_ref().map(|bits| bits.name.clone()),
            bits_doc: bits.map_or(Name::default(), |bits| bits.doc),
            is_structure,
            a: place(0),
            b: place(1),
            role: tree.entries[entry].node.and_then(|node| node.role().cloned()),
            same: if self.times > 1 { keys.collect() } else { Vec::new() },
            times: (self.times, self.total.max(self.times)),
            different_bytes: self.raw.different,
        }
    }

    fn key(&self, comparison: &Comparison<'_, '_>) -> String {
        let (side, entry) = subject(&self.raw);
        let tree = comparison.trees[side];
        if self.raw.kind == Kind::Reordered
            && let Some(place) = self.raw.about[0]
            && let Some(&element) = comparison.alignment.reordered[place].1[0].first()
        {
            let list = tree.key(comparison.alignment.reordered[place].0, comparison.names, |_| false);
            let own = tree.entries[element].node.map_or("", |node| node.name());
            return if list.is_empty() { own.to_owned() } else { list };
        }
        tree.key(entry, comparison.names, |place| place < 64 && self.mask >> place & 1 == 1)
    }
}

/// Returns a bit for each step in which two entries with the same pattern differ.
fn difference(tree: &Tree<'_>, a: usize, b: usize) -> u64 {
    let depth = tree.outwards(a).count();
    let steps = tree.outwards(a).zip(tree.outwards(b)).enumerate();
    steps.fold(0, |mask, (place, (a, b))| {
        let place = depth - 1 - place;
        let is_same = a == b || tree.entries[a].step.element == tree.entries[b].step.element;
        mask | if is_same || place >= 64 { 0 } else { 1 << place }
    })
}

/// Counts the fields that each group could represent. These have the same indices as the group's members, wherever all
/// members agree.
fn count(comparison: &Comparison<'_, '_>, groups: &mut [Group]) {
    let mut masks: HashMap<(usize, u32), Vec<u64>> = HashMap::new();
    let mut totals: HashMap<(usize, u32, u64, u64), u64> = HashMap::new();
    for group in groups.iter().filter(|group| group.times > 1) {
        let (side, entry) = subject(&group.raw);
        let tree = comparison.trees[side];
        let pattern = tree.entries[entry].pattern;
        let known = masks.entry((side, pattern)).or_default();
        if known.contains(&group.mask) || known.len() < MOST_MASKS {
            totals.insert((side, pattern, group.mask, fixed(tree, entry, group.mask)), 0);
            if !known.contains(&group.mask) {
                known.push(group.mask);
            }
        }
    }
    for (side, tree) in comparison.trees.into_iter().enumerate() {
        for (number, entry) in tree.entries.iter().enumerate() {
            for &mask in masks.get(&(side, entry.pattern)).into_iter().flatten() {
                if let Some(total) = totals.get_mut(&(side, entry.pattern, mask, fixed(tree, number, mask))) {
                    *total += 1;
                }
            }
        }
    }
    for group in groups.iter_mut().filter(|group| group.times > 1) {
        let (side, entry) = subject(&group.raw);
        let tree = comparison.trees[side];
        let key = (side, tree.entries[entry].pattern, group.mask, fixed(tree, entry, group.mask));
        group.total = totals.get(&key).copied().unwrap_or(0);
    }
}

/// Returns a hash of the indices in a key that a mask does not exclude.
fn fixed(tree: &Tree<'_>, entry: usize, mask: u64) -> u64 {
    let depth = tree.outwards(entry).count();
    let mut hasher = DefaultHasher::new();
    for (place, entry) in tree.outwards(entry).enumerate() {
        let place = depth - 1 - place;
        if place >= 64 || mask >> place & 1 == 0 {
            tree.entries[entry].step.element.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Within each part of the file, moves changes to many fields before changes to single fields.
fn order(comparison: &Comparison<'_, '_>, groups: &mut [Group]) {
    let mut parts: HashMap<u32, usize> = HashMap::new();
    let mut keys: HashMap<(usize, usize), usize> = HashMap::new();
    for group in groups.iter() {
        let (side, entry) = subject(&group.raw);
        let tree = comparison.trees[side];
        let pattern = tree.outwards(entry).last().map_or(0, |outermost| tree.entries[outermost].pattern);
        let next = parts.len();
        keys.insert((side, entry), *parts.entry(pattern).or_insert(next));
    }
    groups
        .sort_by_key(|group| (group.raw.sides[0].is_none(), keys.get(&subject(&group.raw)).copied(), group.times < 2));
}
