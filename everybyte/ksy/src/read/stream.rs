//! Streams: parts of spaces with a position.
//!
//! A field with a size has its own stream over the same space. Bit fields leave a position inside a byte. Bits are read from
//! the highest down, or from the lowest up, and the next field that is not a bit field begins at a whole byte.

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
    /// The number of unread bits in the byte before the next one.
    pub bits_left: u32,
}

impl Stream {
    /// Creates a stream over a part of a space.
    pub fn new(space: u32, range: Range<usize>) -> Self {
        Stream { space, base: range.start, end: range.end, pos: range.start, bits_left: 0 }
    }

    /// Returns whether all bits are read.
    pub fn is_at_end(&self) -> bool {
        self.pos >= self.end && self.bits_left == 0
    }

    /// Returns the bytes that have not been read yet.
    pub fn left(&self) -> usize {
        self.end.saturating_sub(self.pos)
    }

    /// Skips the remaining bits of a byte.
    pub fn align(&mut self) {
        self.bits_left = 0;
    }

    /// Returns the next byte to read, some of whose bits may already have been read.
    pub fn start(&self) -> usize {
        self.pos - usize::from(self.bits_left > 0)
    }

    /// Reads this number of bytes.
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

    /// Reads this number of bits, at most 64, from the bytes of the space.
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
