//! A window of bytes with absolute offsets, from which layouts are read.
//!
//! Offsets refer to the whole space even if only some of its bytes are available, so positions in errors and maps need no
//! correction. There are two kinds of errors. `UnexpectedEof` means that the space ends, so the structure is broken. `WouldBlock`
//! means that the bytes exist but are not available, so a caller may fetch more of them and try again.

use binrw::io::{self, Read, Seek, SeekFrom};

/// The bytes of one space, such as a file or a decompressed block. Only a part of them may be available, usually the beginning.
///
/// Regions are skipped without being read, so the header of a large file can be read from its first few kilobytes. A
/// structure that extends past the available bytes fails with [`Problem::Unavailable`](crate::error::Problem); one that
/// extends past the end of the space fails with [`Problem::End`](crate::error::Problem).
///
/// ```
/// use everybyte::{Endian, Source, read};
///
/// // The first bytes of a file of 1,000 bytes, from offset 2 on.
/// let source = Source::prefix(b"..\x2a\x00", 1000).at(2);
/// assert_eq!(read::<u16>(source, Endian::Little, ()).unwrap(), 42);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    bytes: &'a [u8],
    /// The offset of `bytes` in the space.
    base: u64,
    length: u64,
    position: u64,
}

impl<'a> Source<'a> {
    /// Creates a source for a space that is completely available.
    pub fn new(bytes: &'a [u8]) -> Self {
        Source { bytes, base: 0, length: bytes.len() as u64, position: 0 }
    }

    /// Creates a source for a space of `length` bytes that begins with `bytes`.
    pub fn prefix(bytes: &'a [u8], length: u64) -> Self {
        Source::window(bytes, 0, length)
    }

    /// Creates a source for a space of `length` bytes in which only `bytes`, starting at offset `base`, are available. Reading
    /// starts there. Bytes after the end of the space are ignored.
    pub fn window(bytes: &'a [u8], base: u64, length: u64) -> Self {
        Source { bytes, base, length, position: base }.until(length)
    }

    /// The same space, read from another offset.
    #[must_use]
    pub fn at(self, position: u64) -> Self {
        Source { position, ..self }
    }

    /// The same space, ending at an earlier offset.
    #[must_use]
    pub fn until(self, end: u64) -> Self {
        let end = end.min(self.length);
        let held = usize::try_from(end.saturating_sub(self.base)).unwrap_or(usize::MAX);
        Source { bytes: &self.bytes[..held.min(self.bytes.len())], length: end, ..self }
    }

    /// The available bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The available bytes from an offset.
    pub fn bytes_from(self, offset: u64) -> &'a [u8] {
        self.at(offset).ahead()
    }

    /// The length of the whole space in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The offset that will be read next.
    pub fn position(&self) -> u64 {
        self.position
    }

    #[inline]
    fn ahead(&self) -> &'a [u8] {
        let skipped = self.position.checked_sub(self.base).and_then(|skipped| usize::try_from(skipped).ok());
        skipped.and_then(|skipped| self.bytes.get(skipped..)).unwrap_or_default()
    }

    /// The error for a read beyond the available bytes.
    #[cold]
    fn shortage(&self, wanted: usize) -> io::Error {
        let end = self.position.saturating_add(wanted as u64);
        if end <= self.length { io::ErrorKind::WouldBlock.into() } else { io::ErrorKind::UnexpectedEof.into() }
    }
}

impl Read for Source<'_> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ahead = self.ahead();
        if ahead.is_empty() && !buffer.is_empty() && self.position < self.length {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let taken = ahead.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&ahead[..taken]);
        self.position += taken as u64;
        Ok(taken)
    }

    #[inline]
    fn read_exact(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let Some(bytes) = self.ahead().get(..buffer.len()) else { return Err(self.shortage(buffer.len())) };
        buffer.copy_from_slice(bytes);
        self.position += buffer.len() as u64;
        Ok(())
    }
}

impl Seek for Source<'_> {
    #[inline]
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        let position = match target {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }

    #[inline]
    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.position)
    }
}
