//! Neighbouring blocks along the last axis, whose items are copied together in longer pieces.
//!
//! A block of 16 columns provides only 16 items for each row of the output. If a large output were written block by block, every
//! cache line would be fetched and written several times. Instead, the items of neighbouring blocks wait here until their rows are
//! long enough, and then each row is written in one piece.

use super::pieces::Piece;
use super::runs::{OutputWindow, Part};
use crate::blosc2::chunk::blocks::{Decoded, PastCaches, make_room};
use crate::bytes::limits::Budget;
use crate::error::Result;

/// The minimum number of bytes for which a piece is long enough.
pub const LONG: usize = 512;

/// Like `LONG`, but for pieces that bypass the caches, because memory is slow for short, scattered pieces.
pub const LONG_PAST_CACHES: usize = 4 << 10;

/// The length in bytes from which most cache lines of a piece are written completely.
const LINES: usize = 256;

/// The maximum number of bytes that wait for neighbours.
const MOST: usize = 512 << 10;

/// The number of bytes between two blocks. If blocks were a power of two apart, they would evict each other from the cache.
const APART: usize = 64;

/// Blocks that wait for their neighbours.
#[derive(Default)]
pub struct Neighbours {
    /// The requested items of all waiting blocks, with one piece per axis.
    pieces: Vec<Piece>,
    /// The items of the waiting blocks, one block after another, `block` bytes each, with [`APART`] bytes in between.
    items: Vec<u8>,
    block: usize,
    count: usize,
    /// The maximum number of waiting blocks.
    most: usize,
    /// The length of a run in each block, in bytes.
    run: usize,
}

impl Neighbours {
    /// The memory that it occupies, in bytes.
    pub fn held(&self) -> u64 {
        self.items.capacity() as u64
    }

    /// Begins another chunk. Blocks that are still waiting are discarded, because their chunk could not be read completely.
    pub fn begin(&mut self) {
        self.count = 0;
    }

    /// Adds a block that has many runs of `run` bytes. Waiting blocks are copied first, unless the new block is their neighbour.
    pub fn add(
        &mut self,
        decoded: &Decoded<'_>,
        (part, run, needed): (&Part<'_>, usize, usize),
        band: &mut OutputWindow<'_>,
        item_size: usize,
        budget: &Budget,
        mut past_caches: Option<&mut PastCaches<'_>>,
    ) -> Result<()> {
        if !self.is_beside(part) {
            self.place(part.extents, band, item_size, past_caches.as_deref_mut());
            self.pieces = part.pieces.to_vec();
            self.block = part.extents.iter().product::<u64>() as usize * item_size;
            self.run = run;
            // Allocates room for all blocks that may follow, because a buffer that grows later would not be kept.
            let long = if past_caches.is_some() { LONG_PAST_CACHES } else { LONG };
            let most = long.div_ceil(run).min(MOST / self.block.max(1)).max(1);
            make_room(&mut self.items, most * (self.block + APART), budget)?;
            self.most = most;
        } else if let (Some(all), Some(last)) = (self.pieces.last_mut(), part.pieces.last()) {
            all.wanted.end = last.wanted.end;
        }
        let start = self.count * (self.block + APART);
        decoded.copy_to(0, &mut self.items[start..start + needed]);
        self.count += 1;
        // Neighbours can be appended only if the runs span the whole block.
        let is_whole = part
            .pieces
            .last()
            .zip(part.extents.last())
            .is_some_and(|(piece, &extent)| piece.at == 0 && piece.wanted.end - piece.wanted.start == extent);
        let picked_one_by_one = band.picks.last().is_none_or(|pick| pick.step != 1);
        if !is_whole || picked_one_by_one || self.count == self.most {
            self.place(part.extents, band, item_size, past_caches);
        }
        Ok(())
    }

    /// Returns whether a block follows the last one along the last axis, at the same position along the others.
    fn is_beside(&self, part: &Part<'_>) -> bool {
        let Some(((last, others), (there, waiting))) = part.pieces.split_last().zip(self.pieces.split_last()) else {
            return false;
        };
        let is_same = others.iter().zip(waiting).all(|(one, other)| one.wanted == other.wanted);
        self.count > 0 && last.at == 0 && last.wanted.start == there.wanted.end && is_same
    }

    /// Copies the items of all blocks to the output, bypassing the caches if possible.
    pub fn place(
        &mut self,
        extents: &[u64],
        band: &mut OutputWindow<'_>,
        item_size: usize,
        mut past_caches: Option<&mut PastCaches<'_>>,
    ) {
        if self.count == 0 {
            return;
        }
        let part = Part { pieces: &self.pieces, extents };
        let (items, apart, run) = (&self.items[..], self.block + APART, self.run);
        let copy = match run {
            8 => copy_short_runs::<8>,
            16 => copy_short_runs::<16>,
            32 => copy_short_runs::<32>,
            64 => copy_short_runs::<64>,
            _ => copy_runs,
        };
        part.for_runs(band, item_size, |from, out| match past_caches.as_deref_mut() {
            Some(past_caches) if run >= LINES => {
                each_run(items, apart, run, from, out, |from, out| past_caches.copy(from, out));
            }
            Some(past_caches) if out.len() >= LINES => {
                past_caches
                    .put_together(out, run, |start, out| copy(items, apart, run, from + start / run * apart, out));
            }
            _ => copy(items, apart, run, from, out),
        });
        self.count = 0;
    }
}

/// Copies the run at `from` of each block, one after another. The last one may be shorter.
fn each_run(items: &[u8], apart: usize, run: usize, from: usize, out: &mut [u8], copy: impl Fn(&[u8], &mut [u8])) {
    for (number, out) in out.chunks_mut(run).enumerate() {
        let from = number * apart + from;
        copy(&items[from..from + out.len()], out);
    }
}

/// Copies runs of items between two layouts of rows.
fn copy_runs(items: &[u8], apart: usize, run: usize, from: usize, out: &mut [u8]) {
    each_run(items, apart, run, from, out, |from, out| out.copy_from_slice(from));
}

/// Like [`copy_runs`], but for runs of `RUN` bytes, which are copied without a function call for each run.
fn copy_short_runs<const RUN: usize>(items: &[u8], apart: usize, _: usize, from: usize, out: &mut [u8]) {
    let (runs, rest) = out.as_chunks_mut::<RUN>();
    for (number, out) in runs.iter_mut().enumerate() {
        let from = number * apart + from;
        out.copy_from_slice(&items[from..from + RUN]);
    }
    if !rest.is_empty() {
        copy_runs(items, apart, RUN, runs.len() * apart + from, rest);
    }
}
