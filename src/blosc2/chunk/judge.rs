//! Checks the header of a chunk.
//!
//! The checks stop at the first violation that makes the chunk meaningless: the step returns `None`. Everything else is reported,
//! and reading continues, so an invalid reserved bit does not cost the user a chunk. C-Blosc2's reaction to a violation often
//! depends on other fields, in which case it is set for each finding (`say_of`).

use super::header::{Chunk, Content, Expected, LARGEST_BLOCK, LONGEST_HEADER, Step, StreamCodec, header_nodes};
use crate::blosc2::rules;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::bytes;
use everybyte::{Endian, Layout, Source, trace::read_next};
use ndbytes_schemas::blosc2::{ChunkHeader, ChunkVersion, Codec, FilterId, Special, StreamFormat};

/// Reads and checks the header of a chunk. Offsets in findings are relative to the chunk's first byte. `room` is the maximum number
/// of bytes for the chunk.
pub fn judge_chunk(head: &[u8], room: u64, expected: Expected, findings: &mut Findings) -> Option<Chunk> {
    let head = &head[..head.len().min(LONGEST_HEADER as usize)];
    let mut source = Source::prefix(head, room);
    match read_next::<ChunkHeader>(&mut source, Endian::Little, ()) {
        Ok(header) => Judge { head, header: &header, header_length: source.position(), expected, findings }.judge(room),
        Err(error) => {
            let least = ChunkHeader::MIN_SIZE;
            let message = format!("a chunk has a header of at least {least} bytes, but only {} left", are(room));
            findings.push(Finding::unreadable(&rules::TRUNCATED_CHUNK, &error, message));
            None
        }
    }
}

/// Formats a number of bytes with its verb for messages.
fn are(left: u64) -> String {
    if left == 1 { "1 byte is".into() } else { format!("{} are", bytes(left)) }
}

/// Checks the header of a chunk.
struct Judge<'j> {
    /// The first bytes of the chunk.
    head: &'j [u8],
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

    /// Like `say`, but for a violation to which C-Blosc2 reacts differently.
    fn say_of(&mut self, rule: &'static Rule, reference: Reference, field: &str, message: impl Into<String>) {
        let head = self.head;
        self.findings.push_with(rule, || {
            Finding::new(rule, field, 0..0, message).placed_by(&header_nodes(head)).with_reference(reference)
        });
    }

    /// Checks the header; `None` if its blocks cannot be located. `room` is the maximum number of bytes for the chunk.
    fn judge(mut self, room: u64) -> Option<Chunk> {
        let header = self.header;
        let lengths = self.lengths(room)?;
        self.reserved();
        self.version()?;
        self.kind()?;
        let content = self.content(lengths)?;
        let (mut steps, mut codec) = (Vec::new(), StreamCodec::Blosclz);
        if matches!(content, Content::Blocks { .. }) {
            steps = self.steps()?;
            codec = self.codec()?;
            self.splits(lengths)?;
        } else {
            self.without_streams(lengths);
        }
        self.settings(content);
        let Lengths { nbytes, block_size, cbytes, header_length } = lengths;
        Some(Chunk { header: header.clone(), header_length, nbytes, block_size, cbytes, content, steps, codec })
    }

    /// Refuses versions of chunks that cannot be part of an array.
    fn version(&mut self) -> Option<()> {
        let version = self.header.version;
        if !(ChunkVersion::BLOSC1..=ChunkVersion::BLOSC2).contains(&version) {
            let ChunkVersion(number) = version;
            let message = match version {
                ChunkVersion::VARIABLE_BLOCKS => {
                    format!("blocks that differ in length (version {number}) do not form an array")
                }
                _ => format!("version {number} of the chunk format is not known"),
            };
            self.say(&rules::CHUNK_VERSION, "version", message);
            return None;
        }
        Some(())
    }

    /// Refuses kinds of chunks that cannot be read.
    fn kind(&mut self) -> Option<()> {
        let Some(extension) = &self.header.extension else { return Some(()) };
        let (flags, kind) = (extension.block_flags, extension.chunk_kind);
        let lazy = "is marked as lazy, which is possible only in memory";
        let unreadable = [
            (flags.variable_blocks(), Reference::Refuses, "block_flags", "has blocks that differ in length"),
            (kind.big_endian(), Reference::Unforeseen, "chunk_kind", "was written by a big-endian machine"),
            (kind.lazy(), Reference::Refuses, "chunk_kind", lazy),
            (kind.instrumented(), Reference::Unforeseen, "chunk_kind", "holds measurements instead of items"),
        ];
        if let Some((_, reference, field, words)) = unreadable.into_iter().find(|(is_so, ..)| *is_so) {
            let message = format!("the chunk {words}");
            self.say_of(&rules::CHUNK_KIND, reference, &format!("extension.{field}"), message);
            return None;
        }
        Some(())
    }

    /// Checks the settings for streams in a chunk without streams.
    fn without_streams(&mut self, lengths: Lengths) {
        if self.header.extension.as_ref().is_some_and(|extension| extension.chunk_kind.dictionary()) {
            let message = "a chunk without streams claims to need a dictionary";
            self.say(&rules::STORED_WITH_DICTIONARY, "extension.chunk_kind", message);
        }
        if let Some(expected) = self.expected.block_size.map(|expected| expected.min(lengths.nbytes))
            && expected != lengths.block_size
        {
            let message =
                format!("a block of the chunk has {}, but the frame says {expected}", bytes(lengths.block_size));
            let reference = self.expected.blocks_reference(lengths.nbytes, lengths.block_size);
            self.say_of(&rules::CHUNK_BLOCK_SIZE, reference, "blocksize", message);
        }
    }

    /// The lengths in the header, if they are valid.
    fn lengths(&mut self, room: u64) -> Option<Lengths> {
        let header = self.header;
        let header_length = self.header_length;
        let Ok(nbytes) = u64::try_from(header.nbytes) else {
            let message = format!("the chunk has {} bytes", header.nbytes);
            self.say(&rules::CHUNK_LENGTH, "nbytes", message);
            return None;
        };
        if let Some(expected) = self.expected.nbytes.filter(|&expected| expected != nbytes) {
            let message = format!("the chunk decodes to {}, but the frame demands {expected}", bytes(nbytes));
            let block_size = header.blocksize.max(0) as u64;
            let is_alike =
                nbytes < expected && self.expected.blocks_reference(nbytes, block_size) == Reference::Accepts;
            let reference = if is_alike { Reference::Unforeseen } else { Reference::Refuses };
            self.say_of(&rules::CHUNK_LENGTH, reference, "nbytes", message);
            return None;
        }
        let cbytes = u64::try_from(header.cbytes).ok().filter(|cbytes| (header_length..=room).contains(cbytes));
        let Some(cbytes) = cbytes else {
            let message = format!(
                "the chunk takes {} bytes, but its header has {header_length} and there is room for {room}",
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
            let message = format!("an item of the chunk has {}, but the frame says {expected}", bytes(typesize));
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

    /// Checks the reserved bits and the version of the codec's format.
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

    /// Checks the settings that the header states twice.
    fn settings(&mut self, content: Content) {
        let (flags, version) = (self.header.flags, self.header.version);
        let Some(extension) = &self.header.extension else { return };
        // The alpha version stored these settings in a different order.
        if version < ChunkVersion::BETA || !matches!(content, Content::Blocks { .. } | Content::Stored) {
            return;
        }
        let deltas = extension.filters.used().filter(|&id| id == FilterId::DELTA).count();
        // The flag is also set if the bytes were filtered but then stored uncompressed.
        let has_run = flags.delta() || matches!(content, Content::Blocks { .. });
        if has_run && deltas > 1 {
            let message = format!("delta was applied {deltas} times: the items are lost");
            self.say(&rules::DELTA_TWICE, "extension.filters", message);
        }
        if has_run && flags.delta() != (deltas > 0) {
            let message = match flags.delta() {
                true => "the flags say that items are stored as differences, but delta is not one of the filters",
                false => "delta is one of the filters, but the flags do not say that items are stored as differences",
            };
            self.say(&rules::CHUNK_SETTINGS, "flags", message);
        }
        // Uncompressed bytes need no codec.
        let format = flags.codec_format();
        let is_none = content == Content::Stored && format == StreamFormat::default();
        if format != extension.codec.format().unwrap_or(StreamFormat::REGISTERED) && !is_none {
            let message = format!(
                "the codec is {}, but the streams have format {}, that of another codec",
                extension.codec.words(),
                format.0
            );
            self.say(&rules::CHUNK_SETTINGS, "extension.codec", message);
        }
    }

    /// The content according to the header: blocks, stored items, or a special value.
    fn content(&mut self, lengths: Lengths) -> Option<Content> {
        let Lengths { nbytes, block_size, cbytes, header_length } = lengths;
        let behind = cbytes - header_length;
        let kind = self.header.extension.as_ref().map(|extension| extension.chunk_kind);
        let special = kind.map_or(Special::NONE, |kind| kind.special());
        let dictionary = kind.is_some_and(|kind| kind.dictionary());
        let typesize = u64::from(self.header.typesize);
        let content = match special {
            Special::NONE if self.header.flags.stored() => {
                if behind != nbytes {
                    let message = format!("{} stored as they are, but the chunk has {}", are(nbytes), bytes(behind));
                    self.say(&rules::CHUNK_STORED_LENGTH, "cbytes", message);
                    return None;
                }
                return Some(Content::Stored);
            }
            Special::NONE if nbytes == 0 => Content::Zeros,
            Special::NONE => return Some(Content::Blocks { count: nbytes.div_ceil(block_size), dictionary }),
            Special::ZEROS => Content::Zeros,
            Special::NAN if !matches!(typesize, 4 | 8) || !nbytes.is_multiple_of(typesize) => {
                let message = format!("{} cannot be NaN in items of {typesize}", bytes(nbytes));
                self.say(&rules::SPECIAL_VALUE, "typesize", message);
                return None;
            }
            Special::NAN => Content::Nan,
            Special::VALUE if behind == 0 || !nbytes.is_multiple_of(behind) => {
                let message = format!("a value of {} does not fill {nbytes} evenly", bytes(behind));
                self.say(&rules::SPECIAL_VALUE, "cbytes", message);
                return None;
            }
            Special::VALUE => return Some(Content::Value(behind)),
            Special::UNINITIALISED => Content::Uninitialised,
            Special(kind) => {
                let message = format!("special chunks of kind {kind} are not defined");
                self.say(&rules::SPECIAL_VALUE, "extension.chunk_kind", message);
                return None;
            }
        };
        if behind > 0 {
            let message = format!("the chunk has {} after its header, but needs none", bytes(behind));
            self.say_of(&rules::CHUNK_STORED_LENGTH, Reference::Accepts, "cbytes", message);
        }
        Some(content)
    }

    /// The filters to undo, starting with the last one applied.
    fn steps(&mut self) -> Option<Vec<Step>> {
        let header = self.header;
        let typesize = usize::from(header.typesize);
        let Some(extension) = &header.extension else {
            // This is the order of Blosc 1, which applied delta first.
            let flags = header.flags;
            let shuffle = flags.shuffle().then_some(Step::Unshuffle { width: typesize });
            let bitshuffle = flags.bitshuffle().then_some(Step::Bitunshuffle);
            let delta = flags.delta().then_some(Step::Undelta);
            return Some(shuffle.or(bitshuffle).into_iter().chain(delta).collect());
        };
        let mut steps = Vec::new();
        // The alpha version, which wrote version 3, had one filter fewer.
        let missing = usize::from(header.version == ChunkVersion::ALPHA);
        let slots = extension.filters.0.into_iter().zip(extension.filter_meta).rev().skip(missing);
        for (filter, meta) in slots {
            let width = usize::from(meta);
            steps.push(match filter {
                // These filters change bytes only when they are written.
                FilterId::NONE | FilterId::TRUNC_PREC | FilterId::INT_TRUNC => continue,
                FilterId::SHUFFLE => Step::Unshuffle { width: if width == 0 { typesize } else { width } },
                FilterId::BITSHUFFLE => Step::Bitunshuffle,
                FilterId::DELTA => Step::Undelta,
                FilterId::BYTEDELTA | FilterId::DEFECTIVE_BYTEDELTA => {
                    let item_size = self.expected.item_size.unwrap_or(typesize as u64) as usize;
                    let restarts = filter == FilterId::DEFECTIVE_BYTEDELTA;
                    Step::Unbytedelta { width: if width == 0 { item_size } else { width }, restarts }
                }
                other => {
                    let message = format!("the chunk needs filter {} ({}), a plugin", other.0, other.words());
                    let reference = brought(other.is_brought(), rules::PLUGIN_FILTER.reference);
                    self.say_of(&rules::PLUGIN_FILTER, reference, "extension.filters", message);
                    return None;
                }
            });
        }
        Some(steps)
    }

    /// The codec of the streams; for a plugin, `None` and a finding.
    fn codec(&mut self) -> Option<StreamCodec> {
        let format = self.header.flags.codec_format();
        let codec = StreamCodec::of(format);
        if codec.is_none() && format == StreamFormat::REGISTERED {
            let (field, codec) = match &self.header.extension {
                Some(extension) => ("extension.codec", extension.codec),
                None => ("flags", Codec::default()),
            };
            let message = format!("the chunk needs codec {} ({}), a plugin", codec.0, codec.words());
            let reference = brought(codec.is_brought(), rules::PLUGIN_CODEC.reference);
            self.say_of(&rules::PLUGIN_CODEC, reference, field, message);
        } else if codec.is_none() {
            let message = format!("codec format {} is not defined", format.0);
            self.say(&rules::PLUGIN_CODEC, "flags", message);
        }
        codec
    }

    /// Checks whether blocks can be split as the header states.
    fn splits(&mut self, lengths: Lengths) -> Option<()> {
        let typesize = u64::from(self.header.typesize);
        if !self.header.flags.not_split() && !lengths.block_size.is_multiple_of(typesize) {
            let message = format!("blocks of {} do not split into {typesize} streams", bytes(lengths.block_size));
            self.say_of(&rules::CHUNK_BLOCK_SIZE, Reference::Unforeseen, "blocksize", message);
            return None;
        }
        Some(())
    }
}

/// Returns the reaction of python-blosc2 to a plugin. It is not known here how the plugins that it includes decode the bytes.
fn brought(is_brought: bool, reference: Reference) -> Reference {
    if is_brought { Reference::Unforeseen } else { reference }
}

/// The lengths of a header, which are consistent with each other.
#[derive(Debug, Clone, Copy)]
struct Lengths {
    nbytes: u64,
    block_size: u64,
    cbytes: u64,
    header_length: u64,
}
