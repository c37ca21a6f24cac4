//! Chunks: items, filtered and compressed in blocks.

use super::frame::FilterIds;
use crate::{Bytes, Layout, Number, Numbers, Region, Value, layout};
use binrw::{BinRead, BinWrite};
use modular_bitfield::prelude::*;
use std::borrow::Cow;

/// What stands at the beginning of every chunk: 16 bytes since Blosc 1, 32 since Blosc 2.
#[layout]
#[brw(little)]
pub struct ChunkHeader {
    /// Version of the format: 2 Blosc 1, 3 and 4 before Blosc 2, 5 Blosc 2, 6 with blocks that differ in length.
    pub version: u8,
    /// Version of the codec's format; 1.
    pub codec_version: u8,
    /// How the chunk is stored.
    pub flags: ChunkFlags,
    /// Bytes of one item; 1 if they are more than 255.
    pub typesize: u8,
    /// Bytes of the chunk once it is decoded.
    pub nbytes: i32,
    /// Bytes of a block once it is decoded; the last one may have less.
    pub blocksize: i32,
    /// Bytes of the chunk as it is stored, the header included.
    pub cbytes: i32,
    /// What Blosc 2 added.
    #[br(if(flags.is_extended()))]
    pub extension: Option<Extension>,
}

/// How a chunk is stored.
#[layout(bits = 8)]
pub struct ChunkFlags {
    /// Bytes are shuffled; with `bitshuffle`, the header is extended.
    pub shuffle: bool,
    /// The bytes are stored as they are.
    pub stored: bool,
    /// Bits are shuffled; with `shuffle`, the header is extended.
    pub bitshuffle: bool,
    /// Items are stored as differences.
    pub delta: bool,
    /// A block is one stream, not one for each byte of an item.
    pub not_split: bool,
    /// Format of the streams: 0 blosclz, 1 LZ4, 3 zlib, 4 zstd, 6 as the extension's codec says.
    pub codec_format: B3,
}

impl ChunkFlags {
    /// Whether the header has 32 bytes.
    pub fn is_extended(&self) -> bool {
        self.shuffle() && self.bitshuffle()
    }
}

/// What Blosc 2 added to the header.
#[layout]
#[brw(little)]
pub struct Extension {
    /// The filters that were applied, in this order.
    pub filters: FilterIds,
    /// The codec that the writer was told to use.
    pub codec: Codec,
    /// What the codec was told.
    pub codec_meta: u8,
    /// What each filter was told.
    pub filter_meta: [u8; 6],
    /// What kind of blocks there are.
    pub block_flags: BlockFlags,
    /// What kind of chunk this is.
    pub chunk_kind: ChunkKind,
}

/// What kind of blocks a chunk has.
#[layout(bits = 8)]
pub struct BlockFlags {
    /// Blocks differ in length.
    pub variable_blocks: bool,
    /// Unused.
    pub reserved: B7,
}

/// What kind of chunk this is.
#[layout(bits = 8)]
pub struct ChunkKind {
    /// The streams need the dictionary behind the block starts.
    pub dictionary: bool,
    /// The writer's machine was big-endian.
    pub big_endian: bool,
    /// Unused.
    pub reserved: bool,
    /// The chunk is loaded when it is needed; in memory only.
    pub lazy: bool,
    /// All items are the same: 0 no, 1 zeros, 2 NaN, 3 the value behind the header, 4 not initialised.
    pub special: B3,
    /// The chunk holds measurements instead of items.
    pub instrumented: bool,
}

/// What a chunk consists of behind its header.
#[layout]
#[brw(little)]
#[br(import { content: ChunkContent })]
pub enum ChunkBody {
    /// Nothing: the header says it all.
    #[br(pre_assert(content == ChunkContent::Empty))]
    Empty {},
    /// One value that all items have.
    #[br(pre_assert(matches!(content, ChunkContent::Value(_))))]
    Value {
        /// The value.
        #[br(args { length: content.length() })]
        value: Region,
    },
    /// All items as they are.
    #[br(pre_assert(matches!(content, ChunkContent::Stored(_))))]
    Stored {
        /// The items, neither filtered nor compressed.
        #[br(args { length: content.length() })]
        items: Region,
    },
    /// Blocks.
    #[br(pre_assert(matches!(content, ChunkContent::Blocks { .. })))]
    Blocks {
        /// Where the blocks are.
        #[br(args { block_count: content.length(), dictionary: content.has_dictionary() })]
        table: BlockTable,
    },
}

/// What a chunk's header says of what is behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkContent {
    /// Nothing.
    Empty,
    /// A value of so many bytes.
    Value(u64),
    /// So many bytes of items.
    Stored(u64),
    /// Blocks.
    Blocks {
        /// How many.
        count: u64,
        /// Whether there is a dictionary.
        dictionary: bool,
    },
}

impl ChunkContent {
    fn length(self) -> u64 {
        match self {
            ChunkContent::Empty => 0,
            ChunkContent::Value(length) | ChunkContent::Stored(length) => length,
            ChunkContent::Blocks { count, .. } => count,
        }
    }

    fn has_dictionary(self) -> bool {
        matches!(self, ChunkContent::Blocks { dictionary: true, .. })
    }
}

/// Where the blocks of a chunk are, and what they have in common.
#[layout]
#[brw(little)]
#[br(import { block_count: u64, dictionary: bool })]
pub struct BlockTable {
    /// Where each block starts, from the first byte of the chunk.
    #[br(args { number: BlockTable::START, count: block_count })]
    pub starts: Numbers,
    /// What the streams refer to.
    #[br(if(dictionary))]
    pub dictionary: Option<Dictionary>,
}

impl BlockTable {
    const START: Number = Number::I32;

    /// The table of so many blocks, wherever it will be.
    pub fn new(block_count: u64, dictionary: Option<Dictionary>) -> Self {
        BlockTable { starts: Numbers::new(Self::START, block_count), dictionary }
    }
}

/// Bytes that the streams of a chunk refer to as if they stood before each.
#[layout]
#[brw(little)]
pub struct Dictionary {
    /// Number of bytes.
    #[br(temp)]
    #[bw(try_calc = i32::try_from(bytes.length))]
    length: i32,
    /// The bytes: made by zstd for its own streams, any for LZ4's.
    #[br(args { length: u64::try_from(length).unwrap_or(u64::MAX) })]
    pub bytes: Bytes,
}

/// A block, or the bytes of one place in its items.
#[layout]
#[brw(little)]
pub struct Stream {
    /// Bytes of the data; 0 if all bytes are zero, -b if all are b.
    pub length: i32,
    /// What a negative length means.
    #[br(if(length < 0))]
    pub token: Option<Token>,
    /// The compressed bytes; as many as the stream decodes to if they are not compressed.
    #[br(args { length: u64::try_from(length).unwrap_or(0) })]
    pub data: Region,
}

/// What a negative length of a stream means.
#[layout(bits = 8)]
pub struct Token {
    /// All bytes are the same.
    pub run: bool,
    /// Unused.
    pub reserved: B7,
}

/// The number of a codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BinRead, BinWrite)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Codec(pub u8);

impl Codec {
    /// Blosc's own variant of FastLZ.
    pub const BLOSCLZ: Codec = Codec(0);
    /// LZ4.
    pub const LZ4: Codec = Codec(1);
    /// LZ4 as a writer makes it that takes its time; read as LZ4.
    pub const LZ4HC: Codec = Codec(2);
    /// Deflate, in zlib's wrapper.
    pub const ZLIB: Codec = Codec(4);
    /// Zstandard.
    pub const ZSTD: Codec = Codec(5);

    /// The format of its streams, as the flags of a chunk say it; none of a plugin.
    pub fn format(self) -> Option<u8> {
        Some(match self {
            Codec::BLOSCLZ => 0,
            Codec::LZ4 | Codec::LZ4HC => 1,
            Codec::ZLIB => 3,
            Codec::ZSTD => 4,
            _ => return None,
        })
    }

    /// Its name; none if nobody has defined the number.
    pub fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0 => "blosclz",
            1 => "LZ4",
            2 => "LZ4HC",
            4 => "zlib",
            5 => "zstd",
            32 => "ndlz",
            33 => "zfp (fixed accuracy)",
            34 => "zfp (fixed precision)",
            35 => "zfp (fixed rate)",
            36 => "openhtj2k",
            37 => "grok",
            38 => "openzl",
            39 => "j2k",
            40 => "htj2k",
            _ => return None,
        })
    }
}

impl Layout for Codec {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);

    fn type_name() -> String {
        "Codec".into()
    }

    fn value(&self) -> Value {
        Value::Uint(self.0.into())
    }

    fn meaning(&self) -> Cow<'static, str> {
        self.name().unwrap_or("not defined").into()
    }
}
