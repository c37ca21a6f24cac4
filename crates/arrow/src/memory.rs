//! Memory whose size was judged.

use crate::error::{Error, Result};

/// Room for bytes whose number was judged. The machine may have less.
pub(crate) fn room(length: usize, what: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match bytes.try_reserve_exact(length) {
        Ok(()) => Ok(bytes),
        Err(_) => Err(Error::Memory { what: what.to_owned(), needed: length as u64, left: 0 }),
    }
}

/// Appends zeros until there are `length` bytes, for which there is room.
#[expect(clippy::disallowed_methods, reason = "`room` made the room after the length was judged")]
pub(crate) fn lengthen(bytes: &mut Vec<u8>, length: usize) {
    bytes.resize(length, 0);
}
