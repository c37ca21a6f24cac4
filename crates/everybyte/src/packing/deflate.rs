//! Deflate, alone and in the envelopes of zlib and gzip.

use super::codec::{Packing, Unpacked};
use flate2::Compression;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::{Read, Write};

/// Reads at most one byte more than it may.
fn unpacked<'b, R: Read>(
    bytes: &'b [u8],
    most: u64,
    open: impl FnOnce(&'b [u8]) -> R,
    rest: impl FnOnce(R) -> &'b [u8],
) -> Unpacked {
    let mut content = Vec::new();
    let mut decoder = open(bytes);
    match std::io::copy(&mut decoder.by_ref().take(most.saturating_add(1)), &mut content) {
        Err(error) => Unpacked::Broken(format!("the compressed bytes are damaged: {error}")),
        Ok(_) if content.len() as u64 > most => Unpacked::TooMany,
        Ok(_) => match rest(decoder).len() {
            0 => Unpacked::Content(content),
            left => Unpacked::Broken(format!("the compressed bytes end {left} bytes before the field does")),
        },
    }
}

/// The bytes of an encoder: it writes to memory, which does not fail.
fn packed(bytes: std::io::Result<Vec<u8>>) -> Vec<u8> {
    bytes.unwrap_or_default()
}

/// Deflate without an envelope.
#[derive(Debug, Clone, Copy)]
pub struct Deflate;

impl Packing for Deflate {
    const NAME: &'static str = "deflate";

    fn unpack(bytes: &[u8], most: u64) -> Unpacked {
        unpacked(bytes, most, DeflateDecoder::new, DeflateDecoder::into_inner)
    }

    fn pack(content: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        packed(encoder.write_all(content).and_then(|()| encoder.finish()))
    }
}

/// zlib: deflate with a checksum.
#[derive(Debug, Clone, Copy)]
pub struct Zlib;

impl Packing for Zlib {
    const NAME: &'static str = "zlib";

    fn unpack(bytes: &[u8], most: u64) -> Unpacked {
        unpacked(bytes, most, ZlibDecoder::new, ZlibDecoder::into_inner)
    }

    fn pack(content: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        packed(encoder.write_all(content).and_then(|()| encoder.finish()))
    }
}

/// gzip: one member.
#[derive(Debug, Clone, Copy)]
pub struct Gzip;

impl Packing for Gzip {
    const NAME: &'static str = "gzip";

    fn unpack(bytes: &[u8], most: u64) -> Unpacked {
        unpacked(bytes, most, GzDecoder::new, GzDecoder::into_inner)
    }

    fn pack(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        packed(encoder.write_all(content).and_then(|()| encoder.finish()))
    }
}
