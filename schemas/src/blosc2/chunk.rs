//! Chunks: items, filtered and compressed in blocks.
//!
//! A chunk is a [`ChunkHeader`] and a [`ChunkBody`]. Which body follows depends on flags, a special value and lengths, which may
//! contradict each other. A reader therefore judges the header first, and passes the resulting [`ChunkContent`] as an argument.
//!
//! The layout of a body with blocks ends after their table. The blocks that follow may be in any order, so each is read from the
//! offset that the [`BlockTable`] states. A block is one [`Stream`], or one for each byte of an item.
//!
//! The flags `shuffle` and `bitshuffle` exclude each other in Blosc 1. Blosc 2 sets both to indicate that the header has an
//! [`Extension`], which then lists the filters.

use super::ids::{ChunkVersion, Codec, FILTER_SLOTS, FilterIds, Special, StreamFormat};
use everybyte::bits::*;
use everybyte::{
    bytes::{Bytes, Region},
    layout,
    list::Numbers,
    number::Number,
};

/// The header of every chunk: 16 bytes since Blosc 1, 32 since Blosc 2.
#[layout]
#[brw(little)]
pub struct ChunkHeader {
    /// The version of the format.
    #[layout(steady)]
    pub version: ChunkVersion,
    /// The version of the codec's format; 1.
    #[layout(steady)]
    pub codec_version: u8,
    /// How the chunk is stored.
    pub flags: ChunkFlags,
    /// Bytes of one item; 1 if an item has more than 255 bytes.
    #[layout(fact)]
    pub typesize: u8,
    /// Bytes of the chunk after decoding.
    #[layout(extent = "outer::Chunk!")]
    pub nbytes: i32,
    /// Bytes of a block after decoding; the last block may have fewer.
    #[layout(fact)]
    pub blocksize: i32,
    /// Stored bytes of the chunk, including the header.
    #[layout(extent = outer::Chunk)]
    pub cbytes: i32,
    /// The extension that Blosc 2 added.
    #[br(if(flags.shuffle() && flags.bitshuffle()))]
    pub extension: Option<Extension>,
}

/// How a chunk is stored.
#[layout(bits = 8)]
pub struct ChunkFlags {
    /// Bytes are shuffled; together with `bitshuffle`: the header is extended.
    pub shuffle: bool,
    /// The bytes are stored uncompressed.
    pub stored: bool,
    /// Bits are shuffled; together with `shuffle`: the header is extended.
    pub bitshuffle: bool,
    /// Items are stored as differences from others.
    pub delta: bool,
    /// Each block is a single stream; otherwise, it has one stream per byte of an item.
    pub not_split: bool,
    /// The format of the streams; if it is `registered`, the codec in the extension tells which.
    pub codec_format: StreamFormat,
}

/// The extension of the header that Blosc 2 added.
#[layout]
#[brw(little)]
pub struct Extension {
    /// The filters that were applied, in order.
    pub filters: FilterIds,
    /// The codec that the writer was configured with.
    pub codec: Codec,
    /// The parameter of the codec.
    #[layout(fact)]
    pub codec_meta: u8,
    /// The parameter of each filter.
    pub filter_meta: [u8; FILTER_SLOTS],
    /// The kind of blocks in the chunk.
    pub block_flags: BlockFlags,
    /// The kind of this chunk.
    pub chunk_kind: ChunkKind,
}

/// The kind of blocks in a chunk.
#[layout(bits = 8)]
pub struct BlockFlags {
    /// Blocks differ in length.
    pub variable_blocks: bool,
    /// Unused.
    pub reserved: B7,
}

/// The kind of a chunk.
#[layout(bits = 8)]
pub struct ChunkKind {
    /// The streams need the dictionary that follows the block starts.
    pub dictionary: bool,
    /// The writer's machine was big-endian.
    pub big_endian: bool,
    /// Unused.
    pub reserved: bool,
    /// The chunk is loaded on demand; only in memory.
    pub lazy: bool,
    /// The value of all items, if they are the same.
    pub special: Special,
    /// The chunk holds measurements instead of items.
    pub instrumented: bool,
}

/// The content of a chunk, after its header.
#[layout]
#[brw(little)]
#[br(import { content: ChunkContent })]
pub enum ChunkBody {
    /// Nothing: the header determines the content.
    #[br(pre_assert(content == ChunkContent::Empty))]
    Empty {},
    /// The value of all items.
    #[br(pre_assert(matches!(content, ChunkContent::Value(_))))]
    Value {
        /// The value.
        #[layout(payload)]
        #[br(args { length: content.length() })]
        value: Region,
    },
    /// All items, uncompressed.
    #[br(pre_assert(matches!(content, ChunkContent::Stored(_))))]
    Stored {
        /// The items, neither filtered nor compressed.
        #[layout(payload)]
        #[br(args { length: content.length() })]
        items: Region,
    },
    /// Blocks.
    #[br(pre_assert(matches!(content, ChunkContent::Blocks { .. })))]
    Blocks {
        /// The positions of the blocks.
        #[br(args { block_count: content.length(), dictionary: content.has_dictionary() })]
        table: BlockTable,
    },
}

/// The content of a chunk, according to its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkContent {
    /// Nothing.
    Empty,
    /// A value of this many bytes.
    Value(u64),
    /// Items in this many bytes.
    Stored(u64),
    /// Blocks.
    Blocks {
        /// The number of blocks.
        count: u64,
        /// True if there is a dictionary.
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

/// The positions of a chunk's blocks, and the dictionary that they share.
#[layout]
#[brw(little)]
#[br(import { block_count: u64, dictionary: bool })]
pub struct BlockTable {
    /// The offset of each block from the first byte of the chunk.
    #[layout(place = outer::blocks, relative_to = outer::Chunk)]
    #[br(args { number: BlockTable::START, count: block_count })]
    pub starts: Numbers,
    /// The bytes that the streams refer to.
    #[br(if(dictionary))]
    pub dictionary: Option<Dictionary>,
}

impl BlockTable {
    const START: Number = Number::I32;

    /// The table for `block_count` blocks, at an offset that is not known yet.
    pub fn new(block_count: u64, dictionary: Option<Dictionary>) -> Self {
        BlockTable { starts: Numbers::new(Self::START, block_count), dictionary }
    }
}

/// Bytes that the streams of a chunk can refer to, as if they preceded each stream.
#[layout]
#[brw(little)]
pub struct Dictionary {
    /// Number of bytes.
    #[layout(extent = bytes)]
    #[br(temp)]
    #[bw(try_calc = i32::try_from(bytes.length))]
    length: i32,
    /// The bytes: made by zstd for its own streams, arbitrary for LZ4.
    #[layout(payload)]
    #[br(args { length: u64::try_from(length).unwrap_or(u64::MAX) })]
    pub bytes: Bytes,
}

/// A block, or the bytes at one position in all of its items.
#[layout]
#[brw(little)]
pub struct Stream {
    /// Bytes of the data; 0 if all bytes are zero, -b if all bytes are b.
    #[layout(extent = data)]
    pub length: i32,
    /// The meaning of a negative length.
    #[br(if(length < 0))]
    pub token: Option<Token>,
    /// The compressed bytes; stored uncompressed if there are as many as the stream decodes to.
    #[layout(payload)]
    #[br(args { length: u64::try_from(length).unwrap_or(0) })]
    pub data: Region,
}

/// The meaning of a negative length of a stream.
#[layout(bits = 8)]
pub struct Token {
    /// All bytes are the same.
    pub run: bool,
    /// Unused.
    pub reserved: B7,
}
