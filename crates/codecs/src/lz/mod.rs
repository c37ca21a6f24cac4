//! LZ77 as in Blosc2: blosclz streams and LZ4 blocks, in memory and with known decoded length.
//!
//! The decoders share the copy operations (`copy`), and the encoders the search for matches (`matcher`); only the tokens differ.
//! Each decoder has a fast loop, which stops before any case that it does not handle: the ends of the buffers, and errors. A
//! careful loop then decodes one token, or reports the error.
//!
//! # Compared with `lz4_flex`
//!
//! Blosc2 blocks are read by this LZ4 decoder. `lz4_flex` cannot stop after the required bytes, and its errors do not state their
//! position in the stream. Measured on 2026-11-26 with 4 MiB, one thread, `lz4_flex` 0.14 with its safe variants, in GB/s:
//!
//! | bytes | decoded here | by `lz4_flex` | encoded here, level 5 | by `lz4_flex` |
//! |---|---|---|---|---|
//! | floats | 3.7 | 2.5 | 0.62 | 0.65 |
//! | shuffled floats | 4.0 | 2.8 | 0.90 | 1.2 |
//! | words | 3.3 | 2.9 | 0.47 | 0.77 |
//! | zeros with a few other bytes | 44 | 38 | 21 | 13 |
//!
//! RawArray still uses `lz4_flex`. Its blocks are always read completely, and have no dictionary. They may be longer than their content,
//! which `lz4::encode` never writes.

pub mod blosclz;
mod copy;
pub mod lz4;
mod matcher;
#[cfg(test)]
mod tests;

use std::ops::Range;

/// The number of bytes after the decoded ones that may be overwritten. A stream need not be followed by that many bytes, but decoding is
/// faster if it is.
pub const SLACK: usize = 64;

/// Returns the bytes of a stream, and those after it.
fn from<'s>(source: &'s [u8], stream: &Range<usize>) -> Result<&'s [u8], Broken> {
    let rest = source.get(stream.start..).filter(|rest| rest.len() >= stream.len());
    rest.ok_or(Broken { at: 0, what: What::Cut })
}

/// Returns the number of decoded bytes after which decoding stops. If all are needed, the stream is read and checked to its end.
fn enough(length: usize, needed: usize) -> usize {
    if needed < length { needed } else { usize::MAX }
}

/// An error in a stream, and its byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// The first byte of the token, or of its part. The length of the stream, if bytes are missing there.
    pub at: usize,
    /// The flaw.
    pub what: What,
}

/// An error in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// It ends inside a token, or after one that cannot be the last.
    Cut,
    /// Literals reach beyond the end of the stream.
    LiteralsBeyondStream,
    /// Literals reach beyond the end of the output.
    LiteralsBeyondOutput,
    /// A match reaches beyond the end of the output, or closer to it than allowed.
    MatchBeyondOutput,
    /// A match begins before the output and the dictionary, or nowhere.
    MatchBeforeOutput,
    /// A match has a distance of 0.
    NoDistance,
    /// It ends before the output is full.
    TooShort,
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            What::Cut => "the stream is truncated",
            What::LiteralsBeyondStream => "literals reach beyond the end of the stream",
            What::LiteralsBeyondOutput => "literals reach beyond the end of the output",
            What::MatchBeyondOutput => "a match reaches beyond the end of the output, or too close to it",
            What::NoDistance => "a match has a distance of 0",
            What::MatchBeforeOutput => "a match begins before the output",
            What::TooShort => "the stream ends before the output is full",
        })
    }
}

/// Returns a length with its further bytes, and their end.
#[inline(always)]
fn extended(source: &[u8], mut at: usize, end: usize, mut length: usize) -> Option<(usize, usize)> {
    while at < end {
        let byte = *source.get(at)?;
        at += 1;
        length += usize::from(byte);
        if byte != 255 {
            return Some((at, length));
        }
    }
    None
}

/// Writes the further bytes of a length.
fn extend(target: &mut Vec<u8>, mut more: usize) {
    while more >= 255 {
        target.push(255);
        more -= 255;
    }
    target.push(more as u8);
}
