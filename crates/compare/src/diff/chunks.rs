//! Compares the values of two b2nd arrays chunk by chunk. Only chunks whose stored bytes differ are decoded.
//!
//! Two versions of an array often differ in a few chunks. Chunks with equal stored bytes are equal if the types are,
//! so they cost one comparison of compressed bytes. A few bytes can claim a huge number of chunks that all repeat one
//! special value, so such chunks are compared only once.

use super::gaps::Gaps;
use super::pair::{Missing, Pair, count, told};
use super::tally::Tally;
use super::values::Values;
use ndbytes::b2nd::Array;
use ndbytes::internals::swap_in_place;
use ndbytes::{Error, Result};
use std::ops::Range;

/// Returns the array, if it is chunked.
pub(super) fn of<'s, 'a>(array: &'s ndbytes::Array<'a>) -> Option<&'s Array<'a>> {
    match array {
        ndbytes::Array::B2nd(array) => Some(array),
        _ => None,
    }
}

/// Returns the uninitialised chunks of an array, or `None` if there are none.
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

/// Compares two arrays whose shapes, chunk shapes and block shapes are the same.
pub(super) fn compare(pair: &Pair<'_, '_>, a: &Array<'_>, b: &Array<'_>, shape: &[u64]) -> Result<Values> {
    let all = count(shape);
    let mut comparison = Comparison { pair, a, b, shape, tally: pair.tally(shape), missing: Missing::default() };
    if comparison.are_same_bytes()? {
        let skipped = if a.is_uninitialised(0)? { all } else { 0 };
        comparison.tally.values.compared = all - skipped;
        comparison.tally.uninitialised[0] = skipped;
        return Ok(comparison.tally.finish());
    }
    for chunk in 0..a.chunk_count() {
        pair.ensure_time()?;
        comparison.chunk(chunk)?;
    }
    Ok(told(comparison.tally.finish(), comparison.missing, all))
}

/// Two arrays and the results for the chunks compared so far.
struct Comparison<'c> {
    pair: &'c Pair<'c, 'c>,
    a: &'c Array<'c>,
    b: &'c Array<'c>,
    shape: &'c [u64],
    tally: Tally<'c>,
    missing: Missing,
}

impl Comparison<'_> {
    /// Returns whether the types are the same. Only then do equal bytes mean equal items.
    fn is_same_type(&self) -> bool {
        self.pair.types[0] == self.pair.types[1]
    }

    /// Returns whether all chunks have the same bytes, if there are fewer distinct chunks than chunks.
    fn are_same_bytes(&self) -> Result<bool> {
        let distinct = self.a.distinct_chunks().max(self.b.distinct_chunks());
        let mut same = self.is_same_type() && distinct < self.a.chunk_count();
        if same {
            for chunk in 0..distinct {
                same &= self.a.has_same_bytes(self.b, chunk)?;
            }
        }
        Ok(same)
    }

    /// Compares a chunk. Chunks that both sides declare uninitialised have no values and are counted as gaps.
    fn chunk(&mut self, chunk: u64) -> Result<()> {
        let (a, b) = (self.a, self.b);
        let items = a.items_of_chunk(chunk);
        let length = items.iter().map(|range| range.end - range.start).product::<u64>();
        let uninitialised = [a.is_uninitialised(chunk)?, b.is_uninitialised(chunk)?];
        if uninitialised == [true, true] {
            self.tally.uninitialised[0] += length;
            return Ok(());
        }
        if uninitialised == [false, false] && self.is_same_type() && a.has_same_bytes(b, chunk)? {
            self.tally.values.compared += length;
            return Ok(());
        }
        let read = |array: &Array<'_>, skip: bool| if skip { first(array, &items) } else { array.read_box(&items) };
        let (one, mut other) = match (read(a, uninitialised[0]), read(b, uninitialised[1])) {
            (Ok(one), Ok(other)) => (one, other),
            (Err(Error::Invalid(finding)), _) => {
                self.missing.add(length, 0, finding.message);
                return Ok(());
            }
            (_, Err(Error::Invalid(finding))) => {
                self.missing.add(length, 1, finding.message);
                return Ok(());
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        swap_in_place(&mut other, self.pair.swap());
        match uninitialised {
            [false, false] => boxed(&mut self.tally, self.shape, &items, &one, &other),
            [in_first, _] => {
                let (side, value) = if in_first { (0, &other) } else { (1, &one) };
                let stride = self.pair.types[1 - side].stride() as usize;
                let corner = items.iter().zip(self.shape);
                let start = corner.fold(0, |index, (range, extent)| index * extent + range.start);
                self.tally.regions.add_box(items.clone());
                self.tally.uninitialised(start, length, side, Some(&value[..stride]));
            }
        }
        Ok(())
    }
}

/// Returns the first item of a box.
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
