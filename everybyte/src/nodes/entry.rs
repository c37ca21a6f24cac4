//! Stores one field in 64 bytes.
//!
//! A map may have as many fields as the file has bytes, so the size of a field determines how large a file can be explained. Facts
//! that nearly all fields have are in the [`Entry`], shared facts in its label, and rare facts in [`Side`]. Entries refer to each
//! other by 32-bit numbers. Parts are a list that begins at `first` and is linked by `next`.

use crate::alignment::Alignment;
use crate::name::Name;
use crate::reference::Bits;
use std::ops::Range;

/// Means that there is no node or that there are no rare facts.
pub const NONE: u32 = u32::MAX;

/// The maximum number of nodes per space, regardless of other limits. The numbers of nodes and the positions of their
/// first bytes have 32 bits.
pub const MOST_NODES: u64 = 1 << 28;

/// The number of bytes of each field that are kept for display.
pub const SHOWN_BYTES: u64 = 16;

/// A field: its position, its value, and the indices of facts that are stored elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub start: u64,
    pub end: u64,
    /// The value, if it fits, or the position of its text. The second word may be the index of a meaning.
    pub words: [u64; 2],
    /// The index in a list; the first index if the field represents several elements.
    pub index: u64,
    /// The number of the label.
    pub label: u32,
    /// The next sibling.
    pub next: u32,
    /// Its first part.
    pub first: u32,
    /// The position of its first bytes among all bytes that are kept.
    pub sample: u32,
    /// The number of its rare facts.
    pub side: u32,
    pub kind: Kind,
    pub said: Meaning,
    /// The number of its first bytes that are kept.
    pub sampled: u8,
    pub flags: u8,
}

const _: () = assert!(size_of::<Entry>() <= 64, "maps are made of many nodes");

/// The kind of a value, and where it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    None,
    /// In the first word.
    Uint,
    Int,
    Single,
    Float,
    Flags,
    /// The number of a name, in the first word.
    Name,
    /// In both words.
    WideUint,
    WideInt,
    /// The position and length of a string.
    Text,
    /// The position and stored length of bytes in one word, and their full length in the other.
    Bytes,
}

impl Kind {
    /// Returns whether the second word is not needed for the value.
    pub fn has_room(self) -> bool {
        !matches!(self, Kind::WideUint | Kind::WideInt | Kind::Text | Kind::Bytes)
    }
}

/// Where the meaning of a value is stored, or how it is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    None,
    /// The number of a name, in the second word.
    Name,
    /// Among the rare facts.
    Side,
    /// The number of bytes of the field.
    Amount,
    /// The number of bytes of the field, or `none`.
    AmountOrNone,
    /// The nonzero bit fields.
    Bits,
    /// Bytes that no field claims.
    Gap,
}

/// Flags of an entry.
pub const ONE: u8 = 1;
pub const RANGE: u8 = 2;
pub const BROKEN: u8 = 4;
/// The map has no room for its parts.
pub const CUT: u8 = 8;
/// One of its parts is inside it, and the others are elsewhere.
pub const AROUND: u8 = 16;

impl Entry {
    /// Creates a field without a value.
    pub fn new(label: u32, start: u64, end: u64) -> Self {
        Entry {
            start,
            end,
            words: [0; 2],
            index: 0,
            label,
            next: NONE,
            first: NONE,
            sample: 0,
            side: NONE,
            kind: Kind::None,
            said: Meaning::None,
            sampled: 0,
            flags: 0,
        }
    }

    pub fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub fn set(&mut self, flag: u8, is_set: bool) {
        self.flags = if is_set { self.flags | flag } else { self.flags & !flag };
    }
}

/// Properties that only a few fields have.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// The end of the index range, if the field represents several elements.
    pub index_end: u64,
    pub missing: u64,
    pub each: Option<u64>,
    pub opens: Option<u32>,
    pub key: Option<Box<str>>,
    pub meaning: Option<Name>,
    pub bits: Box<[Bits]>,
    pub alignment: Option<Alignment>,
    /// The structure that contains the field, if the field is stored elsewhere; [`NONE`] for the top level.
    pub home: Option<u32>,
    /// The bytes that are joined into the content of the space that it opens. Empty if its own bytes are that content.
    pub pieces: Box<[Range<u64>]>,
}

impl Side {
    /// The heap memory in bytes.
    pub fn heap(&self) -> u64 {
        let key = self.key.as_ref().map_or(0, |key| key.len() as u64);
        key + self.meaning.as_ref().map_or(0, Name::heap)
            + (size_of_val::<[Bits]>(&self.bits) + size_of_val::<[Range<u64>]>(&self.pieces)) as u64
    }
}
