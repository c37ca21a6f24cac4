//! Differences of the values of two b2nd arrays, chunk by chunk: only those that are stored in other bytes are decoded.

use super::gaps::Gaps;
use super::pair::{Missing, Pair, count, told};
use super::tally::Tally;
use super::values::Values;
use ndbytes::b2nd::Array;
use ndbytes::internals::swap_in_place;
use ndbytes::{Error, Result};
use std::ops::Range;

/// The array of chunks, if it is one.
pub(super) fn of<'s, 'a>(array: &'s ndbytes::Array<'a>) -> Option<&'s Array<'a>> {
    match array {
        ndbytes::Array::B2nd(array) => Some(array),
        #[allow(unreachable_patterns, reason = "b2nd may be the only format")]
        _ => None,
    }
}

/// The uninitialised chunks of an array, or `None` if there are none.
///
/// # Errors
/// [`Error::Io`].
pub(super) fn gaps(array: &ndbytes::Array<'_>) -> Result<Option<Gaps>> {
    let Some(array) = of(array) else { return Ok(None) };
    let extents = |extents: &[usize]| extents.iter().map(|&extent| extent as u64).collect::<Vec<_>>();
    let (shape, chunk) = (extents(array.shape()), extents(&array.chunk_shape()));
    let distinct = array.distinct_chunks();
    let mut chunks = Vec::new();
    for number in 0..distinct {
        if array.is_uninitialised(number)? {
            chunks.push(number);
        }
    }
    let is_all = distinct > 0 && chunks.len() as u64 == distinct;
    Ok((!chunks.is_empty()).then(|| Gaps::new(shape, chunk, (!is_all).then_some(chunks))))
}

/// Compares two arrays of one shape whose chunks and blocks are of one shape.
pub(super) fn compare(pair: &Pair<'_, '_>, a: &Array<'_>, b: &Array<'_>, shape: &[u64]) -> Result<Values> {
    let (all, chunks) = (count(shape), a.chunk_count());
    let mut tally = pair.tally(shape);
    let mut missing = Missing::default();
    // Equal bytes are equal items only if the types are the same.
    let is_same_type = pair.types[0] == pair.types[1];
    let distinct = a.distinct_chunks().max(b.distinct_chunks());
    if is_same_type && distinct < chunks {
        let mut same = true;
        for chunk in 0..distinct {
            same &= a.has_same_bytes(b, chunk)?;
        }
        if same {
            let skipped = if a.is_uninitialised(0)? { all } else { 0 };
            tally.values.compared = all - skipped;
            tally.uninitialised[0] = skipped;
            return Ok(tally.finish());
        }
    }
    for chunk in 0..chunks {
        pair.ensure_time()?;
        let items = a.items_of_chunk(chunk);
        let length = items.iter().map(|range| range.end - range.start).product::<u64>();
        let uninitialised = [a.is_uninitialised(chunk)?, b.is_uninitialised(chunk)?];
        if uninitialised == [true, true] {
            tally.uninitialised[0] += length;
            continue;
        }
        if uninitialised == [false, false] && is_same_type && a.has_same_bytes(b, chunk)? {
            tally.values.compared += length;
            continue;
        }
        let read = |array: &Array<'_>, skip: bool| if skip { first(array, &items) } else { array.read_box(&items) };
        let (one, mut other) = match (read(a, uninitialised[0]), read(b, uninitialised[1])) {
            (Ok(one), Ok(other)) => (one, other),
            (Err(Error::Invalid(finding)), _) => {
                missing.add(length, 0, finding.message);
                continue;
            }
            (_, Err(Error::Invalid(finding))) => {
                missing.add(length, 1, finding.message);
                continue;
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        swap_in_place(&mut other, pair.swap());
        match uninitialised {
            [false, false] => boxed(&mut tally, shape, &items, &one, &other),
            [in_first, _] => {
                let (side, value) = if in_first { (0, &other) } else { (1, &one) };
                let stride = pair.types[1 - side].stride() as usize;
                let start = items.iter().zip(shape).fold(0, |index, (range, extent)| index * extent + range.start);
                tally.uninitialised(start, length, side, Some(&value[..stride]));
            }
        }
    }
    Ok(told(tally.finish(), missing, all))
}

/// The first item of a box.
fn first(array: &Array<'_>, items: &[Range<u64>]) -> Result<Vec<u8>> {
    array.read_box(&items.iter().map(|range| range.start..range.start + 1).collect::<Vec<_>>())
}

/// Compares the items of a box of the array, run by run along the last axis.
fn boxed(tally: &mut Tally<'_>, shape: &[u64], items: &[Range<u64>], a: &[u8], b: &[u8]) {
    let run = items.last().map_or(1, |range| range.end - range.start).max(1);
    let runs = items.iter().map(|range| range.end - range.start).product::<u64>() / run;
    let (one, other) = ((a.len() as u64 / runs.max(1)) as usize, (b.len() as u64 / runs.max(1)) as usize);
    let mut at: Vec<u64> = items.iter().map(|range| range.start).collect();
    for place in 0..runs as usize {
        let start = at.iter().zip(shape).fold(0, |index, (at, extent)| index * extent + at);
        tally.run(start, &a[place * one..][..one], &b[place * other..][..other]);
        for axis in (0..at.len().saturating_sub(1)).rev() {
            at[axis] += 1;
            if at[axis] < items[axis].end {
                break;
            }
            at[axis] = items[axis].start;
        }
    }
}
