//! The filter bytedelta: the difference between every byte and the previous one in its plane.

use super::lanes::{LANE, Lane};
use multiversion::multiversion;
use std::array::from_fn;
use std::ops::Add;

/// Computes running sums, modulo 256, of contiguous planes. The defective kind (id 34) restarts when fewer than sixteen
/// bytes are left. Bytes after the planes are unchanged.
#[multiversion(targets("x86_64+avx2"))]
pub fn unbytedelta(width: usize, restarts: bool, block: &mut [u8]) {
    for plane in planes(width, block) {
        let mut before = Lane::ZERO;
        let (lanes, tail) = plane.as_chunks_mut();
        for bytes in lanes {
            let lane = Lane::from_bytes(*bytes).accumulate::<1>(Lane::add);
            *bytes = (lane + before).to_bytes();
            // Only this step has to wait for the previous lane.
            before = before + lane.repeat_last::<1>();
        }
        let mut sum = if restarts { 0 } else { before.to_bytes()[LANE - 1] };
        for byte in tail {
            sum = byte.wrapping_add(sum);
            *byte = sum;
        }
    }
}

/// Computes differences in contiguous planes, of the kind without the defect (id 35). Bytes after the planes are
/// unchanged.
pub fn bytedelta(width: usize, block: &mut [u8]) {
    for plane in planes(width, block) {
        differences(plane, 1, u8::wrapping_sub);
    }
}

fn planes(width: usize, block: &mut [u8]) -> impl Iterator<Item = &mut [u8]> {
    let count = block.len().checked_div(width).unwrap_or(0);
    block[..count * width].chunks_exact_mut(count.max(1))
}

/// Replaces every byte with its difference from the byte `distance` bytes before it. The first bytes are unchanged.
#[inline(always)]
pub fn differences(bytes: &mut [u8], distance: usize, difference: impl Fn(u8, u8) -> u8) {
    const CHUNK: usize = 64;
    // From the back to the front, so the earlier bytes are still unchanged.
    let mut end = bytes.len();
    while let Some(start) = end.checked_sub(CHUNK).filter(|start| *start >= distance) {
        let before: [u8; CHUNK] = *bytes[start - distance..].first_chunk().unwrap_or(&[0; CHUNK]);
        if let Some(chunk) = bytes[start..].first_chunk_mut::<CHUNK>() {
            *chunk = from_fn(|index| difference(chunk[index], before[index]));
        }
        end = start;
    }
    for index in (distance..end).rev() {
        bytes[index] = difference(bytes[index], bytes[index - distance]);
    }
}
