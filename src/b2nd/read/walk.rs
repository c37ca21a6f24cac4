//! The boxes (chunks or blocks) that contain requested items.
//!
//! A [`Walk`] works like an odometer with one [`Piece`] per axis, where the last axis turns fastest. A piece is the part of the
//! requested items along one axis that lies in the current box. Advancing skips boxes without requested items, so a selection with
//! a large step visits only the boxes that it needs, however long the array is.

use super::pieces::Piece;
use super::runs::{OutputWindow, Part};
use crate::arrays::selection::AxisSelection;
use crate::b2nd::geometry::{Axis, Geometry};
use crate::error::Result;
use crate::findings::finding::Finding;
use std::ops::Range;

/// Iterates over the boxes (chunks or blocks) that contain requested items.
#[derive(Clone)]
pub struct Walk {
    /// The requested items of the next box, with one piece per axis.
    pub pieces: Vec<Piece>,
}

impl Walk {
    /// Starts with the first box.
    pub fn new(wanted: &[Range<u64>], piece: impl Fn(usize, u64) -> Piece) -> Self {
        Walk { pieces: wanted.iter().enumerate().map(|(axis, wanted)| piece(axis, wanted.start)).collect() }
    }

    /// Moves on to the next box. Returns false after the last one.
    pub fn advance(&mut self, wanted: &[Range<u64>], piece: impl Fn(usize, u64) -> Piece) -> bool {
        for axis in (0..self.pieces.len()).rev() {
            let reached = self.pieces[axis].wanted.end;
            let goes_on = reached < wanted[axis].end;
            self.pieces[axis] = piece(axis, if goes_on { reached } else { wanted[axis].start });
            if goes_on {
                return true;
            }
        }
        false
    }

    /// The index of the box; `along` is the number of boxes along each axis.
    pub fn number(&self, axes: &[Axis], along: fn(&Axis) -> u64) -> u64 {
        self.pieces.iter().zip(axes).fold(0, |number, (piece, axis)| number * along(axis) + piece.number)
    }
}

/// Limits a piece to the end of the requested items.
pub fn clamped(mut piece: Piece, end: u64) -> Piece {
    piece.wanted.end = piece.wanted.end.min(end);
    piece
}

/// The chunks that contain requested items, in reading order.
pub fn chunks<'w>(
    geometry: &'w Geometry,
    picks: &'w [AxisSelection],
    wanted: &'w [Range<u64>],
) -> impl Iterator<Item = Walk> + Clone + use<'w> {
    let piece = move |axis: usize, from| clamped(picks[axis].chunk(&geometry.axes[axis], from), wanted[axis].end);
    let next = move |walk: &Walk| {
        let mut next = walk.clone();
        next.advance(wanted, piece).then_some(next)
    };
    std::iter::once_with(move || Walk::new(wanted, piece))
        .flat_map(move |first| std::iter::successors(Some(first), next))
}

/// An upper bound on the blocks of a chunk that contain requested items.
pub fn blocks_at_most(geometry: &Geometry, picks: &[AxisSelection], pieces: &[Piece]) -> u64 {
    let along = |((piece, axis), pick): ((&Piece, &Axis), &AxisSelection)| {
        let count = piece.wanted.end - piece.wanted.start;
        AxisSelection { count, ..*pick }.blocks_at_most(axis).min(axis.blocks())
    };
    pieces.iter().zip(&geometry.axes).zip(picks).map(along).fold(1, u64::saturating_mul)
}

/// The indices of the blocks of a chunk that contain requested items.
pub fn blocks(geometry: &Geometry, picks: &[AxisSelection], pieces: &[Piece]) -> Vec<u64> {
    let wanted: Vec<Range<u64>> = pieces.iter().map(|piece| piece.wanted.clone()).collect();
    let piece = |axis: usize, from| clamped(picks[axis].block(&geometry.axes[axis], from), wanted[axis].end);
    let (mut walk, mut numbers) = (Walk::new(&wanted, piece), Vec::new());
    loop {
        numbers.push(walk.number(&geometry.axes, Axis::blocks));
        if !walk.advance(&wanted, piece) {
            return numbers;
        }
    }
}

/// Visits every block of this shape in a chunk that contains requested items.
pub fn each_block(
    geometry: &Geometry,
    pieces: &[Piece],
    extents: &[u64],
    band: &mut OutputWindow<'_>,
    mut visit: impl FnMut(u64, &Part<'_>, &mut OutputWindow<'_>) -> Result<Result<(), Box<Finding>>>,
) -> Result<Result<(), Box<Finding>>> {
    let axes = &geometry.axes;
    let picks = band.picks;
    let wanted: Vec<Range<u64>> = pieces.iter().map(|piece| piece.wanted.clone()).collect();
    let piece = |axis: usize, from| clamped(picks[axis].block(&axes[axis], from), wanted[axis].end);
    let mut blocks = Walk::new(&wanted, piece);
    loop {
        let part = Part { pieces: &blocks.pieces, extents };
        if let Err(finding) = visit(blocks.number(axes, Axis::blocks), &part, band)? {
            return Ok(Err(finding));
        }
        if !blocks.advance(&wanted, piece) {
            return Ok(Ok(()));
        }
    }
}
