//! The inner loops that convert planes to elements, and elements to planes.
//!
//! They process tiles with as many elements as a lane has bytes. Zipping the first half of a number of lanes with the
//! second half rotates the digits of every byte's address by one place. Some of these rounds therefore convert planes
//! to elements, and the remaining ones convert elements to planes. Elements whose width is not a power of two are
//! widened first. In memory, each of them then overwrites the excess of the previous one.

use super::lanes::{LANE, Lane};
use multiversion::multiversion;
use std::ops::Range;

/// The widest elements, or pieces of elements, that can be processed at once.
pub const WIDEST: usize = 16;

/// The number of elements in a tile.
const TILE: usize = LANE;

/// The positions of planes.
pub struct Planes<'a> {
    /// All planes.
    pub bytes: &'a mut [u8],
    /// The distance between two planes.
    pub distance: usize,
    /// The element of each plane that is written first.
    pub start: usize,
}

/// Returns the first byte of each piece of wider elements. The last piece overlaps the previous one.
pub fn pieces(width: usize) -> impl Iterator<Item = usize> {
    (0..width).step_by(WIDEST).map(move |first| first.min(width - WIDEST))
}

/// Calls a function with a width that is known at compile time, and the power of two that it is widened to.
macro_rules! with_width {
    ($width:expr, $stride:expr, $first:expr, $do:ident) => {
        match ($width, $stride) {
            (2, 2) => $do!(2, 2, 2, 0),
            (3, 3) => $do!(3, 4, 3, 0),
            (4, 4) => $do!(4, 4, 4, 0),
            (5, 5) => $do!(5, 8, 5, 0),
            (6, 6) => $do!(6, 8, 6, 0),
            (7, 7) => $do!(7, 8, 7, 0),
            (8, 8) => $do!(8, 8, 8, 0),
            (9, 9) => $do!(9, 16, 9, 0),
            (10, 10) => $do!(10, 16, 10, 0),
            (11, 11) => $do!(11, 16, 11, 0),
            (12, 12) => $do!(12, 16, 12, 0),
            (13, 13) => $do!(13, 16, 13, 0),
            (14, 14) => $do!(14, 16, 14, 0),
            (15, 15) => $do!(15, 16, 15, 0),
            (16, 16) => $do!(16, 16, 16, 0),
            (16, stride) => $do!(16, 16, stride, $first),
            _ => {}
        }
    };
}

/// Writes bytes `first..first + planes.len()` of elements that are `stride` bytes wide: all of them, or [`WIDEST`].
#[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
pub fn spread(planes: &[&[u8]], stride: usize, first: usize, out: &mut [u8]) {
    if let ([plane], 1) = (planes, stride) {
        let length = plane.len().min(out.len());
        out[..length].copy_from_slice(&plane[..length]);
        return;
    }
    macro_rules! run {
        ($width:literal, $widened:literal, $stride:expr, $first:expr) => {
            spread_by::<$width, $widened>(planes, $stride, $first, out)
        };
    }
    with_width!(planes.len(), stride, first, run);
}

/// Reads bytes `first..first + width` of elements that are `stride` bytes wide: all of them, or [`WIDEST`].
#[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
pub fn collect(width: usize, source: &[u8], stride: usize, first: usize, out: &mut Planes<'_>) {
    if (width, stride) == (1, 1) {
        let length = source.len().min(out.bytes.len() - out.start);
        out.bytes[out.start..][..length].copy_from_slice(&source[..length]);
        return;
    }
    macro_rules! run {
        ($width:literal, $widened:literal, $stride:expr, $first:expr) => {
            collect_by::<$width, $widened>(source, $stride, $first, out)
        };
    }
    with_width!(width, stride, first, run);
}

#[inline(always)]
fn spread_by<const WIDTH: usize, const WIDENED: usize>(planes: &[&[u8]], stride: usize, first: usize, out: &mut [u8]) {
    let Some(planes) = planes.first_chunk::<WIDTH>() else { return };
    let count = planes.iter().fold(out.len() / stride, |count, plane| count.min(plane.len()));
    let planes = planes.map(|plane| &plane[..count]);
    let out = &mut out[..count * stride];
    if count < TILE {
        for (index, element) in out.chunks_exact_mut(stride).enumerate() {
            for (byte, plane) in element[first..].iter_mut().zip(planes) {
                *byte = plane[index];
            }
        }
        return;
    }
    for Range { start, .. } in steps(count, TILE) {
        // The bytes that widen an element do not matter.
        let mut lanes = [Lane::load(planes[0], start); WIDENED];
        for (lane, plane) in lanes.iter_mut().zip(&planes) {
            *lane = Lane::load(plane, start);
        }
        spread_tile(zipped(lanes, WIDENED.ilog2()), stride, &mut out[start * stride + first..]);
    }
}

#[inline(always)]
fn spread_tile<const WIDENED: usize>(lanes: [Lane; WIDENED], stride: usize, out: &mut [u8]) {
    if let Some(window) = out.get_mut(..window::<WIDENED>(stride)) {
        put(lanes, stride, window);
    } else {
        // The excess bytes would be written past the end.
        let mut all = [0; TILE * WIDEST];
        put(lanes, stride, &mut all);
        out.copy_from_slice(&all[..TILE * stride]);
    }
}

#[inline(always)]
fn collect_by<const WIDTH: usize, const WIDENED: usize>(
    source: &[u8],
    stride: usize,
    first: usize,
    out: &mut Planes<'_>,
) {
    let count = source.len() / stride;
    let source = &source[..count * stride];
    let mut planes: [&mut [u8]; WIDTH] = [(); WIDTH].map(|()| Default::default());
    let mut rest = &mut *out.bytes;
    for place in &mut planes {
        let (plane, behind) = rest.split_at_mut(out.distance.min(rest.len()));
        *place = &mut plane[out.start..][..count];
        rest = behind;
    }
    if count < TILE {
        for (index, element) in source.chunks_exact(stride).enumerate() {
            for (plane, byte) in planes.iter_mut().zip(&element[first..]) {
                plane[index] = *byte;
            }
        }
        return;
    }
    for Range { start, .. } in steps(count, TILE) {
        let source = &source[start * stride + first..];
        let lanes = if let Some(window) = source.get(..window::<WIDENED>(stride)) {
            take::<WIDENED>(stride, window)
        } else {
            let mut all = [0; TILE * WIDEST];
            all[..TILE * stride].copy_from_slice(source);
            take::<WIDENED>(stride, &all)
        };
        let lanes = zipped(lanes, TILE.ilog2());
        for (plane, lane) in planes.iter_mut().zip(&lanes) {
            plane[start..start + TILE].copy_from_slice(&lane.to_bytes());
        }
    }
}

/// Splits elements into steps of `step`, or one step if there are fewer. The last step may overlap the previous one.
#[inline(always)]
pub fn steps(count: usize, step: usize) -> impl Iterator<Item = Range<usize>> {
    let step = step.min(count).max(1);
    (0..count.div_ceil(step)).map(move |index| {
        let start = (index * step).min(count - step);
        start..start + step
    })
}

/// Performs `rounds` rounds, at most four.
#[inline(always)]
fn zipped<const COUNT: usize>(mut lanes: [Lane; COUNT], rounds: u32) -> [Lane; COUNT] {
    lanes = zipped_once(lanes);
    if rounds > 1 {
        lanes = zipped_once(lanes);
    }
    if rounds > 2 {
        lanes = zipped_once(lanes);
    }
    if rounds > 3 {
        lanes = zipped_once(lanes);
    }
    lanes
}

#[inline(always)]
fn zipped_once<const COUNT: usize>(lanes: [Lane; COUNT]) -> [Lane; COUNT] {
    let mut zipped = lanes;
    for pair in 0..COUNT / 2 {
        (zipped[2 * pair], zipped[2 * pair + 1]) = lanes[pair].zip(lanes[pair + COUNT / 2]);
    }
    zipped
}

/// Returns the number of bytes that a tile touches.
#[inline(always)]
fn window<const WIDENED: usize>(stride: usize) -> usize {
    if WIDENED == stride {
        TILE * stride
    } else if WIDENED == 4 {
        // Two elements at a time.
        (TILE - 2) * stride + 8
    } else {
        (TILE - 1) * stride + WIDENED
    }
}

/// Writes the elements of a tile.
#[inline(always)]
fn put<const WIDENED: usize>(lanes: [Lane; WIDENED], stride: usize, window: &mut [u8]) {
    for (index, lane) in lanes.iter().enumerate() {
        let bytes = lane.to_bytes();
        let at = index * LANE / WIDENED * stride;
        if WIDENED == stride || WIDENED == LANE {
            window[at..at + LANE].copy_from_slice(&bytes);
        } else {
            for (half, bytes) in bytes.as_chunks::<8>().0.iter().enumerate() {
                if WIDENED == 4 {
                    let pair = u64::from_le_bytes(*bytes);
                    let pair = pair & 0xff_ffff | pair >> 8 & 0xffff_ff00_0000;
                    window[at + half * 2 * stride..][..8].copy_from_slice(&pair.to_le_bytes());
                } else {
                    window[at + half * stride..][..8].copy_from_slice(bytes);
                }
            }
        }
    }
}

/// Reads the elements of a tile.
#[inline(always)]
fn take<const WIDENED: usize>(stride: usize, window: &[u8]) -> [Lane; WIDENED] {
    let mut lanes = [Lane::ZERO; WIDENED];
    for (index, lane) in lanes.iter_mut().enumerate() {
        let at = index * LANE / WIDENED * stride;
        let mut bytes = [0; LANE];
        if WIDENED == stride || WIDENED == LANE {
            bytes.copy_from_slice(&window[at..at + LANE]);
        } else {
            for (half, bytes) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                if WIDENED == 4 {
                    bytes.copy_from_slice(&window[at + half * 2 * stride..][..8]);
                    let pair = u64::from_le_bytes(*bytes);
                    let pair = pair & 0xff_ffff | pair << 8 & 0xff_ffff_0000_0000;
                    *bytes = pair.to_le_bytes();
                } else {
                    bytes.copy_from_slice(&window[at + half * stride..][..8]);
                }
            }
        }
        *lane = Lane::from_bytes(bytes);
    }
    lanes
}
