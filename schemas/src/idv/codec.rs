//! Codecs: the layout of a column's values.
//!
//! A codec is a name and parameters. The parameters of a vector or a key contain another codec, so reading is recursive, and a file
//! of a few hundred bytes could overflow the stack. [`DEEPEST_CODEC`] bounds the depth. Parameters state their length, so a reader
//! can skip a codec that it does not support and still read the other columns.

use super::net_string::NetString;
use binrw::Endian;
use everybyte::{bytes::Region, layout, number::Number, trace::length_of, varint::Leb128};

/// The maximum nesting of codecs. ML.NET writes at most two levels of parameters: a vector of keys.
pub const DEEPEST_CODEC: u8 = 8;

/// A codec: its name, and the parameters needed to read its blocks.
#[layout]
#[brw(little)]
#[br(import { depth: u8 = 0 })]
#[br(pre_assert(depth <= DEEPEST_CODEC, "codecs are nested more than {DEEPEST_CODEC} deep"))]
pub struct Codec {
    /// The name, which is case-sensitive.
    pub name: NetString,
    /// Bytes of the parameters.
    #[layout(extent = "parameters..excess")]
    pub parameters_length: Leb128,
    /// The parameters, whose layout depends on the name.
    #[br(args { name: &name, length: parameters_length.value(), depth })]
    pub parameters: Parameters,
    /// Bytes after the parameters within their declared length; usually empty.
    #[br(args { length: parameters_length.value().saturating_sub(length_of(&parameters, Endian::Little)) })]
    pub excess: Region,
}

/// The parameters of a codec.
#[layout]
#[brw(little)]
#[br(import { name: &NetString, length: u64, depth: u8 })]
pub enum Parameters {
    /// Parameters of `VBuffer`, a vector.
    #[br(pre_assert(name.bytes() == b"VBuffer"))]
    Vector {
        /// The codec of its items, and its shape.
        #[br(args { depth })]
        vector: VectorOf,
    },
    /// Parameters of `Key2`, a category.
    #[br(pre_assert(name.bytes() == b"Key2"))]
    Key {
        /// The codec of its numbers, and the number of categories.
        #[br(args { depth })]
        key: Key,
    },
    /// Parameters of `Key`, a category as written by ML.NET up to 0.9.
    #[br(pre_assert(name.bytes() == b"Key"))]
    OldKey {
        /// The codec of its numbers, and their meaning.
        #[br(args { depth })]
        key: OldKey,
    },
    /// Parameters of any other codec; those that ndbytes knows have none.
    #[br(pre_assert(!matches!(name.bytes(), b"VBuffer" | b"Key2" | b"Key")))]
    Other {
        /// The bytes of the parameters.
        #[br(args { length })]
        bytes: Region,
    },
}

/// A vector of items.
#[layout]
#[brw(little)]
#[br(import { depth: u8 })]
pub struct VectorOf {
    /// The layout of the items.
    #[br(args { depth: depth + 1 })]
    pub item: Box<Codec>,
    /// Number of axes.
    #[br(temp)]
    rank: i32,
    /// The length of each axis; 0 means unknown.
    #[layout(fact)]
    #[br(count = rank)]
    pub dims: Vec<i32>,
}

/// One of a known number of categories: 0 is missing, 1 the first.
#[layout]
#[brw(little)]
#[br(import { depth: u8 })]
pub struct Key {
    /// The layout of the numbers.
    #[br(args { depth: depth + 1 })]
    pub number: Box<Codec>,
    /// Number of categories.
    #[layout(fact)]
    pub count: u64,
}

/// A category as written by ML.NET up to 0.9: 0 is missing, 1 means `min`.
#[layout]
#[brw(little)]
#[br(import { depth: u8 })]
pub struct OldKey {
    /// The layout of the numbers.
    #[br(args { depth: depth + 1 })]
    pub number: Box<Codec>,
    /// 1 if every number up to the last is a category.
    #[layout(fact)]
    pub contiguous: u8,
    /// The value of the first category.
    #[layout(fact)]
    pub min: u64,
    /// Number of categories; 0 means unknown.
    #[layout(fact)]
    pub count: i32,
}

/// How a block stores the items of a simple codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Storage {
    /// One number per item.
    Numbers(Number),
    /// One bit per item.
    Bits,
    /// Two bits per item, in 32-bit words.
    BitPairs,
    /// Two numbers per item. The first numbers of all items are followed by all second numbers.
    DateTimeOffset,
    /// Boundaries, and one text for all items.
    Text,
}

/// The names and layouts of the codecs without parameters, including names from old versions.
pub const SIMPLE_CODECS: [(&str, Storage); 22] = [
    ("SByte", Storage::Numbers(Number::I8)),
    ("Int16", Storage::Numbers(Number::I16)),
    ("Int32", Storage::Numbers(Number::I32)),
    ("Int64", Storage::Numbers(Number::I64)),
    ("Byte", Storage::Numbers(Number::U8)),
    ("UInt16", Storage::Numbers(Number::U16)),
    ("UInt32", Storage::Numbers(Number::U32)),
    ("UInt64", Storage::Numbers(Number::U64)),
    ("Single", Storage::Numbers(Number::F32)),
    ("Double", Storage::Numbers(Number::F64)),
    ("TimeSpan", Storage::Numbers(Number::I64)),
    ("DvTimeSpan", Storage::Numbers(Number::I64)),
    ("DateTime", Storage::Numbers(Number::I64)),
    ("DvDateTime", Storage::Numbers(Number::I64)),
    ("DataViewRowId", Storage::Numbers(Number::U128)),
    ("RowId", Storage::Numbers(Number::U128)),
    ("UInt128", Storage::Numbers(Number::U128)),
    ("Boolean", Storage::Bits),
    ("DvBool", Storage::BitPairs),
    ("DateTimeOffset", Storage::DateTimeOffset),
    ("DvDateTimeZone", Storage::DateTimeOffset),
    ("TextSpan", Storage::Text),
];

impl Codec {
    /// The layout of the items, or of the items in vectors; `None` for a codec that ndbytes does not support.
    pub fn storage(&self) -> Option<Storage> {
        let name = match &self.parameters {
            Parameters::Vector { vector } => return vector.item.storage(),
            Parameters::Key { key } => return key.number.storage(),
            Parameters::OldKey { key } => return key.number.storage(),
            Parameters::Other { .. } => self.name.text()?,
        };
        SIMPLE_CODECS.iter().find(|(simple, _)| *simple == name).map(|&(_, storage)| storage)
    }
}

impl Parameters {
    /// The total length in bytes.
    pub fn length(&self) -> u64 {
        length_of(self, Endian::Little)
    }
}
