//! Deflate streams (by flate2), bare or in zlib's wrapper, and the errors in broken ones.
//!
//! Lengths in files are claims. Deflate expands data by a factor of at most 1,032, and [`most_inflated`] turns that
//! into a bound on the inflated length; a claim above it can be rejected without decompressing. Unlike other
//! interfaces, a step distinguishes a target that is full from a stream that continues beyond it.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use std::io::{self, Write};

pub use flate2::Crc;

/// The maximum expansion of deflate per byte, and the number of bytes that a stream can expand to beyond that.
const RATIO: u64 = 1032;
const MARGIN: u64 = 258;

/// Returns the maximum number of bytes that `stored` bytes of deflate inflate to.
pub fn most_inflated(stored: u64) -> u64 {
    stored.saturating_mul(RATIO).saturating_add(MARGIN)
}

/// Returns whether the bytes begin like a zlib stream.
pub fn is_zlib(source: &[u8]) -> bool {
    matches!(source, &[first @ 0x78, second, ..] if u16::from_be_bytes([first, second]).is_multiple_of(31))
}

/// A stream that is inflated piece by piece.
#[derive(Debug)]
pub struct Inflating {
    decompress: Decompress,
    zlib: bool,
}

/// The outcome of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Bytes were read or written.
    Went,
    /// The stream has ended.
    Ended,
    /// The target was full, and the stream continued: the first byte after the target is lost.
    Beyond,
    /// Nothing was read or written: the source is at its end, but the stream is not.
    Starved,
    /// The stream cannot be decoded, for this reason.
    Corrupt(String),
}

impl Inflating {
    /// Creates a new stream, in zlib's wrapper or bare.
    pub fn new(zlib: bool) -> Self {
        Inflating { decompress: Decompress::new(zlib), zlib }
    }

    /// Begins another stream in the same memory.
    pub fn reset(&mut self) {
        self.decompress.reset(self.zlib);
    }

    /// Returns the number of bytes of the stream that were read.
    pub fn consumed(&self) -> u64 {
        self.decompress.total_in()
    }

    /// Returns the number of bytes that were written.
    pub fn written(&self) -> u64 {
        self.decompress.total_out()
    }

    /// Inflates from the next bytes of the stream into the rest of the target. Distinguishes a full target from a stream that continues.
    pub fn step(&mut self, source: &[u8], target: &mut [u8]) -> Step {
        self.flushed(source, target, FlushDecompress::None)
    }

    fn flushed(&mut self, source: &[u8], target: &mut [u8], flush: FlushDecompress) -> Step {
        let before = (self.consumed(), self.written());
        let full = target.is_empty();
        let mut beyond = [0];
        let status = self.decompress.decompress(source, if full { &mut beyond } else { target }, flush);
        match status {
            _ if full && self.written() > before.1 => Step::Beyond,
            Err(error) => Step::Corrupt(error.to_string()),
            Ok(Status::StreamEnd) => Step::Ended,
            Ok(_) if (self.consumed(), self.written()) == before => Step::Starved,
            Ok(_) => Step::Went,
        }
    }

    /// Inflates a stream in memory into a target, until one of them ends.
    pub fn whole(&mut self, source: &[u8], target: &mut [u8]) -> Inflated {
        self.reset();
        let mut filled_at = None;
        loop {
            let (consumed, written) = (self.consumed() as usize, self.written() as usize);
            let full = written == target.len();
            if full {
                filled_at = filled_at.or(Some(consumed));
            }
            let outcome = match self.flushed(&source[consumed..], &mut target[written..], FlushDecompress::Finish) {
                Step::Went => continue,
                Step::Ended => Outcome::Ended,
                Step::Beyond => Outcome::Full,
                Step::Starved => Outcome::Unended,
                Step::Corrupt(_) if full => Outcome::FullThenCorrupt,
                Step::Corrupt(reason) => Outcome::Corrupt(reason),
            };
            let written = (self.written() as usize).min(target.len());
            let consumed = self.consumed() as usize;
            return Inflated { outcome, consumed, filled_at: filled_at.unwrap_or(consumed), written };
        }
    }
}

/// The end of a stream in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It ended properly.
    Ended,
    /// The target is full, and the stream continues.
    Full,
    /// The stream stops before its end.
    Unended,
    /// The rest cannot be decoded; the target is not full.
    Corrupt(String),
    /// The target is full, and the rest of the stream cannot be decoded.
    FullThenCorrupt,
}

/// A stream, decompressed up to its end or its first error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inflated {
    /// The end of the stream.
    pub outcome: Outcome,
    /// The number of bytes of the stream that were read.
    pub consumed: usize,
    /// The number of bytes of the stream that fill the target; all that were read if it is not full.
    pub filled_at: usize,
    /// The number of bytes of the target that are filled.
    pub written: usize,
}

/// Deflates a sequence of streams in zlib's wrapper.
#[derive(Debug, Default)]
pub struct ZlibEncoder {
    kept: Option<(u8, Compress)>,
}

impl ZlibEncoder {
    /// Deflates bytes at a level of 1 to 9. Returns the length of the stream, or `None` if it does not fit in the target.
    pub fn encode(&mut self, level: u8, source: &[u8], target: &mut [u8]) -> Option<usize> {
        let (_, compress) = match &mut self.kept {
            Some(kept) if kept.0 == level => kept,
            kept => kept.insert((level, Compress::new(Compression::new(level.into()), true))),
        };
        compress.reset();
        match compress.compress(source, target, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => Some(compress.total_out() as usize),
            _ => None,
        }
    }
}

/// Writes a bare deflate stream, at the default level, to `to`.
pub fn encoder<W: Write>(to: W) -> flate2::write::DeflateEncoder<W> {
    flate2::write::DeflateEncoder::new(to, Compression::default())
}

/// Deflates bytes into a bare stream, at the default level.
///
/// # Errors
/// Never, whatever the bytes are.
pub fn deflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = encoder(Vec::new());
    encoder.write_all(bytes)?;
    encoder.finish()
}
