//! LZ77 as in Blosc2: blosclz streams and LZ4 blocks, which lie in memory and whose decoded length is known.
//!
//! The decoders share the copies (`copy`), the encoders the search for matches (`matcher`); only the tokens differ.
//! Each decoder has a fast loop, which stops before any case that it does not handle: the ends of the buffers, any flaw. A
//! careful loop then does one token, or reports the flaw.
//!
//! # Beside `lz4_flex`
//!
//! Blocks of Blosc2 are read by this LZ4, since `lz4_flex` cannot stop after the bytes that are needed, and says of a flaw neither
//! place nor kind. This one is also faster. On 2026-11-26, 4 MiB of floats, of shuffled floats, of words and of zeros with few other
//! bytes were decoded with 3.7, 4.0, 3.3 and 44 GB/s. `lz4_flex` 0.14 with its safe decoder took 2.5, 2.8, 2.9 and 38 GB/s.
//!
//! RawArray keeps `lz4_flex`: its block is whole, has no dictionary, and may be longer than what it holds, which `lz4::encode` never
//! writes. The encoder of `lz4_flex` is faster on three of the four kinds (0.65, 1.2, 0.77 GB/s; here 0.62, 0.90, 0.47 at level 5).

pub mod blosclz;
mod copy;
pub mod lz4;
mod matcher;
#[cfg(test)]
mod tests;

use std::ops::Range;

/// The number of bytes after the decoded ones that may be overwritten. A stream need not be followed by as many bytes, but
/// decoding is faster then.
pub const SLACK: usize = 64;

/// The bytes of a stream, and those after it.
fn from<'s>(source: &'s [u8], stream: &Range<usize>) -> Result<&'s [u8], Broken> {
    let rest = source.get(stream.start..).filter(|rest| rest.len() >= stream.len());
    rest.ok_or(Broken { at: 0, what: What::Cut })
}

/// The number of decoded bytes after which a stream is left. If all are needed, it is read to its end, which is checked.
fn enough(length: usize, needed: usize) -> usize {
    if needed < length { needed } else { usize::MAX }
}

/// A flaw of a stream, and its byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// The first byte of the token, or of its part. The length of the stream, if bytes are missing there.
    pub at: usize,
    /// The flaw.
    pub what: What,
}

/// A flaw of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// It ends inside a token, or after one that cannot be the last.
    Cut,
    /// Literals reach beyond the end of the stream.
    LiteralsBeyondStream,
    /// Literals reach beyond the end of the output.
    LiteralsBeyondOutput,
    /// A match reaches beyond the end of the output, or closer to it than it may.
    MatchBeyondOutput,
    /// A match begins before the output, and before the dictionary; or nowhere.
    MatchBeforeOutput,
    /// A match has a distance of 0.
    NoDistance,
    /// It ends before the output is full.
    TooShort,
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            What::Cut => "the stream is cut off",
            What::LiteralsBeyondStream => "literals reach beyond the end of the stream",
            What::LiteralsBeyondOutput => "literals reach beyond the end of the output",
            What::MatchBeyondOutput => "a match reaches beyond the end of the output, or too close to it",
            What::NoDistance => "a match has a distance of 0",
            What::MatchBeforeOutput => "a match begins before the output",
            What::TooShort => "the stream ends before the output is full",
        })
    }
}

/// A length with its further bytes, and the end of these.
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
