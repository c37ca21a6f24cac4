//! Reading selected items, on one thread or shared among several.

mod ahead;
pub mod neighbours;
mod pieces;
pub mod runs;
pub mod shared;
mod walk;
pub mod worker;

use super::geometry::Geometry;
use crate::arrays::selection::{Pick, Selection};
use crate::bytes::memory::PAST_CACHES;
use crate::bytes::threads;
use crate::error::Result;
use ahead::prepare;
use rayon::prelude::*;
use runs::Band;
use shared::Shared;
use std::ops::Range;
use std::sync::Mutex;
use worker::Worker;

/// The number of decoded bytes from which on it pays to share the work among threads.
const PARALLEL: u64 = 4 << 20;

/// Chunks, or rows of blocks, that are handed out to threads at a time.
const AT_ONCE: usize = 1024;

/// Idle workers, whose memory is used again.
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
    fn run(&self, shared: Shared<'_>, band: &mut Band<'_>) -> Result<()> {
        // Chunks of one value read nothing of the file.
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

/// Reads the selected items, in order, into a buffer of their length.
pub fn read(shared: Shared<'_>, workers: &Workers, selection: &Selection, out: &mut [u8]) -> Result<()> {
    let shared = Shared { past_caches: out.len() >= PAST_CACHES, ..shared };
    let (geometry, picks) = (shared.geometry, &selection.picks[..]);
    if selection.count() == 0 {
        return Ok(());
    }
    let wanted: Vec<Range<u64>> = picks.iter().map(|pick| 0..pick.count).collect();
    // Along the first axis that has more than one item, the wanted items lie in one piece.
    let split = picks.iter().position(|pick| pick.count > 1);
    let threads = threads::number();
    let (Some(axis), true) = (split, threads > 1 && work(geometry, picks, shared.frame.item_size()) >= PARALLEL) else {
        return workers.run(shared, &mut Band { picks, wanted, out });
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
        bands.push(Band { picks, wanted, out: here });
        if bands.len() == AT_ONCE || from == picks[axis].count {
            side_by_side(shared, workers, &mut bands)?;
            bands.clear();
        }
    }
    Ok(())
}

/// Reads bands side by side: of a source, as many at a time as are read from it together.
fn side_by_side(shared: Shared<'_>, workers: &Workers, bands: &mut [Band<'_>]) -> Result<()> {
    let chunks = |band: &Band<'_>| walk::chunks(shared.geometry, band.picks, &band.wanted).count();
    let mut rest = bands;
    while !rest.is_empty() {
        let (mut ready, mut shared) = (rest.len(), shared);
        if shared.input.is_source() {
            let wanted = rest.iter().flat_map(|band| {
                walk::chunks(shared.geometry, band.picks, &band.wanted).map(|walk| (band.picks, walk))
            });
            let mut prepared = prepare(shared, wanted)?;
            let is_prepared = |band: &&Band<'_>| {
                let left = prepared.checked_sub(chunks(band));
                prepared = left.unwrap_or(0);
                left.is_some()
            };
            let prepared = rest.iter().take_while(is_prepared).count();
            // A band that is longer than what is read at once is read by its chunks.
            (ready, shared.is_prepared) = (prepared.max(1), prepared > 0);
        }
        let (now, later) = rest.split_at_mut(ready);
        now.par_iter_mut().try_for_each(|band| workers.run(shared, band))?;
        rest = later;
    }
    Ok(())
}

/// An upper bound of the bytes of the blocks to be decoded.
fn work(geometry: &Geometry, picks: &[Pick], item_size: u64) -> u64 {
    let blocks = picks.iter().zip(&geometry.axes).map(|(pick, axis)| pick.blocks_at_most(axis));
    blocks.fold(geometry.block_items.saturating_mul(item_size), u64::saturating_mul)
}
