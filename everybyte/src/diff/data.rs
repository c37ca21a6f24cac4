//! Payloads, counted for each part of the files.
//!
//! No one reads a megabyte of changed pixels. A payload is counted in its unit: the field that decompresses into it, or
//! the element of a list that contains it. The report therefore counts chunks, whether or not they are compressed.

use crate::diff::align::Alignment;
use crate::diff::comparison::Comparison;
use crate::diff::structure::{Amount, Data, Options};
use crate::diff::tree::{Element, Tree};
use crate::name::Name;
use std::collections::{HashMap, HashSet};

/// The payloads that differ.
#[derive(Default)]
pub struct Tally {
    /// The units that differ: those of the first tree, or of the second if the first does not have them.
    different: HashSet<(usize, usize)>,
    /// The number of differing bytes per unit of the first tree.
    bytes: HashMap<usize, u64>,
}

impl Tally {
    /// Returns whether a payload is compared separately, not as part of the stored payload that contains it.
    pub fn is_stored(&self, trees: [&Tree<'_>; 2], sides: [usize; 2]) -> bool {
        [0, 1].iter().all(|&side| matches!(unit(trees[side], sides[side]), Some((_, false))))
    }

    /// Records a payload that differs.
    pub fn differ(&mut self, trees: [&Tree<'_>; 2], alignment: &Alignment, sides: [usize; 2], bytes: u64) {
        for side in [0, 1] {
            self.note(trees, alignment, side, sides[side]);
        }
        if let Some((unit, _)) = unit(trees[0], sides[0]) {
            *self.bytes.entry(unit).or_default() += bytes;
        }
    }

    /// Records the payloads in an entry that the other tree does not have.
    pub fn alone(&mut self, trees: [&Tree<'_>; 2], alignment: &Alignment, side: usize, entry: usize) {
        let mut open = vec![entry];
        while let Some(entry) = open.pop() {
            let tree = trees[side];
            let found = &tree.entries[entry];
            if !found.has_payload {
                continue;
            }
            if found.is_payload() {
                self.note(trees, alignment, side, entry);
            } else {
                open.extend(&found.children);
            }
        }
    }

    fn note(&mut self, trees: [&Tree<'_>; 2], alignment: &Alignment, side: usize, payload: usize) {
        let Some((unit, _)) = unit(trees[side], payload) else { return };
        let counterpart = if side == 0 { Some(unit) } else { alignment.of_b[unit] };
        self.different.insert(counterpart.map_or((1, unit), |unit| (0, unit)));
    }

    /// The parts that differ, with everything inside them.
    pub fn into_data(self, comparison: &Comparison<'_, '_>, options: &Options) -> Vec<Data> {
        // The patterns of the units that differ, in order.
        let mut parts: HashMap<u32, Data> = HashMap::new();
        let mut order: Vec<(usize, usize, u32)> = Vec::new();
        for &(side, unit) in &self.different {
            let mut sides = [None; 2];
            sides[side] = Some(unit);
            if comparison.is_ignored(sides, None, options) {
                continue;
            }
            let tree = comparison.trees[side];
            let entry = &tree.entries[unit];
            let part = parts.entry(entry.pattern).or_insert_with(|| {
                let name = entry
                    .node
                    .filter(|_| entry.step.element != Element::No)
                    .map_or_else(Name::default, |node| node.shared_name().clone());
                let key = tree.key(unit, comparison.names, |_| true);
                let amount = Amount::default();
                Data { key, name, a: amount, b: amount, different: 0, different_bytes: 0 }
            });
            part.different += 1;
            part.different_bytes += if side == 0 { self.bytes.get(&unit).copied().unwrap_or(0) } else { 0 };
            order.push((side, entry.number, entry.pattern));
        }
        for (side, tree) in comparison.trees.into_iter().enumerate() {
            for (unit, bytes) in units(tree) {
                if let Some(part) = parts.get_mut(&tree.entries[unit].pattern) {
                    let amount = if side == 0 { &mut part.a } else { &mut part.b };
                    amount.parts += 1;
                    amount.bytes += bytes;
                }
            }
        }
        order.sort_unstable();
        order.into_iter().filter_map(|(_, _, pattern)| parts.remove(&pattern)).collect()
    }
}

/// Returns the units of a tree that contain payloads, and their stored size in bytes.
fn units(tree: &Tree<'_>) -> Vec<(usize, u64)> {
    let mut units: HashMap<usize, u64> = HashMap::new();
    for (number, entry) in tree.entries.iter().enumerate() {
        let is_outermost = entry.is_payload() && (entry.step.is_content || !tree.entries[entry.parent].is_payload());
        let Some((unit, is_content)) = is_outermost.then(|| unit(tree, number)).flatten() else { continue };
        let length = |entry: usize| tree.entries[entry].node.map_or(0, |node| node.length());
        let whole = &tree.entries[unit];
        if whole.opens || whole.is_derived {
            units.insert(unit, length(unit));
        } else if !is_content {
            *units.entry(unit).or_default() += length(number);
        }
    }
    units.into_iter().collect()
}

/// Returns the unit in which a payload is counted, and whether the payload is content of the unit. The unit is the field that
/// decompresses into it. Otherwise, it is the outermost element of a list that contains nothing else, or else the element of a list
/// that contains the payload. `None` if the payload is the compressed form of fields that are compared one by one.
fn unit(tree: &Tree<'_>, payload: usize) -> Option<(usize, bool)> {
    let (mut is_content, mut whole, mut inner) = (false, None, None);
    for number in tree.outwards(payload) {
        let entry = &tree.entries[number];
        if entry.opens {
            return entry.has_payload_content.then_some((number, is_content));
        }
        if entry.step.element != Element::No {
            whole = if entry.is_derived { Some(number) } else { whole };
            inner = inner.or(Some(number).filter(|_| !entry.is_payload()));
        }
        is_content |= entry.step.is_content;
    }
    Some((whole.or(inner).unwrap_or(payload), is_content))
}
