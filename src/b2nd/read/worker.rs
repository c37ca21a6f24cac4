//! The work of one thread: one chunk after another, block by block.
//!
//! Three kinds of chunks need no decoding: missing chunks, chunks of a single value, and chunks without content. Their values are
//! written directly to the output. In a chunk whose blocks have the length that the array requires, only the needed blocks are
//! decoded. Other chunks are decoded completely, and then treated as if they were divided into the array's blocks.
//!
//! How a block is copied depends on the length of its runs in the output. Long runs are copied directly, bypassing the caches if
//! the whole output is larger than the caches. Short runs of several neighbouring blocks are collected first: see [`neighbours`].

use super::ahead::prepare;
use super::neighbours::{self, Neighbours};
use super::pieces::Piece;
use super::runs::{OutputWindow, Part};
use super::shared::Shared;
use super::walk::{Walk, blocks_at_most, chunks as chunks_of, clamped, each_block};
use crate::b2nd::geometry::Axis;
use crate::blosc2::chunk::blocks::{Decoded, PastCaches, fill, make_room, nan, repeat};
use crate::blosc2::chunk::header::{Chunk, Content};
use crate::blosc2::chunk::loader::Loader;
use crate::blosc2::chunk::stored::StoredChunk;
use crate::blosc2::locate::{Located, locate};
use crate::bytes::memory::streaming;
use crate::error::Result;
use crate::findings::finding::Finding;
use ndbytes_schemas::blosc2::Special;

/// The length in bytes from which a run of a shuffled block is copied directly, because loops for many items pay off.
const LONG_RUN: usize = 1 << 10;

/// Memory for processing chunks one after another.
#[derive(Default)]
pub struct Worker {
    loader: Loader,
    /// The value of all items.
    value: Vec<u8>,
    /// A whole decoded chunk whose blocks differ from those of the array.
    whole: Vec<u8>,
    /// Blocks from which many short runs are needed.
    neighbours: Neighbours,
}

impl Worker {
    /// The memory that the worker occupies, in bytes.
    pub fn held(&self) -> u64 {
        self.loader.held() + (self.value.capacity() + self.whole.capacity()) as u64 + self.neighbours.held()
    }

    /// Reads the requested items of every chunk that contains any.
    pub fn read(&mut self, shared: Shared<'_>, band: &mut OutputWindow<'_>) -> Result<()> {
        match shared.past_caches {
            true => streaming(|streaming| self.chunks(shared, band, Some(PastCaches::new(streaming)))),
            false => self.chunks(shared, band, None),
        }
    }

    /// Reads one chunk after another while prefetching the next ones.
    fn chunks(
        &mut self,
        shared: Shared<'_>,
        band: &mut OutputWindow<'_>,
        mut past_caches: Option<PastCaches>,
    ) -> Result<()> {
        let axes = &shared.geometry.axes;
        let (picks, wanted) = (band.picks, band.wanted.clone());
        let piece = |axis: usize, from| clamped(picks[axis].chunk(&axes[axis], from), wanted[axis].end);
        let mut chunks = Walk::new(&wanted, piece);
        let (mut ahead, mut prepared) = (chunks_of(shared.geometry, picks, &wanted), 0);
        loop {
            if shared.input.is_source() && !shared.is_prepared {
                if prepared == 0 {
                    prepared = prepare(shared, ahead.clone().map(|walk| (picks, walk)))?;
                }
                prepared -= 1;
                ahead.next();
            }
            self.chunk(shared, chunks.number(axes, Axis::chunks), &chunks.pieces, band, past_caches.as_mut())?;
            if !chunks.advance(&wanted, piece) {
                return Ok(());
            }
        }
    }

    /// Reads the requested items of a chunk.
    fn chunk(
        &mut self,
        shared: Shared<'_>,
        number: u64,
        pieces: &[Piece],
        band: &mut OutputWindow<'_>,
        past_caches: Option<&mut PastCaches<'_>>,
    ) -> Result<()> {
        let item_size = shared.item_size();
        let extents = shared.geometry.extents(|axis| axis.chunk);
        let part = Part { pieces, extents: &extents };
        let mut stored = match locate(shared.input, shared.frame, number)? {
            Ok(Located::Stored(stored)) => stored,
            Ok(Located::Special(Special::NAN)) => {
                let nan = nan(item_size);
                part.for_runs(band, item_size, |_, out| repeat(nan, 0, out));
                return Ok(());
            }
            Ok(Located::Special(_)) => {
                part.for_runs(band, item_size, |_, out| out.fill(0));
                return Ok(());
            }
            Err(finding) => return Err(finding.into()),
        };
        let chunk = shared.header(&mut stored, number)?;
        let read = match chunk.content {
            Content::Zeros | Content::Uninitialised => {
                part.for_runs(band, item_size, |_, out| out.fill(0));
                Ok(())
            }
            Content::Nan if usize::from(chunk.header.typesize) == item_size => {
                part.for_runs(band, item_size, |_, out| fill(&chunk, &[], 0, out));
                Ok(())
            }
            Content::Value(width) if width == item_size as u64 => {
                let place = chunk.header_length..chunk.header_length + width;
                let value = &stored.fetch(place, &mut self.value, shared.input.budget())?[..item_size];
                part.for_runs(band, item_size, |_, out| fill(&chunk, value, 0, out));
                Ok(())
            }
            Content::Blocks { .. } | Content::Stored
                if chunk.block_size == shared.geometry.block_items * item_size as u64 =>
            {
                self.blocks(shared, (&chunk, &stored), pieces, band, past_caches)?
            }
            _ => self.foreign_blocks(shared, &chunk, &stored, pieces, band)?,
        };
        read.map_err(|finding| stored.placed(*finding, number, shared.frame.stored_space(number)).into())
    }

    /// Reads the requested items of the blocks of a chunk.
    fn blocks(
        &mut self,
        shared: Shared<'_>,
        (chunk, stored): (&Chunk, &StoredChunk<'_>),
        pieces: &[Piece],
        band: &mut OutputWindow<'_>,
        mut past_caches: Option<&mut PastCaches<'_>>,
    ) -> Result<Result<(), Box<Finding>>> {
        let (budget, item_size) = (shared.input.budget(), shared.item_size());
        let picks = band.picks;
        let needed = blocks_at_most(shared.geometry, picks, pieces);
        self.neighbours.begin();
        if let Err(finding) = self.loader.enter(chunk, stored, needed, budget)? {
            return Ok(Err(finding));
        }
        let extents = shared.geometry.extents(|axis| axis.block);
        let placed = each_block(shared.geometry, pieces, &extents, band, |number, part, band| {
            let needed = part.needed(picks, item_size);
            let outcome = match self.loader.block(chunk, stored, number, item_size, needed, budget)? {
                Ok(outcome) => outcome,
                Err(finding) => return Ok(Err(finding)),
            };
            if let Some(flaw) = outcome.flaw.filter(|flaw| !shared.tolerated.contains(&flaw.rule)) {
                return Ok(Err(flaw));
            }
            let decoded = outcome.decoded;
            let run = part.run_length(band, item_size);
            let long = match (&past_caches, &decoded) {
                (Some(_), _) => neighbours::LONG_PAST_CACHES,
                (None, Decoded::Bytes(_)) => neighbours::LONG,
                (None, Decoded::Planes(_)) => LONG_RUN,
            };
            match past_caches.as_deref_mut() {
                Some(past_caches) if run >= long => {
                    part.for_runs(band, item_size, |from, out| decoded.stream_to(from, out, past_caches));
                }
                _ if run >= long || part.count() * item_size * 4 < needed => {
                    part.for_runs(band, item_size, |from, out| decoded.copy_to(from, out));
                }
                past_caches => {
                    self.neighbours.add(&decoded, (part, run, needed), band, item_size, budget, past_caches)?;
                }
            }
            Ok(Ok(()))
        })?;
        if placed.is_ok() {
            self.neighbours.place(&extents, band, item_size, past_caches);
        }
        Ok(placed)
    }

    /// Reads the requested items of a chunk whose blocks differ from those of the array.
    fn foreign_blocks(
        &mut self,
        shared: Shared<'_>,
        chunk: &Chunk,
        stored: &StoredChunk<'_>,
        pieces: &[Piece],
        band: &mut OutputWindow<'_>,
    ) -> Result<Result<(), Box<Finding>>> {
        let (budget, item_size) = (shared.input.budget(), shared.item_size());
        make_room(&mut self.whole, chunk.nbytes as usize, budget)?;
        if let Err(finding) = self.loader.whole_into(chunk, stored, &mut self.whole, budget)? {
            return Ok(Err(finding));
        }
        let block = shared.geometry.block_items as usize * item_size;
        let extents = shared.geometry.extents(|axis| axis.block);
        each_block(shared.geometry, pieces, &extents, band, |number, part, band| {
            let bytes = &self.whole[number as usize * block..][..block];
            part.for_runs(band, item_size, |from, out| out.copy_from_slice(&bytes[from..from + out.len()]));
            Ok(Ok(()))
        })
    }
}
