//! Decodes blocks and undoes their filters.
//!
//! A block consists of one stream, or of one stream for each byte of an item: the first stream then contains the first bytes of all
//! items, and so on. The header states which is the case (`not_split`). Each stream starts with its length; special lengths mean
//! zeros, a run of one byte, or bytes that are stored uncompressed.
//!
//! The usual filter, shuffle, would move every byte through memory twice: once to decode it, and once to put it next to the other
//! bytes of its item. Instead, shuffled streams are kept separate as [`Planes`], and the copy to the output interleaves them. Zeros
//! and uncompressed streams are not copied to the scratch memory at all: see [`Plane`]. Only a block with other filters is first
//! unfiltered in memory.
//!
//! No length in the file is trusted. A block must decode to the length that the header of its chunk states, which has been checked.
//! Buffers are charged to the budget before they grow. A stream that decodes to another length is a finding.

use super::header::{Chunk, Content, Step};
use super::streams::{Codecs, Task, reference};
use crate::blosc2::rules;
use crate::bytes::limits::Budget;
use crate::bytes::memory::{self, Streaming};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use everybyte::{Endian, Layout, ParseError, Source, trace::read_next};
use ndbytes_codecs::lz::SLACK;
use ndbytes_codecs::{BrokenStream, filters};
use ndbytes_schemas::blosc2::{ChunkVersion, Stream, Token};
use std::ops::Range;

/// The maximum number of items for which the loops for many items do not pay off.
const FEW: usize = 2;

/// The number of planes that fit on the stack.
const PLANES: usize = 16;

/// Memory for processing blocks one after another.
#[derive(Default)]
pub struct Scratch {
    codecs: Codecs,
    /// Decoded streams, and the output of a filter.
    streams: Vec<u8>,
    filtered: Vec<u8>,
    /// The zeros of a plane.
    zeros: Vec<u8>,
    planes: Vec<Plane>,
}

/// The bytes at one position in all items of a block.
#[derive(Debug, Clone, Copy)]
enum Plane {
    /// The bytes are stored uncompressed, starting at this offset in the block's source.
    Source(usize),
    /// All bytes are zero.
    Zeros,
    /// The bytes were decoded to this position in the scratch memory.
    Streams(usize),
}

/// A decoded block.
pub enum Decoded<'s> {
    /// The bytes in order.
    Bytes(&'s [u8]),
    /// The bytes, grouped by their position in the item.
    Planes(Planes<'s>),
}

/// A block that is still shuffled.
pub struct Planes<'s> {
    planes: &'s [Plane],
    source: &'s [u8],
    streams: &'s [u8],
    zeros: &'s [u8],
}

/// Lets one thread bypass the caches when copying.
pub struct PastCaches<'s> {
    streaming: &'s Streaming,
    /// A staging buffer for bytes that are written in one piece. It stays in the caches.
    staging: [u8; 4096],
}

impl<'s> PastCaches<'s> {
    /// Bypasses the caches when copying. Use it for output that is larger than the caches.
    pub fn new(streaming: &'s Streaming) -> Self {
        PastCaches { streaming, staging: [0; 4096] }
    }

    /// Copies bytes.
    pub fn copy(&self, from: &[u8], out: &mut [u8]) {
        self.streaming.copy(from, out);
    }

    /// Assembles the output from pieces of a few complete units. `fill` receives the offset of each piece.
    pub fn put_together(&mut self, out: &mut [u8], unit: usize, fill: impl Fn(usize, &mut [u8])) {
        let step = self.staging.len() / unit * unit;
        if step == 0 {
            return fill(0, out);
        }
        for (number, out) in out.chunks_mut(step).enumerate() {
            let staged = &mut self.staging[..out.len()];
            fill(number * step, staged);
            self.streaming.copy(staged, out);
        }
    }
}

impl Decoded<'_> {
    /// Copies bytes, starting at `start`. For shuffled blocks, these must be whole items.
    pub fn copy_to(&self, start: usize, out: &mut [u8]) {
        match self {
            Decoded::Bytes(bytes) => out.copy_from_slice(&bytes[start..start + out.len()]),
            Decoded::Planes(planes) => planes.interleave(start, out),
        }
    }

    /// Like `copy_to`, but bypasses the caches.
    pub fn stream_to(&self, start: usize, out: &mut [u8], past_caches: &mut PastCaches<'_>) {
        match self {
            Decoded::Bytes(bytes) => past_caches.copy(&bytes[start..start + out.len()], out),
            Decoded::Planes(planes) => {
                past_caches.put_together(out, planes.planes.len(), |from, out| planes.interleave(start + from, out));
            }
        }
    }
}

impl Planes<'_> {
    /// Assembles a few items, byte by byte.
    fn gather(&self, first: usize, out: &mut [u8]) {
        for (number, item) in out.chunks_exact_mut(self.planes.len()).enumerate() {
            for (byte, plane) in item.iter_mut().zip(self.planes) {
                *byte = match *plane {
                    Plane::Source(from) => self.source[from + first + number],
                    Plane::Streams(from) => self.streams[from + first + number],
                    Plane::Zeros => 0,
                };
            }
        }
    }

    /// Undoes the shuffle filter: byte `k` of each item comes from plane `k`.
    fn interleave(&self, start: usize, out: &mut [u8]) {
        let width = self.planes.len();
        let (first, count) = (start / width, out.len() / width);
        if count <= FEW {
            return self.gather(first, out);
        }
        let slice = |plane: &Plane| match *plane {
            Plane::Source(from) => &self.source[from + first..from + first + count],
            Plane::Streams(from) => &self.streams[from + first..from + first + count],
            Plane::Zeros => &self.zeros[..count],
        };
        if width <= PLANES {
            let mut slices: [&[u8]; PLANES] = [&[]; PLANES];
            for (slot, plane) in slices.iter_mut().zip(self.planes) {
                *slot = slice(plane);
            }
            filters::interleave(&slices[..width], out);
        } else {
            let slices: Vec<&[u8]> = self.planes.iter().map(slice).collect();
            filters::interleave(&slices, out);
        }
    }
}

/// A stored block.
pub struct StoredBlock<'s> {
    pub chunk: &'s Chunk,
    pub number: u64,
    /// The range of its bytes in the chunk.
    pub place: Range<u32>,
    /// The bytes of the block, and possibly some after them.
    pub source: &'s [u8],
    pub dictionary: &'s [u8],
    /// The decoded first block of the chunk, if a filter needs it.
    pub reference: Option<&'s [u8]>,
    /// The size of an item of the array in bytes.
    pub item_size: usize,
    /// The number of decoded bytes at the beginning that the caller needs. The others may be left undecoded.
    pub needed: usize,
}

/// The result of decoding a block's streams.
pub struct Streams {
    /// The number of bytes consumed from the source.
    pub consumed: usize,
    /// A flaw in a stream that C-Blosc2 does not notice.
    pub flaw: Option<Box<Finding>>,
}

/// The way to process the streams of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Streams are decoded one after another.
    Joined,
    /// Like `Joined`, but uncompressed streams stay in place, and zeros are not written.
    Apart,
    /// Streams are only verified to decode.
    Verified,
}

/// A decoded block, and a flaw that did not prevent decoding.
pub struct Outcome<'s> {
    pub decoded: Decoded<'s>,
    pub flaw: Option<Box<Finding>>,
}

/// Resizes a buffer to this length, charging its growth to the budget.
pub fn make_room(buffer: &mut Vec<u8>, length: usize, budget: &Budget) -> Result<()> {
    let what = "a block";
    let more = length.saturating_sub(buffer.capacity()) as u64;
    budget.take(more, what)?;
    match memory::set_length(buffer, length) {
        true => Ok(()),
        false => {
            budget.give_back(more);
            Err(Error::Limit { what, needed: length as u64, left: 0 })
        }
    }
}

impl Scratch {
    /// The memory that the buffers occupy, in bytes.
    pub fn held(&self) -> u64 {
        (self.streams.capacity() + self.filtered.capacity() + self.zeros.capacity()) as u64
    }

    /// Decodes a block.
    ///
    /// # Errors
    /// Inner error: the finding about the block, with offsets relative to the chunk's first byte. Outer error: [`Error::Limit`].
    pub fn decode<'s>(
        &'s mut self,
        block: &StoredBlock<'s>,
        budget: &Budget,
    ) -> Result<Result<Outcome<'s>, Box<Finding>>> {
        let chunk = block.chunk;
        let length = chunk.block_length(block.number) as usize;
        let count = chunk.stream_count(length as u64) as usize;
        let each = length / count;
        make_room(&mut self.streams, length + count * SLACK, budget)?;
        let width = match chunk.steps[..] {
            [Step::Unshuffle { width }] if length.is_multiple_of(width) && block.item_size.is_multiple_of(width) => {
                width
            }
            [] => 1,
            _ => 0,
        };
        // The bytes for each position in an item are kept separate until they are copied to the output.
        let is_apart = width > 1;
        if is_apart && count > 1 && count == width {
            make_room(&mut self.zeros, each, budget)?;
            let needed = block.needed.div_ceil(width).min(each);
            let streams = match self.streams(block, count, each, needed, Mode::Apart) {
                Ok(streams) => streams,
                Err(finding) => return Ok(Err(finding)),
            };
            let Scratch { streams: bytes, zeros, planes, .. } = self;
            let decoded = Decoded::Planes(Planes { planes, source: block.source, streams: bytes, zeros });
            return Ok(Ok(Outcome { decoded, flaw: streams.flaw }));
        }
        let needed = match width {
            0 => each,
            _ if count > 1 => each,
            width => length - length / width + block.needed.div_ceil(width).min(length / width),
        };
        let streams = match self.streams(block, count, each, needed, Mode::Joined) {
            Ok(streams) => streams,
            Err(finding) => return Ok(Err(finding)),
        };
        let flaw = streams.flaw;
        if is_apart {
            let Scratch { streams: bytes, zeros, planes, .. } = self;
            planes.clear();
            planes.extend((0..width).map(|place| Plane::Streams(place * (length / width))));
            let decoded = Decoded::Planes(Planes { planes, source: block.source, streams: bytes, zeros });
            return Ok(Ok(Outcome { decoded, flaw }));
        }
        self.unfilter(block, length, budget)?;
        Ok(Ok(Outcome { decoded: Decoded::Bytes(&self.streams[..length]), flaw }))
    }

    /// Verifies that the streams of a block decode.
    ///
    /// # Errors
    /// As for [`Scratch::decode`].
    pub fn verify(&mut self, block: &StoredBlock<'_>, budget: &Budget) -> Result<Result<Streams, Box<Finding>>> {
        let length = block.chunk.block_length(block.number) as usize;
        let count = block.chunk.stream_count(length as u64) as usize;
        let each = length / count;
        make_room(&mut self.streams, each + SLACK, budget)?;
        Ok(self.streams(block, count, each, each, Mode::Verified))
    }

    /// Decodes all streams of a block.
    fn streams(
        &mut self,
        block: &StoredBlock<'_>,
        count: usize,
        each: usize,
        needed: usize,
        mode: Mode,
    ) -> Result<Streams, Box<Finding>> {
        let room = (block.place.end - block.place.start) as usize;
        let mut source = Source::new(block.source).until(room as u64);
        let mut flaw = None;
        self.planes.clear();
        for number in 0..count {
            let start = source.position();
            let stream = read_next::<Stream>(&mut source, Endian::Little, ())
                .map_err(|error| block.ends_before(number, start, &error))?;
            // Planes that are a power of two apart would evict each other from the cache.
            let to = match mode {
                Mode::Joined => number * each,
                Mode::Apart => number * (each + SLACK),
                Mode::Verified => 0,
            };
            let data = stream.data.offset as usize..stream.data.range().end as usize;
            let (length, head) = (stream.length, start..stream.data.offset);
            let target = &mut self.streams[to..];
            let mut plane = Plane::Streams(to);
            match usize::try_from(length) {
                _ if stream.data.is_truncated() => return Err(block.cut_off(number, head, length as u64, data.len())),
                Ok(0) if mode != Mode::Joined => plane = Plane::Zeros,
                Ok(0) => target[..each].fill(0),
                Ok(length) if length == each && mode != Mode::Joined => plane = Plane::Source(data.start),
                Ok(length) if length == each => target[..each].copy_from_slice(&block.source[data]),
                Ok(length) if length > each => return Err(block.expanded(number, head, length, each)),
                Ok(_) => {
                    let begin = data.start as u64;
                    let task =
                        Task { source: block.source, stream: data, dictionary: block.dictionary, length: each, needed };
                    match self.codecs.decode(block.chunk.codec, task, target) {
                        Ok(()) => {}
                        Err(broken) if broken.is_complete => flaw = flaw.or(Some(block.broken(number, begin, broken))),
                        Err(broken) => return Err(block.broken(number, begin, broken)),
                    }
                }
                // The stream is a run of equal bytes.
                Err(_) => match (u8::try_from(length.unsigned_abs()), stream.token) {
                    (Ok(byte), Some(token)) if token.run() => {
                        if token.reserved() != 0 {
                            flaw = flaw.or(Some(block.unused_bits(number, head.end)));
                        }
                        if mode != Mode::Verified {
                            target[..each].fill(byte);
                        }
                    }
                    _ => return Err(block.undefined_length(number, head, length)),
                },
            }
            self.planes.push(plane);
        }
        Ok(Streams { consumed: source.position() as usize, flaw })
    }

    /// Undoes all filters of a block.
    fn unfilter(&mut self, block: &StoredBlock<'_>, length: usize, budget: &Budget) -> Result<()> {
        let header = &block.chunk.header;
        let typesize = usize::from(header.typesize);
        for &step in &block.chunk.steps {
            let bytes = &mut self.streams[..length];
            match step {
                Step::Undelta => match block.reference {
                    None => filters::undelta_first(typesize, bytes),
                    Some(reference) => filters::undelta(typesize, bytes, &reference[..length]),
                },
                Step::Unbytedelta { width, restarts } => filters::unbytedelta(width, restarts, bytes),
                Step::Unshuffle { .. } | Step::Bitunshuffle => {
                    make_room(&mut self.filtered, length + SLACK, budget)?;
                    let out = &mut self.filtered[..length];
                    match step {
                        Step::Unshuffle { width } => filters::unshuffle(width, bytes, out),
                        // Blosc 1 did not filter blocks whose number of items is not a multiple of eight.
                        _ if header.version == ChunkVersion::BLOSC1 && !(length / typesize).is_multiple_of(8) => {
                            out.copy_from_slice(bytes)
                        }
                        _ => filters::bitunshuffle(typesize, bytes, out),
                    }
                    std::mem::swap(&mut self.streams, &mut self.filtered);
                }
            }
        }
        Ok(())
    }
}

impl StoredBlock<'_> {
    /// The finding for a block that ends before the length of a stream.
    #[cold]
    fn ends_before(&self, stream: usize, start: u64, error: &ParseError) -> Box<Finding> {
        let message = format!("the block ends before its stream {stream}: {}", error.problem);
        let finding = *self.finding(stream, start..start + error.length, message);
        finding.with_reference(Reference::Unforeseen).into()
    }

    /// The finding for a stream that is longer than the rest of its block.
    #[cold]
    fn cut_off(&self, stream: usize, head: Range<u64>, length: u64, left: usize) -> Box<Finding> {
        let message = format!("stream {stream} of the block takes {}, but only {left} are left", bytes(length));
        let finding = *self.finding(stream, head, message);
        finding.with_reference(Reference::Unforeseen).into()
    }

    /// The finding for a stream that is longer than its decoded content.
    #[cold]
    fn expanded(&self, stream: usize, head: Range<u64>, length: usize, each: usize) -> Box<Finding> {
        let message = format!("stream {stream} of the block takes {length} bytes to decode to {each}");
        self.finding(stream, head, message)
    }

    /// The finding for a run whose token, which ends at `end`, has unused bits.
    #[cold]
    fn unused_bits(&self, stream: usize, end: u64) -> Box<Finding> {
        let message = format!("stream {stream} of the block has a token with unused bits");
        let finding = *self.finding(stream, end - Token::MIN_SIZE..end, message);
        finding.with_reference(Reference::Accepts).into()
    }

    /// The finding for a negative length that has no meaning.
    #[cold]
    fn undefined_length(&self, stream: usize, head: Range<u64>, length: i32) -> Box<Finding> {
        let message = format!("stream {stream} of the block has an undefined length, {length}");
        self.finding(stream, head, message)
    }

    /// A finding about a stream, with its offset in the chunk.
    #[cold]
    fn finding(&self, stream: usize, at: Range<u64>, message: String) -> Box<Finding> {
        let base = u64::from(self.place.start);
        let field = format!("blocks[{}].streams[{stream}]", self.number);
        Finding::new(&rules::BROKEN_STREAM, &field, base + at.start..base + at.end, message).into()
    }

    /// The finding for a stream that does not decode. The codec reports the byte at which it failed.
    #[cold]
    fn broken(&self, stream: usize, begin: u64, broken: BrokenStream) -> Box<Finding> {
        let reference = reference(&broken);
        let at = begin + broken.at;
        let codec = self.chunk.header.flags.codec_format().words();
        let message = format!("stream {stream} of the block does not decode ({codec}): {}", broken.what);
        let finding = *self.finding(stream, at..at + 1, message);
        finding.with_reference(reference).into()
    }
}

/// Fills bytes of a chunk whose items are all the same, starting at `start`. `value` contains the bytes after the chunk's header.
pub fn fill(chunk: &Chunk, value: &[u8], start: u64, out: &mut [u8]) {
    match chunk.content {
        Content::Nan => repeat(nan(chunk.header.typesize.into()), start, out),
        Content::Value(_) => repeat(value, start, out),
        _ => out.fill(0),
    }
}

/// The NaN for items of 4 or 8 bytes, if all items of a chunk are NaN.
pub fn nan(item_size: usize) -> &'static [u8] {
    const F32: [u8; 4] = f32::NAN.to_le_bytes();
    const F64: [u8; 8] = f64::NAN.to_le_bytes();
    if item_size == F32.len() { &F32 } else { &F64 }
}

/// Repeats a value, starting at byte `start` of the repetition.
pub fn repeat(value: &[u8], start: u64, out: &mut [u8]) {
    let skipped = (start % value.len() as u64) as usize;
    let (head, rest) = out.split_at_mut(out.len().min((value.len() - skipped) % value.len()));
    head.copy_from_slice(&value[skipped..skipped + head.len()]);
    let first = rest.len().min(value.len());
    rest[..first].copy_from_slice(&value[..first]);
    let mut filled = first;
    while filled < rest.len() {
        let more = filled.min(rest.len() - filled);
        rest.copy_within(..more, filled);
        filled += more;
    }
}
