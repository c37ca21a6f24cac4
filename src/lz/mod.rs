//! LZ77 as Blosc2 has it: blosclz streams and LZ4 blocks, which lie in memory and whose decoded length is known.
//!
//! The decoders share what copies ([`copy`]), the encoders what finds matches ([`matcher`]); only how tokens are read and
//! written differs. Each decoder has a fast loop, which stops before whatever it cannot do: the ends of the buffers,
//! anything wrong. A careful one then does one token, or says what is wrong.

pub mod blosclz;
mod copy;
pub mod lz4;
mod matcher;
#[cfg(test)]
mod tests;

use std::ops::Range;

/// So many bytes behind what is decoded may be overwritten. Behind a stream there need not be any, but it is faster.
pub const SLACK: usize = 64;

/// The bytes of a stream, and those behind it.
fn from<'s>(source: &'s [u8], stream: &Range<usize>) -> Result<&'s [u8], Broken> {
    let rest = source.get(stream.start..).filter(|rest| rest.len() >= stream.len());
    rest.ok_or(Broken { at: 0, what: What::Cut })
}

/// After how many decoded bytes a stream is left; never where all are needed, so that its end is looked at.
fn enough(length: usize, needed: usize) -> usize {
    if needed < length { needed } else { usize::MAX }
}

/// What is wrong with a stream, and at which of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// Where the token begins, or the part of it. The length of the stream, if something is missing there.
    pub at: usize,
    /// What is wrong.
    pub what: What,
}

/// What may be wrong with a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// It ends inside a token, or behind one that cannot be the last.
    Cut,
    /// Literals reach behind the end of the stream.
    LiteralsBeyondStream,
    /// Literals reach behind the end of the output.
    LiteralsBeyondOutput,
    /// A match reaches behind the end of the output, or closer to it than it may.
    MatchBeyondOutput,
    /// A match begins before the output, and before the dictionary; or nowhere.
    MatchBeforeOutput,
    /// A match begins where it is to go.
    NoDistance,
    /// It ends before the output is full.
    TooShort,
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            What::Cut => "the stream is cut off",
            What::LiteralsBeyondStream => "literals reach behind the end of the stream",
            What::LiteralsBeyondOutput => "literals reach behind the end of the output",
            What::MatchBeyondOutput => "a match reaches behind the end of the output, or too close to it",
            What::NoDistance => "a match has a distance of 0",
            What::MatchBeforeOutput => "a match begins before the output",
            What::TooShort => "the stream ends before the output is full",
        })
    }
}

/// A length with its further bytes, and where these end.
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
