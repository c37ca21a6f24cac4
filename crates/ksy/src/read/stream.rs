//! Streams: parts of spaces with a position.

use super::value::{Cause, Read, fault};
use std::ops::Range;

/// A part of a space, and how far it was read.
#[derive(Debug, Clone)]
pub struct Stream {
    pub space: u32,
    pub base: usize,
    pub end: usize,
    /// The next byte.
    pub pos: usize,
    /// The bits of the byte before the next one that were not read yet.
    pub bits_left: u32,
}

impl Stream {
    pub fn new(space: u32, range: Range<usize>) -> Self {
        Stream { space, base: range.start, end: range.end, pos: range.start, bits_left: 0 }
    }

    pub fn is_at_end(&self) -> bool {
        self.pos >= self.end && self.bits_left == 0
    }

    /// The bytes that were not read yet.
    pub fn left(&self) -> usize {
        self.end.saturating_sub(self.pos)
    }

    /// Skips the bits that are left of a byte.
    pub fn align(&mut self) {
        self.bits_left = 0;
    }

    /// The first byte that is read next, which bits may share with those before.
    pub fn start(&self) -> usize {
        self.pos - usize::from(self.bits_left > 0)
    }

    /// Takes this number of bytes.
    #[inline]
    pub fn take(&mut self, length: usize) -> Read<Range<usize>> {
        let left = self.left();
        if length > left {
            let bytes = if length == 1 { "byte is" } else { "bytes are" };
            let are = if left == 1 { "is" } else { "are" };
            return fault(Cause::End, format!("{length} {bytes} needed; {left} {are} left"));
        }
        let start = self.pos;
        self.pos += length;
        Ok(start..self.pos)
    }

    /// Takes this number of bits, at most 64, out of the bytes of the space.
    pub fn bits(&mut self, width: u32, is_little: bool, bytes: &[u8]) -> Read<u64> {
        let left = self.bits_left;
        let further = width.saturating_sub(left).div_ceil(8) as usize;
        let begun = self.start();
        let taken = self.take(further)?;
        let total = left + 8 * further as u32;
        let read = &bytes[begun..taken.end];
        let mut wide = 0_u128;
        if is_little {
            read.iter().rev().for_each(|&byte| wide = wide << 8 | u128::from(byte));
            wide >>= if left > 0 { 8 - left } else { 0 };
        } else {
            read.iter().for_each(|&byte| wide = wide << 8 | u128::from(byte));
            wide >>= total - width;
        }
        self.bits_left = total - width;
        Ok((wide & ((1 << width) - 1)) as u64)
    }
}
