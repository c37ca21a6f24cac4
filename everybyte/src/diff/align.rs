//! Determines which fields of two maps correspond.
//!
//! Parts of corresponding fields are paired by name and key, from the outside in. Elements without a key have only an
//! index, and an insertion shifts every index after it. If such lists differ in length, their elements are aligned by
//! the hash of their content instead. The hash leaves out numbers that follow from other fields, because these change
//! even if the element stays the same. The hashes are seeded at random, so files cannot be crafted to collide.

use crate::diff::myers;
use crate::diff::tree::{Element, ROOT, Step, Tree};
use crate::nodes::Index;
use crate::role::Role;
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash, Hasher};

/// The maximum length of lists whose elements are aligned by content.
const LONGEST: usize = 4096;

/// The pairs of fields, and the fields without a counterpart.
pub struct Alignment {
    /// The counterpart of each entry of the first tree.
    pub of_a: Vec<Option<usize>>,
    /// The counterpart of each entry of the second tree.
    pub of_b: Vec<Option<usize>>,
    /// The pairs, each before its parts.
    pub pairs: Vec<(usize, usize)>,
    /// The outermost entries that only the first tree has.
    pub removed: Vec<usize>,
    /// The outermost entries that only the second tree has.
    pub added: Vec<usize>,
    /// Lists whose keyed elements are in a different order: the list and its elements in both orders.
    pub reordered: Vec<(usize, [Vec<usize>; 2])>,
}

/// A list without keys, identified by the name of its elements and whether they are in an opened space.
type List = (u32, bool);

/// An alignment that is being computed.
struct Aligning<'t, 'm> {
    trees: [&'t Tree<'m>; 2],
    /// The hashes of the entries of both trees, without anything that follows from other fields. Computed on demand.
    hashes: Option<[Vec<u64>; 2]>,
    found: Alignment,
}

/// Aligns two maps.
pub fn align(a: &Tree<'_>, b: &Tree<'_>) -> Alignment {
    let found = Alignment {
        of_a: vec![None; a.entries.len()],
        of_b: vec![None; b.entries.len()],
        pairs: Vec::new(),
        removed: Vec::new(),
        added: Vec::new(),
        reordered: Vec::new(),
    };
    let mut aligning = Aligning { trees: [a, b], hashes: None, found };
    aligning.pair(ROOT, ROOT);
    let mut next = 0;
    // Pairs are appended during the traversal, so no recursion is needed, however deep the files are.
    while let Some(&(a, b)) = aligning.found.pairs.get(next) {
        aligning.parts(a, b);
        next += 1;
    }
    aligning.found
}

impl Aligning<'_, '_> {
    /// Pairs two entries.
    fn pair(&mut self, a: usize, b: usize) {
        self.found.of_a[a] = Some(b);
        self.found.of_b[b] = Some(a);
        self.found.pairs.push((a, b));
    }

    /// The step to an entry.
    fn step(&self, side: usize, entry: usize) -> Step {
        self.trees[side].entries[entry].step
    }

    /// Pairs the parts of two corresponding entries. Most structures have the same parts in both files, which takes a single pass.
    fn parts(&mut self, a: usize, b: usize) {
        let [of_a, of_b] = [(0, a), (1, b)].map(|(side, entry)| self.parts_of(side, entry));
        let are_alike =
            of_a.len() == of_b.len() && of_a.iter().zip(&of_b).all(|(&a, &b)| self.step(0, a) == self.step(1, b));
        let first = self.found.pairs.len();
        if are_alike {
            of_a.into_iter().zip(of_b).for_each(|(a, b)| self.pair(a, b));
            self.order(a, first);
            return;
        }
        let uneven = self.uneven(&of_a, &of_b);
        for &list in &uneven {
            self.elements(list, &of_a, &of_b);
        }
        let mut left: Vec<usize> = Vec::new();
        for &part in &of_a {
            let step = self.step(0, part);
            if is_in(step, &uneven) {
                continue;
            }
            let other = self.trees[1].child(b, step).filter(|&other| is_compared(self.trees[1], other));
            match other.filter(|&other| self.found.of_b[other].is_none()) {
                Some(other) => self.pair(part, other),
                None => left.push(part),
            }
        }
        self.unnamed(&mut left, &of_b);
        self.found.removed.extend(left);
        let added = of_b.iter().filter(|&&part| self.found.of_b[part].is_none() && !is_in(self.step(1, part), &uneven));
        let added: Vec<usize> = added.copied().collect();
        self.found.added.extend(added);
        self.order(a, first);
    }

    /// Pairs elements by index if one of the two files does not state their names. A file whose names cannot be read
    /// would otherwise differ in every element.
    fn unnamed(&mut self, left: &mut Vec<usize>, of_b: &[usize]) {
        let index = |side: usize, part: usize| {
            let entry = &self.trees[side].entries[part];
            let index = entry.node.and_then(|node| match node.index() {
                Some(Index::One(index)) => Some(index),
                _ => None,
            });
            let has_key = matches!(entry.step.element, Element::Key(_));
            index.map(|index| (entry.step.name, entry.step.is_content, index, has_key))
        };
        if !left.iter().any(|&part| index(0, part).is_some()) {
            return;
        }
        let others = of_b.iter().filter(|&&part| self.found.of_b[part].is_none());
        let others: HashMap<_, usize> = others.filter_map(|&part| Some((index(1, part)?, part))).collect();
        let mut pairs = Vec::new();
        left.retain(|&part| {
            let (name, is_content, index, has_key) = match index(0, part) {
                Some(found) => found,
                None => return true,
            };
            let other = others.get(&(name, is_content, index, !has_key));
            pairs.extend(other.map(|&other| (part, other)));
            other.is_none()
        });
        pairs.into_iter().for_each(|(a, b)| self.pair(a, b));
    }

    /// The parts to compare: for a payload, only its content.
    fn parts_of(&self, side: usize, entry: usize) -> Vec<usize> {
        let tree = self.trees[side];
        tree.entries[entry].children.iter().copied().filter(|&part| is_compared(tree, part)).collect()
    }

    /// The lists without keys that differ in length and are short enough to be aligned.
    fn uneven(&self, of_a: &[usize], of_b: &[usize]) -> HashSet<List> {
        let mut lengths: HashMap<List, [usize; 2]> = HashMap::new();
        for (side, parts) in [of_a, of_b].into_iter().enumerate() {
            for step in parts.iter().map(|&part| self.step(side, part)) {
                if let Element::One(_) = step.element {
                    lengths.entry((step.name, step.is_content)).or_default()[side] += 1;
                }
            }
        }
        let is_uneven = |[a, b]: [usize; 2]| a != b && a > 0 && b > 0 && a.max(b) <= LONGEST;
        lengths.into_iter().filter(|(_, lengths)| is_uneven(*lengths)).map(|(list, _)| list).collect()
    }

    /// Aligns the elements of a list by content.
    fn elements(&mut self, list: List, of_a: &[usize], of_b: &[usize]) {
        let trees = self.trees;
        let elements = |side: usize, parts: &[usize]| -> Vec<usize> {
            let is_it = |part: &&usize| {
                let step = trees[side].entries[**part].step;
                matches!(step.element, Element::One(_)) && (step.name, step.is_content) == list
            };
            parts.iter().filter(is_it).copied().collect()
        };
        let (a, b) = (elements(0, of_a), elements(1, of_b));
        let hashes = self.hashes.get_or_insert_with(|| {
            let state = RandomState::new();
            trees.map(|tree| hashes(tree, &state))
        });
        let hash =
            |side: usize, entries: &[usize]| entries.iter().map(|&entry| hashes[side][entry]).collect::<Vec<_>>();
        let common = myers::common(&hash(0, &a), &hash(1, &b));
        let (mut at_a, mut at_b) = (0, 0);
        // If one run replaces another, their elements are paired up in order.
        for (next_a, next_b) in common.into_iter().chain([(a.len(), b.len())]) {
            while at_a < next_a && at_b < next_b {
                self.pair(a[at_a], b[at_b]);
                (at_a, at_b) = (at_a + 1, at_b + 1);
            }
            self.found.removed.extend(&a[at_a..next_a]);
            self.found.added.extend(&b[at_b..next_b]);
            if next_a < a.len() && next_b < b.len() {
                self.pair(a[next_a], b[next_b]);
            }
            (at_a, at_b) = (next_a + 1, next_b + 1);
        }
    }

    /// Records whether the keyed elements among the latest pairs changed their order.
    fn order(&mut self, list: usize, first: usize) {
        let mut lists: HashMap<List, Vec<(usize, usize)>> = HashMap::new();
        for &(a, b) in &self.found.pairs[first..] {
            let step = self.step(0, a);
            if let Element::Key(_) = step.element {
                lists.entry((step.name, step.is_content)).or_default().push((a, b));
            }
        }
        let mut lists: Vec<_> = lists.into_values().collect();
        lists.sort_by_key(|pairs| pairs.first().copied());
        let place = |side: usize, entry: usize| {
            let entry = &self.trees[side].entries[entry];
            let index = entry.node.and_then(|node| match node.index() {
                Some(Index::One(index)) => Some(index),
                _ => None,
            });
            (index, entry.number)
        };
        for mut pairs in lists {
            pairs.sort_by_key(|&(a, _)| place(0, a));
            let before: Vec<usize> = pairs.iter().map(|&(a, _)| a).collect();
            if pairs.is_sorted_by_key(|&(_, b)| place(1, b)) {
                continue;
            }
            pairs.sort_by_key(|&(_, b)| place(1, b));
            self.found.reordered.push((list, [before, pairs.into_iter().map(|(a, _)| a).collect()]));
        }
    }
}

fn is_in(step: Step, lists: &HashSet<List>) -> bool {
    matches!(step.element, Element::One(_)) && lists.contains(&(step.name, step.is_content))
}

/// Returns whether an entry is compared. The parts of a payload are not compared, but its content is.
fn is_compared(tree: &Tree<'_>, entry: usize) -> bool {
    let around = tree.entries[entry].parent;
    !tree.entries[around].is_payload() || tree.entries[entry].step.is_content
}

/// Returns a hash of the content of each entry, without values that follow from other fields, and without payloads.
fn hashes(tree: &Tree<'_>, state: &RandomState) -> Vec<u64> {
    let mut hashes = vec![0; tree.entries.len()];
    for (number, entry) in tree.entries.iter().enumerate().rev() {
        let Some(node) = entry.node else { continue };
        let mut hasher = state.build_hasher();
        (&node.type_name(), entry.step.name).hash(&mut hasher);
        let follows = node.role().is_some_and(|role| role.target().is_some() || *role == Role::Writer);
        if !follows && !entry.is_payload() {
            node.value().to_string().hash(&mut hasher);
            if entry.is_leaf() {
                (&node.first_bytes(), node.length()).hash(&mut hasher);
            }
        }
        for &child in &entry.children {
            hashes[child].hash(&mut hasher);
        }
        hashes[number] = hasher.finish();
    }
    hashes
}
