//! Assembles a frame: first the chunks, then the index and trailer, and finally the header.
//!
//! The header contains the lengths of everything after it, but its own length does not depend on them because every part has a
//! fixed width. The chunks are therefore stored after a gap of that length, which the header fills at the end.
//!
//! While some chunks are being stored, the next ones are compressed. A chunk of zeros or NaN is not stored at all: its entry in the
//! index records the value.

use super::gather::Items;
use super::plan::Plan;
use crate::b2nd::geometry::Geometry;
use crate::blosc2::write::chunk::{Blocks, Plain, Recipe, Scratches};
use crate::blosc2::write::contents::Contents;
use crate::blosc2::write::filters::Pipeline;
use crate::blosc2::write::frame::{LEVEL, fill, index, trailer, whole};
use crate::blosc2::write::inexpressible;
use crate::bytes::input::LONGEST_HEADER;
use crate::bytes::threads;
use crate::error::Result;
use everybyte::{Endian, bytes::Zeros, trace::length_of};
use ndbytes_schemas::b2nd::METALAYER;
use ndbytes_schemas::blosc2::{
    Bool, Codec, Compression, FixExt16, FrameFlags, FrameKind, FrameType, FrameVersion, Header, IndexEntry, Int16,
    Int32, Int64, Magic, Marker, OffsetWidth, Special, SplitMode, Splitting, Uint64, WriterFlags,
};
use rayon::prelude::*;

/// The number of bytes of chunks that are compressed at a time, unless a single chunk has more.
const AT_ONCE: usize = 32 << 20;

/// The maximum number of chunks that are compressed at a time.
const MOST_AT_ONCE: usize = 1024;

/// A store for chunks.
pub trait Chunks: Send {
    /// Stores a chunk and returns its position.
    fn put(&mut self, number: u64, chunk: &[u8]) -> Result<IndexEntry>;
}

/// The stored form of a chunk.
enum Stored {
    Nowhere(IndexEntry),
    Bytes(Vec<u8>),
}

/// A chunk of an array.
struct ArrayChunk<'a> {
    items: &'a Items<'a>,
    number: u64,
    length: usize,
}

impl Blocks for ArrayChunk<'_> {
    fn length(&self) -> usize {
        self.length
    }

    fn copy(&self, block: usize, out: &mut [u8]) {
        self.items.copy_block(self.number, block as u64, out);
    }
}

/// The parts around the chunks: the header, the index and the trailer.
pub struct Around<'p> {
    plan: &'p Plan,
    metalayers: Contents,
    attributes: Contents,
    is_sparse: bool,
    /// The position of each chunk.
    entries: Vec<IndexEntry>,
    /// The total length of all chunks in bytes.
    cbytes: u64,
}

impl<'p> Around<'p> {
    /// # Errors
    /// [`Error::Inexpressible`](crate::error::Error::Inexpressible) if the metalayers have too many bytes.
    pub fn new(plan: &'p Plan, metalayers: &Contents, attributes: &Contents, is_sparse: bool) -> Result<Self> {
        let mut metalayers = metalayers.clone();
        metalayers.push_front(METALAYER, whole(&plan.layer)?);
        let chunk = |content: &[u8]| {
            let filters = Pipeline::none(1);
            let recipe = Recipe { codec: Codec::ZSTD, level: LEVEL, filters, block_size: content.len() };
            recipe.chunk(&Plain { bytes: content, block_size: content.len() }, &Scratches::default())
        };
        let attributes = attributes.try_map(chunk)?;
        let around = Around { plan, metalayers, attributes, is_sparse, entries: Vec::new(), cbytes: 0 };
        let length = length_of(&around.header(0)?, Endian::Big);
        if length > LONGEST_HEADER as u64 {
            return Err(inexpressible(format!(
                "metalayers in a header of {length} bytes, which exceed the maximum of {LONGEST_HEADER}"
            )));
        }
        Ok(around)
    }

    /// The length of the header in bytes.
    pub fn header_length(&self) -> Result<u64> {
        Ok(length_of(&self.header(0)?, Endian::Big))
    }

    /// Compresses the chunks of the array, or of a box in it, and stores them in order. While some are being stored, the next ones
    /// are compressed.
    pub fn put_chunks(&mut self, geometry: &Geometry, bytes: &[u8], chunks: &mut impl Chunks) -> Result<()> {
        let (plan, count, before) = (self.plan, geometry.chunk_count, self.entries.len() as u64);
        let items = Items::new(bytes, geometry, plan.recipe.filters.item_size());
        let scratches = Scratches::default();
        let at_once = (AT_ONCE / plan.chunk_size().max(1)).clamp(1, MOST_AT_ONCE) as u64;
        let make = |from: u64| -> Result<Vec<Stored>> {
            let numbers = from..from.saturating_add(at_once).min(count);
            numbers.into_par_iter().map(|number| chunk(plan, &items, number, &scratches)).collect()
        };
        threads::ready();
        let (mut from, mut ready) = (0, Vec::new());
        while from < count || !ready.is_empty() {
            plan.limits.ensure_time()?;
            let number = before + from - ready.len() as u64;
            let put = || {
                let mut numbered = (number..).zip(ready.drain(..));
                numbered.try_for_each(|(number, stored)| self.put(number, stored, chunks))
            };
            let (stored, made) = rayon::join(put, || make(from));
            stored?;
            ready = made?;
            from += ready.len() as u64;
        }
        Ok(())
    }

    /// Stores a chunk and records its offset, or records the special value that replaces it.
    fn put(&mut self, number: u64, stored: Stored, chunks: &mut impl Chunks) -> Result<()> {
        self.entries.push(match stored {
            Stored::Nowhere(entry) => entry,
            Stored::Bytes(chunk) => {
                self.cbytes += chunk.len() as u64;
                chunks.put(number, &chunk)?
            }
        });
        Ok(())
    }

    /// The header, index and trailer.
    pub fn finish(&self) -> Result<(Vec<u8>, Vec<u8>, Vec<u8>)> {
        let (index, trailer) = (index(&self.entries)?, trailer(&self.attributes)?);
        let chunks = if self.is_sparse { 0 } else { self.cbytes };
        let length = self.header_length()? + chunks + index.len() as u64 + trailer.len() as u64;
        let mut header = whole(&self.header(length)?)?;
        fill(&mut header, &self.metalayers, |header: Header| header.metalayers);
        Ok((header, index, trailer))
    }

    /// The header of a frame with this length.
    fn header(&self, frame_length: u64) -> Result<Header> {
        let Plan { geometry, recipe, .. } = self.plan;
        let (filters, filter_meta) = recipe.filters.slots();
        let chunk_size = self.plan.chunk_size();
        // python-blosc2 marks arrays with empty chunks this way.
        let has_chunks = chunk_size > 0;
        let kind = if self.is_sparse { FrameKind::SPARSE } else { FrameKind::CONTIGUOUS };
        let mut header = Header {
            head: Marker,
            magic: Magic,
            header_length: Int32(0),
            frame_length: Uint64(frame_length),
            flags_head: Marker,
            flags: FrameFlags::new()
                .with_version(if has_chunks { FrameVersion::EQUAL } else { FrameVersion::VARIABLE })
                .with_offset_width(OffsetWidth::BITS_64)
                .with_variable_chunks(!has_chunks),
            frame_type: FrameType::new().with_kind(kind),
            compression: Compression::new().with_codec(recipe.codec).with_level(recipe.level),
            splitting: Splitting::new().with_mode(SplitMode::AUTOMATIC),
            nbytes: Int64((geometry.chunk_count * chunk_size as u64) as i64),
            cbytes: Int64(self.cbytes as i64),
            typesize: Int32(recipe.filters.item_size() as i32),
            blocksize: Int32(recipe.block_size as i32),
            chunksize: Int32(chunk_size as i32),
            // This number is only informative: the output does not depend on it.
            compress_threads: Int16(1),
            decompress_threads: Int16(1),
            has_attributes: Bool::from(!self.attributes.is_empty()),
            filter_slots: FixExt16(filters.0.len() as u8),
            filters,
            user_codec: recipe.codec,
            codec_meta: 0,
            filter_meta,
            writer_flags: WriterFlags::new(),
            reserved: Zeros::default(),
            metalayers: Contents::default().layout(0, 0)?,
        };
        let before = length_of(&header, Endian::Big) - length_of(&header.metalayers, Endian::Big);
        header.metalayers = self.metalayers.layout(before, length_of(&header.metalayers.head, Endian::Big))?;
        let length = i32::try_from(length_of(&header, Endian::Big));
        header.header_length = Int32(length.map_err(|_| inexpressible("metalayers of over 2^31 - 1 bytes".into()))?);
        Ok(header)
    }
}

/// Builds a chunk of an array. At level 0, every chunk is stored uncompressed.
fn chunk(plan: &Plan, items: &Items<'_>, number: u64, scratches: &Scratches) -> Result<Stored> {
    let length = plan.chunk_size();
    if plan.recipe.level > 0
        && let Some(item) = items.only_item(number)
    {
        let mut item = item.to_vec();
        plan.recipe.filters.truncate(&mut item);
        if item.iter().all(|&byte| byte == 0) {
            return Ok(Stored::Nowhere(IndexEntry::Special(Special::ZEROS)));
        }
        if plan.nan.is_some_and(|nan| item == nan) {
            return Ok(Stored::Nowhere(IndexEntry::Special(Special::NAN)));
        }
        if item.len() < length {
            return plan.recipe.repeated(&item, length).map(Stored::Bytes);
        }
    }
    plan.recipe.chunk(&ArrayChunk { items, number, length }, scratches).map(Stored::Bytes)
}
