//! The tables that lead to the blocks.

use super::Codec;
use crate::{Layout, Leb128, NetString, Value, Zeros, layout};
use binrw::{BinRead, BinWrite};
use std::borrow::Cow;
use std::fmt;

/// The first eight bytes of every IDV file.
pub const MAGIC: [u8; 8] = *b"CML\0DVB\0";

/// What stands at the beginning: where everything else stands.
#[layout]
#[brw(little, magic = b"CML\0DVB\0")]
pub struct Header {
    /// The version of the format that the file is written in.
    pub version: Version,
    /// The lowest version whose readers can read the file.
    pub compatible_version: Version,
    /// Where the table of columns stands.
    pub columns_offset: i64,
    /// Where the tail stands, the file's last eight bytes.
    pub tail_offset: i64,
    /// Rows of the table.
    pub row_count: i64,
    /// Columns of the table.
    pub column_count: i32,
    /// Unused.
    pub reserved: Zeros<204>,
}

/// What stands at the end.
#[layout]
#[brw(little, magic = b"\0BVD\0LMC")]
pub struct Tail {}

/// A version of the format: four numbers of 16 bits, the most significant last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, BinRead, BinWrite)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Version(pub u64);

impl Version {
    /// The last version in which numbers, times and texts could be missing.
    pub const V5: Version = Version(0x0001_0001_0001_0005);
    /// The version that ML.NET has written since 0.6.
    pub const V6: Version = Version(0x0001_0001_0001_0006);

    /// Whether the table of columns says where slot names stand, as in 1.1.1.3.
    pub fn has_slot_names(self) -> bool {
        self.0 == 0x0001_0001_0001_0003
    }

    /// Whether the table of columns says where annotations stand, as from 1.1.1.4 on.
    pub fn has_annotations(self) -> bool {
        self.0 >= 0x0001_0001_0001_0004
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |shift: u32| (self.0 >> shift) & 0xFFFF;
        write!(f, "{}.{}.{}.{}", part(48), part(32), part(16), part(0))
    }
}

impl Layout for Version {
    const MIN_SIZE: u64 = 8;
    const SIZE: Option<u64> = Some(8);

    fn type_name() -> String {
        "Version".into()
    }

    fn value(&self) -> Value {
        Value::Text(self.to_string())
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

/// A column: its name, its type, and where its parts stand.
#[layout]
#[brw(little)]
#[br(import { version: Version })]
pub struct Column {
    /// The name. Of several columns with the same one, the last is seen and the others are hidden.
    pub name: NetString,
    /// How its values are laid out in a block.
    pub codec: Codec,
    /// How its blocks are compressed.
    pub compression: Compression,
    /// Rows of each block but the last, which has the rest.
    pub rows_per_block: Leb128,
    /// Where its lookup table stands.
    pub lookup_offset: i64,
    /// Where its slot names stand (version 1.1.1.3); 0 if it has none.
    #[br(if(version.has_slot_names()))]
    pub slot_names_offset: Option<i64>,
    /// How long they are, and how many; only where there are any.
    #[br(if(slot_names_offset.is_some_and(|offset| offset > 0)))]
    pub slot_names: Option<SlotNamesExtent>,
    /// Where its annotations stand (from version 1.1.1.4 on); 0 if it has none.
    #[br(if(version.has_annotations()))]
    pub annotations_offset: Option<i64>,
}

/// How bytes are compressed. A byte without a meaning is kept, since a file can be read without what it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, BinRead, BinWrite)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Compression(pub u8);

impl Compression {
    /// Not at all.
    pub const NONE: Compression = Compression(0);
    /// A raw deflate stream (RFC 1951).
    pub const DEFLATE: Compression = Compression(1);
    /// A zlib stream (RFC 1950), which the format's description promises and ML.NET never had.
    pub const ZLIB: Compression = Compression(2);

    /// Its name, where it has one.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Compression::NONE => Some("none"),
            Compression::DEFLATE => Some("deflate"),
            Compression::ZLIB => Some("zlib"),
            _ => None,
        }
    }
}

impl Layout for Compression {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);

    fn type_name() -> String {
        "Compression".into()
    }

    fn value(&self) -> Value {
        Value::Uint(self.0.into())
    }

    fn meaning(&self) -> Cow<'static, str> {
        self.name().unwrap_or("not defined").into()
    }
}

/// How much room slot names take, in version 1.1.1.3.
#[layout]
#[brw(little)]
pub struct SlotNamesExtent {
    /// Bytes.
    pub length: i64,
    /// Slots that have a name.
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
    /// Which slot.
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

/// Where a block stands.
#[layout]
#[brw(little)]
pub struct BlockEntry {
    /// Its first byte.
    pub offset: i64,
    /// Its bytes in the file.
    pub stored_length: i32,
    /// Its bytes once it is decompressed.
    pub length: i32,
}

/// What else is said about a column: the table of its annotations, which ML.NET called metadata.
#[layout]
#[brw(little)]
pub struct Annotations {
    /// How many there are; at least one.
    pub count: Leb128,
    /// One entry each.
    #[br(count = count.value())]
    pub entries: Vec<Annotation>,
}

/// One annotation: a value of any type, in a block of its own.
#[layout]
#[brw(little)]
pub struct Annotation {
    /// What it is, such as `SlotNames` or `KeyValues`.
    pub kind: NetString,
    /// How the value is laid out in its block.
    pub codec: Codec,
    /// How the block is compressed.
    pub compression: Compression,
    /// Where the block stands.
    pub offset: i64,
    /// Its bytes in the file. How many they are decompressed is not said.
    pub stored_length: Leb128,
}
