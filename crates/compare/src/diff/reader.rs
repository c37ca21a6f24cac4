//! Reads the items of an array piece by piece for a comparison. Plainly stored items are read, not mapped.
//!
//! Comparing reads each byte once. Mapping a file for that would cost a page fault every 4 KiB, and reading 256 KiB
//! at a time keeps the pieces of both files in the processor's caches.

use ndbytes::internals::{memory, swap_in_place};
use ndbytes::{Array, Error, Input, ItemType, Items, Result};
use std::borrow::Cow;

/// The number of bytes to read at once, which is so small that the pieces of both files stay in the caches.
const PIECE: u64 = 256 << 10;

/// The items of an array in C order, or in the order in which they are stored.
pub(super) struct Reader<'r> {
    from: From<'r>,
    item_type: ItemType,
    /// The number of bytes in each run that is reversed, to get the other file's byte order.
    swap: u64,
    buffer: Vec<u8>,
}

/// Where the items come from.
enum From<'r> {
    /// Stored plainly, from this byte of the input on.
    Plain(&'r Input<'r>, u64),
    /// Decoded, in the order in which they are stored.
    Decoded(Cow<'r, [u8]>),
    Items(Box<dyn Items + 'r>),
}

impl<'r> Reader<'r> {
    /// Creates a reader of the items in C order.
    pub fn new(array: &'r Array<'_>) -> Self {
        let from = match array.plain_input() {
            Some((input, start)) if !is_turned(array) => From::Plain(input, start),
            _ => From::Items(array.items()),
        };
        Reader::of(array, from)
    }

    /// Creates a reader of the items in the order in which they are stored.
    ///
    /// # Errors
    /// Any error while decoding them.
    pub fn stored(array: &'r Array<'_>) -> Result<Self> {
        let from = match array.plain_input() {
            Some((input, start)) => From::Plain(input, start),
            None if is_turned(array) => From::Decoded(array.bytes()?),
            None => From::Items(array.items()),
        };
        Ok(Reader::of(array, from))
    }

    /// Creates a reader of items from this source.
    fn of(array: &Array<'_>, from: From<'r>) -> Self {
        Reader { from, item_type: array.item_type(), swap: 1, buffer: Vec::new() }
    }

    /// Returns the reader with the bytes of items reversed in units of this length.
    pub fn swapped(self, swap: u64) -> Self {
        Reader { swap, ..self }
    }

    /// The position of the first item in the file, if items are stored unencoded.
    pub fn offset(&self) -> Option<u64> {
        match &self.from {
            From::Plain(_, start) => Some(*start),
            From::Decoded(_) | From::Items(_) => None,
        }
    }

    /// The number of items to read at once.
    pub fn piece(&self) -> u64 {
        match &self.from {
            From::Plain(..) | From::Decoded(_) => (PIECE / self.item_type.stride().max(1)).max(1),
            From::Items(items) => items.piece(),
        }
    }

    /// Returns the bytes of items.
    ///
    /// # Errors
    /// Any error while reading them.
    pub fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        let stride = self.item_type.stride();
        match &mut self.from {
            From::Plain(input, first) => {
                resize(&mut self.buffer, count.saturating_mul(stride))?;
                input.read_at(&mut self.buffer, *first + start * stride)?;
            }
            From::Decoded(bytes) => {
                let bytes = &bytes[(start * stride) as usize..((start + count) * stride) as usize];
                resize(&mut self.buffer, bytes.len() as u64)?;
                self.buffer.copy_from_slice(bytes);
            }
            From::Items(items) => {
                let bytes = items.read(start, count)?;
                if self.swap <= 1 {
                    return Ok(bytes);
                }
                resize(&mut self.buffer, bytes.len() as u64)?;
                self.buffer.copy_from_slice(bytes);
            }
        }
        swap_in_place(&mut self.buffer, self.swap);
        Ok(&self.buffer)
    }
}

/// Returns whether items are stored in an order other than C order.
pub(super) fn is_turned(array: &Array<'_>) -> bool {
    array.is_fortran_order() && array.shape().len() > 1
}

/// Resizes a buffer to this length.
fn resize(buffer: &mut Vec<u8>, length: u64) -> Result<()> {
    let is_long = usize::try_from(length).is_ok_and(|length| memory::set_length(buffer, length));
    if is_long { Ok(()) } else { Err(Error::Limit { what: "items", needed: length, left: 0 }) }
}
