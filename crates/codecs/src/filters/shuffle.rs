//! Converts elements to byte planes, and back.

use super::tiles::{Planes, WIDEST, collect, pieces, spread, steps};
use std::array::from_fn;
use std::ops::Range;

/// Converts planes to elements: `planes[j][i]` becomes `out[i * planes.len() + j]`. All planes must have the same
/// length, and the output must be as long as all of them together.
pub fn interleave(planes: &[&[u8]], out: &mut [u8]) {
    if planes.len() <= WIDEST {
        spread(planes, planes.len(), 0, out);
    } else {
        let count = planes.iter().map(|plane| plane.len()).min().unwrap_or(0);
        interleave_wide(planes.len(), count, |plane| planes[plane], out);
    }
}

/// Converts contiguous planes to elements. Bytes after the last complete element are copied.
pub fn unshuffle(width: usize, source: &[u8], out: &mut [u8]) {
    let (source, out, count) = whole_elements(width, source, out);
    let plane = |plane: usize| &source[plane * count..][..count];
    if width <= WIDEST {
        let mut planes: [&[u8]; WIDEST] = [&[]; WIDEST];
        for (index, place) in planes[..width].iter_mut().enumerate() {
            *place = plane(index);
        }
        spread(&planes[..width], width, 0, out);
    } else {
        interleave_wide(width, count, plane, out);
    }
}

/// Converts elements to contiguous planes. Bytes after the last complete element are copied.
pub fn shuffle(width: usize, source: &[u8], out: &mut [u8]) {
    let (source, out, count) = whole_elements(width, source, out);
    if width <= WIDEST {
        collect(width, source, width, 0, &mut Planes { bytes: out, distance: count, start: 0 });
        return;
    }
    for batch in batches(width, count) {
        let part = &source[batch.start * width..batch.end * width];
        for first in pieces(width) {
            let bytes = &mut out[first * count..];
            collect(WIDEST, part, width, first, &mut Planes { bytes, distance: count, start: batch.start });
        }
    }
}

/// Copies the bytes after the last complete element. Returns the complete elements on both sides, and their number.
pub fn whole_elements<'a, 'b>(width: usize, source: &'a [u8], out: &'b mut [u8]) -> (&'a [u8], &'b mut [u8], usize) {
    let length = source.len().min(out.len());
    let count = length.checked_div(width).unwrap_or(0);
    let (elements, tail) = source[..length].split_at(count * width);
    out[count * width..length].copy_from_slice(tail);
    (elements, &mut out[..count * width], count)
}

#[inline(always)]
fn interleave_wide<'a>(width: usize, count: usize, plane: impl Fn(usize) -> &'a [u8], out: &mut [u8]) {
    for batch in batches(width, count) {
        let Some(part) = out.get_mut(batch.start * width..batch.end * width) else { return };
        for first in pieces(width) {
            let planes: [&[u8]; WIDEST] = from_fn(|index| &plane(first + index)[batch.clone()]);
            spread(&planes, width, first, part);
        }
    }
}

/// Returns ranges of wide elements, which are processed piece by piece. A range fits in the nearest cache.
fn batches(width: usize, count: usize) -> impl Iterator<Item = Range<usize>> {
    steps(count, ((16 << 10) / width).next_multiple_of(WIDEST).max(WIDEST))
}
