//! Deflate: raw, and in the zlib and gzip formats.
//!
//! A decoder is read up to one byte beyond the maximum. That byte distinguishes content that is too long from content
//! that just fits, without decompressing the rest. Bytes left over after the stream are an error, because the field
//! that contains them would hide them otherwise.

use super::stream::Stream;
use crate::codec::{Packing, Unpacked};
use flate2::Compression;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::{BufRead, Read, Write};

/// Reads at most one byte more than allowed.
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

/// Returns the output of an encoder, which never fails because it writes to memory.
fn packed(bytes: std::io::Result<Vec<u8>>) -> Vec<u8> {
    bytes.unwrap_or_default()
}

/// Raw deflate.
///
/// ```
/// use everybyte::packing::{Deflate, Packing, Unpacked};
///
/// assert_eq!(Deflate::unpack(&Deflate::pack(b"rows"), 100), Unpacked::Content(b"rows".to_vec()));
/// ```
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
///
/// ```
/// use everybyte::packing::{Packing, Unpacked, Zlib};
///
/// assert_eq!(Zlib::unpack(&Zlib::pack(b"rows"), 100), Unpacked::Content(b"rows".to_vec()));
/// ```
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

/// gzip, with a single member.
///
/// ```
/// use everybyte::packing::{Gzip, Packing, Unpacked};
///
/// assert_eq!(Gzip::unpack(&Gzip::pack(b"rows"), 100), Unpacked::Content(b"rows".to_vec()));
/// ```
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

impl Stream for Deflate {
    fn decoder<'b>(bytes: &'b mut dyn BufRead) -> Box<dyn Read + 'b> {
        Box::new(DeflateDecoder::new(bytes))
    }
}

impl Stream for Zlib {
    fn decoder<'b>(bytes: &'b mut dyn BufRead) -> Box<dyn Read + 'b> {
        Box::new(ZlibDecoder::new(bytes))
    }
}

impl Stream for Gzip {
    fn decoder<'b>(bytes: &'b mut dyn BufRead) -> Box<dyn Read + 'b> {
        Box::new(GzDecoder::new(bytes))
    }
}
