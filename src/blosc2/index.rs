//! The index: the place of each chunk.

use crate::bytes::limits::Budget;
use crate::error::Result;
use ndbytes_schemas::blosc2::IndexEntry;
use std::ops::Range;
use std::sync::OnceLock;

/// The place of each chunk, in the order of the chunks.
#[derive(Debug, Default)]
pub struct Index {
    count: u64,
    entries: Entries,
    /// The offsets of all stored chunks in ascending order, once they were requested.
    starts: OnceLock<Vec<u64>>,
}

#[derive(Debug)]
enum Entries {
    /// All entries are the same.
    Same(IndexEntry),
    /// The entries as they are stored.
    Listed(Vec<u8>),
}

impl Default for Entries {
    fn default() -> Self {
        Entries::Same(IndexEntry::At(0))
    }
}

impl Index {
    /// An index whose entries are all the same.
    pub fn same(entry: IndexEntry, count: u64) -> Self {
        Index { count, entries: Entries::Same(entry), starts: OnceLock::new() }
    }

    /// An index whose entries are these bytes.
    pub fn listed(bytes: Vec<u8>) -> Self {
        let count = (bytes.len() / IndexEntry::LENGTH) as u64;
        Index { count, entries: Entries::Listed(bytes), starts: OnceLock::new() }
    }

    pub fn len(&self) -> u64 {
        self.count
    }

    /// The entry of a chunk.
    pub fn entry(&self, chunk: u64) -> IndexEntry {
        match &self.entries {
            Entries::Same(entry) => *entry,
            Entries::Listed(bytes) => {
                let entry = bytes.as_chunks().0.get(chunk as usize);
                entry.map_or(IndexEntry::Undefined(-1), |bytes| IndexEntry::from_bytes(*bytes))
            }
        }
    }

    /// The chunks whose entries can differ. If all entries are the same, these are the first two chunks.
    pub fn distinct(&self) -> Range<u64> {
        match self.entries {
            Entries::Same(_) => 0..self.count.min(2),
            Entries::Listed(_) => 0..self.count,
        }
    }

    /// The offset of the stored chunk that follows the one at an offset; `None` if it is the last one.
    ///
    /// # Errors
    /// [`Error::Limit`](crate::Error::Limit) if there is no memory for a list of all offsets.
    pub fn next_start(&self, offset: u64, budget: &Budget) -> Result<Option<u64>> {
        let starts = self.starts(budget)?;
        Ok(starts.get(starts.partition_point(|&start| start <= offset)).copied())
    }

    /// The offset of another stored chunk that begins in a range, at whose start one begins; `None` if there is no other.
    ///
    /// # Errors
    /// As for [`Index::next_start`].
    pub fn second_start(&self, range: Range<u64>, budget: &Budget) -> Result<Option<u64>> {
        let starts = self.starts(budget)?;
        let first = starts.partition_point(|&start| start < range.start);
        Ok(starts.get(first + 1).copied().filter(|&start| start < range.end))
    }

    /// The offsets of all stored chunks in ascending order.
    fn starts(&self, budget: &Budget) -> Result<&[u64]> {
        if self.starts.get().is_none() {
            let distinct = self.distinct();
            budget.take((distinct.end - distinct.start).saturating_mul(2 * size_of::<u64>() as u64), "an index")?;
        }
        Ok(self.starts.get_or_init(|| {
            let stored = |chunk| match self.entry(chunk) {
                IndexEntry::At(offset) => Some(offset),
                _ => None,
            };
            let mut starts: Vec<u64> = self.distinct().filter_map(stored).collect();
            starts.sort_unstable();
            starts
        }))
    }

    /// The bytes of the decoded entries, or `None` if all are the same.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.entries {
            Entries::Same(_) => None,
            Entries::Listed(bytes) => Some(bytes),
        }
    }
}
