//! Creates chunks by filtering and compressing items block by block.
//!
//! The blocks of a large chunk are distributed among threads in pieces of fixed length, and the results are joined in order. The
//! bytes therefore do not depend on the number of threads. A chunk that compression would not shorten is stored uncompressed.

use super::filters::Pipeline;
use super::streams::Encoders;
use crate::bytes::memory;
use crate::bytes::threads;
use crate::error::{Error, Result};
use binrw::args;
use everybyte::{BinWrite, Endian, Layout, Source, bytes::Region, read, trace::length_of, write};
use ndbytes_schemas::blosc2::{
    BlockFlags, BlockTable, ChunkBody, ChunkContent, ChunkFlags, ChunkHeader, ChunkKind, ChunkVersion, Codec,
    Extension, Special, Stream, Token,
};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;

/// The minimum number of bytes that are passed to a thread, in complete blocks.
const PIECE: usize = 256 << 10;

/// The maximum size in bytes of an item that is split into one stream per byte.
const MOST_STREAMS: usize = 16;
/// Blocks are split into one stream per byte of an item only if each stream has at least this many bytes.
const SHORTEST_STREAM: usize = 32;

/// The highest level of zstd at which blocks are split.
const FAST_ZSTD: u8 = 5;

/// The recipe for chunks.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub codec: Codec,
    pub level: u8,
    pub filters: Pipeline,
    /// The block size in bytes.
    pub block_size: usize,
}

/// Memory that is reused for each block.
#[derive(Default)]
struct Scratch {
    encoders: Encoders,
    block: Vec<u8>,
    filtered: Vec<u8>,
}

/// Idle buffers.
#[derive(Default)]
pub struct Scratches(Mutex<Vec<Scratch>>);

/// A source of the bytes for a new chunk, block by block.
pub trait Blocks: Sync {
    /// The length of the chunk in bytes.
    fn length(&self) -> usize;

    /// Copies a block's bytes.
    fn copy(&self, block: usize, out: &mut [u8]);
}

/// Bytes that are divided into blocks in order.
pub struct Plain<'b> {
    pub bytes: &'b [u8],
    pub block_size: usize,
}

impl Blocks for Plain<'_> {
    fn length(&self) -> usize {
        self.bytes.len()
    }

    fn copy(&self, block: usize, out: &mut [u8]) {
        let start = block * self.block_size;
        out.copy_from_slice(&self.bytes[start..start + out.len()]);
    }
}

/// Some stored blocks of a chunk.
struct Piece {
    bytes: Vec<u8>,
    /// The first byte of each block.
    starts: Vec<usize>,
}

impl Recipe {
    /// Returns whether full blocks are split into one stream per byte of an item, as C-Blosc2 would do by default.
    fn is_split(&self) -> bool {
        let is_fast = match self.codec {
            Codec::BLOSCLZ | Codec::LZ4 => true,
            Codec::ZSTD => self.level <= FAST_ZSTD,
            _ => false,
        };
        let typesize = self.filters.typesize();
        let is_long = typesize <= MOST_STREAMS && self.block_size / typesize >= SHORTEST_STREAM;
        is_fast && is_long && self.filters.shuffles()
    }

    /// Creates a chunk of blocks, or of uncompressed bytes if compressed blocks are not smaller.
    ///
    /// # Errors
    /// [`Error::Limit`] if it exceeds the memory limit.
    pub fn chunk(&self, blocks: &impl Blocks, scratches: &Scratches) -> Result<Vec<u8>> {
        if self.level > 0
            && let Some(chunk) = self.compressed(blocks, scratches)?
        {
            return Ok(chunk);
        }
        let length = blocks.length();
        let items = Region { offset: 0, length: length as u64, present: length as u64 };
        let (mut chunk, body) = self.frame(length, ChunkBody::Stored { items }, 0)?;
        if let ChunkBody::Stored { items } = body {
            let places = chunk[range(items.range())].chunks_mut(self.block_size);
            places.enumerate().for_each(|(number, place)| blocks.copy(number, place));
        }
        Ok(chunk)
    }

    /// Creates a chunk whose items all have this value.
    ///
    /// # Errors
    /// As for [`Recipe::chunk`].
    pub fn repeated(&self, item: &[u8], length: usize) -> Result<Vec<u8>> {
        let value = Region { offset: 0, length: item.len() as u64, present: item.len() as u64 };
        let (mut chunk, body) = self.frame(length, ChunkBody::Value { value }, 0)?;
        if let ChunkBody::Value { value } = body {
            chunk[range(value.range())].copy_from_slice(item);
        }
        Ok(chunk)
    }

    /// Creates a chunk of blocks; `None` if it would not be smaller than the uncompressed bytes.
    fn compressed(&self, blocks: &impl Blocks, scratches: &Scratches) -> Result<Option<Vec<u8>>> {
        let length = blocks.length();
        let count = length.div_ceil(self.block_size);
        let reference = self.reference(blocks)?;
        let piece = (PIECE / self.block_size).max(1);
        let job = |number: usize| {
            let these = number * piece..((number + 1) * piece).min(count);
            scratches.run(|scratch| self.piece(blocks, these, reference.as_deref(), scratch))
        };
        let pieces = count.div_ceil(piece);
        let pieces: Vec<Result<Piece>> = match pieces {
            1 => vec![job(0)],
            pieces => {
                threads::ready();
                (0..pieces).into_par_iter().map(job).collect()
            }
        };
        let pieces: Vec<Piece> = pieces.into_iter().collect::<Result<_>>()?;
        let stored: usize = pieces.iter().map(|piece| piece.bytes.len()).sum();
        let table = BlockTable::new(count as u64, None);
        let body = ChunkBody::Blocks { table };
        if length_of(&body, Endian::Little).saturating_add(stored as u64) >= length as u64 {
            return Ok(None);
        }
        let (mut chunk, body) = self.frame(length, body, stored)?;
        if let ChunkBody::Blocks { table } = body {
            let (mut base, mut starts) = (chunk.len(), Vec::new());
            for piece in &pieces {
                starts.extend(piece.starts.iter().map(|start| (base + start) as i32));
                base += piece.bytes.len();
            }
            let places = chunk[range(table.starts.range())].as_chunks_mut::<4>().0;
            places.iter_mut().zip(starts).for_each(|(place, start)| *place = start.to_le_bytes());
        }
        pieces.iter().for_each(|piece| chunk.extend_from_slice(&piece.bytes));
        Ok(Some(chunk))
    }

    /// The first block as it will be read back; `None` if the others do not refer to it.
    fn reference(&self, blocks: &impl Blocks) -> Result<Option<Vec<u8>>> {
        if !self.filters.has_delta() {
            return Ok(None);
        }
        let mut first = zeros(self.block_size.min(blocks.length()))?;
        blocks.copy(0, &mut first);
        self.filters.truncate(&mut first);
        Ok(Some(first))
    }

    fn piece(
        &self,
        blocks: &impl Blocks,
        these: Range<usize>,
        reference: Option<&[u8]>,
        scratch: &mut Scratch,
    ) -> Result<Piece> {
        let mut piece = Piece { bytes: Vec::new(), starts: Vec::new() };
        for number in these {
            piece.starts.push(piece.bytes.len());
            let length = self.block_size.min(blocks.length() - number * self.block_size);
            if !memory::set_length(&mut scratch.block, length) {
                return Err(no_memory(length));
            }
            blocks.copy(number, &mut scratch.block);
            let reference = reference.filter(|_| number > 0);
            self.filters.apply(&mut scratch.block, &mut scratch.filtered, reference)?;
            // A short last block is never split.
            let is_split = self.is_split() && length == self.block_size;
            let each = if is_split { length / self.filters.typesize() } else { length };
            for stream in scratch.block.chunks_exact(each) {
                self.stream(stream, &mut scratch.encoders, &mut piece.bytes);
            }
        }
        Ok(piece)
    }

    /// Appends a stream.
    fn stream(&self, bytes: &[u8], encoders: &mut Encoders, out: &mut Vec<u8>) {
        let (first, rest) = (bytes[0], &bytes[1..]);
        let is_run = *rest == bytes[..rest.len()];
        let token = (is_run && first > 0).then(|| Token::new().with_run(true));
        let stored = if is_run { &[] } else { encoders.encode(self.codec, self.level, bytes).unwrap_or(bytes) };
        let length = if is_run { -i32::from(first) } else { stored.len() as i32 };
        let data = Region { offset: 0, length: stored.len() as u64, present: stored.len() as u64 };
        out.extend(put(&Stream { length, token, data }));
        out.extend_from_slice(stored);
    }

    /// The beginning of a chunk: its header, and zeros for the body. Also returns the body, with its offsets filled in. `behind` is
    /// the number of bytes that will follow.
    fn frame(&self, length: usize, body: ChunkBody, behind: usize) -> Result<(Vec<u8>, ChunkBody)> {
        let (filters, filter_meta) = self.filters.slots();
        let (content, special) = match &body {
            ChunkBody::Empty {} => (ChunkContent::Empty, Special::NONE),
            ChunkBody::Value { value } => (ChunkContent::Value(value.length), Special::VALUE),
            ChunkBody::Stored { items } => (ChunkContent::Stored(items.length), Special::NONE),
            ChunkBody::Blocks { table } => {
                (ChunkContent::Blocks { count: table.starts.count, dictionary: false }, Special::NONE)
            }
        };
        let flags = ChunkFlags::new()
            // Both flags together mark an extended header.
            .with_shuffle(true)
            .with_bitshuffle(true)
            .with_delta(self.filters.has_delta())
            .with_stored(matches!(content, ChunkContent::Stored(_)))
            .with_not_split(matches!(content, ChunkContent::Blocks { .. }) && !self.is_split())
            .with_codec_format(self.codec.format().expect("a writer has no plugins"));
        let mut header = ChunkHeader {
            version: ChunkVersion::BLOSC2,
            codec_version: 1,
            flags,
            typesize: self.filters.typesize() as u8,
            nbytes: length as i32,
            blocksize: self.block_size.min(length) as i32,
            cbytes: 0,
            extension: Some(Extension {
                filters,
                codec: self.codec,
                codec_meta: 0,
                filter_meta,
                block_flags: BlockFlags::new(),
                chunk_kind: ChunkKind::new().with_special(special),
            }),
        };
        let header_length = length_of(&header, Endian::Little) as usize;
        let here = header_length + length_of(&body, Endian::Little) as usize;
        let whole = here + behind;
        header.cbytes = i32::try_from(whole).map_err(|_| no_memory(whole))?;
        let mut chunk = memory::with_room::<u8>(whole);
        chunk.extend(put(&header));
        chunk.extend(std::iter::repeat_n(0, here - header_length));
        let source = Source::new(&chunk).at(header_length as u64);
        let body = read::<ChunkBody>(source, Endian::Little, args! { content }).expect("what was written can be read");
        Ok((chunk, body))
    }
}

impl Scratches {
    fn run<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let waiting = self.0.lock().ok().and_then(|mut scratches| scratches.pop());
        let mut scratch = waiting.unwrap_or_default();
        let result = work(&mut scratch);
        if let Ok(mut scratches) = self.0.lock() {
            scratches.push(scratch);
        }
        result
    }
}

/// The bytes of a structure, except for its trailing regions.
pub fn put<T: Layout + for<'a> BinWrite<Args<'a> = ()>>(value: &T) -> Vec<u8> {
    write(value, Endian::Little).expect("what was checked can be written")
}

/// Allocates zeros; an error if there is not enough memory.
pub fn zeros(length: usize) -> Result<Vec<u8>> {
    memory::zeros(length).ok_or_else(|| no_memory(length))
}

/// Returns the error for a chunk that does not fit in memory.
fn no_memory(length: usize) -> Error {
    Error::Limit { what: "a chunk", needed: length as u64, left: 0 }
}

/// Converts a range of bytes to `usize`. Chunks have at most 2 GiB, so the range fits on every platform.
fn range(range: Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}
