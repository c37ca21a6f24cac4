//! One thread's work: chunk after chunk, block after block.

use super::neighbours::{self, Neighbours};
use super::pieces::Piece;
use super::runs::{Band, Part};
use crate::arrays::selection::Pick;
use crate::b2nd::geometry::{Axis, Geometry};
use crate::blosc2::ahead::{Wanted, prepare};
use crate::blosc2::chunk::blocks::{Decoded, PastCaches, fill, make_room, nan, repeat};
use crate::blosc2::chunk::header::{Chunk, Content};
use crate::blosc2::chunk::loader::Loader;
use crate::blosc2::chunk::stored::StoredChunk;
use crate::blosc2::frame::Frame;
use crate::blosc2::locate::{Located, locate};
use crate::blosc2::overlap::judge_overlap;
use crate::bytes::input::Input;
use crate::bytes::memory::streaming;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Rule;
use ndbytes_schemas::blosc2::Special;
use std::ops::Range;

/// The number of bytes from which on a run of a shuffled block is worth the loops for many items.
const LONG_RUN: usize = 1 << 10;

/// The state that all threads that read an array share.
#[derive(Clone, Copy)]
pub struct Shared<'r> {
    pub input: &'r Input<'r>,
    pub frame: &'r Frame,
    pub geometry: &'r Geometry,
    pub tolerated: &'r [&'static Rule],
    /// True if the output is too large to stay in the caches.
    pub past_caches: bool,
}

/// Memory for one chunk after the other.
#[derive(Default)]
pub struct Worker {
    loader: Loader,
    /// A value that all items have.
    value: Vec<u8>,
    /// A whole decoded chunk, whose blocks are not those of the array.
    whole: Vec<u8>,
    /// Blocks of which many short runs are wanted.
    neighbours: Neighbours,
}

impl Shared<'_> {
    fn item_size(&self) -> usize {
        self.frame.item_size() as usize
    }

    /// The header of a stored chunk. Fails with the first finding that prevents reading it.
    fn header(&self, stored: &mut StoredChunk<'_>, number: u64) -> Result<Chunk> {
        let mut findings = Findings::default();
        let expected = self.frame.expected(number, self.geometry.demanded_blocks());
        let chunk = stored.chunk(expected, number, self.frame.stored_space(number), &mut findings)?;
        let findings = findings.into_vec();
        let Some(chunk) = chunk else {
            // The tolerated violation prevents reading the chunk.
            let error = findings.into_iter().find(Finding::is_error);
            return Err(error.expect("what could not be read is an error").into());
        };
        self.refuse(findings)?;
        match judge_overlap(self.input, self.frame, number, chunk.cbytes)? {
            Some(finding) => Err(finding.into()),
            None => Ok(chunk),
        }
    }

    /// Fails with the first finding that prevents reading.
    fn refuse(&self, findings: Vec<Finding>) -> Result<()> {
        let stands = |finding: &Finding| finding.is_error() && !self.tolerated.contains(&finding.rule);
        findings.into_iter().find(stands).map_or(Ok(()), |finding| Err(finding.into()))
    }
}

/// The chunks that hold wanted items, in the order in which they are read.
pub fn wanted_chunks<'w>(
    shared: Shared<'w>,
    picks: &'w [Pick],
    wanted: &'w [Range<u64>],
) -> impl Iterator<Item = Wanted> + Clone {
    let axes = &shared.geometry.axes;
    let piece = move |axis: usize, from| clamped(picks[axis].chunk(&axes[axis], from), wanted[axis].end);
    let next = move |walk: &Walk| {
        let mut next = walk.clone();
        next.advance(wanted, piece).then_some(next)
    };
    let bytes = move |walk: &Walk| walk.items().saturating_mul(shared.frame.item_size());
    let walks = std::iter::once_with(move || Walk::new(wanted, piece));
    walks
        .flat_map(move |first| std::iter::successors(Some(first), next))
        .map(move |walk| Wanted { chunk: walk.number(axes, Axis::chunks), bytes: bytes(&walk) })
}

/// The boxes, chunks or blocks, that hold wanted items, one after the other.
#[derive(Clone)]
struct Walk {
    /// The wanted items of the next box, one piece an axis.
    pieces: Vec<Piece>,
}

impl Walk {
    fn new(wanted: &[Range<u64>], piece: impl Fn(usize, u64) -> Piece) -> Self {
        Walk { pieces: wanted.iter().enumerate().map(|(axis, wanted)| piece(axis, wanted.start)).collect() }
    }

    /// Moves on to the next box. Returns false after the last one.
    fn advance(&mut self, wanted: &[Range<u64>], piece: impl Fn(usize, u64) -> Piece) -> bool {
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

    /// The wanted items of the next box.
    fn items(&self) -> u64 {
        self.pieces.iter().fold(1, |items: u64, piece| items.saturating_mul(piece.wanted.end - piece.wanted.start))
    }

    /// The number of the box; `along` gives the number of boxes along each axis.
    fn number(&self, axes: &[Axis], along: fn(&Axis) -> u64) -> u64 {
        self.pieces.iter().zip(axes).fold(0, |number, (piece, axis)| number * along(axis) + piece.number)
    }
}

fn clamped(mut piece: Piece, end: u64) -> Piece {
    piece.wanted.end = piece.wanted.end.min(end);
    piece
}

impl Worker {
    /// The memory that it holds, in bytes.
    pub fn held(&self) -> u64 {
        self.loader.held() + (self.value.capacity() + self.whole.capacity()) as u64 + self.neighbours.held()
    }

    /// Reads the wanted items of every chunk that has some.
    pub fn read(&mut self, shared: Shared<'_>, band: &mut Band<'_>) -> Result<()> {
        match shared.past_caches {
            true => streaming(|streaming| self.chunks(shared, band, Some(PastCaches::new(streaming)))),
            false => self.chunks(shared, band, None),
        }
    }

    fn chunks(&mut self, shared: Shared<'_>, band: &mut Band<'_>, mut past_caches: Option<PastCaches>) -> Result<()> {
        let axes = &shared.geometry.axes;
        let (picks, wanted) = (band.picks, band.wanted.clone());
        let piece = |axis: usize, from| clamped(picks[axis].chunk(&axes[axis], from), wanted[axis].end);
        let mut chunks = Walk::new(&wanted, piece);
        let (mut ahead, mut prepared) = (wanted_chunks(shared, picks, &wanted), 0);
        loop {
            if shared.input.is_source() {
                if prepared == 0 {
                    prepared = prepare(shared.input, shared.frame, ahead.clone())?;
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

    /// Reads the wanted items of a chunk.
    fn chunk(
        &mut self,
        shared: Shared<'_>,
        number: u64,
        pieces: &[Piece],
        band: &mut Band<'_>,
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

    /// Reads the wanted items of the blocks of a chunk.
    fn blocks(
        &mut self,
        shared: Shared<'_>,
        (chunk, stored): (&Chunk, &StoredChunk<'_>),
        pieces: &[Piece],
        band: &mut Band<'_>,
        mut past_caches: Option<&mut PastCaches<'_>>,
    ) -> Result<Result<(), Box<Finding>>> {
        let (budget, item_size) = (shared.input.budget(), shared.item_size());
        let axes = &shared.geometry.axes;
        let picks = band.picks;
        let along = |((piece, axis), pick): ((&Piece, &Axis), &Pick)| {
            let count = piece.wanted.end - piece.wanted.start;
            Pick { count, ..*pick }.blocks_at_most(axis).min(axis.blocks())
        };
        let needed = pieces.iter().zip(axes).zip(picks).map(along).product();
        self.neighbours.begin();
        if let Err(finding) = self.loader.enter(chunk, stored, needed, budget)? {
            return Ok(Err(finding));
        }
        let extents = shared.geometry.extents(|axis| axis.block);
        let placed = each_block(shared, pieces, &extents, band, |number, part, band| {
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

    /// Reads the wanted items of a chunk whose blocks are not those of the array.
    fn foreign_blocks(
        &mut self,
        shared: Shared<'_>,
        chunk: &Chunk,
        stored: &StoredChunk<'_>,
        pieces: &[Piece],
        band: &mut Band<'_>,
    ) -> Result<Result<(), Box<Finding>>> {
        let (budget, item_size) = (shared.input.budget(), shared.item_size());
        make_room(&mut self.whole, chunk.nbytes as usize, budget)?;
        if let Err(finding) = self.loader.whole_into(chunk, stored, &mut self.whole, budget)? {
            return Ok(Err(finding));
        }
        let block = shared.geometry.block_items as usize * item_size;
        let extents = shared.geometry.extents(|axis| axis.block);
        each_block(shared, pieces, &extents, band, |number, part, band| {
            let bytes = &self.whole[number as usize * block..][..block];
            part.for_runs(band, item_size, |from, out| out.copy_from_slice(&bytes[from..from + out.len()]));
            Ok(Ok(()))
        })
    }
}

/// Visits every block of a chunk, of these dimensions, that holds wanted items.
fn each_block(
    shared: Shared<'_>,
    pieces: &[Piece],
    extents: &[u64],
    band: &mut Band<'_>,
    mut visit: impl FnMut(u64, &Part<'_>, &mut Band<'_>) -> Result<Result<(), Box<Finding>>>,
) -> Result<Result<(), Box<Finding>>> {
    let axes = &shared.geometry.axes;
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
