//! The index: the place of each chunk.

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
    Same(i64),
    /// Little-endian numbers of 64 bits.
    Listed(Vec<u8>),
}

impl Default for Entries {
    fn default() -> Self {
        Entries::Same(0)
    }
}

/// The place of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry {
    /// At this distance from the first byte after the header, or, in a sparse frame, in the file of this number.
    At(u64),
    /// Nowhere: all its bytes are zero.
    Zeros,
    /// Nowhere: all its items are NaN.
    Nan,
    /// Nowhere: it was never written.
    Uninitialised,
    /// An undefined entry.
    Undefined(i64),
}

impl Index {
    /// An index whose entries are all the same.
    pub fn same(entry: i64, count: u64) -> Self {
        Index { count, entries: Entries::Same(entry) }
    }

    /// An index whose entries are these bytes.
    pub fn listed(bytes: Vec<u8>) -> Self {
        Index { count: (bytes.len() / 8) as u64, entries: Entries::Listed(bytes) }
    }

    pub fn len(&self) -> u64 {
        self.count
    }

    /// The entry of a chunk.
    pub fn entry(&self, chunk: u64) -> Entry {
        Entry::new(match &self.entries {
            Entries::Same(entry) => *entry,
            Entries::Listed(bytes) => {
                let at = chunk as usize * 8;
                bytes
                    .get(at..at + 8)
                    .and_then(|bytes| bytes.first_chunk())
                    .map_or(-1, |bytes| i64::from_le_bytes(*bytes))
            }
        })
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

impl Entry {
    /// The lowest bit of the kind, in an entry that leads nowhere.
    const KIND: u32 = 56;

    /// The entry as a number.
    pub fn code(self) -> i64 {
        match self {
            Entry::At(offset) => offset as i64,
            Entry::Zeros => (0x81_u64 << Self::KIND) as i64,
            Entry::Nan => (0x82_u64 << Self::KIND) as i64,
            Entry::Uninitialised => (0x84_u64 << Self::KIND) as i64,
            Entry::Undefined(entry) => entry,
        }
    }

    fn new(entry: i64) -> Self {
        match (u64::try_from(entry), entry as u64) {
            (Ok(offset), _) => Entry::At(offset),
            (_, bits) if bits == 0x81 << Self::KIND => Entry::Zeros,
            (_, bits) if bits == 0x82 << Self::KIND => Entry::Nan,
            (_, bits) if bits == 0x84 << Self::KIND => Entry::Uninitialised,
            _ => Entry::Undefined(entry),
        }
    }
}
