//! Reads selected items of a b2nd array.
//!
//! A selection is divided into chunks, and each chunk into blocks. Only blocks with selected items are decoded:
//!
//! 1. [`read`] cuts the output into bands along the first axis with several selected items. A band ends where a chunk or a block
//!    does, so no block is decoded by two threads. A small read is a single band.
//! 2. A [`Worker`] walks the chunks of a band, and the blocks of each chunk ([`walk`]). It keeps its buffers for the next read.
//! 3. [`runs`] copies the selected items of a decoded block to their positions in the output, one run along the last axis at a
//!    time. [`neighbours`] collects blocks whose runs are too short to be copied efficiently.
//!
//! For a remote source, [`ahead`] requests the bytes of several chunks at once before they are decoded, because a round trip takes
//! longer than decoding.

mod ahead;
pub mod neighbours;
mod pieces;
pub mod runs;
pub mod shared;
mod walk;
pub mod worker;

use super::geometry::Geometry;
use crate::arrays::selection::{AxisSelection, Selection};
use crate::bytes::memory::PAST_CACHES;
use crate::bytes::threads;
use crate::error::Result;
use ahead::prepare;
use rayon::prelude::*;
use runs::OutputWindow;
use shared::Shared;
use std::ops::Range;
use std::sync::Mutex;
use worker::Worker;

/// The minimum number of decoded bytes for which sharing the work among threads pays off.
const PARALLEL: u64 = 4 << 20;

/// The number of chunks, or rows of blocks, that are passed to threads at a time.
const AT_ONCE: usize = 1024;

/// A pool of idle workers, whose buffers are reused.
#[derive(Default)]
pub struct Workers(Mutex<Vec<Worker>>);

impl std::fmt::Debug for Workers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Workers")
    }
}

/// The maximum memory that a waiting worker keeps.
const KEPT: u64 = 4 << 20;

impl Workers {
    /// Reads a window of items on this thread, with the buffers of an idle worker if there is one.
    fn run(&self, shared: Shared<'_>, band: &mut OutputWindow<'_>) -> Result<()> {
        // The clock is checked whenever the file is read, but chunks of a single value do not require reading it.
        shared.input.budget().ensure_time()?;
        let waiting = self.0.lock().ok().and_then(|mut workers| workers.pop());
        let mut worker = waiting.unwrap_or_default();
        let result = worker.read(shared, band);
        if worker.held() > KEPT {
            shared.input.budget().give_back(worker.held());
        } else if let Ok(mut workers) = self.0.lock() {
            workers.push(worker);
        }
        result
    }
}

/// Reads the selected items, in order, into a buffer of the same length.
pub fn read(shared: Shared<'_>, workers: &Workers, selection: &Selection, out: &mut [u8]) -> Result<()> {
    let shared = Shared { past_caches: out.len() >= PAST_CACHES, ..shared };
    let (geometry, picks) = (shared.geometry, &selection.picks[..]);
    if selection.count() == 0 {
        return Ok(());
    }
    let wanted: Vec<Range<u64>> = picks.iter().map(|pick| 0..pick.count).collect();
    // All items at the same index of the first axis with several requested items are contiguous in the output.
    let split = picks.iter().position(|pick| pick.count > 1);
    let threads = threads::number();
    let (Some(axis), true) = (split, threads > 1 && work(geometry, picks, shared.frame.item_size()) >= PARALLEL) else {
        return workers.run(shared, &mut OutputWindow { picks, wanted, out });
    };
    let row = out.len() / picks[axis].count as usize;
    let along = &geometry.axes[axis];
    let by_chunks = picks[axis].count / along.chunk >= 2 * threads as u64;
    let mut bands = Vec::new();
    let (mut from, mut rest) = (0, out);
    while from < picks[axis].count {
        let piece = if by_chunks { picks[axis].chunk(along, from) } else { picks[axis].block(along, from) };
        let here;
        (here, rest) = rest.split_at_mut((piece.wanted.end - from) as usize * row);
        let mut wanted = wanted.clone();
        from = piece.wanted.end;
        wanted[axis] = piece.wanted;
        bands.push(OutputWindow { picks, wanted, out: here });
        if bands.len() == AT_ONCE || from == picks[axis].count {
            side_by_side(shared, workers, &mut bands)?;
            bands.clear();
        }
    }
    Ok(())
}

/// Reads several windows in parallel. For a remote source, as many windows are read at a time as it can fetch at once.
fn side_by_side(shared: Shared<'_>, workers: &Workers, bands: &mut [OutputWindow<'_>]) -> Result<()> {
    let chunks = |band: &OutputWindow<'_>| walk::chunks(shared.geometry, band.picks, &band.wanted).count();
    let mut rest = bands;
    while !rest.is_empty() {
        let (mut ready, mut shared) = (rest.len(), shared);
        if shared.input.is_source() {
            let wanted = rest.iter().flat_map(|band| {
                walk::chunks(shared.geometry, band.picks, &band.wanted).map(|walk| (band.picks, walk))
            });
            let mut prepared = prepare(shared, wanted)?;
            let is_prepared = |band: &&OutputWindow<'_>| {
                let left = prepared.checked_sub(chunks(band));
                prepared = left.unwrap_or(0);
                left.is_some()
            };
            let prepared = rest.iter().take_while(is_prepared).count();
            // If even a single band cannot be fetched at once, it is read chunk by chunk.
            (ready, shared.is_prepared) = (prepared.max(1), prepared > 0);
        }
        let (now, later) = rest.split_at_mut(ready);
        now.par_iter_mut().try_for_each(|band| workers.run(shared, band))?;
        rest = later;
    }
    Ok(())
}

/// Returns an upper bound on the bytes of the blocks to be decoded.
fn work(geometry: &Geometry, picks: &[AxisSelection], item_size: u64) -> u64 {
    let blocks = picks.iter().zip(&geometry.axes).map(|(pick, axis)| pick.blocks_at_most(axis));
    blocks.fold(geometry.block_items.saturating_mul(item_size), u64::saturating_mul)
}
