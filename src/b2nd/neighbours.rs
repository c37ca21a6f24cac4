//! Blocks that lie side by side along the last axis: their items go where they belong together, in longer pieces.

use super::blocks::{Decoded, make_room};
use super::runs::{Band, Part};
use super::selection::Piece;
use crate::limits::Budget;
use crate::{Result, memory};

/// From so many bytes on, a piece is long enough.
const LONG: usize = 512;

/// From so many bytes on, most of the lines of a run are written whole.
const LINES: usize = 256;

/// The most bytes that wait for more.
const MOST: usize = 512 << 10;

/// Blocks that wait for their neighbours.
#[derive(Default)]
pub struct Neighbours {
    /// What is wanted of all of them, one piece an axis.
    pieces: Vec<Piece>,
    /// Their items, block after block, of so many bytes each.
    items: Vec<u8>,
    block: usize,
    count: usize,
    /// The most blocks that wait.
    most: usize,
    /// Bytes of a run in each of them.
    run: usize,
    /// Whether they go past the caches.
    past_caches: bool,
}

impl Neighbours {
    /// Bytes that it holds.
    pub fn held(&self) -> u64 {
        self.items.capacity() as u64
    }

    /// Begins with another chunk. Blocks that wait are forgotten: those of one that could not be read to its end.
    pub fn begin(&mut self, past_caches: bool) {
        (self.count, self.past_caches) = (0, past_caches);
    }

    /// Adds a block that has many runs of so many bytes. Those that wait go first if it does not lie beside them.
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
            // Room for all that may come: what grows is not kept.
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

    /// Whether a block lies behind the last one along the last axis, and nowhere else along the others.
    fn is_beside(&self, part: &Part<'_>) -> bool {
        let Some(((last, others), (there, waiting))) = part.pieces.split_last().zip(self.pieces.split_last()) else {
            return false;
        };
        let is_same = others.iter().zip(waiting).all(|(one, other)| one.wanted == other.wanted);
        self.count > 0 && last.at == 0 && last.wanted.start == there.wanted.end && is_same
    }

    /// Puts the items of all blocks where they belong.
    pub fn place(&mut self, extents: &[u64], band: &mut Band<'_>, item_size: usize) {
        if self.count == 0 {
            return;
        }
        let (items, block, run) = (&self.items, self.block, self.run);
        let copy: fn(&[u8], &mut [u8]) = match self.past_caches && run >= LINES {
            true => memory::stream_copy,
            false => |from, out| out.copy_from_slice(from),
        };
        let part = Part { pieces: &self.pieces, extents };
        part.for_runs(band, item_size, |from, out| {
            for (number, out) in out.chunks_mut(run).enumerate() {
                let from = number * block + from;
                copy(&items[from..from + out.len()], out);
            }
        });
        self.count = 0;
    }
}
