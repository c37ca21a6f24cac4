//! Edits of bytes and how they move other bytes.
//!
//! All positions in an [`Edit`] refer to the file before any edit, so edits can be collected in any order and applied at
//! once. [`Moves`] maps an old offset to a new one. The difficult case is an offset at the end of an edit. The end of
//! the field that grew moves, and so does the start of the next field, but if an element is duplicated, the end of the
//! original stays. That is what `owner` and `after` are for.

use std::ops::Range;

/// A replacement of bytes in a space.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The space.
    pub space: u32,
    /// The bytes of the field that contains the edit: any field that ends with it grows, and any field after it moves.
    pub owner: Range<u64>,
    /// The bytes to remove.
    pub at: Range<u64>,
    /// The bytes to insert.
    pub bytes: Vec<u8>,
    /// The field, if the edit replaces the bytes of a whole field.
    pub field: Option<usize>,
    /// The fields of an element after which the edit inserts another one. Their lengths do not change.
    pub after: Range<usize>,
}

impl Edit {
    /// Replaces all bytes of a field.
    pub fn whole(space: u32, bytes: Range<u64>, field: usize, new: Vec<u8>) -> Self {
        Edit { space, owner: bytes.clone(), at: bytes, bytes: new, field: Some(field), after: 0..0 }
    }

    /// The number of bytes by which the space grows.
    pub fn growth(&self) -> i64 {
        self.bytes.len() as i64 - (self.at.end - self.at.start) as i64
    }

    /// The number of bytes by which the edit moves an offset; `stays` means that the offset is the end of an unchanged field.
    ///
    /// An offset after the edit, or at the end of the field that grows, moves by the growth. An offset before the edit
    /// stays. An offset among the replaced bytes keeps its distance from the start, up to the number of new bytes.
    fn way(&self, offset: u64, stays: bool) -> i64 {
        let Range { start, end } = self.at;
        let is_after_owner = offset >= self.owner.end && self.owner.end > self.owner.start && !stays;
        if is_after_owner || offset >= end && offset > start {
            self.growth()
        } else if offset <= start {
            0
        } else {
            // The bytes at this offset were replaced.
            (offset - start).min(self.bytes.len() as u64) as i64 - (offset - start) as i64
        }
    }

    /// Returns whether both edits touch the same bytes.
    pub fn overlaps(&self, other: &Edit) -> bool {
        self.space == other.space && self.at.start < other.at.end && other.at.start < self.at.end
    }
}

/// The edits of a space that change its length, in order.
#[derive(Debug, Default)]
pub struct Moves<'e> {
    edits: Vec<&'e Edit>,
    /// The number of bytes added before each edit.
    before: Vec<i64>,
}

impl<'e> Moves<'e> {
    /// Computes the moves that edits cause. Edits that do not change the length move nothing.
    pub fn new(edits: impl Iterator<Item = &'e Edit>) -> Self {
        let mut edits: Vec<&Edit> = edits.filter(|edit| edit.growth() != 0).collect();
        edits.sort_by_key(|edit| edit.at.start);
        let mut sum = 0;
        let mut before = Vec::new();
        for edit in &edits {
            before.push(sum);
            sum += edit.growth();
        }
        before.push(sum);
        Moves { edits, before }
    }

    /// Converts an offset before the edits to the offset after them. `field` is the field that ends at this offset, if any.
    pub fn moved(&self, offset: u64, field: Option<usize>) -> u64 {
        let first = self.edits.partition_point(|edit| edit.at.end < offset);
        let mut way = self.before[first];
        for edit in self.edits[first..].iter().take_while(|edit| edit.at.start <= offset) {
            way += edit.way(offset, field.is_some_and(|field| edit.after.contains(&field)));
        }
        offset.saturating_add_signed(way)
    }
}

/// The bytes of a space after its edits. If two edits overlap, the first one is applied.
pub fn edited(content: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.at.start, edit.at.end));
    let mut new = Vec::new();
    let mut at = 0;
    for edit in order {
        let [start, end] = [edit.at.start, edit.at.end].map(|offset| (offset as usize).min(content.len()));
        if start >= at {
            new.extend_from_slice(&content[at..start]);
            new.extend_from_slice(&edit.bytes);
            at = end.max(start);
        }
    }
    new.extend_from_slice(&content[at..]);
    new
}
