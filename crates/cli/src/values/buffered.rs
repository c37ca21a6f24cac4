//! Items that are requested one by one, but read in larger pieces.

use ndbytes::{ItemType, Items, Result};

/// Reads ahead, so that blocks of a compressed array are not decoded again for each row.
pub struct Buffered<'i> {
    items: &'i mut dyn Items,
    item_type: ItemType,
    start: u64,
    /// The items from index `start` on.
    bytes: Vec<u8>,
}

impl<'i> Buffered<'i> {
    pub fn new(items: &'i mut dyn Items) -> Self {
        let item_type = items.item_type().clone();
        Buffered { items, item_type, start: 0, bytes: Vec::new() }
    }
}

impl Items for Buffered<'_> {
    fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    fn shape(&self) -> &[usize] {
        self.items.shape()
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        let size = self.item_type.stride();
        let held = self.bytes.len() as u64 / size.max(1);
        let is_held = start >= self.start && start.saturating_add(count) <= self.start + held;
        if !is_held {
            let all = self.items.count();
            let asked = self.items.piece().max(count).min(all.saturating_sub(start)).max(count);
            self.bytes.clear();
            self.bytes.extend_from_slice(self.items.read(start, asked)?);
            self.start = start;
        }
        let first = ((start - self.start) * size) as usize;
        Ok(&self.bytes[first..first + (count * size) as usize])
    }
}
