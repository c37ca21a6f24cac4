//! Chunks that are decoded completely, or except for the blocks that no item needs.

use super::{AsRead, number};
use crate::blosc2::chunk::blocks::make_room;
use crate::blosc2::chunk::header::{LARGEST_BLOCK, LARGEST_DICTIONARY, LONGEST_HEADER, StreamCodec};
use crate::blosc2::chunk::streams::{Task, reference};
use crate::bytes::course::{Step, Stop, byte, demand, known, part};
use crate::bytes::limits::Debit;
use crate::findings::rule::Reference;
use everybyte::{Endian, Layout, Source, read};
use ndbytes_codecs::lz::SLACK;
use ndbytes_schemas::blosc2::{
    BlockFlags, ChunkFlags, ChunkHeader, ChunkVersion, Extension, FILTER_SLOTS, FilterId, Special, StreamFormat,
};
use std::ops::Range;

/// The latest version of the chunk format that C-Blosc2 supports.
const LATEST: ChunkVersion = ChunkVersion::VARIABLE_BLOCKS;

/// The size of a number in the table of blocks, or before a stream, in bytes.
pub(super) const EACH: i64 = size_of::<i32>() as i64;

/// The position, in the header, of the lengths of a chunk, a block, and the stored chunk.
const SIZES: Range<usize> = ChunkHeader::MIN_SIZE as usize - 3 * size_of::<i32>()..ChunkHeader::MIN_SIZE as usize;

/// The header of a chunk, as `read_chunk_header` reads it.
pub(crate) struct ChunkHead {
    version: ChunkVersion,
    flags: ChunkFlags,
    extension: Option<Extension>,
    /// The length of the header in bytes.
    pub length: i64,
    pub nbytes: i64,
    pub cbytes: i64,
    /// The size of a block in bytes, which does not exceed that of the chunk.
    pub block_size: i64,
    pub typesize: i64,
    pub special: Special,
    /// True if the bytes are stored uncompressed.
    pub is_stored: bool,
    /// True if the streams need a dictionary.
    pub has_dictionary: bool,
}

impl ChunkHead {
    /// `read_chunk_header` with the extended header.
    pub fn read(src: &[u8]) -> Step<Self> {
        let head = ChunkHead::extended(src)?;
        // Blocks that differ in length have rules of their own.
        known(!head.is_variable())?;
        Ok(head)
    }

    /// The same for a chunk of any kind.
    fn extended(src: &[u8]) -> Step<Self> {
        let head = ChunkHead::of_sizes(src)?;
        let Some(extension) = &head.extension else { return Ok(head) };
        demand(head.version <= LATEST || extension.block_flags.reserved() == 0)?;
        demand(head.cbytes >= LONGEST_HEADER as i64)?;
        demand(!head.is_variable() || head.special == Special::NONE && !head.is_stored)?;
        match head.special {
            Special::VALUE => {
                let value = head.cbytes - head.length;
                demand(
                    (1..=LARGEST_BLOCK as i64).contains(&value) && value <= head.nbytes && head.nbytes % value == 0,
                )?;
            }
            Special::NONE | Special::ZEROS => {}
            _ => demand(head.nbytes % head.typesize == 0)?,
        }
        Ok(head)
    }

    /// Like `ChunkHead::read`, but for the short header only, as `blosc2_cbuffer_sizes` reads it.
    pub fn of_sizes(src: &[u8]) -> Step<Self> {
        let parsed = read::<ChunkHeader>(Source::new(src), Endian::Little, ());
        let header = parsed.map_err(|_| Stop::Refused)?;
        demand(i64::from(header.cbytes) >= ChunkHeader::MIN_SIZE as i64)?;
        demand((1..=LARGEST_BLOCK as i64).contains(&header.blocksize.into()) && header.typesize > 0)?;
        let (nbytes, block_size) = (i64::from(header.nbytes), i64::from(header.blocksize));
        let extension = header.extension.as_ref();
        Ok(ChunkHead {
            length: if extension.is_some() { LONGEST_HEADER } else { ChunkHeader::MIN_SIZE } as i64,
            nbytes,
            cbytes: header.cbytes.into(),
            block_size: if nbytes > 0 { block_size.min(nbytes) } else { block_size },
            typesize: header.typesize.into(),
            special: extension.map_or(Special::NONE, |extension| extension.chunk_kind.special()),
            is_stored: header.flags.stored(),
            has_dictionary: extension.is_some_and(|extension| extension.chunk_kind.dictionary()),
            version: header.version,
            flags: header.flags,
            extension: header.extension,
        })
    }

    /// The header of a chunk that exists only as a special value in the index.
    pub fn special(special: Special, nbytes: i64, typesize: i64, block_size: i64) -> Self {
        let length = LONGEST_HEADER as i64;
        ChunkHead {
            version: ChunkVersion::BLOSC2,
            flags: ChunkFlags::default(),
            extension: None,
            length,
            nbytes,
            cbytes: length,
            block_size,
            typesize,
            special,
            is_stored: false,
            has_dictionary: false,
        }
    }

    /// The number of blocks, and the length of the last one in bytes if it is shorter.
    pub fn blocks(&self) -> (i64, i64) {
        let left = self.nbytes % self.block_size;
        (self.nbytes / self.block_size + i64::from(left > 0), left)
    }

    /// The size of a block in bytes, and whether it is a shorter last block.
    pub fn block(&self, number: i64) -> (i64, bool) {
        match self.blocks() {
            (count, left) if left > 0 && number == count - 1 => (left, true),
            _ => (self.block_size, false),
        }
    }

    /// Returns whether the blocks of the chunk differ in length.
    fn is_variable(&self) -> bool {
        self.extension.as_ref().is_some_and(|extension| extension.block_flags.variable_blocks())
    }

    /// Returns whether the chunk is marked as loaded on demand, or as measurements.
    fn is_lazy(&self) -> bool {
        self.extension.as_ref().is_some_and(|extension| extension.chunk_kind.lazy())
    }

    /// `pipeline_backward`, which fails only if a filter is unknown.
    fn filters(&self) -> Step {
        let Some(extension) = &self.extension else { return Ok(()) };
        if extension.chunk_kind.instrumented() {
            return Ok(());
        }
        let skipped = usize::from(self.version == ChunkVersion::ALPHA);
        for filter in &extension.filters.0[..FILTER_SLOTS - skipped] {
            known(!filter.is_brought())?;
            demand(filter.name().is_some())?;
        }
        Ok(())
    }

    /// The part of `blosc_d` for a block whose items are all the same or are stored uncompressed.
    pub fn without_streams(&self, size: i64) -> Step {
        match self.special {
            Special::VALUE => demand(size % (self.cbytes - self.length) == 0),
            Special::NAN => demand(size % self.typesize == 0 && (matches!(self.typesize, 4 | 8) || size == 0)),
            _ => Ok(()),
        }
    }
}

impl AsRead<'_> {
    /// `blosc2_decompress_ctx`: returns the number of bytes that the blocks of a chunk decode to, in a buffer of `room` bytes.
    /// `src` begins with the chunk, and other bytes may follow. `is_needed` states which blocks are decoded (all if `None`).
    pub fn decompress(&mut self, src: &[u8], room: i64, is_needed: Option<&[bool]>) -> Step<i64> {
        let head = ChunkHead::read(src)?;
        demand(head.nbytes >= 0 && head.nbytes <= room && head.cbytes <= src.len() as i64)?;
        let (count, _) = head.blocks();
        demand(is_needed.is_none_or(|needed| needed.len() as i64 == count))?;
        demand(head.special <= Special::UNINITIALISED)?;
        demand(!head.is_stored || head.cbytes == head.nbytes + head.length)?;
        let is_plain = head.special == Special::NONE;
        if head.nbytes == 0 && head.cbytes == head.length && is_plain {
            return Ok(0);
        }
        // The last bytes of a lazy chunk should state where the rest is, but here they belong to a block.
        known(!head.is_lazy() || !is_plain)?;
        let table = if is_plain && !head.is_stored { count * EACH } else { 0 };
        part(src, head.length, table)?;
        let dictionary = self.dictionary(&head, src, head.length + table)?;
        let mut written = 0;
        for block in 0..count {
            let (size, is_short) = head.block(block);
            if is_needed.is_some_and(|needed| !needed[block as usize]) {
                written += size;
                continue;
            }
            if !is_plain || head.is_stored {
                head.without_streams(size)?;
                written += size;
                continue;
            }
            let start = number(src, head.length + block * EACH)?;
            demand(start > 0 && start < src.len() as i64)?;
            written += self.streams(&head, &src[start as usize..], (size, is_short), dictionary)?;
        }
        Ok(written)
    }

    /// `blosc2_vldecompress_ctx`: hands on the bytes of each block of a chunk whose blocks differ in length, up to `most` of them.
    pub fn variable_blocks(&mut self, src: &[u8], most: i64, mut next: impl FnMut(&[u8]) -> Step) -> Step {
        let head = ChunkHead::extended(src)?;
        demand(head.is_variable() && head.nbytes > 0)?;
        // Items are differences from those of another block, which is not at hand here.
        let filters = head.extension.as_ref().map_or([FilterId::NONE; FILTER_SLOTS], |extension| extension.filters.0);
        known(!head.is_lazy() && !filters.contains(&FilterId::DELTA))?;
        // These plugins read arrays alone.
        demand(!filters.iter().any(|filter| filter.is_brought()))?;
        let count = number(src, SIZES.start as i64 + EACH)?;
        let table = count * EACH;
        let first = head.length + table;
        demand(count <= head.nbytes && head.cbytes <= src.len() as i64 && first <= head.cbytes)?;
        let place = |block: i64| match block == count {
            true => Ok(head.cbytes),
            false => number(src, head.length + block * EACH),
        };
        let mut length = 0;
        for block in 0..count {
            let (start, end) = (place(block)?, place(block + 1)?);
            let own = number(src, start)?;
            demand(start >= first && start < end && end <= head.cbytes && own > 0)?;
            length += own;
        }
        demand(length == head.nbytes)?;
        let dictionary = self.dictionary(&head, src, first)?;
        let shared = if dictionary.is_empty() { dictionary } else { part(src, first, EACH + dictionary.len() as i64)? };
        (0..count.min(most)).try_for_each(|block| {
            let stream = part(src, place(block)?, place(block + 1)? - place(block)?)?;
            let (own, stream) = (number(stream, 0)?, part(stream, EACH, stream.len() as i64 - EACH)?);
            demand(!stream.is_empty())?;
            let copied = head.length + (shared.len() + stream.len()) as i64;
            self.work(copied)?;
            let debit = Debit::new(self.budget);
            debit.take(4 * copied.unsigned_abs(), "a block as a chunk")?;
            let chunk = alone(src, own, shared, stream);
            demand(self.decompress(&chunk, own, None)? == own)?;
            next(&self.content(&chunk, own)?)
        })
    }

    /// The dictionary of a chunk, which follows the table of blocks.
    fn dictionary<'s>(&mut self, head: &ChunkHead, src: &'s [u8], at: i64) -> Step<&'s [u8]> {
        self.has_dictionary = head.has_dictionary;
        if !head.has_dictionary {
            return Ok(&[]);
        }
        let length = number(src, at)?;
        demand((1..=LARGEST_DICTIONARY as i64).contains(&length))?;
        part(src, at + EACH, length)
    }

    /// The part of `blosc_d` for the streams of a block. Returns the number of bytes that they decode to. `src` begins with the
    /// first stream.
    pub fn streams(&mut self, head: &ChunkHead, src: &[u8], block: (i64, bool), dictionary: &[u8]) -> Step<i64> {
        let (size, is_short) = block;
        let count = if head.flags.not_split() || is_short { 1 } else { head.typesize };
        let each = size / count;
        demand(each > 0)?;
        let mut at = 0;
        for _ in 0..count {
            let length = number(src, at)?;
            at += EACH;
            if length < 0 {
                // The stream is a run of equal bytes.
                demand(byte(src, at)? & 1 == 1 && length >= -i64::from(u8::MAX))?;
                at += 1;
                self.work(1)?;
                continue;
            }
            part(src, at, length)?;
            if length > 0 && length != each {
                self.stream(head, src, at..at + length, each, dictionary)?;
            }
            self.work(each)?;
            at += length;
        }
        head.filters()?;
        Ok(each * count)
    }

    /// Decodes a stream, which must yield exactly `length` bytes.
    fn stream(&mut self, head: &ChunkHead, src: &[u8], stream: Range<i64>, length: i64, dictionary: &[u8]) -> Step {
        let format = head.flags.codec_format();
        let Some(codec) = StreamCodec::of(format) else {
            let codec = head.extension.as_ref().map(|extension| extension.codec);
            known(format != StreamFormat::REGISTERED || !codec.is_some_and(|codec| codec.is_plugin()))?;
            return Err(Stop::Refused);
        };
        self.work(length)?;
        make_room(&mut self.target, length as usize + SLACK, self.budget)?;
        let length = length as usize;
        let dictionary = if matches!(codec, StreamCodec::Lz4 | StreamCodec::Zstd) { dictionary } else { &[] };
        let stream = stream.start as usize..stream.end as usize;
        let task = Task { source: src, stream, dictionary, length, needed: length };
        match self.codecs.decode(codec, task, &mut self.target) {
            Ok(()) => Ok(()),
            Err(broken) => match reference(&broken) {
                Reference::Accepts => Ok(()),
                Reference::Refuses => Err(Stop::Refused),
                _ => Err(Stop::Unknown),
            },
        }
    }
}

/// A block of a chunk whose blocks differ in length, as a chunk of one block: C-Blosc2 decodes both alike.
fn alone(src: &[u8], length: i64, dictionary: &[u8], stream: &[u8]) -> Vec<u8> {
    let mut chunk = src[..LONGEST_HEADER as usize].to_vec();
    let start = (chunk.len() + dictionary.len()) as i32 + EACH as i32;
    let (length, end) = (length as i32, start + EACH as i32 + stream.len() as i32);
    chunk[SIZES].copy_from_slice(&[length, length, end].map(i32::to_le_bytes).concat());
    chunk[2] = ChunkFlags::from_raw(chunk[2]).with_not_split(true).raw();
    chunk[LONGEST_HEADER as usize - 2] = BlockFlags::default().raw();
    chunk.extend(start.to_le_bytes());
    chunk.extend(dictionary);
    chunk.extend((stream.len() as i32).to_le_bytes());
    chunk.extend(stream);
    chunk
}

/// Returns whether python-blosc2 can open a frame whose writer was configured with this filter.
pub fn is_defined(filter: FilterId) -> bool {
    filter.name().is_some() || filter.is_of_user()
}
