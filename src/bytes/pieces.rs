//! Reads a part of an input piece by piece, into memory that no other process can change.
//!
//! A decoder checks bytes and later relies on the result. In between, another process may write to a mapped file, so no decoder
//! runs on a mapping.

use super::input::Input;
use super::limits::Debit;
use super::memory;
use crate::error::{Error, Result};
use everybyte::{ParseError, Source, error::Problem};
use std::ops::Range;

/// The length of a piece in bytes.
pub(crate) const PIECE: u64 = 128 << 10;

/// A part of an input that is read from its beginning to its end. Bytes in memory are divided into the same pieces as those of a
/// file, so that both are decoded alike.
pub(crate) struct Pieces<'a> {
    input: &'a Input<'a>,
    place: Range<u64>,
    /// The last piece that was read.
    buffer: Vec<u8>,
    /// The offset of that piece.
    start: u64,
    debit: Debit<'a>,
}

impl<'a> Pieces<'a> {
    /// A part of an input, which must not extend beyond the input.
    pub fn new(input: &'a Input<'a>, place: Range<u64>) -> Self {
        Pieces { input, start: place.start, place, buffer: Vec::new(), debit: Debit::new(input.budget()) }
    }

    /// The offset of its first byte in the input.
    pub fn start(&self) -> u64 {
        self.place.start
    }

    /// The offset of its end in the input.
    pub fn end(&self) -> u64 {
        self.place.end
    }

    /// The bytes from an offset in the input to the end of their piece; empty at the end of the part.
    ///
    /// # Errors
    /// [`Error::Limit`]; [`Error::Time`]; [`Error::Io`].
    pub fn from(&mut self, offset: u64) -> Result<&[u8]> {
        if offset >= self.place.end {
            return Ok(&[]);
        }
        self.input.budget().ensure_time()?;
        let start = offset - (offset - self.place.start) % PIECE;
        let end = self.place.end.min(start + PIECE);
        if self.input.is_in_memory() {
            return self.input.range(offset..end);
        }
        if self.buffer.is_empty() || self.start != start {
            self.read(start, end)?;
        }
        Ok(&self.buffer[(offset - start) as usize..])
    }

    /// Parses the structure at an offset from the rest of its piece. If the piece does not contain the whole structure, the parser
    /// gets as many bytes as needed.
    ///
    /// # Errors
    /// Outer error: [`Error::Limit`]; [`Error::Io`]. Inner error: any error from the parser.
    pub fn parse<T>(
        &mut self,
        offset: u64,
        parse: impl Fn(Source<'_>) -> Result<T, Box<ParseError>>,
    ) -> Result<Result<T, Box<ParseError>>> {
        let (input, end) = (self.input, self.place.end);
        let parse = |source: Source<'_>| parse(source.until(end));
        match parse(Source::window(self.from(offset)?, offset, input.length())) {
            Err(error) if error.problem == Problem::Unavailable => input.parse_at(offset, parse),
            result => Ok(result),
        }
    }

    /// Reads a piece into the buffer, which is charged when it is first needed.
    fn read(&mut self, start: u64, end: u64) -> Result<()> {
        const WHAT: &str = "a piece of the file";
        let length = PIECE.min(self.place.end - self.place.start);
        if self.buffer.capacity() == 0 {
            self.debit.take(length, WHAT)?;
            self.buffer = memory::with_room(length as usize);
        }
        let filled = match memory::set_length(&mut self.buffer, (end - start) as usize) {
            true => self.input.read_at(&mut self.buffer, start),
            false => Err(Error::Limit { what: WHAT, needed: length, left: 0 }),
        };
        // A failed read leaves no piece.
        if filled.is_err() {
            self.buffer.clear();
        }
        self.start = start;
        filled
    }
}
