//! Chunks that are read partly: first the header and the table of blocks, then some of the blocks.

use super::chunk::EACH;
use super::{AsRead, ChunkHead, FrameAsRead, number};
use crate::blosc2::chunk::header::LONGEST_HEADER;
use crate::bytes::course::{Step, Stop, byte, demand, known, part};
use crate::bytes::limits::Debit;
use ndbytes_schemas::blosc2::{BlockFlags, ChunkKind, IndexEntry, Special};
use std::ops::Range;

/// The memory in bytes for the position of a block while the blocks are sorted. It is doubled because lists double when they grow.
const EACH_PLACE: u64 = 2 * (size_of::<(i64, i64)>() + size_of::<i64>() + size_of::<usize>()) as u64;

/// The number of bytes that C-Blosc2 appends to the table of blocks in memory: the index of the chunk, and its position.
const ADDED: i64 = (size_of::<i32>() + size_of::<i64>()) as i64;

/// A chunk whose header and table of blocks have been read.
pub(crate) struct LazyChunk {
    head: ChunkHead,
    /// The first byte of the chunk in the file, or `None` if it is a special value in the index.
    at: Option<i64>,
    /// The length of the copy in memory, in bytes.
    length: i64,
    /// The first byte of each block in the chunk, and the number of bytes up to the next one.
    blocks: Vec<(i64, i64)>,
    /// True if the blocks differ in length: then its items are not read one by one.
    is_variable: bool,
}

impl AsRead<'_> {
    /// `frame_get_lazychunk`.
    pub fn lazy_chunk(&mut self, frame: &FrameAsRead, chunk: i64) -> Step<LazyChunk> {
        let entry = frame.entry(chunk)?;
        let IndexEntry::At(_) = entry else {
            let head = frame.special(entry, chunk)?;
            let (length, blocks) = (LONGEST_HEADER as i64, Vec::new());
            return Ok(LazyChunk { head, at: None, length, blocks, is_variable: false });
        };
        let at = frame.chunk_start(entry)?;
        let longest = LONGEST_HEADER as i64;
        let first = part(self.file, at, longest)?;
        let head = ChunkHead::of_sizes(first)?;
        demand(head.nbytes >= 0 && head.cbytes >= longest)?;
        // C-Blosc2 evaluates these bytes even if the header is short.
        let (flags, kind) = (byte(first, longest - 2)?, byte(first, longest - 1)?);
        let is_variable = BlockFlags::from_raw(flags).variable_blocks();
        let kind = ChunkKind::from_raw(kind);
        let count = if is_variable { head.block_size } else { head.blocks().0 };
        demand(count > 0)?;
        let table = count * EACH;
        let (read, length) = match kind.special() {
            Special::NONE if head.is_stored => (longest, longest + table + ADDED + table),
            Special::NONE => (longest + table, longest + table + ADDED + table),
            Special::VALUE => (longest + frame.typesize, longest + frame.typesize),
            _ => return Err(Stop::Refused),
        };
        demand(read <= head.cbytes && length <= i32::MAX.into())?;
        self.work(table)?;
        part(self.file, at, read)?;
        let is_plain = kind.special() == Special::NONE;
        let blocks = if is_plain { self.block_places(&head, at, count)? } else { Vec::new() };
        Ok(LazyChunk { head, at: Some(at), length, blocks, is_variable })
    }

    /// `blosc2_schunk_get_slice_buffer`: decodes some bytes of a frame.
    pub fn slice(&mut self, frame: &FrameAsRead, range: &Range<u64>) -> Step {
        known(frame.chunk_size > 0 && frame.typesize == 1)?;
        let end = i64::try_from(range.end).unwrap_or(i64::MAX).min(frame.nbytes);
        let mut at = i64::try_from(range.start).unwrap_or(i64::MAX);
        while at < end {
            let (chunk, start) = (at / frame.chunk_size, at % frame.chunk_size);
            let length = (frame.chunk_size - start).min(end - at);
            let lazy = self.lazy_chunk(frame, chunk)?;
            self.some_bytes(&lazy, start, length)?;
            at += length;
        }
        Ok(())
    }

    /// The positions of a chunk's blocks, each of which ends where the next one begins.
    fn block_places(&mut self, head: &ChunkHead, at: i64, count: i64) -> Step<Vec<(i64, i64)>> {
        let debit = Debit::new(self.budget);
        debit.take(count.unsigned_abs().saturating_mul(EACH_PLACE), "the places of blocks")?;
        if head.is_stored {
            return Ok((0..count).map(|block| (head.length + block * head.block_size, head.block(block).0)).collect());
        }
        let starts: Step<Vec<i64>> =
            (0..count).map(|block| number(self.file, at + LONGEST_HEADER as i64 + block * EACH)).collect();
        let starts = starts?;
        let mut order: Vec<usize> = (0..starts.len()).collect();
        order.sort_by_key(|&block| starts[block]);
        let mut places: Vec<(i64, i64)> = starts.iter().map(|&start| (start, head.cbytes - start)).collect();
        for pair in order.windows(2) {
            places[pair[0]].1 = starts[pair[1]] - starts[pair[0]];
        }
        Ok(places)
    }

    /// `blosc2_getitem_bytes_ctx`: decodes some bytes of a chunk.
    pub fn some_bytes(&mut self, chunk: &LazyChunk, start: i64, length: i64) -> Step {
        let head = &chunk.head;
        known(!chunk.is_variable)?;
        demand(start % head.typesize == 0 && length % head.typesize == 0)?;
        demand(start + length <= head.nbytes)?;
        let Some(at) = chunk.at else { return head.without_streams(length) };
        if chunk.blocks.is_empty() {
            ChunkHead::read(part(self.file, at, chunk.length)?)?;
            demand(head.cbytes <= chunk.length)?;
            return head.without_streams(length);
        }
        // Without the header extension, the chunk is not marked as lazy, so the bytes after it are mistaken for its own.
        known(head.length == LONGEST_HEADER as i64)?;
        // The dictionary of this chunk is not loaded, but that of an earlier chunk may still be in use.
        known(!self.has_dictionary && !head.has_dictionary)?;
        let first = start / head.block_size;
        let last = (start + length - 1) / head.block_size;
        for block in first..=last {
            let (offset, stored) = chunk.blocks[block as usize];
            let block = head.block(block);
            demand(stored > 0 && stored <= head.block_size + head.typesize * EACH && offset >= 0)?;
            let src = part(self.file, at + offset, stored)?;
            if head.is_stored {
                demand(head.nbytes + head.length == head.cbytes)?;
                self.work(block.0)?;
            } else {
                self.streams(head, src, block, &[])?;
            }
        }
        Ok(())
    }
}
