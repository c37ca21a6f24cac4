//! The bytes of all payloads, as a function of their position.

use std::ops::Range;
use std::sync::LazyLock;

/// The period of the bytes, which is a prime number beyond LZ4's window.
const PERIOD: usize = 131_071;

/// Random-looking bytes and as many zeros, so that they can be compressed, but not by much.
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| (0..PERIOD as u64).map(byte).collect());

fn byte(place: u64) -> u8 {
    if place & 64 == 0 { (place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8 } else { 0 }
}

/// The parts of `length` bytes from a position on that are contiguous in [`BYTES`], and their positions there.
fn parts(start: u64, length: usize) -> impl Iterator<Item = (Range<usize>, &'static [u8])> {
    let mut reached = 0;
    std::iter::from_fn(move || {
        let from = ((start + reached as u64) % PERIOD as u64) as usize;
        let end = length.min(reached + PERIOD - from);
        let part = reached..end;
        reached = end;
        (!part.is_empty()).then(|| (part.clone(), &BYTES[from..from + part.len()]))
    })
}

/// Fills a buffer with the bytes from a position on.
pub fn fill(buffer: &mut [u8], start: u64) {
    parts(start, buffer.len()).for_each(|(part, bytes)| buffer[part].copy_from_slice(bytes));
}

/// Returns whether bytes match the pattern from a position on.
pub fn is_at(bytes: &[u8], start: u64) -> bool {
    parts(start, bytes.len()).all(|(part, expected)| bytes[part] == *expected)
}

/// Returns whether an item has the bytes at a position, possibly in the other byte order.
pub fn is_item(item: &[u8], place: u64, is_swapped: bool) -> bool {
    let start = place * item.len() as u64;
    match is_swapped {
        false => is_at(item, start),
        true => is_at(&item.iter().rev().copied().collect::<Vec<u8>>(), start),
    }
}
