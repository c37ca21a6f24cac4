//! A chunk whose header can be decoded, and the positions of its blocks.
//!
//! [`Chunk`] is the result of the checks in [`judge`](super::judge). Its lengths agree with each other, so decoders derive positions from
//! them without checking again: `header_length <= cbytes`, `block_size <= nbytes`, and at most [`LARGEST_BLOCK`] bytes per block.
//!
//! The table of a chunk states only where each block starts, and a writer may store the blocks in any order, because its threads
//! may finish in any order. [`read_blocks`] assumes that each block ends where the next one in the chunk starts. Two blocks with
//! the same start are an error. Otherwise, a few bytes could be decoded once for each of millions of blocks.

use crate::blosc2::rules;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use binrw::args;
use everybyte::map::Nodes;
use everybyte::{
    Endian, Layout, Source,
    bytes::Bytes,
    error::Problem,
    list::Numbers,
    read,
    trace::{length_of, trace},
};
use ndbytes_schemas::blosc2::{
    BlockTable, ChunkContent, ChunkHeader, ChunkVersion, Dictionary, Extension, FILTER_SLOTS, FilterIds, StreamFormat,
};
use std::ops::Range;

/// The maximum length of a chunk header.
pub const LONGEST_HEADER: u64 = ChunkHeader::MIN_SIZE + Extension::MIN_SIZE;

/// The maximum length of a block that C-Blosc2 accepts, in bytes: `BLOSC2_MAXBLOCKSIZE`. Longer blocks violate the
/// `b2nd/chunk-block-size` rule.
pub const LARGEST_BLOCK: u64 = 536_866_816;

/// The maximum size of a dictionary according to the format's description. A larger one violates the `b2nd/dictionary` rule.
pub const LARGEST_DICTIONARY: u64 = 32 << 10;

/// The properties that a chunk must have at its position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Expected {
    /// The decoded length in bytes, if the frame states it.
    pub nbytes: Option<u64>,
    /// The size of an item in bytes, if the frame states it.
    pub item_size: Option<u64>,
    /// The block size in bytes, if the frame states it.
    pub block_size: Option<u64>,
    /// The number of blocks that C-Blosc2 requires, if it checks.
    pub block_count: Option<u64>,
}

impl Expected {
    /// The reaction of C-Blosc2 to a chunk that decodes to `nbytes` bytes, in blocks of `block_size`.
    pub fn blocks_reference(&self, nbytes: u64, block_size: u64) -> Reference {
        let is_read = self.block_count.is_none_or(|count| block_size > 0 && nbytes.div_ceil(block_size) == count);
        if is_read { Reference::Accepts } else { Reference::Refuses }
    }
}

/// A chunk whose header can be decoded.
#[derive(Debug, Clone)]
pub struct Chunk {
    pub header: ChunkHeader,
    /// The length of the header in bytes.
    pub header_length: u64,
    /// The decoded length in bytes.
    pub nbytes: u64,
    /// The length of a decoded block in bytes; the last one may be shorter.
    pub block_size: u64,
    /// The number of stored bytes.
    pub cbytes: u64,
    pub content: Content,
    /// The steps to undo the filters, starting with the filter that was applied last.
    pub steps: Vec<Step>,
    pub codec: StreamCodec,
}

/// The settings that the blocks of a chunk were created with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The filters, each with its parameter.
    pub filters: (FilterIds, [u8; FILTER_SLOTS]),
    /// The block size in bytes.
    pub block_size: u64,
}

/// The content of a chunk after its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// No bytes: all items are zero.
    Zeros,
    /// No bytes: the items were never written, and are read as zeros.
    Uninitialised,
    /// No bytes: all items are NaN.
    Nan,
    /// The value of all items, with this many bytes.
    Value(u64),
    /// The bytes, uncompressed.
    Stored,
    /// `count` blocks.
    Blocks { count: u64, dictionary: bool },
}

/// The compression of streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamCodec {
    Blosclz,
    Lz4,
    Zlib,
    Zstd,
}

impl StreamCodec {
    /// The compression of streams with this format; `None` if the format belongs to a plugin or is undefined.
    pub fn of(format: StreamFormat) -> Option<Self> {
        match format {
            StreamFormat::BLOSCLZ => Some(StreamCodec::Blosclz),
            StreamFormat::LZ4 => Some(StreamCodec::Lz4),
            StreamFormat::ZLIB => Some(StreamCodec::Zlib),
            StreamFormat::ZSTD => Some(StreamCodec::Zstd),
            _ => None,
        }
    }
}

/// A step that undoes a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Unshuffle { width: usize },
    Bitunshuffle,
    Undelta,
    Unbytedelta { width: usize, restarts: bool },
}

/// The positions of a chunk's blocks.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The offset of each block, and the offset of the first byte that does not belong to it.
    pub places: Vec<Range<u32>>,
    /// The position of the dictionary.
    pub dictionary: Option<Range<u64>>,
    /// The lowest offset that a block can have.
    pub first: u64,
}

impl Chunk {
    /// The length of a decoded block in bytes.
    pub fn block_length(&self, block: u64) -> u64 {
        self.block_size.min(self.nbytes - block * self.block_size)
    }

    /// The number of streams of a block with this length.
    pub fn stream_count(&self, block_length: u64) -> u64 {
        let split = !self.header.flags.not_split() && block_length == self.block_size;
        if split { u64::from(self.header.typesize) } else { 1 }
    }

    /// The number of blocks. The last one may be shorter than the others.
    pub fn block_count(&self) -> u64 {
        if self.block_size == 0 { 0 } else { self.nbytes.div_ceil(self.block_size) }
    }

    /// The content of the chunk, as needed by the layout.
    pub fn layout(&self) -> ChunkContent {
        match self.content {
            Content::Zeros | Content::Uninitialised | Content::Nan => ChunkContent::Empty,
            Content::Value(length) => ChunkContent::Value(length),
            Content::Stored => ChunkContent::Stored(self.nbytes),
            Content::Blocks { count, dictionary } => ChunkContent::Blocks { count, dictionary },
        }
    }

    /// Returns whether decoding a block requires the first block of the chunk.
    pub fn has_delta(&self) -> bool {
        self.steps.contains(&Step::Undelta)
    }

    /// Returns whether its blocks may be decoded in place from a mapped file, which other processes may change in the meantime. LZ4
    /// and blosclz are decoded by this project's safe code, which never reads a checked byte again. Each token is loaded once, and
    /// every position derived from it is checked against the lengths of slices, which do not come from the file. A concurrent
    /// change therefore results in different items or in a finding. The decoders of zstd and zlib check tables first and rely on
    /// them later, and one of them is written in C, so they get copies.
    pub fn reads_once(&self) -> bool {
        self.content == Content::Stored || matches!(self.codec, StreamCodec::Lz4 | StreamCodec::Blosclz)
    }

    /// The settings of the blocks, if there are any.
    pub fn settings(&self) -> Option<Settings> {
        let extension = self.header.extension.as_ref()?;
        // The alpha version stored these settings in a different order.
        let is_said = self.header.version >= ChunkVersion::BETA && matches!(self.content, Content::Blocks { .. });
        is_said.then_some(Settings { filters: (extension.filters, extension.filter_meta), block_size: self.block_size })
    }

    /// The length of the header and of the table of blocks in bytes, without the dictionary.
    pub fn table_length(&self) -> u64 {
        match self.content {
            Content::Blocks { count, dictionary } => {
                let dictionary = dictionary.then(|| Dictionary { bytes: Bytes::new(0) });
                self.header_length + length_of(&BlockTable::new(count, dictionary), Endian::Little)
            }
            Content::Value(length) => self.header_length + length,
            _ => self.header_length,
        }
    }
}

/// The fields of the header, with offsets relative to the chunk's first byte. `head` contains the chunk's first bytes.
pub fn header_nodes(head: &[u8]) -> Nodes {
    trace::<ChunkHeader>(Source::new(head), Endian::Little, ()).1
}

/// Reads the positions of a chunk's blocks. `head` contains at least the first `Chunk::table_length` bytes of the chunk. Bytes
/// after the chunk may follow.
pub fn read_blocks(chunk: &Chunk, head: &[u8], blocks: &mut Blocks) -> Result<(), Box<Finding>> {
    let Content::Blocks { count, dictionary } = chunk.content else { return Ok(()) };
    let source = Source::prefix(head, chunk.cbytes).at(chunk.header_length);
    let table =
        read::<BlockTable>(source, Endian::Little, args! { block_count: count, dictionary }).map_err(|error| {
            let (rule, message) = match (&error.problem, error.path.starts_with("dictionary")) {
                (_, true) => {
                    (&rules::DICTIONARY, format!("the dictionary does not fit into the chunk: {}", error.problem))
                }
                (Problem::TooMany { left, .. }, false) => (
                    &rules::BLOCK_START,
                    format!("{count} blocks do not fit into a chunk that has {} for them", bytes(*left)),
                ),
                (problem, false) => (&rules::BLOCK_START, problem.to_string()),
            };
            Box::new(Finding::unreadable(rule, &error, message))
        })?;
    blocks.first = table.starts.range().end;
    blocks.dictionary = None;
    if let Some(dictionary) = table.dictionary {
        let length = dictionary.bytes.length;
        if length == 0 || length > LARGEST_DICTIONARY {
            let message = format!("the dictionary has {}, but must have 1 to {LARGEST_DICTIONARY}", bytes(length));
            let finding = Finding::new(&rules::DICTIONARY, "dictionary.length", 0..0, message);
            let (_, table) =
                trace::<BlockTable>(source, Endian::Little, args! { block_count: count, dictionary: true });
            return Err(finding.placed_by(&table).into());
        }
        blocks.first = dictionary.bytes.range().end;
        blocks.dictionary = Some(dictionary.bytes.range());
    }
    places(chunk, table.starts, head, blocks)
}

/// Returns the range of every block: from its start to the next start of any block.
fn places(chunk: &Chunk, table: Numbers, head: &[u8], blocks: &mut Blocks) -> Result<(), Box<Finding>> {
    let at = |block: usize| table.place(block as u64);
    blocks.places.clear();
    let starts = head[table.offset as usize..table.range().end as usize].as_chunks::<4>().0;
    let mut in_order = true;
    for (place, start) in starts.iter().enumerate() {
        let start = i32::from_le_bytes(*start);
        let is_inside = u64::try_from(start).is_ok_and(|start| (blocks.first..chunk.cbytes).contains(&start));
        if !is_inside {
            let message = format!(
                "block {place} starts at byte {start}, but blocks take bytes {} to {}",
                blocks.first, chunk.cbytes
            );
            return Err(Finding::new(&rules::BLOCK_START, &format!("starts[{place}]"), at(place), message).into());
        }
        in_order &= blocks.places.last().is_none_or(|last| last.start < start as u32);
        blocks.places.push(start as u32..chunk.cbytes as u32);
    }
    if in_order {
        for place in 1..blocks.places.len() {
            blocks.places[place - 1].end = blocks.places[place].start;
        }
        return Ok(());
    }
    let mut order: Vec<u32> = (0..starts.len() as u32).collect();
    order.sort_unstable_by_key(|&block| blocks.places[block as usize].start);
    for pair in order.windows(2) {
        let (one, next) = (pair[0] as usize, pair[1] as usize);
        let start = blocks.places[next].start;
        if blocks.places[one].start == start {
            let message = format!("blocks {} and {} both start at byte {start}", one.min(next), one.max(next));
            let later = one.max(next);
            return Err(
                Finding::new(&rules::OVERLAPPING_BLOCKS, &format!("starts[{later}]"), at(later), message).into()
            );
        }
        blocks.places[one].end = start;
    }
    Ok(())
}
