//! One field in 64 bytes.

use crate::alignment::Alignment;
use crate::name::Name;
use crate::reference::Bits;
use std::ops::Range;

/// No node, and no further facts.
pub const NONE: u32 = u32::MAX;

/// The maximum number of nodes of a space, whatever the limits are. Their numbers have 32 bits, and so have the places of their
/// first bytes.
pub const MOST_NODES: u64 = 1 << 28;

/// The number of bytes of each field that are kept to be shown.
pub const SHOWN_BYTES: u64 = 16;

/// A field: its place, its value, and the numbers of what stands elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub start: u64,
    pub end: u64,
    /// The value, as far as it has room, or the place of its text. The second word may be the number of a meaning.
    pub words: [u64; 2],
    /// The index in a list; the first one of several.
    pub index: u64,
    /// The number of the label.
    pub label: u32,
    /// The next field beside it.
    pub next: u32,
    /// Its first part.
    pub first: u32,
    /// The place of its first bytes among all that are kept.
    pub sample: u32,
    /// The number of its further facts.
    pub side: u32,
    pub kind: Kind,
    pub said: Meaning,
    /// The number of its first bytes that are kept.
    pub sampled: u8,
    pub flags: u8,
}

const _: () = assert!(size_of::<Entry>() <= 64, "maps are made of many nodes");

/// The kind of a value, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    None,
    /// In the first word.
    Uint,
    Int,
    Single,
    Float,
    Flags,
    /// The number of a name in the first word.
    Name,
    /// In both words.
    WideUint,
    WideInt,
    /// Place and length of a text.
    Text,
    /// Place and kept length of bytes in one word, and the whole length in the other.
    Bytes,
}

impl Kind {
    /// Returns whether the second word is not needed for the value.
    pub fn has_room(self) -> bool {
        !matches!(self, Kind::WideUint | Kind::WideInt | Kind::Text | Kind::Bytes)
    }
}

/// The place of the meaning of a value, or the way it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    None,
    /// The number of a name in the second word.
    Name,
    /// Among the further facts.
    Side,
    /// The number of bytes of the field.
    Amount,
    /// The same, or `none`.
    AmountOrNone,
    /// The runs of bits that are not zero.
    Bits,
    /// The bytes that no field claims.
    Gap,
}

/// Flags of an entry.
pub const ONE: u8 = 1;
pub const RANGE: u8 = 2;
pub const BROKEN: u8 = 4;
/// The map has no room for its parts.
pub const CUT: u8 = 8;
/// One of its parts stands in it; the others stand elsewhere.
pub const AROUND: u8 = 16;

impl Entry {
    /// A field without a value.
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

/// Facts that few fields have.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// The index after the last one, of several elements.
    pub index_end: u64,
    pub missing: u64,
    pub each: Option<u64>,
    pub opens: Option<u32>,
    pub key: Option<Box<str>>,
    pub meaning: Option<Name>,
    pub bits: Box<[Bits]>,
    pub alignment: Option<Alignment>,
    /// The structure that it is part of, if its bytes stand elsewhere; [`NONE`] for the first level.
    pub home: Option<u32>,
    /// The bytes that are joined into the content of the space that it opens, if they are not its own.
    pub pieces: Box<[Range<u64>]>,
}

impl Side {
    /// Bytes of memory beside its own.
    pub fn heap(&self) -> u64 {
        let key = self.key.as_ref().map_or(0, |key| key.len() as u64);
        key + self.meaning.as_ref().map_or(0, Name::heap)
            + (size_of_val::<[Bits]>(&self.bits) + size_of_val::<[Range<u64>]>(&self.pieces)) as u64
    }
}
