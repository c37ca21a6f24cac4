//! The header of a chunk, judged, and the places of its blocks.

use crate::blosc2::rules;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use binrw::args;
use everybyte::map::Nodes;
use everybyte::{Bytes, Endian, Layout, Numbers, Problem, Source, length_of, read, trace};
use ndbytes_schemas::blosc2::{
    BlockTable, ChunkContent, ChunkHeader, ChunkVersion, Dictionary, Extension, FILTER_SLOTS, FilterIds, StreamFormat,
};
use std::ops::Range;

/// The longest header of a chunk.
pub const LONGEST_HEADER: u64 = ChunkHeader::MIN_SIZE + Extension::MIN_SIZE;

/// The maximum number of bytes of a block that C-Blosc2 accepts: `BLOSC2_MAXBLOCKSIZE`. More bytes break the rule
/// `b2nd/chunk-block-size`.
pub const LARGEST_BLOCK: u64 = 536_866_816;

/// The largest dictionary, as the description of the chunk format states it. A larger one breaks the rule `b2nd/dictionary`.
pub const LARGEST_DICTIONARY: u64 = 32 << 10;

/// The properties that the place of a chunk demands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Expected {
    /// Bytes after decoding, if the frame states them.
    pub nbytes: Option<u64>,
    /// Bytes of an item, if the frame states them.
    pub item_size: Option<u64>,
    /// Bytes of a block, if the frame states them.
    pub block_size: Option<u64>,
    /// The number of blocks that C-Blosc2 demands, if it checks.
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
    /// Bytes of the header.
    pub header_length: u64,
    /// Bytes after decoding.
    pub nbytes: u64,
    /// Bytes of a decoded block; the last one may have fewer.
    pub block_size: u64,
    /// Stored bytes.
    pub cbytes: u64,
    pub content: Content,
    /// The steps that were applied to a block before it was compressed, the last one first.
    pub steps: Vec<Step>,
    pub codec: StreamCodec,
}

/// The settings that the blocks of a chunk were made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The filters, and the parameter of each.
    pub filters: (FilterIds, [u8; FILTER_SLOTS]),
    /// Bytes of a block.
    pub block_size: u64,
}

/// The content of a chunk after its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Nothing: all bytes are zero.
    Zeros,
    /// Nothing: the items were never written; they are read as zeros.
    Uninitialised,
    /// Nothing: all items are NaN.
    Nan,
    /// The value that all items have, of this many bytes.
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
    /// The compression of streams of a format, or `None` if the format is a plugin's, or not defined.
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

/// The places of a chunk's blocks.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The first byte of each block, and the first byte after it that is not its own.
    pub places: Vec<Range<u32>>,
    /// The dictionary's bytes.
    pub dictionary: Option<Range<u64>>,
    /// The first byte that a block can have.
    pub first: u64,
}

impl Chunk {
    /// Bytes of a decoded block.
    pub fn block_length(&self, block: u64) -> u64 {
        self.block_size.min(self.nbytes - block * self.block_size)
    }

    /// Streams of a block of this length.
    pub fn stream_count(&self, block_length: u64) -> u64 {
        let split = !self.header.flags.not_split() && block_length == self.block_size;
        if split { u64::from(self.header.typesize) } else { 1 }
    }

    pub fn block_count(&self) -> u64 {
        if self.block_size == 0 { 0 } else { self.nbytes.div_ceil(self.block_size) }
    }

    /// The content of the chunk, as the layout takes it.
    pub fn layout(&self) -> ChunkContent {
        match self.content {
            Content::Zeros | Content::Uninitialised | Content::Nan => ChunkContent::Empty,
            Content::Value(length) => ChunkContent::Value(length),
            Content::Stored => ChunkContent::Stored(self.nbytes),
            Content::Blocks { count, dictionary } => ChunkContent::Blocks { count, dictionary },
        }
    }

    /// Returns whether blocks need the first one of the chunk.
    pub fn has_delta(&self) -> bool {
        self.steps.contains(&Step::Undelta)
    }

    /// Returns whether its blocks may be decoded in place in a mapped file, which other processes may change meanwhile.
    /// LZ4 and blosclz are decoded by safe code of this project that reads no judged byte again. Each token is loaded
    /// once. Every place that follows from it is compared with the lengths of slices, which no file decides. A change
    /// meanwhile gives other items, or a finding. The decoders of zstd and zlib judge tables first and rely on them
    /// later, and one of them is in C: they get copies.
    pub fn reads_once(&self) -> bool {
        self.content == Content::Stored || matches!(self.codec, StreamCodec::Lz4 | StreamCodec::Blosclz)
    }

    /// The settings of the blocks, if there are any.
    pub fn settings(&self) -> Option<Settings> {
        let extension = self.header.extension.as_ref()?;
        // The alpha had another order.
        let is_said = self.header.version >= ChunkVersion::BETA && matches!(self.content, Content::Blocks { .. });
        is_said.then_some(Settings { filters: (extension.filters, extension.filter_meta), block_size: self.block_size })
    }

    /// Bytes of the header and of the table of blocks, without the dictionary.
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

/// The fields of the header, at offsets from the chunk's first byte. `head` are its first bytes.
pub fn header_nodes(head: &[u8]) -> Nodes {
    trace::<ChunkHeader>(Source::new(head), Endian::Little, ()).1
}

/// Reads the places of a chunk's blocks. `head` are its first bytes, at least `Chunk::table_length` of them. Bytes after the
/// chunk may follow, which are none of its bytes.
pub fn read_blocks(chunk: &Chunk, head: &[u8], blocks: &mut Blocks) -> Result<(), Box<Finding>> {
    let Content::Blocks { count, dictionary } = chunk.content else { return Ok(()) };
    let source = Source::prefix(head, chunk.cbytes).at(chunk.header_length);
    let table =
        read::<BlockTable>(source, Endian::Little, args! { block_count: count, dictionary }).map_err(|error| {
            let (rule, message) = match (&error.problem, error.path.starts_with("dictionary")) {
                (_, true) => {
                    (&rules::DICTIONARY, format!("the chunk has no room for its dictionary: {}", error.problem))
                }
                (Problem::TooMany { left, .. }, false) => {
                    (&rules::BLOCK_START, format!("{count} blocks start in a chunk that has {} for them", bytes(*left)))
                }
                (problem, false) => (&rules::BLOCK_START, problem.to_string()),
            };
            Box::new(Finding::unreadable(rule, &error, message))
        })?;
    blocks.first = table.starts.range().end;
    blocks.dictionary = None;
    if let Some(dictionary) = table.dictionary {
        let length = dictionary.bytes.length;
        if length == 0 || length > LARGEST_DICTIONARY {
            let message = format!("the dictionary has {}, but can have 1 to {LARGEST_DICTIONARY}", bytes(length));
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

/// The room of every block: from its start to the next one of any block.
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
