//! The tables that lead to the blocks.

use super::codec::Codec;
use super::net_string::NetString;
use everybyte::{Leb128, Value, Zeros, codes, layout};
use std::fmt;

/// The beginning of a file: where everything else stands.
#[layout]
#[brw(little, magic = b"CML\0DVB\0")]
pub struct Header {
    /// The version of the format that the file is written in.
    #[layout(steady)]
    pub version: Version,
    /// The lowest version whose readers can read the file.
    #[layout(steady)]
    pub compatible_version: Version,
    /// Offset of the table of columns.
    #[layout(place = outer::columns)]
    pub columns_offset: i64,
    /// Offset of the tail, the file's last eight bytes.
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

/// A version of the format: four numbers of 16 bits, the most significant last.
#[layout(value = Value::Text(self.to_string()))]
#[derive(Copy, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u64);

impl Version {
    /// The last version in which numbers, times and texts could be missing.
    pub const V5: Version = Version(0x0001_0001_0001_0005);
    /// The version that ML.NET has written since 0.6.
    pub const V6: Version = Version(0x0001_0001_0001_0006);

    /// The version whose table of columns has offsets of slot names.
    const SLOT_NAMES: u64 = 0x0001_0001_0001_0003;
    /// The first version whose table of columns has offsets of annotations.
    const ANNOTATIONS: u64 = 0x0001_0001_0001_0004;

    /// Returns whether the table of columns has offsets of slot names, as in 1.1.1.3.
    pub fn has_slot_names(self) -> bool {
        self.0 == Self::SLOT_NAMES
    }

    /// Returns whether the table of columns has offsets of annotations, as from 1.1.1.4 on.
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
    /// One entry a column.
    #[br(count = column_count, args { inner: binrw::args! { version } })]
    pub columns: Vec<Column>,
}

/// A column: its name, its type, and the offsets of its parts.
#[layout]
#[brw(little)]
#[br(import { version: Version })]
pub struct Column {
    /// The name. Of several columns with the same one, the last is seen and the others are hidden.
    #[layout(key)]
    pub name: NetString,
    /// The layout of its values in a block.
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
    /// Offset of its annotations (from version 1.1.1.4 on); 0 if it has none.
    #[layout(place = outer::annotations)]
    #[br(if(version.0 >= Version::ANNOTATIONS))]
    pub annotations_offset: Option<i64>,
}

codes! {
    /// A method of compression. An undefined byte is kept, since the rest of the file can be read without its column.
    pub struct Compression(u8) {
        /// Not at all.
        NONE = 0 => "none";
        /// A raw deflate stream (RFC 1951).
        DEFLATE = 1 => "deflate";
        /// A zlib stream (RFC 1950), which the format's description promises and ML.NET never had.
        ZLIB = 2 => "zlib";
    }
}

/// The place and length of slot names, in version 1.1.1.3.
#[layout]
#[brw(little)]
pub struct SlotNamesExtent {
    /// Bytes of the slot names.
    #[layout(extent = outer::slot_names)]
    pub length: i64,
    /// Slots that have a name.
    #[layout(counts = outer::slot_names.slots)]
    pub count: i32,
}

/// The names of a vector's slots, in version 1.1.1.3.
#[layout]
#[brw(little)]
#[br(import { count: u32 })]
pub struct SlotNames {
    /// One entry a named slot.
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

/// A column's blocks, one entry each.
#[layout]
#[brw(little)]
#[br(import { block_count: u64 })]
pub struct Lookup {
    /// The blocks in the order of their rows.
    #[br(count = block_count)]
    pub blocks: Vec<BlockEntry>,
}

/// The place of a block.
#[layout]
#[brw(little)]
pub struct BlockEntry {
    /// Offset of its first byte.
    #[layout(place = outer::block)]
    pub offset: i64,
    /// Its stored bytes.
    #[layout(extent = outer::block)]
    pub stored_length: i32,
    /// Its bytes after decompression.
    #[layout(extent = "outer::block!")]
    pub length: i32,
}

/// The table of a column's annotations, which ML.NET called metadata.
#[layout]
#[brw(little)]
pub struct Annotations {
    /// Number of annotations; at least one.
    pub count: Leb128,
    /// One entry each.
    #[br(count = count.value())]
    pub entries: Vec<Annotation>,
}

impl Annotations {
    /// One entry an annotation.
    pub fn entries(&self) -> &[Annotation] {
        &self.entries
    }
}

/// One annotation: a value of any type, in a block of its own.
#[layout]
#[brw(little)]
pub struct Annotation {
    /// Its kind, such as `SlotNames` or `KeyValues`.
    #[layout(key)]
    pub kind: NetString,
    /// The layout of the value in its block.
    pub codec: Codec,
    /// The compression of the block.
    pub compression: Compression,
    /// Offset of the block.
    #[layout(place = outer::annotation)]
    pub offset: i64,
    /// Its stored bytes. The length after decompression is not stated.
    #[layout(extent = outer::annotation)]
    pub stored_length: Leb128,
}
