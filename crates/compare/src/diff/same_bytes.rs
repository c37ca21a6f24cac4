//! Comparing the bytes of two files.
//!
//! Most comparisons end here: the files are equal, or they differ early. Only this comparison can locate the first
//! difference in a file of any format.

use super::options::Options;
use ndbytes::internals::memory;
use ndbytes::{Error, Input, Result};

/// The number of bytes to read at once, which is so small that the pieces of both files stay in the caches.
const PIECE: u64 = 256 << 10;

/// Returns the offset of the first byte that differs, or the length of the shorter file if the longer one starts with
/// it; `None` if the files are equal.
///
/// # Errors
/// [`Error::Io`](ndbytes::Error::Io), [`Error::Time`](ndbytes::Error::Time).
pub(super) fn first_difference(a: &Input<'_>, b: &Input<'_>, options: &Options) -> Result<Option<u64>> {
    let length = a.length().min(b.length());
    let (mut one, mut other) = (Vec::new(), Vec::new());
    let mut start = 0;
    while start < length {
        options.limits.ensure_time()?;
        let asked = PIECE.min(length - start) as usize;
        fill(a, start, asked, &mut one)?;
        fill(b, start, asked, &mut other)?;
        if one != other {
            let at = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
            return Ok(Some(start + at as u64));
        }
        start += asked as u64;
    }
    Ok((a.length() != b.length()).then_some(length))
}

/// Fills a buffer with bytes of a file.
///
/// # Errors
/// [`Error::Io`]; [`Error::Limit`] if there is not enough memory.
pub(super) fn fill(input: &Input<'_>, start: u64, length: usize, buffer: &mut Vec<u8>) -> Result<()> {
    if !memory::set_length(buffer, length) {
        return Err(Error::Limit { what: "a part of the file", needed: length as u64, left: 0 });
    }
    input.read_at(buffer, start)
}
