//! Decodes streams.

use super::header::StreamCodec;
use crate::findings::rule::Reference;
use ndbytes_codecs::deflate::{Inflated, Inflating, Outcome};
use ndbytes_codecs::lz::{blosclz, lz4};
use ndbytes_codecs::{BrokenStream, zstd};
use std::ops::Range;

/// The state that the decoders keep between streams.
#[derive(Default)]
pub struct Codecs {
    zlib: Option<Inflating>,
    zstd: zstd::Decoder,
}

/// A stream and its expected output.
pub struct Task<'t> {
    pub source: &'t [u8],
    pub stream: Range<usize>,
    /// The bytes that the stream may refer to as if they preceded it.
    pub dictionary: &'t [u8],
    /// The number of bytes that it decodes to.
    pub length: usize,
    /// The number of decoded bytes at the beginning that the caller needs. The others may be left undecoded.
    pub needed: usize,
}

impl Codecs {
    /// Decodes a stream. The target is [`SLACK`](ndbytes_codecs::lz::SLACK) bytes longer than the decoded stream, and these bytes
    /// may be overwritten.
    pub fn decode(&mut self, codec: StreamCodec, task: Task<'_>, target: &mut [u8]) -> Result<(), BrokenStream> {
        let Task { source, stream, dictionary, length, needed } = task;
        match codec {
            StreamCodec::Blosclz => {
                let decoded = blosclz::decode(source, stream, target, length, needed);
                decoded.map(|_| ()).map_err(BrokenStream::from)
            }
            StreamCodec::Lz4 => {
                let decoded = lz4::decode(source, stream, dictionary, target, length, needed);
                decoded.map(|_| ()).map_err(BrokenStream::from)
            }
            StreamCodec::Zlib => self.inflate(&source[stream], &mut target[..length]),
            StreamCodec::Zstd => self.zstd.decode(&source[stream], dictionary, &mut target[..length]),
        }
    }

    /// Decompresses a zlib stream, which must fill the target exactly.
    fn inflate(&mut self, stream: &[u8], target: &mut [u8]) -> Result<(), BrokenStream> {
        let length = target.len();
        let inflating = self.zlib.get_or_insert_with(|| Inflating::new(true));
        let Inflated { outcome, consumed, filled_at, written } = inflating.whole(stream, target);
        match outcome {
            Outcome::Ended if written == length && consumed == stream.len() => Ok(()),
            Outcome::Ended if written == length => {
                Err(BrokenStream::ends_early(consumed, "the zlib stream ends before its last byte"))
            }
            Outcome::Ended => Err(BrokenStream::of_length(consumed, written, length)),
            Outcome::Corrupt(reason) => Err(BrokenStream::new(consumed, reason)),
            Outcome::Unended if written < length => {
                Err(BrokenStream::new(consumed, "the end of the zlib stream is missing"))
            }
            Outcome::Unended | Outcome::Full | Outcome::FullThenCorrupt => {
                Err(BrokenStream::too_long(filled_at, length))
            }
        }
    }
}

/// The reaction of C-Blosc2 to a broken stream.
pub fn reference(broken: &BrokenStream) -> Reference {
    match broken {
        BrokenStream { is_complete: true, .. } => Reference::Accepts,
        BrokenStream { has_no_distance: true, .. } => Reference::Unforeseen,
        _ => Reference::Refuses,
    }
}
