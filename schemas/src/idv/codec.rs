//! Codecs: the layout of a column's values.

use super::net_string::NetString;
use binrw::Endian;
use everybyte::{Leb128, Number, Region, layout, length_of};

/// The greatest depth of nested codecs. ML.NET writes two levels of parameters at most, a vector of keys.
pub const DEEPEST_CODEC: u8 = 8;

/// A codec: its name, and the parameters that its blocks are read with.
#[layout]
#[brw(little)]
#[br(import { depth: u8 = 0 })]
#[br(pre_assert(depth <= DEEPEST_CODEC, "codecs stand in each other more than {DEEPEST_CODEC} deep"))]
pub struct Codec {
    /// The name; upper and lower case differ.
    pub name: NetString,
    /// Bytes of the parameters.
    #[layout(extent = "parameters..excess")]
    pub parameters_length: Leb128,
    /// The parameters, whose layout depends on the name.
    #[br(args { name: &name, length: parameters_length.value(), depth })]
    pub parameters: Parameters,
    /// Bytes that the parameters' length covers beyond them; as a rule empty.
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
        /// The codec of its items, and its dimensions.
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
    /// Parameters of `Key`, a category as ML.NET up to 0.9 wrote it.
    #[br(pre_assert(name.bytes() == b"Key"))]
    OldKey {
        /// The codec of its numbers, and their meaning.
        #[br(args { depth })]
        key: OldKey,
    },
    /// Parameters of any other codec: those that ndbytes knows have none.
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
    /// Length of each axis; 0 is unknown.
    #[layout(fact)]
    #[br(count = rank)]
    pub dims: Vec<i32>,
}

/// A category out of a known number: 0 is missing, 1 the first.
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

/// A category as ML.NET up to 0.9 wrote it: 0 is missing, 1 stands for `min`.
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
    /// Number of categories; 0 is unknown.
    #[layout(fact)]
    pub count: i32,
}

/// The layout of a simple codec's items in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Storage {
    /// One number an item.
    Numbers(Number),
    /// One bit an item.
    Bits,
    /// Two bits an item, in words of 32.
    BitPairs,
    /// Two numbers an item: first one number of every item, then the other.
    DateTimeOffset,
    /// Boundaries, and one text for all items.
    Text,
}

/// The codecs without parameters: their names, including those of old versions, and their layouts.
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
    /// The layout of the items, or of a vector's items; `None` for a codec that ndbytes does not know.
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
    /// The bytes that they take.
    pub fn length(&self) -> u64 {
        length_of(self, Endian::Little)
    }
}
