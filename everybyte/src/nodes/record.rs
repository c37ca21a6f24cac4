//! The operations of a recorder on the arena while fields are read.

use super::arena::{Chain, Nodes};
use super::entry::{Entry, NONE, ONE, RANGE};
use super::labels::{Facts, Key, Labels};
use super::node::Index;
use crate::alignment::Alignment;
use crate::name::Name;
use crate::reference::Bits;
use std::ops::Range;

impl Nodes {
    /// Returns whether a reader may record another field.
    pub(crate) fn has_room(&self) -> bool {
        (self.entries.len() as u64) < self.most
    }

    /// Returns the number of fields for which there is room.
    pub(crate) fn room(&self) -> u64 {
        self.most.saturating_sub(self.entries.len() as u64)
    }

    /// Returns the facts that the fields of each declaration share.
    pub(crate) fn declarations(&self) -> &[Facts] {
        self.labels.all()
    }

    /// Returns the label number of a declaration.
    pub(crate) fn declared(&mut self, key: Key, facts: impl FnOnce(&Labels) -> Facts) -> u32 {
        self.labels.declared(key, facts)
    }

    /// Returns the number of the label with these facts.
    pub(crate) fn label(&mut self, facts: Facts) -> u32 {
        self.labels.number(facts)
    }

    /// Returns the label number of a node, or [`NONE`].
    pub(crate) fn label_of(&self, number: u32) -> u32 {
        if number == NONE { NONE } else { self.entry(number).label }
    }

    /// Creates a node whose parts are all elsewhere.
    pub(crate) fn put_around(&mut self, label: u32, index: Option<Index>, place: Range<u64>) -> u32 {
        let mut entry = Entry::new(label, place.start, place.end);
        if let Some(Index::One(index)) = index {
            entry.index = index;
            entry.set(ONE, true);
        }
        self.push(entry)
    }

    /// Returns the name of a node, without copying its text.
    pub(crate) fn name_of(&self, number: u32) -> Name {
        self.labels.get(self.entry(number).label).name.clone()
    }

    /// Adds a node after the existing parts of another node.
    pub(crate) fn link_part(&mut self, around: u32, parts: &mut Chain, number: u32) {
        self.link(parts, number);
        if parts.first == number {
            self.set_first(around, number);
        }
    }

    /// Sets the parts of a node to this chain, which ends after its last node.
    pub(crate) fn end_parts(&mut self, number: u32, parts: Chain) {
        self.set_first(number, parts.first);
        if parts.last != NONE {
            self.entry_mut(parts.last).next = NONE;
        }
    }

    fn set_first(&mut self, number: u32, first: u32) {
        self.entry_mut(number).first = first;
    }

    pub(crate) fn set_end(&mut self, number: u32, end: u64) {
        self.entry_mut(number).end = end;
    }

    pub(crate) fn set_flag(&mut self, number: u32, flag: u8, is_set: bool) {
        self.entry_mut(number).set(flag, is_set);
    }

    pub(crate) fn set_bits(&mut self, number: u32, bits: Vec<Bits>) {
        if !bits.is_empty() {
            self.side_mut(number).bits = bits.into();
        }
    }

    pub(crate) fn set_alignment(&mut self, number: u32, alignment: Option<Alignment>) {
        if alignment.is_some() {
            self.side_mut(number).alignment = alignment;
        }
    }

    pub(crate) fn set_missing(&mut self, number: u32, missing: u64) {
        if missing > 0 {
            self.side_mut(number).missing = missing;
        }
    }

    /// Makes a node represent several elements.
    pub(crate) fn set_range(&mut self, number: u32, index: Range<u64>, each: Option<u64>) {
        let side = self.side_mut(number);
        (side.index_end, side.each) = (index.end, each);
        let entry = self.entry_mut(number);
        entry.index = index.start;
        entry.set(RANGE, true);
    }
}
