//! Buffers within the limits.

use ndbytes::{Error, Limits, Result};

/// Resizes a buffer to `needed` bytes, within the limits.
pub fn room(buffer: &mut Vec<u8>, needed: u64, limits: &Limits) -> Result<()> {
    let what = "a part of the array";
    if needed > limits.memory {
        return Err(Error::Limit { what, needed, left: limits.memory });
    }
    let length = usize::try_from(needed).map_err(|_| Error::Limit { what, needed, left: 0 })?;
    buffer.truncate(length);
    let more = length - buffer.len();
    buffer.try_reserve_exact(more).map_err(|_| Error::Limit { what, needed, left: 0 })?;
    buffer.extend(std::iter::repeat_n(0, more));
    Ok(())
}
