//! The decoded index of a frame: the position of each chunk.

use super::ids::Special;
use everybyte::{layout, list::Elements};

/// The decoded index.
#[layout]
#[brw(little)]
#[br(import { count: u64 })]
pub struct Index {
    /// The position of each chunk.
    #[layout(place = outer::chunks, after = outer::metalayers)]
    #[br(args { count })]
    pub entries: Elements<StoredEntry>,
}

/// The position of a chunk, as a little-endian number of 64 bits. If the entry does not point to a chunk, the highest bit is set,
/// bits 56 to 58 contain the special value, and all others are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexEntry {
    /// The distance from the first byte after the header; in a sparse frame, the number of the file.
    At(u64),
    /// No position, because all items have this value.
    Special(Special),
    /// An undefined entry.
    Undefined(i64),
}

impl IndexEntry {
    /// The length of an entry in bytes.
    pub const LENGTH: usize = size_of::<i64>();

    /// The bit that is set in an entry that does not refer to a chunk.
    const NOWHERE: u64 = 1 << 63;

    /// The lowest bit of the special value.
    const KIND: u32 = 56;

    /// Decodes an entry.
    pub const fn from_bytes(bytes: [u8; Self::LENGTH]) -> Self {
        let raw = u64::from_le_bytes(bytes);
        if raw & Self::NOWHERE == 0 {
            return IndexEntry::At(raw);
        }
        match Self::kind_of(raw) {
            kind @ (Special::ZEROS | Special::NAN | Special::UNINITIALISED) if raw == Self::nowhere(kind) => {
                IndexEntry::Special(kind)
            }
            _ => IndexEntry::Undefined(raw as i64),
        }
    }

    /// Encodes the entry.
    pub const fn to_bytes(self) -> [u8; Self::LENGTH] {
        match self {
            IndexEntry::At(place) => place.to_le_bytes(),
            IndexEntry::Special(kind) => Self::nowhere(kind).to_le_bytes(),
            IndexEntry::Undefined(raw) => raw.to_le_bytes(),
        }
    }

    /// The special value in its three bits, whether or not the entry points to a chunk.
    pub const fn kind(self) -> Special {
        Self::kind_of(u64::from_le_bytes(self.to_bytes()))
    }

    const fn words(self) -> &'static str {
        match self {
            IndexEntry::At(_) => "the place of a stored chunk",
            IndexEntry::Special(kind) => kind.words(),
            IndexEntry::Undefined(_) => "not defined",
        }
    }

    const fn kind_of(raw: u64) -> Special {
        Special((raw >> Self::KIND) as u8 & 0b111)
    }

    const fn nowhere(kind: Special) -> u64 {
        Self::NOWHERE | (kind.0 as u64) << Self::KIND
    }
}

/// An entry as stored in the file.
#[layout(name = "IndexEntry", meaning = self.entry().words())]
#[brw(little)]
#[derive(Copy, Eq)]
pub struct StoredEntry(i64);

impl StoredEntry {
    /// Decodes the position or the value.
    pub const fn entry(self) -> IndexEntry {
        IndexEntry::from_bytes(self.0.to_le_bytes())
    }
}
