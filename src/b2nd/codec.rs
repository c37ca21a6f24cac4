//! Streams: what the codecs make of them.

use super::chunk::StreamCodec;
use crate::Reference;
use crate::lz::{Broken, What, blosclz, lz4};
use flate2::{Decompress, FlushDecompress, Status};
use std::borrow::Cow;
use std::ops::Range;

/// What the codecs keep from one stream to the next.
#[derive(Default)]
pub struct Codecs {
    zlib: Option<Decompress>,
    zstd: super::zstd::Decoder,
}

/// Why a stream does not decode.
#[derive(Debug)]
pub struct BrokenStream {
    /// The byte of the stream where that shows.
    pub at: u64,
    pub what: Cow<'static, str>,
    /// Whether all bytes are there nevertheless.
    pub is_complete: bool,
    /// What C-Blosc2 does.
    pub reference: Reference,
}

impl BrokenStream {
    pub fn new(at: usize, what: impl Into<Cow<'static, str>>) -> Self {
        BrokenStream { at: at as u64, what: what.into(), is_complete: false, reference: Reference::Refuses }
    }
}

impl From<Broken> for BrokenStream {
    fn from(broken: Broken) -> Self {
        // C's LZ4 takes a match without a distance for one of whatever lies in memory.
        let reference = if broken.what == What::NoDistance { Reference::Accepts } else { Reference::Refuses };
        BrokenStream { reference, ..BrokenStream::new(broken.at, broken.what.to_string()) }
    }
}

/// A stream among other bytes, and what it is to become.
pub struct Task<'t> {
    pub source: &'t [u8],
    pub stream: Range<usize>,
    /// The bytes that the stream may refer to as if they stood before it.
    pub dictionary: &'t [u8],
    /// Bytes that it decodes to.
    pub length: usize,
    /// The first bytes that anybody will look at; what decodes to others may be left alone.
    pub needed: usize,
}

impl Codecs {
    /// Decodes a stream. The target has [`SLACK`](crate::lz::SLACK) bytes more than the stream decodes to, which may be
    /// overwritten.
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

    fn inflate(&mut self, stream: &[u8], target: &mut [u8]) -> Result<(), BrokenStream> {
        let decompress = self.zlib.get_or_insert_with(|| Decompress::new(true));
        decompress.reset(true);
        let status = decompress.decompress(stream, target, FlushDecompress::Finish);
        let (consumed, written) = (decompress.total_in() as usize, decompress.total_out() as usize);
        match status {
            Ok(Status::StreamEnd) if written == target.len() && consumed == stream.len() => Ok(()),
            Ok(Status::StreamEnd) if written == target.len() => {
                let what = "the zlib stream ends before its last byte";
                let reference = Reference::Accepts;
                Err(BrokenStream { is_complete: true, reference, ..BrokenStream::new(consumed, what) })
            }
            Ok(Status::StreamEnd) => Err(BrokenStream::new(consumed, decodes_to(written, target.len()))),
            Ok(_) if written == target.len() => {
                Err(BrokenStream::new(consumed, format!("it decodes to more than {} bytes", target.len())))
            }
            Ok(_) => Err(BrokenStream::new(consumed, "the zlib stream has no end")),
            Err(error) => Err(BrokenStream::new(consumed, error.to_string())),
        }
    }
}

/// Why a stream of the wrong length is refused.
pub fn decodes_to(written: usize, length: usize) -> String {
    format!("it decodes to {written} of {length} bytes")
}

/// What a stream is of which the first frame ends at this byte, but all of whose bytes are there.
pub fn another_frame(at: usize) -> BrokenStream {
    let (what, reference) = ("another frame follows the first one", Reference::Accepts);
    BrokenStream { is_complete: true, reference, ..BrokenStream::new(at, what) }
}
