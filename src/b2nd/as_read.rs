//! Reads all items of an array as python-blosc2 4.14.1 does, to predict its reaction to a file that breaks a rule.

use super::layer::MOST_AXES;
use crate::blosc2::as_read::{AsRead, ChunkHead, FrameAsRead};
use crate::blosc2::chunk::header::LONGEST_HEADER;
use crate::bytes::course::{self, Step, Stop, byte, demand, each, known, part};
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::settle;
use crate::types::item_type::ItemType;
use ndbytes_schemas::b2nd::{METALAYER, OLD_METALAYER};
use ndbytes_schemas::blosc2::IndexEntry;
use std::ops::Range;

/// The maximum length of a file that is read this way. It is limited because the file is read into memory.
const LONGEST: u64 = 64 << 20;

/// C-Blosc2 decodes the blocks of a chunk individually if it needs at most one out of this many.
const ONE_OF: i64 = 4;

/// The cost of examining a chunk or a block, as the number of bytes that could be decoded in the same time.
const EACH_CHUNK: i64 = 64;
const EACH_BLOCK: i64 = 16;

/// Metalayers of objects that python-blosc2 opens only on request.
const ACTIVE: [&[u8]; 2] = [b"proxy-source", b"b2o"];

/// Metalayers of objects other than arrays.
const PASSIVE: [&[u8]; 8] =
    [b"listarray", b"vlarray", b"batcharray", b"b2embed", b"b2dict", b"b2tree", b"b2remote_store", OLD_METALAYER];

/// Sets the reaction of python-blosc2 in findings that do not determine it, if one can be determined by reading the file as
/// python-blosc2 does.
pub fn settle(input: &Input<'_>, findings: &mut [Finding]) -> Result<()> {
    let is_whole = input.folder().is_none() && input.length() <= LONGEST;
    if !is_whole || !settle::is_open(findings) {
        return Ok(());
    }
    let debit = Debit::new(input.budget());
    let file = input.seen(0..input.length(), &debit)?;
    if let Some(reaction) = course::reaction(AsRead::new(&file, input.budget()).object())? {
        settle::settle(findings, reaction);
    }
    Ok(())
}

/// Returns whether a frame is an object of python-blosc2 other than an array.
pub(crate) fn is_passive(frame: &FrameAsRead) -> bool {
    PASSIVE.iter().any(|name| frame.metalayer(name).is_some())
}

/// The shapes of an array, as `update_shape_struct` reads them.
struct Shapes {
    axes: Vec<Lengths>,
    /// The number of items in the array, in a chunk without and with padding, and in a block.
    items: i64,
    chunk_items: i64,
    padded_chunk_items: i64,
    block_items: i64,
    /// The type of the items as text, or `None` for raw items of the frame's item size.
    dtype: Option<Range<usize>>,
    dtype_format: u8,
}

/// The lengths along an axis.
struct Lengths {
    shape: i64,
    chunk: i64,
    block: i64,
}

impl Lengths {
    /// The number of chunks along the axis.
    fn chunks(&self) -> i64 {
        if self.chunk == 0 { 0 } else { self.shape / self.chunk + i64::from(self.shape % self.chunk > 0) }
    }

    /// The length of a chunk in items, rounded up to whole blocks.
    fn padded(&self) -> i64 {
        self.chunk_blocks() * self.block
    }

    /// The number of blocks in a chunk along the axis.
    fn chunk_blocks(&self) -> i64 {
        if self.block == 0 { 0 } else { self.chunk / self.block + i64::from(self.chunk % self.block > 0) }
    }
}

/// The product of lengths; refused if it exceeds `most`.
fn product(lengths: impl IntoIterator<Item = i64>, most: i64) -> Step<i64> {
    let mut product = 1_i64;
    for length in lengths {
        product = product.checked_mul(length).filter(|&product| product <= most).ok_or(Stop::Refused)?;
    }
    Ok(product)
}

impl<'r> AsRead<'r> {
    /// `blosc2.open`, followed by reading everything in the object that it returns.
    pub(crate) fn object(&mut self) -> Step {
        let frame = self.open()?;
        demand(!ACTIVE.iter().any(|name| frame.metalayer(name).is_some()))?;
        known(!is_passive(&frame))?;
        let Some(layer) = frame.metalayer(METALAYER) else { return self.super_chunk(&frame) };
        let shapes = self.shapes(layer)?;
        demand(frame.metalayer(b"LazyArray").is_none())?;
        let item_size = self.item_size(&frame, &shapes)?;
        if shapes.axes.iter().any(|axis| axis.shape == 0) {
            return Ok(());
        }
        self.items(&frame, &shapes, item_size)
    }

    /// Decodes all chunks of a frame without a shape.
    pub(crate) fn super_chunk(&mut self, frame: &FrameAsRead) -> Step {
        each(0..frame.chunk_count(), |chunk| {
            self.work(EACH_CHUNK)?;
            let nbytes = self.chunk_head(frame, chunk)?;
            self.chunk(frame, chunk, nbytes, None)
        })
    }

    /// `decompress_chunk`: decodes a chunk.
    pub(crate) fn chunk_bytes(&mut self, frame: &FrameAsRead, chunk: i64) -> Step<Vec<u8>> {
        self.work(EACH_CHUNK)?;
        let nbytes = self.chunk_head(frame, chunk)?;
        self.chunk(frame, chunk, nbytes, None)?;
        let entry = frame.entry(chunk)?;
        known(matches!(entry, IndexEntry::At(_)))?;
        if nbytes == 0 { Ok(Vec::new()) } else { self.content(self.stored(frame, entry)?, nbytes) }
    }

    /// `frame_to_schunk` with a copy: the decoded lengths of all chunks must add up to the length that the frame declares.
    pub(crate) fn copied(&mut self, frame: &FrameAsRead) -> Step {
        let nbytes: Step<i64> = (0..frame.chunk_count())
            .map(|chunk| {
                self.work(EACH_CHUNK)?;
                self.chunk_head(frame, chunk)
            })
            .sum();
        demand(nbytes? == frame.nbytes || frame.chunk_count() == 0)
    }

    /// The decoded length that a chunk declares, in bytes.
    fn chunk_head(&mut self, frame: &FrameAsRead, chunk: i64) -> Step<i64> {
        let entry = frame.entry(chunk)?;
        let IndexEntry::At(_) = entry else { return Ok(frame.special(entry, chunk)?.nbytes) };
        let src = self.stored(frame, entry)?;
        let nbytes = ChunkHead::of_sizes(src)?.nbytes;
        demand(nbytes >= 0)?;
        Ok(nbytes)
    }

    /// `b2nd_deserialize_meta` and `update_shape_struct`.
    fn shapes(&mut self, layer: Range<usize>) -> Step<Shapes> {
        let (start, bytes) = (layer.start, &self.file[layer]);
        let ndim = byte(bytes, 2)?;
        demand(ndim <= MOST_AXES)?;
        let count = i64::from(ndim);
        let mut at = 3;
        let mut lengths = |size: usize| -> Step<Vec<i64>> {
            byte(bytes, at)?;
            at += 1;
            let each = 1 + size as i64;
            let all = (0..count).map(|axis| part(bytes, at + axis * each + 1, size as i64).map(signed));
            let all: Step<Vec<i64>> = all.collect();
            at += count * each;
            all
        };
        let (shape, chunk) = (lengths(size_of::<i64>())?, lengths(size_of::<i32>())?);
        let block = lengths(size_of::<i32>())?;
        let (mut dtype, mut dtype_format) = (None, 0);
        if at < bytes.len() as i64 {
            let head = part(bytes, at, 6)?;
            dtype_format = head[0];
            demand(head[1] == 0xdb)?;
            let length = signed(&head[2..]);
            let text = part(bytes, at + 6, length)?;
            let length = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
            let first = start + at as usize + 6;
            dtype = Some(first..first + length);
        }
        let axes = shape.into_iter().zip(chunk).zip(block);
        let axes: Vec<Lengths> = axes.map(|((shape, chunk), block)| Lengths { shape, chunk, block }).collect();
        for axis in &axes {
            demand(axis.shape >= 0 && axis.chunk >= 0 && axis.block >= 0)?;
            demand(axis.block > 0 || axis.chunk == 0)?;
            demand(axis.shape == 0 || axis.chunk > 0)?;
            demand(axis.chunk == 0 || axis.shape <= i64::MAX - axis.chunk)?;
        }
        product(axes.iter().map(|axis| axis.chunks() * axis.chunk), i64::MAX)?;
        Ok(Shapes {
            items: product(axes.iter().map(|axis| axis.shape), i64::MAX)?,
            chunk_items: product(axes.iter().map(|axis| axis.chunk), i32::MAX.into())?,
            padded_chunk_items: product(axes.iter().map(Lengths::padded), i64::MAX)?,
            block_items: product(axes.iter().map(|axis| axis.block), i32::MAX.into())?,
            axes,
            dtype,
            dtype_format,
        })
    }

    /// The size in bytes of an item, as NumPy derives it from the type.
    fn item_size(&self, frame: &FrameAsRead, shapes: &Shapes) -> Step<i64> {
        let Some(place) = shapes.dtype.clone() else { return Ok(frame.typesize) };
        demand(shapes.dtype_format == 0)?;
        let text = std::str::from_utf8(&self.file[place]).map_err(|_| Stop::Refused)?;
        // NumPy accepts type strings that are not supported here.
        let item_type = text.parse::<ItemType>().map_err(|_| Stop::Unknown)?;
        Ok(item_type.size() as i64)
    }

    /// `get_set_slice` for the whole array.
    fn items(&mut self, frame: &FrameAsRead, shapes: &Shapes, item_size: i64) -> Step {
        let typesize = frame.typesize;
        let room = shapes.items.checked_mul(item_size).ok_or(Stop::Refused)?;
        if shapes.axes.is_empty() {
            // python-blosc2 writes the whole item to its destination, even if that is shorter.
            known(item_size >= typesize)?;
            return self.chunk(frame, 0, typesize, None);
        }
        let chunk_bytes = product([shapes.padded_chunk_items, typesize], i32::MAX.into())?;
        let whole = shapes.items.checked_mul(typesize).ok_or(Stop::Unknown)?;
        demand(room >= whole)?;
        if shapes.is_one_chunk() {
            return self.chunk(frame, 0, whole, None);
        }
        let counts: Vec<i64> = shapes.axes.iter().map(Lengths::chunks).collect();
        let chunks = product(counts.iter().copied(), i64::MAX)?;
        let block_bytes = shapes.block_items * typesize;
        each(0..chunks, |chunk| {
            let blocks = shapes.padded_chunk_items / shapes.block_items;
            self.work(EACH_CHUNK + blocks * EACH_BLOCK)?;
            let debit = Debit::new(self.budget);
            debit.take(2 * blocks.unsigned_abs(), "the blocks of a chunk")?;
            let needed = shapes.needed_blocks(&place(chunk, &counts));
            let count = needed.iter().filter(|&&is_needed| is_needed).count() as i64;
            if count * block_bytes * ONE_OF > chunk_bytes {
                return self.chunk(frame, chunk, chunk_bytes, Some(&needed));
            }
            demand(chunk < frame.chunk_count())?;
            let lazy = self.lazy_chunk(frame, chunk)?;
            let mut numbers = (0..).zip(&needed).filter(|(_, is_needed)| **is_needed);
            numbers.try_for_each(|(block, _): (i64, _)| self.some_bytes(&lazy, block * block_bytes, block_bytes))
        })
    }

    /// The bytes of a stored chunk: `frame_get_chunk`.
    pub(crate) fn stored(&self, frame: &FrameAsRead, entry: IndexEntry) -> Step<&'r [u8]> {
        let at = frame.chunk_start(entry)?;
        let longest = LONGEST_HEADER as i64;
        let head = ChunkHead::of_sizes(part(self.file, at, longest)?)?;
        demand(head.cbytes >= longest && at - frame.header_length + head.cbytes <= frame.cbytes)?;
        part(self.file, at, head.cbytes)
    }

    /// `frame_decompress_chunk`: decodes a chunk into a buffer for `room` bytes.
    fn chunk(&mut self, frame: &FrameAsRead, chunk: i64, room: i64, needed: Option<&[bool]>) -> Step {
        let entry = frame.entry(chunk)?;
        if !matches!(entry, IndexEntry::At(_)) {
            self.forget_dictionary();
            let head = frame.special(entry, chunk)?;
            demand(head.nbytes <= room)?;
            let (count, _) = head.blocks();
            demand(needed.is_none_or(|needed| needed.len() as i64 == count))?;
            let mut blocks = (0..count).filter(|&block| needed.is_none_or(|needed| needed[block as usize]));
            return blocks.try_for_each(|block| head.without_streams(head.block(block).0));
        }
        let src = self.stored(frame, entry)?;
        let head = ChunkHead::of_sizes(src)?;
        let written = self.decompress(src, room, needed)?;
        // With several threads, blocks are assigned in advance, and the decoded bytes are not counted.
        let is_uncounted = needed.is_none() && head.nbytes / head.block_size > 1;
        demand(is_uncounted || written == head.nbytes)
    }
}

impl Shapes {
    /// `nchunk_fastpath`: whether the array is one chunk that is decoded in place.
    fn is_one_chunk(&self) -> bool {
        let mut split = 0;
        for (number, axis) in self.axes.iter().enumerate() {
            if axis.shape != axis.chunk || axis.chunk % axis.block != 0 || number > split && axis.chunk != axis.block {
                return false;
            }
            split += usize::from(number == split && axis.block == 1);
        }
        self.items == self.chunk_items
    }

    /// The blocks of a chunk that C-Blosc2 decodes: those that begin before the end of the array.
    fn needed_blocks(&self, chunk: &[i64]) -> Vec<bool> {
        let counts: Vec<i64> = self.axes.iter().map(Lengths::chunk_blocks).collect();
        let is_needed = |block: i64| {
            let mut axes = self.axes.iter().zip(chunk).zip(place(block, &counts));
            axes.all(|((axis, chunk), block)| {
                let first = chunk * axis.chunk;
                let stop = (first + axis.chunk).min(axis.shape);
                let (start, end) = (first + block * axis.block, first + (block + 1) * axis.block);
                end.min(stop) > 0 && start.min(stop) < axis.shape
            })
        };
        (0..counts.iter().product::<i64>()).map(is_needed).collect()
    }
}

/// The position along each axis of the chunk or block with this number.
fn place(mut number: i64, counts: &[i64]) -> Vec<i64> {
    let mut places: Vec<i64> = counts
        .iter()
        .rev()
        .map(|&count| {
            let place = number % count;
            number /= count;
            place
        })
        .collect();
    places.reverse();
    places
}

/// Reads a big-endian number of 4 or 8 bytes.
fn signed(bytes: &[u8]) -> i64 {
    match *bytes {
        [a, b, c, d] => i32::from_be_bytes([a, b, c, d]).into(),
        _ => bytes.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes)),
    }
}
