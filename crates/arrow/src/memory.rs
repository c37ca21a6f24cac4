//! Memory whose size was checked.

use crate::error::{Error, Result};

/// Allocates memory for bytes whose number was checked. The machine may have less.
pub(crate) fn room(length: usize, what: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match bytes.try_reserve_exact(length) {
        Ok(()) => Ok(bytes),
        Err(_) => Err(Error::Memory { what: what.to_owned(), needed: length as u64, left: 0 }),
    }
}

/// Appends zeros until there are `length` bytes, within the capacity.
#[expect(clippy::disallowed_methods, reason = "`room` made the room after the length was judged")]
pub(crate) fn lengthen(bytes: &mut Vec<u8>, length: usize) {
    bytes.resize(length, 0);
}
