//! Copying wanted items from a block to the output, run by run.

use super::pieces::Piece;
use crate::arrays::selection::Pick;
use std::ops::Range;

/// Wanted items, and the bytes for them.
pub struct Band<'b> {
    pub picks: &'b [Pick],
    /// The range of the wanted items along each axis.
    pub wanted: Vec<Range<u64>>,
    /// Room for all of them, the last axis varying fastest.
    pub out: &'b mut [u8],
}

/// The wanted items that lie in one box: a block or a chunk.
pub struct Part<'p> {
    /// One piece an axis.
    pub pieces: &'p [Piece],
    /// The dimensions of the box.
    pub extents: &'p [u64],
}

/// One axis of the way through a part.
#[derive(Clone, Copy)]
struct Loop {
    count: usize,
    /// Bytes from one wanted item to the next, in the box and in the output.
    from: isize,
    to: usize,
}

impl Part<'_> {
    /// Bytes of the box up to the last wanted item.
    pub fn needed(&self, picks: &[Pick], item_size: usize) -> usize {
        let mut last = 0;
        for ((piece, pick), &extent) in self.pieces.iter().zip(picks).zip(self.extents) {
            let steps = piece.wanted.end - piece.wanted.start - 1;
            let at = if pick.step > 0 { piece.at + pick.step.unsigned_abs() * steps } else { piece.at };
            last = last * extent + at;
        }
        (last as usize + 1) * item_size
    }

    /// Bytes that lie in one piece both in the box and in the output, or more of them.
    pub fn run_length(&self, band: &Band<'_>, item_size: usize) -> usize {
        let mut run = item_size;
        for ((piece, pick), (wanted, &extent)) in
            self.pieces.iter().zip(band.picks).zip(band.wanted.iter().zip(self.extents)).rev()
        {
            let count = piece.wanted.end - piece.wanted.start;
            if pick.step != 1 && count > 1 {
                break;
            }
            run *= count as usize;
            if count != extent || count != wanted.end - wanted.start {
                break;
            }
        }
        run
    }

    /// Wanted items.
    pub fn count(&self) -> usize {
        self.pieces.iter().map(|piece| (piece.wanted.end - piece.wanted.start) as usize).product()
    }

    /// Calls `copy` with the first byte in the box of every run of wanted items, and with the bytes that it goes to.
    pub fn for_runs(&self, band: &mut Band<'_>, item_size: usize, mut copy: impl FnMut(usize, &mut [u8])) {
        let axes = self.pieces.len();
        let (mut from, mut to) = (0, 0);
        let mut loops = Vec::new();
        let (mut inner, mut inner_out) = (item_size, item_size);
        // From the last axis to the first: the run grows as long as the box and the output both have it in one piece.
        let (mut run, mut in_one_piece) = (item_size, true);
        for axis in (0..axes).rev() {
            let (piece, pick, wanted) = (&self.pieces[axis], &band.picks[axis], &band.wanted[axis]);
            let count = (piece.wanted.end - piece.wanted.start) as usize;
            let (extent, extent_out) = (self.extents[axis] as usize, (wanted.end - wanted.start) as usize);
            from += piece.at as usize * inner;
            to += (piece.wanted.start - wanted.start) as usize * inner_out;
            if in_one_piece && (pick.step == 1 || count == 1) {
                run *= count;
                in_one_piece = count == extent && count == extent_out;
            } else {
                in_one_piece = false;
                if count > 1 {
                    loops.push(Loop { count, from: inner as isize * pick.step as isize, to: inner_out });
                }
            }
            inner *= extent;
            inner_out *= extent_out;
        }
        walk(&loops, from, to, run, band.out, &mut copy);
    }
}

/// Goes through the loops, the last one outermost.
fn walk(loops: &[Loop], from: usize, to: usize, run: usize, out: &mut [u8], copy: &mut impl FnMut(usize, &mut [u8])) {
    let Some((outer, inner)) = loops.split_last() else {
        copy(from, &mut out[to..to + run]);
        return;
    };
    let (mut from, mut to) = (from, to);
    for _ in 0..outer.count {
        walk(inner, from, to, run, out, copy);
        from = from.wrapping_add_signed(outer.from);
        to += outer.to;
    }
}
