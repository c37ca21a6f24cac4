//! The filter that keeps only the differing bits of every word. In the first block of a chunk, a word is compared with
//! the previous one. In the other blocks, it is compared with the word at the same position in the first block.

use super::lanes::Lane;
use super::running_sum::differences;
use multiversion::multiversion;
use std::ops::BitXor;

/// Undoes the filter of the first block of a chunk.
#[multiversion(targets("x86_64+avx2"))]
pub fn undelta_first(typesize: usize, block: &mut [u8]) {
    match word(typesize) {
        2 => running_xor::<2>(whole_words(typesize, block)),
        4 => running_xor::<4>(whole_words(typesize, block)),
        8 => running_xor::<8>(whole_words(typesize, block)),
        _ => running_xor::<1>(block),
    }
}

/// Undoes the filter of any other block. The reference is the first block after all its filters were undone.
pub fn undelta(typesize: usize, block: &mut [u8], reference: &[u8]) {
    for (byte, reference) in whole_words(typesize, block).iter_mut().zip(reference) {
        *byte ^= reference;
    }
}

/// Filters the first block of a chunk.
pub fn delta_first(typesize: usize, block: &mut [u8]) {
    differences(whole_words(typesize, block), word(typesize), |byte, before| byte ^ before);
}

/// Filters any other block. The reference is the first block before filtering.
pub fn delta(typesize: usize, block: &mut [u8], reference: &[u8]) {
    undelta(typesize, block, reference);
}

/// Returns the number of bytes in a word.
fn word(typesize: usize) -> usize {
    match typesize {
        1 | 2 | 4 | 8 => typesize,
        _ if typesize.is_multiple_of(8) => 8,
        _ => 1,
    }
}

fn whole_words(typesize: usize, block: &mut [u8]) -> &mut [u8] {
    let length = block.len();
    &mut block[..length - length % word(typesize)]
}

#[inline(always)]
fn running_xor<const WORD: usize>(words: &mut [u8]) {
    let mut before = Lane::ZERO;
    let (lanes, tail) = words.as_chunks_mut();
    for bytes in lanes {
        let lane = Lane::from_bytes(*bytes).accumulate::<WORD>(Lane::bitxor);
        *bytes = (lane ^ before).to_bytes();
        // Only this step has to wait for the previous lane.
        before = before ^ lane.repeat_last::<WORD>();
    }
    let before = before.to_bytes();
    for index in 0..tail.len() {
        tail[index] ^= if index < WORD { before[index] } else { tail[index - WORD] };
    }
}
