//! Differences of the values of two arrays.

use super::chunks;
use super::compare::{Plan, is_same_type};
use super::pair::{Pair, count, shape, told};
use super::reader::{Reader, is_turned};
use super::rows;
use super::values::Values;
use super::verdict::Verdict;
use ndbytes::{Error, Result};

/// Compares the values.
///
/// # Errors
/// [`Error::Io`]; [`Error::Limit`]; [`Error::Time`]; [`Error::Invalid`] if nothing can be read.
pub(super) fn values(pair: &Pair<'_, '_>) -> Result<Values> {
    if let Err(reason) = Plan::new(&pair.types[0], &pair.types[1]) {
        return Ok(Values::incomparable(everybyte::escape(&reason)));
    }
    let (one, other) = (shape(pair.a.array), shape(pair.b.array));
    let longest = count(&one).max(count(&other));
    let stride = pair.types[0].stride().max(pair.types[1].stride());
    if let Err(Error::Invalid(finding)) =
        pair.options.limits.ensure_output("the decoded items", longest.saturating_mul(stride))
    {
        return Ok(Values::incomparable(finding.message));
    }
    let mut values = match one == other {
        true => same_shape(pair, &one)?,
        false => rows::other_shape(pair, &one, &other)?,
    };
    note_type(pair, &mut values);
    Ok(values)
}

/// Returns readers that read both arrays item by item: in storage order if both have the same one, otherwise in C order.
fn readers<'s>(pair: &Pair<'s, '_>) -> Result<(Reader<'s>, Reader<'s>, bool)> {
    let (a, b) = (pair.a.array, pair.b.array);
    Ok(match is_turned(a) && is_turned(b) {
        true => (Reader::stored(a)?, Reader::stored(b)?.swapped(pair.swap()), true),
        false => (Reader::new(a), Reader::new(b).swapped(pair.swap()), false),
    })
}

/// Compares arrays of the same shape. If both are chunked in the same way, chunks with equal stored bytes are not
/// decoded.
fn same_shape(pair: &Pair<'_, '_>, shape: &[u64]) -> Result<Values> {
    if let (Some(a), Some(b)) = (chunks::of(pair.a.array), chunks::of(pair.b.array))
        && a.chunk_shape() == b.chunk_shape()
        && a.block_shape() == b.block_shape()
    {
        return chunks::compare(pair, a, b, shape);
    }
    let mut tally = pair.tally(shape);
    for (gaps, side) in tally.gaps.iter_mut().zip([pair.a, pair.b]) {
        *gaps = chunks::gaps(side.array)?;
    }
    let (mut a, mut b, is_fortran) = readers(pair)?;
    tally.is_fortran = is_fortran;
    tally.offset = b.offset().filter(|_| pair.b.is_plain);
    let from = known_equal(pair, &a, &b, count(shape));
    tally.values.compared = from;
    let missing = pair.stream(&mut tally, [&mut a, &mut b], from, count(shape))?;
    Ok(told(tally.finish(), missing, count(shape)))
}

/// Returns the number of items before the first byte that differs, if both files store them plainly at the same offset.
fn known_equal(pair: &Pair<'_, '_>, a: &Reader<'_>, b: &Reader<'_>, count: u64) -> u64 {
    let stride = pair.types[0].stride();
    match (a.offset(), b.offset()) {
        (Some(start), Some(other))
            if start == other && pair.a.is_plain && pair.b.is_plain && pair.types[0] == pair.types[1] =>
        {
            pair.same_until.saturating_sub(start).checked_div(stride).unwrap_or(0).min(count)
        }
        _ => 0,
    }
}

/// Reports how the types of the items differ.
fn note_type(pair: &Pair<'_, '_>, values: &mut Values) {
    let [a, b] = &pair.types;
    if is_same_type(a, b) || values.verdict == Verdict::Incomparable {
        return;
    }
    let is_equal = values.verdict == Verdict::SameValues;
    let how = if is_equal { "every value is the same after widening" } else { "compared after widening" };
    values.notes.insert(0, everybyte::escape(&format!("dtype {a} → {b}: {how}")));
    if is_equal {
        values.verdict = Verdict::TypeDiffers;
    }
}
