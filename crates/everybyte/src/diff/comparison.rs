//! Two aligned maps, and what was found in them so far.

use crate::diff::align::Alignment;
use crate::diff::structure::{Kind, Moved, Options, Structure};
use crate::diff::tree::{Names, Tree};
use crate::nodes::Node;
use std::collections::{HashMap, HashSet};

/// A change, before changes that are alike are one.
#[derive(Debug, Clone, Copy)]
pub struct Raw {
    pub kind: Kind,
    /// The field in the trees, by its entry.
    pub sides: [Option<usize>; 2],
    /// The run of bits that differs, by its place among those of the field.
    pub bits: Option<usize>,
    /// The target of an offset, or the list of a new order, by its place among those.
    pub about: [Option<usize>; 2],
    /// The number of bytes that differ, if nothing else is known.
    pub different: u64,
}

/// Both maps, and what was found.
pub struct Comparison<'t, 'm> {
    pub trees: [&'t Tree<'m>; 2],
    pub names: &'t Names<'m>,
    pub alignment: &'t Alignment,
    pub raws: Vec<Raw>,
    /// True for entries of the first tree whose bytes differ, checksums aside.
    pub differs: Vec<bool>,
    /// Pairs of numbers that are about other fields.
    pub numbers: Vec<(usize, usize)>,
    pub found: Structure,
    /// Lists in which an element differs, by the entry around them and their name.
    pub lists: HashSet<(usize, u32)>,
    /// Lists of which an element is in one file alone.
    pub grown: HashSet<(usize, u32)>,
    /// The number of bytes that were not compared, by the entry that opens their space; the root of the file's own.
    pub unread: HashMap<usize, u64>,
    /// Equal fields that stand elsewhere, by their numbers.
    pub shifted: Vec<(usize, Moved)>,
}

impl Comparison<'_, '_> {
    pub fn node(&self, side: usize, entry: usize) -> Option<Node<'_>> {
        self.trees[side].entries[entry].node
    }

    pub fn change(&mut self, kind: Kind, sides: [usize; 2]) {
        self.raws.push(Raw { kind, sides: sides.map(Some), bits: None, about: [None; 2], different: 0 });
    }

    pub fn follow(&mut self, sides: [usize; 2]) {
        self.found.follows += 1;
        self.change(Kind::Follows, sides);
    }

    /// Returns whether a pattern names a field, or its run of bits.
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
