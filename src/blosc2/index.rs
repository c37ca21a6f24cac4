//! The index: the place of each chunk.

use ndbytes_schemas::blosc2::IndexEntry;
use std::ops::Range;

/// The place of each chunk, in the order of the chunks.
#[derive(Debug, Default)]
pub struct Index {
    count: u64,
    entries: Entries,
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
        Index { count, entries: Entries::Same(entry) }
    }

    /// An index whose entries are these bytes.
    pub fn listed(bytes: Vec<u8>) -> Self {
        Index { count: (bytes.len() / IndexEntry::LENGTH) as u64, entries: Entries::Listed(bytes) }
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

    /// The bytes of the decoded entries, or `None` if all are the same.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.entries {
            Entries::Same(_) => None,
            Entries::Listed(bytes) => Some(bytes),
        }
    }
}
