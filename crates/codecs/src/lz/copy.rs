//! The copy operations of both decoders.
//!
//! They overwrite up to [`SLACK`](super::SLACK) bytes after the requested ones. The decoders ensure that these bytes and the
//! copied bytes exist. Small matches are copied in small pieces, because the processor cannot immediately load bytes that were
//! just written in other pieces.

/// Longer matches are left to the system's copy function.
const LONG: usize = 1024;
/// The length of a pattern in bytes, which is also the smallest distance that needs no pattern.
const PATTERN: usize = 16;

/// The longest match that is copied without a loop: in two pieces of 8 bytes, or as a pattern.
pub const SHORT: usize = PATTERN;

/// By distance: the number of bytes in a pattern that contain the repeated bytes an integral number of times.
const STRIDES: [usize; PATTERN] = [16, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15];

/// By distance: the mask for this many bytes, and the factor that repeats them throughout a pattern.
const REPEATERS: [(u128, u128); PATTERN] = {
    let mut repeaters = [(0, 0); PATTERN];
    let mut distance = 1;
    while distance < PATTERN {
        let mut byte = 0;
        while byte < PATTERN {
            repeaters[distance].1 |= 1 << (8 * byte);
            byte += distance;
        }
        repeaters[distance].0 = (1 << (8 * distance)) - 1;
        distance += 1;
    }
    repeaters
};

/// Copies `length` bytes of the source: up to 128 without a loop, if that many exist.
#[inline(always)]
pub fn literals(source: &[u8], from: usize, target: &mut [u8], to: usize, length: usize) {
    match (source[from..].as_chunks::<64>().0, target[to..].as_chunks_mut::<64>().0) {
        ([chunk, ..], [place, ..]) if length <= 64 => *place = *chunk,
        ([first, second, ..], [place, behind, ..]) if length <= 128 => (*place, *behind) = (*first, *second),
        _ => literals_exactly(source, from, target, to, length),
    }
}

/// Copies `length` bytes of the source, and overwrites no other bytes.
#[inline(never)]
pub fn literals_exactly(source: &[u8], from: usize, target: &mut [u8], to: usize, length: usize) {
    target[to..to + length].copy_from_slice(&source[from..from + length]);
}

/// Repeats the 8 bytes that begin `distance` bytes back, where `distance` is at least 8.
#[inline(always)]
pub fn shortest(target: &mut [u8], to: usize, distance: usize) {
    let region = &mut target[to - distance..][..distance + 8];
    region.copy_within(..8, distance);
}

/// Repeats `length` bytes, at most [`SHORT`], that begin `distance` bytes back, where `distance` is at least 8.
///
/// It uses as few pieces as possible. Loading bytes is slow where two pieces were just written, even if the bytes are not needed.
#[inline(always)]
pub fn short(target: &mut [u8], to: usize, distance: usize, length: usize) {
    let region = &mut target[to - distance..][..distance + SHORT];
    region.copy_within(..8, distance);
    let last = length.max(8) - 8;
    region.copy_within(last..last + 8, distance + last);
}

/// Repeats the last `distance` bytes, fewer than 8, until [`SHORT`] bytes are written.
#[inline(always)]
pub fn short_near(target: &mut [u8], to: usize, distance: usize) {
    let region = &mut target[to - distance..][..distance + SHORT];
    let pattern = pattern(region, distance);
    region[distance..].copy_from_slice(&pattern);
}

/// Writes `length` bytes at `to`. Each is a copy of the byte `distance` bytes before it.
#[inline(always)]
pub fn repeat(target: &mut [u8], to: usize, distance: usize, length: usize) {
    let mut region = &mut target[to - distance..];
    let mut left = length;
    if length > LONG {
        repeat_long(region, distance, length);
    } else if distance >= PATTERN {
        while let Some(window) = region.get_mut(..distance + 64) {
            window.copy_within(..16, distance);
            window.copy_within(16..32, distance + 16);
            window.copy_within(32..48, distance + 32);
            window.copy_within(48..64, distance + 48);
            if left <= 64 {
                break;
            }
            left -= 64;
            region = &mut region[64..];
        }
    } else if distance <= 2 {
        let pair = u16::from_le_bytes([region[0], region[distance - 1]]);
        let word = (u64::from(pair) * 0x1_0001_0001_0001).to_le_bytes();
        region = &mut region[distance..];
        while let Some(places) = region.as_chunks_mut::<8>().0.first_chunk_mut::<8>() {
            *places = [word; 8];
            if left <= 64 {
                break;
            }
            left -= 64;
            region = &mut region[64..];
        }
    } else {
        repeat_near(region, distance, length);
    }
}

/// Returns the first `distance` bytes of a region, fewer than [`PATTERN`], repeatedly.
#[inline(always)]
fn pattern(region: &[u8], distance: usize) -> [u8; PATTERN] {
    let (mask, factor) = REPEATERS[distance];
    let bytes = region.first_chunk().copied().unwrap_or_default();
    (u128::from_le_bytes(bytes) & mask).wrapping_mul(factor).to_le_bytes()
}

/// The same as [`repeat`], from the beginning of the region.
#[inline(never)]
fn repeat_near(region: &mut [u8], distance: usize, length: usize) {
    let pattern = pattern(region, distance);
    for to in (distance..distance + length).step_by(STRIDES[distance]) {
        region[to..to + PATTERN].copy_from_slice(&pattern);
    }
}

/// Like [`repeat_near`].
#[inline(never)]
fn repeat_long(region: &mut [u8], distance: usize, length: usize) {
    let region = &mut region[..distance + length];
    if distance == 1 {
        return region.fill(region[0]);
    }
    // The written bytes are a whole number of repetitions, and double each time.
    let mut there = distance;
    while there < region.len() {
        let more = there.min(region.len() - there);
        region.copy_within(..more, there);
        there += more;
    }
}
