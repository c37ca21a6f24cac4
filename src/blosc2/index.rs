//! The index: the position of each chunk.
//!
//! The index of a frame with any number of equal chunks compresses to a few bytes. If all entries are the same, only one entry and
//! their number are kept in memory, so an array of a petabyte of zeros costs nothing to open. Loops over chunks use
//! [`Index::distinct`] for the same reason.

use crate::bytes::limits::Budget;
use crate::error::Result;
use ndbytes_schemas::blosc2::IndexEntry;
use std::ops::Range;
use std::sync::OnceLock;

/// The position of each chunk, in chunk order.
#[derive(Debug, Default)]
pub struct Index {
    count: u64,
    entries: Entries,
    /// The offsets of all stored chunks in ascending order; collected when they are first requested.
    starts: OnceLock<Vec<u64>>,
}

/// The entries of an index.
#[derive(Debug)]
enum Entries {
    /// All entries are the same.
    Same(IndexEntry),
    /// The stored entries.
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

    /// An index with these bytes as entries.
    pub fn listed(bytes: Vec<u8>) -> Self {
        let count = (bytes.len() / IndexEntry::LENGTH) as u64;
        Index { count, entries: Entries::Listed(bytes), starts: OnceLock::new() }
    }

    /// The number of entries, one per chunk.
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

    /// The chunks whose entries can differ: only the first two if all entries are the same.
    pub fn distinct(&self) -> Range<u64> {
        match self.entries {
            Entries::Same(_) => 0..self.count.min(2),
            Entries::Listed(_) => 0..self.count,
        }
    }

    /// The offset of the next stored chunk after the one at the given offset; `None` if that is the last one.
    ///
    /// # Errors
    /// [`Error::Limit`](crate::Error::Limit) if a list of all offsets exceeds the memory limit.
    pub fn next_start(&self, offset: u64, budget: &Budget) -> Result<Option<u64>> {
        let starts = self.starts(budget)?;
        Ok(starts.get(starts.partition_point(|&start| start <= offset)).copied())
    }

    /// The offset of another stored chunk inside the range of a chunk; `None` if there is none.
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

    /// The decoded entries as bytes; `None` if all are the same.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.entries {
            Entries::Same(_) => None,
            Entries::Listed(bytes) => Some(bytes),
        }
    }
}
