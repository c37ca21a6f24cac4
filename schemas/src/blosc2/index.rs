//! The index of a frame, decoded: the place of each chunk.

use super::ids::Special;
use everybyte::{Elements, layout};

/// The index, decoded.
#[layout]
#[brw(little)]
#[br(import { count: u64 })]
pub struct Index {
    /// The place of each chunk.
    #[layout(place = outer::chunks, after = outer::metalayers)]
    #[br(args { count })]
    pub entries: Elements<StoredEntry>,
}

/// The place of a chunk: 64 bits, little-endian. In an entry that leads nowhere, the highest bit is set. The special value is
/// in bits 56 to 58, and all others are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexEntry {
    /// At this distance from the first byte after the header, or, in a sparse frame, in the file of this number.
    At(u64),
    /// Nowhere: all its items have this value.
    Special(Special),
    /// An undefined entry.
    Undefined(i64),
}

impl IndexEntry {
    /// Bytes of an entry.
    pub const LENGTH: usize = size_of::<i64>();

    /// The bit of an entry that leads nowhere.
    const NOWHERE: u64 = 1 << 63;

    /// The lowest bit of the special value.
    const KIND: u32 = 56;

    /// The entry that stands in the file.
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

    /// The bytes that stand in the file.
    pub const fn to_bytes(self) -> [u8; Self::LENGTH] {
        match self {
            IndexEntry::At(place) => place.to_le_bytes(),
            IndexEntry::Special(kind) => Self::nowhere(kind).to_le_bytes(),
            IndexEntry::Undefined(raw) => raw.to_le_bytes(),
        }
    }

    /// The special value that the three bits for it state, in whatever entry.
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

/// An entry as it stands in the file.
#[layout(name = "IndexEntry", meaning = self.entry().words())]
#[brw(little)]
#[derive(Copy, Eq)]
pub struct StoredEntry(i64);

impl StoredEntry {
    /// The place or the value that it states.
    pub const fn entry(self) -> IndexEntry {
        IndexEntry::from_bytes(self.0.to_le_bytes())
    }
}
