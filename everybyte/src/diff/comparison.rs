//! Two aligned maps and the results so far.

use crate::diff::align::Alignment;
use crate::diff::structure::{Kind, Moved, Options, Structure};
use crate::diff::tree::{Names, Tree};
use crate::nodes::Node;
use std::collections::{HashMap, HashSet};

/// A change, before similar changes are merged.
#[derive(Debug, Clone, Copy)]
pub struct Raw {
    pub kind: Kind,
    /// The field in each tree, by its entry.
    pub sides: [Option<usize>; 2],
    /// The bit field that differs, as an index into the field's bit fields.
    pub bits: Option<usize>,
    /// The target of an offset, or the list with a new order, as an index.
    pub about: [Option<usize>; 2],
    /// The number of bytes that differ, if nothing else is known about the change.
    pub different: u64,
}

/// Both maps and the results.
pub struct Comparison<'t, 'm> {
    pub trees: [&'t Tree<'m>; 2],
    pub names: &'t Names<'m>,
    pub alignment: &'t Alignment,
    pub raws: Vec<Raw>,
    /// True for entries of the first tree whose bytes differ, not counting checksums.
    pub differs: Vec<bool>,
    /// Pairs of numbers that refer to other fields.
    pub numbers: Vec<(usize, usize)>,
    pub found: Structure,
    /// Lists with a differing element, by their enclosing entry and their name.
    pub lists: HashSet<(usize, u32)>,
    /// Lists with an element that only one file has.
    pub grown: HashSet<(usize, u32)>,
    /// The number of bytes that were not compared, by the entry that opens their space; the root represents the file.
    pub unread: HashMap<usize, u64>,
    /// Equal fields that only moved, by number.
    pub shifted: Vec<(usize, Moved)>,
}

impl Comparison<'_, '_> {
    /// The node of an entry.
    pub fn node(&self, side: usize, entry: usize) -> Option<Node<'_>> {
        self.trees[side].entries[entry].node
    }

    /// Records a change of an entry.
    pub fn change(&mut self, kind: Kind, sides: [usize; 2]) {
        self.raws.push(Raw { kind, sides: sides.map(Some), bits: None, about: [None; 2], different: 0 });
    }

    /// Records a change that follows from other changes.
    pub fn follow(&mut self, sides: [usize; 2]) {
        self.found.follows += 1;
        self.change(Kind::Follows, sides);
    }

    /// Returns whether a pattern matches a field or its bit field.
    pub fn is_ignored(&self, sides: [Option<usize>; 2], bits: Option<&str>, options: &Options) -> bool {
        !options.ignore.is_empty()
            && sides.iter().enumerate().filter_map(|(side, &entry)| Some((side, entry?))).any(|(side, entry)| {
                let mut key = self.trees[side].key(entry, self.names, |_| false);
                if let Some(bits) = bits {
                    key = format!("{key}.{bits}");
                }
                options.ignore.iter().any(|pattern| pattern.matches(&key))
            })
    }
}
