//! Outputs for arrays, and the functions that write items to them.

use super::items::Items;
use crate::bytes::atomic::AtomicFile;
use crate::bytes::limits::Limits;
use crate::bytes::swap::swap_in_place;
use crate::bytes::write_behind::write_behind;
use crate::error::Result;
use std::io::{self, Write};

/// The target of a written file.
pub(crate) trait Sink: Write {
    /// Announces the number of bytes before the first one is written.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if they do not fit.
    fn expect(&mut self, bytes: u64) -> Result<()>;

    /// The output, in a form that another thread can write to; `None` if it must stay on this thread.
    fn sendable(&mut self) -> Option<&mut (dyn Write + Send)>;
}

impl Sink for AtomicFile {
    fn expect(&mut self, bytes: u64) -> Result<()> {
        self.ensure_room(bytes)
    }

    fn sendable(&mut self) -> Option<&mut (dyn Write + Send)> {
        Some(self)
    }
}

/// A stream of unknown capacity.
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

    fn sendable(&mut self) -> Option<&mut (dyn Write + Send)> {
        None
    }
}

/// Writes the header if the `length` bytes after it are within the limits and there is enough space. `what` names the file.
pub(crate) fn begin(to: &mut dyn Sink, what: &str, header: &[u8], length: u64, limits: &Limits) -> Result<()> {
    let length = length.saturating_add(header.len() as u64);
    limits.ensure_output(what, length)?;
    to.expect(length)?;
    Ok(to.write_all(header)?)
}

/// Writes all items in C order, with the bytes swapped in units of `width`. While a piece is written to a file, the next one is
/// read, if the limits leave memory for both.
pub(crate) fn write_swapped(to: &mut dyn Sink, items: &mut dyn Items, width: u64, limits: &Limits) -> Result<()> {
    let piece = items.piece();
    let has_room = piece.saturating_mul(items.item_type().stride()) <= limits.memory / 2;
    let sendable = if has_room && piece < items.count() { to.sendable() } else { None };
    match sendable {
        Some(to) => write_behind(to, |behind| {
            each_piece(items, &mut |bytes| behind.write(|buffer| copy_swapped(bytes, width, buffer)))
        })?,
        None if width > 1 => {
            let mut buffer = Vec::new();
            each_piece(items, &mut |bytes| {
                buffer.clear();
                copy_swapped(bytes, width, &mut buffer);
                Ok(to.write_all(&buffer)?)
            })?;
        }
        None => each_piece(items, &mut |bytes| Ok(to.write_all(bytes)?))?,
    }
    Ok(to.flush()?)
}

/// Passes the items to a function, piece by piece.
fn each_piece(items: &mut dyn Items, take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
    // Items without bytes cost nothing, however many there are.
    let count = if items.item_type().stride() == 0 { 0 } else { items.count() };
    let (piece, mut start) = (items.piece(), 0);
    while start < count {
        let asked = piece.min(count - start);
        take(items.read(start, asked)?)?;
        start += asked;
    }
    Ok(())
}

/// Appends elements with their bytes reversed, in units of `width`.
fn copy_swapped(bytes: &[u8], width: u64, buffer: &mut Vec<u8>) {
    buffer.extend_from_slice(bytes);
    if width > 1 {
        swap_in_place(buffer, width);
    }
}

/// Returns the length of all items in bytes.
pub(crate) fn length(items: &dyn Items) -> u64 {
    items.count().saturating_mul(items.item_type().stride())
}
