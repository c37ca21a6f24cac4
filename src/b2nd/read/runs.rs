//! Copies requested items from a block to the output, run by run.
//!
//! A run is a stretch of bytes that is contiguous both in the block and in the output. [`Part::for_runs`] iterates over the axes
//! from the last to the first: the run grows while both the box and the output are covered completely along an axis, and each
//! remaining axis becomes a loop. A slice of whole rows therefore needs one copy per block, and a slice with a step needs one copy
//! per item.

use super::pieces::Piece;
use crate::arrays::selection::AxisSelection;
use std::ops::Range;

/// Requested items, and the buffer for them.
pub struct OutputWindow<'b> {
    pub picks: &'b [AxisSelection],
    /// The range of the requested items along each axis.
    pub wanted: Vec<Range<u64>>,
    /// The buffer for all requested items, with the last axis varying fastest.
    pub out: &'b mut [u8],
}

/// The requested items inside one box: a block or a chunk.
pub struct Part<'p> {
    /// One piece per axis.
    pub pieces: &'p [Piece],
    /// The lengths of the box.
    pub extents: &'p [u64],
}

/// A loop over one axis of a part.
#[derive(Clone, Copy)]
struct Loop {
    count: usize,
    /// The distance from one requested item to the next, in the box and in the output.
    from: isize,
    to: usize,
}

impl Part<'_> {
    /// The number of bytes of the box up to the last requested item.
    pub fn needed(&self, picks: &[AxisSelection], item_size: usize) -> usize {
        let mut last = 0;
        for ((piece, pick), &extent) in self.pieces.iter().zip(picks).zip(self.extents) {
            let steps = piece.wanted.end - piece.wanted.start - 1;
            let at = if pick.step > 0 { piece.at + pick.step.unsigned_abs() * steps } else { piece.at };
            last = last * extent + at;
        }
        (last as usize + 1) * item_size
    }

    /// An upper bound on the number of bytes that are contiguous both in the box and in the output.
    pub fn run_length(&self, band: &OutputWindow<'_>, item_size: usize) -> usize {
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

    /// The number of requested items.
    pub fn count(&self) -> usize {
        self.pieces.iter().map(|piece| (piece.wanted.end - piece.wanted.start) as usize).product()
    }

    /// Calls `copy` for every run of requested items, with the offset of its first byte in the box and with the target bytes.
    pub fn for_runs(&self, band: &mut OutputWindow<'_>, item_size: usize, mut copy: impl FnMut(usize, &mut [u8])) {
        let axes = self.pieces.len();
        let (mut from, mut to) = (0, 0);
        let mut loops = Vec::new();
        let (mut inner, mut inner_out) = (item_size, item_size);
        // Going from the last axis to the first, the run grows while it is contiguous in both the box and the output.
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

/// Runs the loops, of which the last one is the outermost.
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
