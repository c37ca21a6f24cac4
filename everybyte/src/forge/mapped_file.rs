//! A file with its map and the content of the requested spaces.
//!
//! Most steps touch only the file. Content is unpacked when a step first needs it and kept for later steps.

use super::field_table::{Field, FieldTable, Slot};
use super::grammar::Grammar;
use super::shapes::Shapes;
use crate::nodes::Node;
use crate::sums::Summed;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A file with its map.
#[derive(Debug)]
pub struct MappedFile<'g> {
    pub file: Arc<Vec<u8>>,
    pub table: FieldTable<'g>,
    contents: RefCell<HashMap<u32, Option<Arc<Vec<u8>>>>>,
}

impl<'g> MappedFile<'g> {
    pub fn new<G: Grammar + ?Sized>(grammar: &G, shapes: &Shapes<'g>, file: &[u8]) -> Self {
        let table = FieldTable::new(grammar, shapes, file);
        MappedFile { file: Arc::new(file.to_vec()), table, contents: RefCell::default() }
    }

    /// Its approximate memory usage.
    pub fn size(&self) -> usize {
        let contents = self.contents.borrow().values().flatten().map(|content| content.len()).sum::<usize>();
        let of_field = size_of::<Node>() + size_of::<Field>() + size_of::<Slot<'g>>();
        self.file.len() + contents + self.table.fields.len() * 2 * of_field
    }

    /// The number of the space that is the file.
    pub fn file_space(&self) -> u32 {
        self.table.spaces.first().map_or(0, |space| space.id)
    }

    /// The bytes of a space; `None` if they are unavailable.
    pub fn content<G: Grammar + ?Sized>(&self, grammar: &G, space: u32) -> Option<Arc<Vec<u8>>> {
        if space == self.file_space() {
            return Some(Arc::clone(&self.file));
        }
        let unpack = || grammar.content(&self.file, &self.table.spaces, space).map(Arc::new);
        self.contents.borrow_mut().entry(space).or_insert_with(unpack).clone()
    }

    /// The bytes of a field.
    pub fn bytes<G: Grammar + ?Sized>(&self, grammar: &G, field: usize) -> Option<Vec<u8>> {
        let found = &self.table.fields[field];
        let content = self.content(grammar, found.space)?;
        content.get(found.start as usize..found.end as usize).map(<[u8]>::to_vec)
    }

    /// The correct value of a checksum over a range of some content. `own` is the position of the checksum in that range; empty if
    /// the checksum is elsewhere.
    pub fn sum_of<G: Grammar + ?Sized>(
        &self,
        grammar: &G,
        field: usize,
        content: &[u8],
        range: Range<u64>,
        own: Range<u64>,
    ) -> Option<Summed> {
        let bytes = content.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)?;
        let node = self.table.node(field);
        let bytes = node.sum().map_or(Cow::Borrowed(bytes), |sum| sum.bytes(bytes, range, own));
        grammar.check_sum(node, &bytes)
    }
}
