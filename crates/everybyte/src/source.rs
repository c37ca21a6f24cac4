//! The bytes that layouts are read from.

use binrw::io::{self, Read, Seek, SeekFrom};

/// The bytes of one space (a file, a decompressed block). Perhaps only a part of them is at hand, as a rule the
/// beginning.
///
/// Regions are skipped without being touched, so the header of a large file can be read from its first few
/// kilobytes. A structure that reaches past the bytes at hand fails with [`Problem::Unavailable`](crate::Problem);
/// one that reaches past the end of the space fails with [`Problem::End`](crate::Problem).
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    bytes: &'a [u8],
    /// The offset of `bytes` in the space.
    base: u64,
    length: u64,
    position: u64,
}

impl<'a> Source<'a> {
    /// A space that is at hand as a whole.
    pub fn new(bytes: &'a [u8]) -> Self {
        Source { bytes, base: 0, length: bytes.len() as u64, position: 0 }
    }

    /// A space of `length` bytes that begins with `bytes`.
    pub fn prefix(bytes: &'a [u8], length: u64) -> Self {
        Source::window(bytes, 0, length)
    }

    /// A space of `length` bytes of which `bytes`, from offset `base` on, are at hand. Reading starts there. Bytes after the end of
    /// the space are none of it.
    pub fn window(bytes: &'a [u8], base: u64, length: u64) -> Self {
        Source { bytes, base, length, position: base }.until(length)
    }

    /// The same space, to be read from another offset.
    #[must_use]
    pub fn at(self, position: u64) -> Self {
        Source { position, ..self }
    }

    /// The same space, as if it ended at an earlier offset.
    #[must_use]
    pub fn until(self, end: u64) -> Self {
        let end = end.min(self.length);
        let held = usize::try_from(end.saturating_sub(self.base)).unwrap_or(usize::MAX);
        Source { bytes: &self.bytes[..held.min(self.bytes.len())], length: end, ..self }
    }

    /// The bytes at hand.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes at hand from an offset on.
    pub fn bytes_from(self, offset: u64) -> &'a [u8] {
        self.at(offset).ahead()
    }

    /// The bytes of the whole space.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The offset that is read next.
    pub fn position(&self) -> u64 {
        self.position
    }

    #[inline]
    fn ahead(&self) -> &'a [u8] {
        let skipped = self.position.checked_sub(self.base).and_then(|skipped| usize::try_from(skipped).ok());
        skipped.and_then(|skipped| self.bytes.get(skipped..)).unwrap_or_default()
    }

    /// The error of a read that the bytes at hand cannot serve.
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
