//! Neighbouring blocks along the last axis: their items are copied together, in longer pieces.

use super::pieces::Piece;
use super::runs::{Band, Part};
use crate::blosc2::chunk::blocks::{Decoded, make_room};
use crate::bytes::limits::Budget;
use crate::bytes::memory::streaming;
use crate::error::Result;

/// The number of bytes from which on a piece is long enough.
const LONG: usize = 512;

/// The number of bytes from which on most cache lines of a run are written whole.
const LINES: usize = 256;

/// The most bytes that wait for neighbours.
const MOST: usize = 512 << 10;

/// Blocks that wait for their neighbours.
#[derive(Default)]
pub struct Neighbours {
    /// The wanted items of all of them, one piece an axis.
    pieces: Vec<Piece>,
    /// Their items, block after block, of `block` bytes each.
    items: Vec<u8>,
    block: usize,
    count: usize,
    /// The most blocks that wait.
    most: usize,
    /// Bytes of a run in each of them.
    run: usize,
    /// True if they are written past the caches.
    past_caches: bool,
}

impl Neighbours {
    /// The memory that it holds, in bytes.
    pub fn held(&self) -> u64 {
        self.items.capacity() as u64
    }

    /// Begins another chunk. Waiting blocks are forgotten: they belong to a chunk that could not be read to its end.
    pub fn begin(&mut self, past_caches: bool) {
        (self.count, self.past_caches) = (0, past_caches);
    }

    /// Adds a block that has many runs of `run` bytes. Waiting blocks are copied first if it is not their neighbour.
    pub fn add(
        &mut self,
        decoded: &Decoded<'_>,
        (part, run, needed): (&Part<'_>, usize, usize),
        band: &mut Band<'_>,
        item_size: usize,
        budget: &Budget,
    ) -> Result<()> {
        if !self.is_beside(part) {
            self.place(part.extents, band, item_size);
            self.pieces = part.pieces.to_vec();
            self.block = part.extents.iter().product::<u64>() as usize * item_size;
            self.run = run;
            // Room for all blocks that may come, since a buffer that grows is not kept.
            let most = LONG.div_ceil(run).min(MOST / self.block.max(1)).max(1);
            make_room(&mut self.items, most * self.block, budget)?;
            self.most = most;
        } else if let (Some(all), Some(last)) = (self.pieces.last_mut(), part.pieces.last()) {
            all.wanted.end = last.wanted.end;
        }
        let start = self.count * self.block;
        decoded.copy_to(0, &mut self.items[start..start + needed]);
        self.count += 1;
        // Only whole runs can be told apart.
        let is_whole = part
            .pieces
            .last()
            .zip(part.extents.last())
            .is_some_and(|(piece, &extent)| piece.at == 0 && piece.wanted.end - piece.wanted.start == extent);
        let picked_one_by_one = band.picks.last().is_none_or(|pick| pick.step != 1);
        if !is_whole || picked_one_by_one || self.count == self.most {
            self.place(part.extents, band, item_size);
        }
        Ok(())
    }

    /// Returns whether a block follows the last one along the last axis, at the same place along the others.
    fn is_beside(&self, part: &Part<'_>) -> bool {
        let Some(((last, others), (there, waiting))) = part.pieces.split_last().zip(self.pieces.split_last()) else {
            return false;
        };
        let is_same = others.iter().zip(waiting).all(|(one, other)| one.wanted == other.wanted);
        self.count > 0 && last.at == 0 && last.wanted.start == there.wanted.end && is_same
    }

    /// Copies the items of all blocks to the output.
    pub fn place(&mut self, extents: &[u64], band: &mut Band<'_>, item_size: usize) {
        if self.count == 0 {
            return;
        }
        let (items, block, run) = (&self.items, self.block, self.run);
        let part = Part { pieces: &self.pieces, extents };
        let mut place = |copy: &dyn Fn(&[u8], &mut [u8])| {
            part.for_runs(band, item_size, |from, out| {
                for (number, out) in out.chunks_mut(run).enumerate() {
                    let from = number * block + from;
                    copy(&items[from..from + out.len()], out);
                }
            });
        };
        match self.past_caches && run >= LINES {
            true => streaming(|streaming| place(&|from, out| streaming.copy(from, out))),
            false => place(&|from, out| out.copy_from_slice(from)),
        }
        self.count = 0;
    }
}
