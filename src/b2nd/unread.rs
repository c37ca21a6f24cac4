//! Finds the problems that are not found when the items are read.

use super::geometry::{Axis, Geometry};
use super::padding::has_padding;
use crate::blosc2::attributes::judge_attributes;
use crate::blosc2::chunk::loader::{ChargedLoader, Loader};
use crate::blosc2::frame::Frame;
use crate::blosc2::locate::{Located, locate};
use crate::bytes::input::Input;
use crate::bytes::threads;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use rayon::prelude::*;

/// The number of chunks that are checked at a time, before their findings are collected.
const BATCH: usize = 1024;

/// Checks the rest of a file after all items have been read: its attributes, and the bytes of blocks that contain only padding.
pub fn judge_unread(input: &Input<'_>, frame: &Frame, geometry: &Geometry, findings: &mut Findings) -> Result<()> {
    judge_attributes(input, frame, findings)?;
    let is_even = |axis: &Axis| axis.extent.is_multiple_of(axis.chunk) && axis.chunk.is_multiple_of(axis.block);
    if geometry.items == 0 || geometry.axes.iter().all(is_even) {
        return Ok(());
    }
    let mut padded = frame.index.distinct().filter(|&chunk| is_padded(geometry, chunk)).peekable();
    while padded.peek().is_some() {
        let batch: Vec<u64> = padded.by_ref().take(BATCH).collect();
        let judge = |loader: &mut ChargedLoader<'_>, chunk: &u64| judge_padding(input, frame, geometry, *chunk, loader);
        threads::ready();
        let judged: Vec<_> = batch.par_iter().map_init(|| ChargedLoader::new(input.budget()), judge).collect();
        for found in judged {
            findings.extend(found?);
        }
    }
    Ok(())
}

/// Returns whether a chunk has items that do not belong to the array.
fn is_padded(geometry: &Geometry, chunk: u64) -> bool {
    let mut axes = geometry.axes.iter().zip(geometry.place(chunk, Axis::chunks));
    axes.any(|(axis, place)| (place + 1) * axis.chunk > axis.extent || !axis.chunk.is_multiple_of(axis.block))
}

/// Checks whether blocks that a reader needs only partly or not at all can be decoded.
fn judge_padding(
    input: &Input<'_>,
    frame: &Frame,
    geometry: &Geometry,
    number: u64,
    loader: &mut Loader,
) -> Result<Vec<Finding>> {
    input.budget().ensure_time()?;
    let (space, mut found) = (frame.stored_space(number), Vec::new());
    let Ok(Located::Stored(mut stored)) = locate(input, frame, number)? else { return Ok(found) };
    let expected = frame.expected(number, geometry.demanded_blocks());
    // When the items were read, flaws in the header were reported, and chunks whose blocks differ from the array's were decoded
    // completely.
    let Some(chunk) = stored.chunk(expected, number, space, &mut Findings::default())? else { return Ok(found) };
    if chunk.block_count() == geometry.block_count {
        let is_meant = |block| has_padding(geometry, number, block);
        loader.verify(&chunk, &stored, input.budget(), is_meant, |finding| {
            found.push(stored.placed(finding, number, space));
        })?;
    }
    Ok(found)
}
