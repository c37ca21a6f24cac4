//! Converts elements to bit planes and back: first to byte planes, then each byte plane to eight rows.
//!
//! In between, a 64-bit word contains one byte of each of the eight rows: a matrix of bits, which is transposed.

use super::shuffle::whole_elements;
use super::tiles::{Planes, WIDEST, collect, pieces, spread};
use multiversion::multiversion;
use std::array::from_fn;

/// The number of words that are transposed at a time.
const WORDS: usize = 64;
/// The number of elements in these words.
const ELEMENTS: usize = WORDS * 8;
/// The byte planes of these elements.
type Buffer = [[u8; ELEMENTS]; WIDEST];

/// Converts bit planes to elements. Bytes after the last multiple of eight elements are copied.
pub fn bitunshuffle(typesize: usize, source: &[u8], out: &mut [u8]) {
    let (source, out, row) = whole_eights(typesize, source, out);
    let mut buffer: Buffer = [[0; ELEMENTS]; WIDEST];
    for start in (0..row).step_by(WORDS) {
        let words = WORDS.min(row - start);
        let out = &mut out[start * 8 * typesize..][..words * 8 * typesize];
        for (first, width) in pieces_of_all(typesize) {
            for (plane, bytes) in buffer[..width].iter_mut().enumerate() {
                let bytes = &mut bytes[..words * 8];
                let rows: [&[u8]; 8] = from_fn(|bit| &source[((first + plane) * 8 + bit) * row + start..][..words]);
                spread(&rows, 8, 0, bytes);
                transpose_bits(bytes);
            }
            let planes: [&[u8]; WIDEST] = from_fn(|plane| &buffer[plane][..words * 8]);
            spread(&planes[..width], typesize, first, out);
        }
    }
}

/// Converts elements to bit planes. Bytes after the last multiple of eight elements are copied.
pub fn bitshuffle(typesize: usize, source: &[u8], out: &mut [u8]) {
    let (source, out, row) = whole_eights(typesize, source, out);
    let mut buffer: Buffer = [[0; ELEMENTS]; WIDEST];
    for start in (0..row).step_by(WORDS) {
        let words = WORDS.min(row - start);
        let source = &source[start * 8 * typesize..][..words * 8 * typesize];
        for (first, width) in pieces_of_all(typesize) {
            let mut planes = Planes { bytes: buffer.as_flattened_mut(), distance: ELEMENTS, start: 0 };
            collect(width, source, typesize, first, &mut planes);
            for (plane, bytes) in buffer[..width].iter_mut().enumerate() {
                let bytes = &mut bytes[..words * 8];
                transpose_bits(bytes);
                let rows = &mut out[(first + plane) * 8 * row..][..8 * row];
                collect(8, bytes, 8, 0, &mut Planes { bytes: rows, distance: row, start });
            }
        }
    }
}

/// Copies the bytes after the last complete group of eight elements. Returns the complete groups on both sides, and
/// their number.
fn whole_eights<'a, 'b>(typesize: usize, source: &'a [u8], out: &'b mut [u8]) -> (&'a [u8], &'b mut [u8], usize) {
    whole_elements(typesize.saturating_mul(8), source, out)
}

/// Returns the first byte of each piece of an element, and the width of the piece.
fn pieces_of_all(typesize: usize) -> impl Iterator<Item = (usize, usize)> {
    pieces(typesize.max(WIDEST)).map(move |first| (first, typesize.min(WIDEST)))
}

/// Transposes matrices of 8 × 8 bits: bit i of byte j becomes bit j of byte i.
#[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
fn transpose_bits(words: &mut [u8]) {
    for word in words.as_chunks_mut().0 {
        let mut bits = u64::from_le_bytes(*word);
        // Swaps the off-diagonal quarters of all squares of two, four and eight bits.
        for (distance, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0xf0f0_f0f0)] {
            let changes = (bits ^ bits >> distance) & mask;
            bits ^= changes ^ changes << distance;
        }
        *word = bits.to_le_bytes();
    }
}
