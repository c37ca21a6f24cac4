//! Edits of bytes, and where other bytes come to stand after them.

use std::ops::Range;

/// Bytes of a space that become others.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The space.
    pub space: u32,
    /// The bytes of the field in which the edit is: what ends with it grows, what follows it moves.
    pub owner: Range<u64>,
    /// The bytes that go.
    pub at: Range<u64>,
    /// The bytes that come.
    pub bytes: Vec<u8>,
    /// The field whose bytes these are, if they are those of a whole field.
    pub field: Option<usize>,
    /// The fields of the element after which another one comes: they stay as long as they are.
    pub after: Range<usize>,
}

impl Edit {
    /// All bytes of a field become others.
    pub fn whole(space: u32, bytes: Range<u64>, field: usize, new: Vec<u8>) -> Self {
        Edit { space, owner: bytes.clone(), at: bytes, bytes: new, field: Some(field), after: 0..0 }
    }

    /// The bytes by which the space gets longer.
    pub fn growth(&self) -> i64 {
        self.bytes.len() as i64 - (self.at.end - self.at.start) as i64
    }

    /// The way of an offset through the edit; `inside` says that it is the end of one of the fields that stay as they are.
    fn way(&self, offset: u64, stays: bool) -> i64 {
        let Range { start, end } = self.at;
        let is_after_owner = offset >= self.owner.end && self.owner.end > self.owner.start && !stays;
        if is_after_owner || offset >= end && offset > start {
            self.growth()
        } else if offset <= start {
            0
        } else {
            // The bytes that it stood at are others now.
            (offset - start).min(self.bytes.len() as u64) as i64 - (offset - start) as i64
        }
    }

    /// Returns whether both touch the same bytes.
    pub fn overlaps(&self, other: &Edit) -> bool {
        self.space == other.space && self.at.start < other.at.end && other.at.start < self.at.end
    }
}

/// The edits of one space that change its length, in order.
#[derive(Debug, Default)]
pub struct Moves<'e> {
    edits: Vec<&'e Edit>,
    /// The bytes that come before each edit.
    before: Vec<i64>,
}

impl<'e> Moves<'e> {
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

    /// The offset after the edits of what stands at one before them. `field` is the field that ends there.
    pub fn moved(&self, offset: u64, field: Option<usize>) -> u64 {
        let first = self.edits.partition_point(|edit| edit.at.end < offset);
        let mut way = self.before[first];
        for edit in self.edits[first..].iter().take_while(|edit| edit.at.start <= offset) {
            way += edit.way(offset, field.is_some_and(|field| edit.after.contains(&field)));
        }
        offset.saturating_add_signed(way)
    }
}

/// The bytes of a space after its edits. Of two edits of the same bytes, the first one is made.
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
