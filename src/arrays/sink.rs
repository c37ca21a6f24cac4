//! The targets of files of arrays, and their items on the way there.

use super::items::Items;
use crate::bytes::atomic::AtomicFile;
use crate::bytes::limits::Limits;
use crate::bytes::swap::swap_in_place;
use crate::error::Result;
use std::io::{self, Write};

/// The target of a written file.
pub(crate) trait Sink: Write {
    /// Announces the number of bytes that follow, before the first one.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if there is no room for them.
    fn expect(&mut self, bytes: u64) -> Result<()>;
}

impl Sink for AtomicFile {
    fn expect(&mut self, bytes: u64) -> Result<()> {
        self.ensure_room(bytes)
    }
}

/// A stream, whose room is not known.
pub(crate) struct Stream<W>(pub W);

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Sink for Stream<W> {
    fn expect(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
}

/// Writes the header, if the `length` bytes after it are within the limits and there is room. `what` names the file.
pub(crate) fn begin(to: &mut dyn Sink, what: &str, header: &[u8], length: u64, limits: &Limits) -> Result<()> {
    let length = length.saturating_add(header.len() as u64);
    limits.ensure_output(what, length)?;
    to.expect(length)?;
    Ok(to.write_all(header)?)
}

/// Writes all items in C order, with the bytes of every run of `width` swapped.
pub(crate) fn write_swapped(to: &mut dyn Write, items: &mut dyn Items, width: u64) -> Result<()> {
    // Items without bytes cost nothing, however many there are.
    let count = if items.item_type().stride() == 0 { 0 } else { items.count() };
    let (piece, mut start) = (items.piece(), 0);
    let mut buffer = Vec::new();
    while start < count {
        let asked = piece.min(count - start);
        let bytes = items.read(start, asked)?;
        if width > 1 {
            buffer.clear();
            buffer.extend_from_slice(bytes);
            swap_in_place(&mut buffer, width);
            to.write_all(&buffer)?;
        } else {
            to.write_all(bytes)?;
        }
        start += asked;
    }
    Ok(to.flush()?)
}

/// Bytes of all items.
pub(crate) fn length(items: &dyn Items) -> u64 {
    items.count().saturating_mul(items.item_type().stride())
}
