//! The tables that locate the blocks.
//!
//! Offsets are relative to the first byte of the file, and 0 means that an optional part is missing. Some numbers are not stored.
//! For example, a lookup table has one entry for each `rows_per_block` rows of the table.
//!
//! The version of the file determines which offsets a [`Column`] has: slot names only in 1.1.1.3, and annotations from 1.1.1.4 on.
//! Every reader of a column therefore needs the version as an argument.

use super::codec::Codec;
use super::net_string::NetString;
use everybyte::{bytes::Zeros, codes, layout, map::Value, varint::Leb128};
use std::fmt;

/// The beginning of a file, with the offsets of everything else.
#[layout]
#[brw(little, magic = b"CML\0DVB\0")]
pub struct Header {
    /// The version of this file's format.
    #[layout(steady)]
    pub version: Version,
    /// The oldest version whose readers can read the file.
    #[layout(steady)]
    pub compatible_version: Version,
    /// Offset of the table of columns.
    #[layout(place = outer::columns)]
    pub columns_offset: i64,
    /// The offset of the tail, the last eight bytes of the file.
    #[layout(place = outer::tail)]
    pub tail_offset: i64,
    /// Rows of the table.
    #[layout(fact)]
    pub row_count: i64,
    /// Columns of the table.
    #[layout(counts = outer::columns)]
    pub column_count: i32,
    /// Unused.
    pub reserved: Zeros<204>,
}

/// The end of a file.
#[layout]
#[brw(little, magic = b"\0BVD\0LMC")]
pub struct Tail {}

/// A version of the format: four 16-bit numbers, the most significant one last.
#[layout(value = Value::Text(self.to_string()))]
#[derive(Copy, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u64);

impl Version {
    /// The last version in which numbers, times and texts could be missing.
    pub const V5: Version = Version(0x0001_0001_0001_0005);
    /// The version that ML.NET has written since 0.6.
    pub const V6: Version = Version(0x0001_0001_0001_0006);

    /// The version whose table of columns has slot-name offsets.
    const SLOT_NAMES: u64 = 0x0001_0001_0001_0003;
    /// The first version whose table of columns has annotation offsets.
    const ANNOTATIONS: u64 = 0x0001_0001_0001_0004;

    /// Returns whether the table of columns has slot-name offsets, as in version 1.1.1.3.
    pub fn has_slot_names(self) -> bool {
        self.0 == Self::SLOT_NAMES
    }

    /// Returns whether the table of columns has annotation offsets, as in version 1.1.1.4 and later.
    pub fn has_annotations(self) -> bool {
        self.0 >= Self::ANNOTATIONS
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |shift: u32| (self.0 >> shift) & 0xFFFF;
        write!(f, "{}.{}.{}.{}", part(48), part(32), part(16), part(0))
    }
}

/// The table of columns.
#[layout]
#[brw(little)]
#[br(import { version: Version, column_count: u32 })]
pub struct Columns {
    /// One entry per column.
    #[br(count = column_count, args { inner: binrw::args! { version } })]
    pub columns: Vec<Column>,
}

/// A column: its name, its type, and the offsets of its parts.
#[layout]
#[brw(little)]
#[br(import { version: Version })]
pub struct Column {
    /// The name. If several columns have the same one, the last hides the others.
    #[layout(key)]
    pub name: NetString,
    /// How its values are stored in a block.
    pub codec: Codec,
    /// The compression of its blocks.
    pub compression: Compression,
    /// Rows of each block; the last block has the rest.
    #[layout(fact)]
    pub rows_per_block: Leb128,
    /// Offset of its lookup table.
    #[layout(place = outer::lookup)]
    pub lookup_offset: i64,
    /// Offset of its slot names (version 1.1.1.3); 0 if it has none.
    #[layout(place = slot_names)]
    #[br(if(version.0 == Version::SLOT_NAMES))]
    pub slot_names_offset: Option<i64>,
    /// Length and number of the slot names; only present if there are any.
    #[br(if(slot_names_offset.is_some_and(|offset| offset > 0)))]
    pub slot_names: Option<SlotNamesExtent>,
    /// The offset of its annotations (since version 1.1.1.4); 0 if it has none.
    #[layout(place = outer::annotations)]
    #[br(if(version.0 >= Version::ANNOTATIONS))]
    pub annotations_offset: Option<i64>,
}

codes! {
    /// A compression method. An undefined byte is kept, because the rest of the file can be read without the column.
    pub struct Compression(u8) {
        /// No compression.
        NONE = 0 => "none";
        /// A raw deflate stream (RFC 1951).
        DEFLATE = 1 => "deflate";
        /// A zlib stream (RFC 1950), which the format's description promises but ML.NET never supported.
        ZLIB = 2 => "zlib";
    }
}

/// The position and length of slot names, in version 1.1.1.3.
#[layout]
#[brw(little)]
pub struct SlotNamesExtent {
    /// Bytes of the slot names.
    #[layout(extent = outer::slot_names)]
    pub length: i64,
    /// The number of slots that have a name.
    #[layout(counts = outer::slot_names.slots)]
    pub count: i32,
}

/// The names of a vector's slots, in version 1.1.1.3.
#[layout]
#[brw(little)]
#[br(import { count: u32 })]
pub struct SlotNames {
    /// One entry per named slot.
    #[br(count = count)]
    pub slots: Vec<Slot>,
}

/// The name of one slot of a vector.
#[layout]
#[brw(little)]
pub struct Slot {
    /// Index of the slot.
    #[layout(fact, key)]
    pub index: i32,
    /// Its name.
    pub name: NetString,
}

/// A column's blocks, with one entry each.
#[layout]
#[brw(little)]
#[br(import { block_count: u64 })]
pub struct Lookup {
    /// The blocks, in the order of their rows.
    #[br(count = block_count)]
    pub blocks: Vec<BlockEntry>,
}

/// The position of a block.
#[layout]
#[brw(little)]
pub struct BlockEntry {
    /// The offset of its first byte.
    #[layout(place = outer::block)]
    pub offset: i64,
    /// Its length in the file.
    #[layout(extent = outer::block)]
    pub stored_length: i32,
    /// Its length after decompression.
    #[layout(extent = "outer::block!")]
    pub length: i32,
}

/// The table of a column's annotations, called metadata in ML.NET.
#[layout]
#[brw(little)]
pub struct Annotations {
    /// Number of annotations; at least one.
    pub count: Leb128,
    /// One entry per annotation.
    #[br(count = count.value())]
    pub entries: Vec<Annotation>,
}

impl Annotations {
    /// One entry per annotation.
    pub fn entries(&self) -> &[Annotation] {
        &self.entries
    }
}

/// An annotation: a value of any type, in its own block.
#[layout]
#[brw(little)]
pub struct Annotation {
    /// The kind, such as `SlotNames` or `KeyValues`.
    #[layout(key)]
    pub kind: NetString,
    /// How the value is stored in its block.
    pub codec: Codec,
    /// The compression of the block.
    pub compression: Compression,
    /// Offset of the block.
    #[layout(place = outer::annotation)]
    pub offset: i64,
    /// Its length in the file. The length after decompression is not stated.
    #[layout(extent = outer::annotation)]
    pub stored_length: Leb128,
}
