//! The bytes of all payloads: a function of their place.

use std::ops::Range;
use std::sync::LazyLock;

/// The number of bytes after which they begin again: a prime number, farther away than LZ4 looks back.
const PERIOD: usize = 131_071;

/// Bytes that look random, and as many zeros: so they can be compressed, but not by much.
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| (0..PERIOD as u64).map(byte).collect());

fn byte(place: u64) -> u8 {
    if place & 64 == 0 { (place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8 } else { 0 }
}

/// The parts of `length` bytes from a place on that follow each other in [`BYTES`], and where they stand there.
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

/// The bytes from a place on.
pub fn fill(buffer: &mut [u8], start: u64) {
    parts(start, buffer.len()).for_each(|(part, bytes)| buffer[part].copy_from_slice(bytes));
}

/// Returns whether bytes are those from a place on.
pub fn is_at(bytes: &[u8], start: u64) -> bool {
    parts(start, bytes.len()).all(|(part, expected)| bytes[part] == *expected)
}

/// Returns whether the bytes of an item are those at a place, or these in the other order.
pub fn is_item(item: &[u8], place: u64, is_swapped: bool) -> bool {
    let start = place * item.len() as u64;
    match is_swapped {
        false => is_at(item, start),
        true => is_at(&item.iter().rev().copied().collect::<Vec<u8>>(), start),
    }
}
