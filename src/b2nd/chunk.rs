//! The header of a chunk, judged, and where its blocks are.

use super::rules;
use crate::finding::{Findings, bytes};
use crate::{Finding, Reference, Rule};
use ndbytes_schemas::b2nd::{BlockTable, ChunkContent, ChunkHeader, Dictionary, Extension, filter_name};
use ndbytes_schemas::{Bytes, Endian, Layout, Numbers, Problem, Source, length_of, read, read_next};
use std::ops::Range;

/// The longest header of a chunk.
pub const LONGEST_HEADER: u64 = ChunkHeader::MIN_SIZE + Extension::MIN_SIZE;

/// The most bytes of a block that C-Blosc2 takes.
pub const LARGEST_BLOCK: u64 = 536_866_816;

/// What stands instead of the number, or the format, of a codec that is a plugin.
pub const PLUGIN: u8 = 6;

/// The number of the filter whose flag the header has too.
const DELTA: u8 = 3;

/// The largest dictionary.
const LARGEST_DICTIONARY: u64 = 32 << 10;

/// What the place of a chunk says about it.
#[derive(Debug, Clone, Copy)]
pub struct Expected {
    /// Bytes once it is decoded, where the frame says so.
    pub nbytes: Option<u64>,
    /// Bytes of an item, where the frame says so.
    pub item_size: Option<u64>,
    /// Bytes of a block, where the frame says so.
    pub block_size: Option<u64>,
}

/// A chunk that can be decoded, as far as its header says.
#[derive(Debug, Clone)]
pub struct Chunk {
    pub header: ChunkHeader,
    /// Bytes of the header.
    pub header_length: u64,
    /// Bytes once it is decoded.
    pub nbytes: u64,
    /// Bytes of a decoded block; the last one may have less.
    pub block_size: u64,
    /// Bytes as it is stored.
    pub cbytes: u64,
    pub content: Content,
    /// What was done to the bytes of a block before it was compressed, the last step first.
    pub steps: Vec<Step>,
    pub codec: StreamCodec,
}

/// What is behind the header of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Nothing: all bytes are zero.
    Zeros,
    /// Nothing: nobody has written the items; they are read as zeros.
    Uninitialised,
    /// Nothing: all items are NaN.
    Nan,
    /// The value that all items have, of so many bytes.
    Value(u64),
    /// The bytes as they are.
    Stored,
    /// So many blocks.
    Blocks { count: u64, dictionary: bool },
}

/// How streams are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamCodec {
    Blosclz,
    Lz4,
    Zlib,
    Zstd,
}

/// What undoes a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Unshuffle { width: usize },
    Bitunshuffle,
    Undelta,
    Unbytedelta { width: usize, restarts: bool },
}

/// Where the blocks of a chunk are.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The first byte of each block, and the first byte behind it that is not its own.
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

    /// What the layout has to know of the chunk.
    pub fn layout(&self) -> ChunkContent {
        match self.content {
            Content::Zeros | Content::Uninitialised | Content::Nan => ChunkContent::Empty,
            Content::Value(length) => ChunkContent::Value(length),
            Content::Stored => ChunkContent::Stored(self.nbytes),
            Content::Blocks { count, dictionary } => ChunkContent::Blocks { count, dictionary },
        }
    }

    /// Whether blocks need the first one of the chunk.
    pub fn has_delta(&self) -> bool {
        self.steps.contains(&Step::Undelta)
    }

    /// Bytes of the header and of what says where the blocks are, but for the dictionary.
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

/// Reads and judges the header of a chunk. Offsets of findings count from the chunk's first byte. `room` is how many
/// bytes it can have.
pub fn judge_chunk(head: &[u8], room: u64, expected: Expected, findings: &mut Findings) -> Option<Chunk> {
    let mut source = Source::prefix(&head[..head.len().min(LONGEST_HEADER as usize)], room);
    match read_next::<ChunkHeader>(&mut source, Endian::Little, ()) {
        Ok(header) => Judge { header: &header, header_length: source.position(), expected, findings }.judge(room),
        Err(error) => {
            let least = ChunkHeader::MIN_SIZE;
            let message = format!("a chunk has a header of {least} bytes at least, but {} left", are(room));
            findings.push(Finding::unreadable(&rules::TRUNCATED_CHUNK, &error, message));
            None
        }
    }
}

fn are(left: u64) -> String {
    if left == 1 { "1 byte is".into() } else { format!("{} are", bytes(left)) }
}

struct Judge<'j> {
    header: &'j ChunkHeader,
    header_length: u64,
    expected: Expected,
    findings: &'j mut Findings,
}

impl Judge<'_> {
    /// Adds a finding about a field of the header.
    fn say(&mut self, rule: &'static Rule, field: &str, message: impl Into<String>) {
        self.say_of(rule, rule.reference, field, message);
    }

    /// The same, about something of which C-Blosc2 makes something else than of others.
    fn say_of(&mut self, rule: &'static Rule, reference: Reference, field: &str, message: impl Into<String>) {
        let header = self.header;
        self.findings.push_with(rule, || {
            Finding::new(rule, field, 0..0, message).placed_in(header, Endian::Little).with_reference(reference)
        });
    }

    fn judge(mut self, room: u64) -> Option<Chunk> {
        let header = self.header;
        let lengths = self.lengths(room)?;
        self.reserved();
        if !(2..=5).contains(&header.version) {
            let message = match header.version {
                6 => "blocks that differ in length (version 6) make no array".to_owned(),
                version => format!("version {version} of the chunk format is not known"),
            };
            self.say(&rules::CHUNK_VERSION, "version", message);
            return None;
        }
        if let Some(extension) = &header.extension {
            let kind = extension.chunk_kind;
            let unreadable = [
                (
                    extension.block_flags.variable_blocks(),
                    Reference::Refuses,
                    "block_flags",
                    "has blocks that differ in length",
                ),
                (kind.big_endian(), Reference::Accepts, "chunk_kind", "was written by a big-endian machine"),
                (
                    kind.lazy(),
                    Reference::Refuses,
                    "chunk_kind",
                    "claims to be loaded when it is needed, which only chunks in memory can be",
                ),
                (kind.instrumented(), Reference::Accepts, "chunk_kind", "holds measurements instead of items"),
            ];
            for (is_so, reference, field, words) in unreadable {
                if is_so {
                    let message = format!("the chunk {words}");
                    self.say_of(&rules::CHUNK_KIND, reference, &format!("extension.{field}"), message);
                    return None;
                }
            }
        }
        let content = self.content(lengths)?;
        let has_blocks = matches!(content, Content::Blocks { .. });
        if let Some(expected) = self.expected.block_size.map(|expected| expected.min(lengths.nbytes))
            && expected != lengths.block_size
            && !has_blocks
        {
            let message = format!("a block of the chunk has {}, the frame says {expected}", bytes(lengths.block_size));
            self.say(&rules::CHUNK_BLOCK_SIZE, "blocksize", message);
        }
        let Lengths { nbytes, block_size, cbytes, header_length } = lengths;
        let (mut steps, mut codec) = (Vec::new(), StreamCodec::Blosclz);
        if has_blocks {
            steps = self.steps()?;
            codec = self.codec()?;
            self.splits(lengths)?;
        }
        self.settings(content);
        Some(Chunk { header: header.clone(), header_length, nbytes, block_size, cbytes, content, steps, codec })
    }

    /// The lengths that the header gives, if they can be.
    fn lengths(&mut self, room: u64) -> Option<Lengths> {
        let header = self.header;
        let header_length = self.header_length;
        let Ok(nbytes) = u64::try_from(header.nbytes) else {
            let message = format!("the chunk has {} bytes", header.nbytes);
            self.say(&rules::CHUNK_LENGTH, "nbytes", message);
            return None;
        };
        if let Some(expected) = self.expected.nbytes.filter(|&expected| expected != nbytes) {
            let message = format!("the chunk decodes to {}, the frame wants {expected}", bytes(nbytes));
            let reference = if nbytes < expected { Reference::Accepts } else { Reference::Refuses };
            self.say_of(&rules::CHUNK_LENGTH, reference, "nbytes", message);
            return None;
        }
        let cbytes = u64::try_from(header.cbytes).ok().filter(|cbytes| (header_length..=room).contains(cbytes));
        let Some(cbytes) = cbytes else {
            let message = format!(
                "the chunk takes {} bytes, it has a header of {header_length} and room for {room}",
                header.cbytes
            );
            self.say(&rules::CHUNK_STORED_LENGTH, "cbytes", message);
            return None;
        };
        if header.typesize == 0 {
            self.say_of(&rules::CHUNK_ITEM_SIZE, Reference::Refuses, "typesize", "an item of the chunk has 0 bytes");
            return None;
        }
        let typesize = u64::from(header.typesize);
        if let Some(expected) = self.expected.item_size
            && typesize != if expected > 255 { 1 } else { expected }
        {
            let message = format!("an item of the chunk has {}, the frame says {expected}", bytes(typesize));
            self.say(&rules::CHUNK_ITEM_SIZE, "typesize", message);
        }
        let block_size = u64::try_from(header.blocksize).ok().filter(|size| (1..=LARGEST_BLOCK).contains(size));
        let Some(block_size) = block_size else {
            let message = format!("a block cannot have {} bytes", header.blocksize);
            self.say(&rules::CHUNK_BLOCK_SIZE, "blocksize", message);
            return None;
        };
        Some(Lengths { nbytes, block_size: block_size.min(nbytes), cbytes, header_length })
    }

    fn reserved(&mut self) {
        let header = self.header;
        if header.codec_version != 1 {
            let message = format!("version {} of the codec's format is not known", header.codec_version);
            self.say(&rules::CHUNK_RESERVED, "codec_version", message);
        }
        let Some(extension) = &header.extension else { return };
        if extension.block_flags.reserved() != 0 {
            self.say(&rules::CHUNK_RESERVED, "extension.block_flags", "unused bits are set");
        }
        if extension.chunk_kind.reserved() {
            self.say(&rules::CHUNK_RESERVED, "extension.chunk_kind", "an unused bit is set");
        }
    }

    /// What the header says twice.
    fn settings(&mut self, content: Content) {
        let (flags, version) = (self.header.flags, self.header.version);
        let Some(extension) = &self.header.extension else { return };
        // The alpha had another order.
        if version < 4 || !matches!(content, Content::Blocks { .. } | Content::Stored) {
            return;
        }
        if flags.delta() != extension.filters.0.contains(&DELTA) {
            let message = match flags.delta() {
                true => "the flags say that items are stored as differences, but delta is none of the filters",
                false => "delta is one of the filters, but the flags do not say that items are stored as differences",
            };
            self.say(&rules::CHUNK_SETTINGS, "flags", message);
        }
        // What is stored as it is need not say how.
        let format = flags.codec_format();
        if format != extension.codec.format().unwrap_or(PLUGIN) && (content != Content::Stored || format != 0) {
            let message = format!(
                "the codec is {}, but the format of the streams, {format}, is another's",
                extension.codec.meaning()
            );
            self.say(&rules::CHUNK_SETTINGS, "extension.codec", message);
        }
    }

    fn content(&mut self, lengths: Lengths) -> Option<Content> {
        let Lengths { nbytes, block_size, cbytes, header_length } = lengths;
        let behind = cbytes - header_length;
        let kind = self.header.extension.as_ref().map(|extension| extension.chunk_kind);
        let special = kind.map_or(0, |kind| kind.special());
        let dictionary = kind.is_some_and(|kind| kind.dictionary());
        let typesize = u64::from(self.header.typesize);
        let content = match special {
            0 if self.header.flags.stored() => {
                if behind != nbytes {
                    let message = format!("{} stored as they are, but the chunk has {}", are(nbytes), bytes(behind));
                    self.say(&rules::CHUNK_STORED_LENGTH, "cbytes", message);
                    return None;
                }
                if dictionary {
                    let message = "a chunk that is stored as it is says that it needs a dictionary";
                    self.say(&rules::STORED_WITH_DICTIONARY, "extension.chunk_kind", message);
                }
                return Some(Content::Stored);
            }
            0 if nbytes == 0 => Content::Zeros,
            0 => return Some(Content::Blocks { count: nbytes.div_ceil(block_size), dictionary }),
            1 => Content::Zeros,
            2 if !matches!(typesize, 4 | 8) || !nbytes.is_multiple_of(typesize) => {
                let message = format!("{} cannot be NaN in items of {typesize}", bytes(nbytes));
                self.say(&rules::SPECIAL_VALUE, "typesize", message);
                return None;
            }
            2 => Content::Nan,
            3 if behind == 0 || !nbytes.is_multiple_of(behind) => {
                let message = format!("a value of {} does not fill {nbytes}", bytes(behind));
                self.say(&rules::SPECIAL_VALUE, "cbytes", message);
                return None;
            }
            3 => return Some(Content::Value(behind)),
            4 => Content::Uninitialised,
            kind => {
                let message = format!("nobody has defined what special chunks of kind {kind} hold");
                self.say(&rules::SPECIAL_VALUE, "extension.chunk_kind", message);
                return None;
            }
        };
        if behind > 0 {
            let message = format!("{} behind the header of a chunk that needs none", bytes(behind));
            self.say_of(&rules::CHUNK_STORED_LENGTH, Reference::Accepts, "cbytes", message);
        }
        Some(content)
    }

    /// The filters to undo, the last one that was applied first.
    fn steps(&mut self) -> Option<Vec<Step>> {
        let header = self.header;
        let typesize = usize::from(header.typesize);
        let Some(extension) = &header.extension else {
            // As Blosc 1 applied them, delta first.
            let flags = header.flags;
            let shuffle = flags.shuffle().then_some(Step::Unshuffle { width: typesize });
            let bitshuffle = flags.bitshuffle().then_some(Step::Bitunshuffle);
            let delta = flags.delta().then_some(Step::Undelta);
            return Some(shuffle.or(bitshuffle).into_iter().chain(delta).collect());
        };
        let mut steps = Vec::new();
        // The alpha that wrote version 3 had one filter less.
        let count = if header.version == 3 { extension.filters.0.len() - 1 } else { extension.filters.0.len() };
        let slots = extension.filters.0.iter().zip(extension.filter_meta).take(count).rev();
        for (&filter, meta) in slots {
            let width = usize::from(meta);
            steps.push(match filter {
                // The others only change bytes when they are written.
                0 | 4 | 36 => continue,
                1 => Step::Unshuffle { width: if width == 0 { typesize } else { width } },
                2 => Step::Bitunshuffle,
                DELTA => Step::Undelta,
                34 | 35 => {
                    let item_size = self.expected.item_size.unwrap_or(typesize as u64) as usize;
                    Step::Unbytedelta { width: if width == 0 { item_size } else { width }, restarts: filter == 34 }
                }
                other => {
                    let name = filter_name(other).unwrap_or("not defined");
                    let message = format!("the chunk needs filter {other} ({name}), a plugin");
                    self.say(&rules::PLUGIN_FILTER, "extension.filters", message);
                    return None;
                }
            });
        }
        Some(steps)
    }

    fn codec(&mut self) -> Option<StreamCodec> {
        let flags = self.header.flags;
        match flags.codec_format() {
            0 => Some(StreamCodec::Blosclz),
            1 => Some(StreamCodec::Lz4),
            3 => Some(StreamCodec::Zlib),
            4 => Some(StreamCodec::Zstd),
            PLUGIN => {
                let (field, codec) = match &self.header.extension {
                    Some(extension) => ("extension.codec", extension.codec),
                    None => ("flags", Default::default()),
                };
                let name = codec.name().unwrap_or("not defined");
                let message = format!("the chunk needs codec {} ({name}), a plugin", codec.0);
                self.say(&rules::PLUGIN_CODEC, field, message);
                None
            }
            format => {
                let message = format!("nobody has defined what codec format {format} is");
                self.say(&rules::PLUGIN_CODEC, "flags", message);
                None
            }
        }
    }

    /// Whether blocks can be split as the header says.
    fn splits(&mut self, lengths: Lengths) -> Option<()> {
        let typesize = u64::from(self.header.typesize);
        if !self.header.flags.not_split() && !lengths.block_size.is_multiple_of(typesize) {
            let message = format!("blocks of {} do not split into {typesize} streams", bytes(lengths.block_size));
            self.say_of(&rules::CHUNK_BLOCK_SIZE, Reference::Accepts, "blocksize", message);
            return None;
        }
        Some(())
    }
}

#[derive(Debug, Clone, Copy)]
struct Lengths {
    nbytes: u64,
    block_size: u64,
    cbytes: u64,
    header_length: u64,
}

/// Where the blocks of a chunk are; `head` are its first bytes, as many as `Chunk::table_length` says at least.
pub fn read_blocks(chunk: &Chunk, head: &[u8], blocks: &mut Blocks) -> Result<(), Box<Finding>> {
    let Content::Blocks { count, dictionary } = chunk.content else { return Ok(()) };
    let source = Source::prefix(head, chunk.cbytes).at(chunk.header_length);
    let table = read::<BlockTable>(source, Endian::Little, binrw::args! { block_count: count, dictionary }).map_err(
        |error| {
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
        },
    )?;
    blocks.first = table.starts.range().end;
    blocks.dictionary = None;
    if let Some(dictionary) = table.dictionary {
        let length = dictionary.bytes.length;
        if length == 0 || length > LARGEST_DICTIONARY {
            let message = format!("a dictionary of {}; it can have 1 to {LARGEST_DICTIONARY}", bytes(length));
            let place = blocks.first..dictionary.bytes.offset;
            return Err(Finding::new(&rules::DICTIONARY, "dictionary.length", place, message).into());
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
            let message =
                format!("block {place} starts at byte {start}; blocks take {} to {}", blocks.first, chunk.cbytes);
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
