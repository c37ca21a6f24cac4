//! Unpacks pages to exactly the size that they announce.
//!
//! The codecs of the `parquet` crate are not used for this. The codecs for gzip, brotli and LZ4 frames read to the end
//! of their stream, however long it is.
//!
//! Every codec writes into a buffer of the announced size and not a byte further. A page that is longer or shorter is an error. LZ4
//! in Parquet exists in three encodings. A file does not state which one it uses, so they are tried in turn.

use crate::error::{Error, Result};
use crate::memory::{lengthen, room};
use lz4_flex::block;
use parquet::basic::Compression;
use std::io::Read;

/// The number of bytes that brotli's decoder reads at once.
const PIECE: usize = 4096;

/// The decoders of a column.
#[derive(Default)]
pub(super) struct Unpacker {
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl Unpacker {
    /// Unpacks a stream to exactly `size` bytes, after the bytes of `before`.
    pub fn unpack(&mut self, codec: Compression, before: &[u8], stream: &[u8], size: usize) -> Result<Vec<u8>> {
        let broken = |words: &dyn std::fmt::Display| Error::Broken(format!("the page cannot be decompressed: {words}"));
        let total = before.len().saturating_add(size);
        let mut bytes = room(total, "a page")?;
        bytes.extend_from_slice(before);
        if size == 0 {
            return Ok(bytes);
        }
        match codec {
            Compression::SNAPPY => {
                lengthen(&mut bytes, total);
                let written = snap::raw::Decoder::new().decompress(stream, &mut bytes[before.len()..]);
                bytes.truncate(before.len() + written.map_err(|error| broken(&error))?);
            }
            Compression::ZSTD(_) => {
                let decoder = match &mut self.zstd {
                    Some(decoder) => decoder,
                    None => self.zstd.insert(zstd::bulk::Decompressor::new().map_err(|error| broken(&error))?),
                };
                let mut cursor = std::io::Cursor::new(&mut bytes);
                cursor.set_position(before.len() as u64);
                decoder.decompress_to_buffer(stream, &mut cursor).map_err(|error| broken(&error))?;
            }
            Compression::GZIP(_) => read(flate2::read::MultiGzDecoder::new(stream), size, &mut bytes)?,
            Compression::BROTLI(_) => read(brotli::Decompressor::new(stream, PIECE), size, &mut bytes)?,
            Compression::LZ4_RAW => {
                raw_lz4(stream, total, &mut bytes).ok_or_else(|| broken(&"it is not an LZ4 block"))?
            }
            Compression::LZ4 => {
                if !any_lz4(stream, size, total, &mut bytes) {
                    return Err(broken(&"it is LZ4, but in none of the three encodings in use"));
                }
            }
            other => return Err(Error::Broken(format!("the compression {other} is not supported"))),
        }
        match bytes.len() == total {
            true => Ok(bytes),
            false => {
                Err(broken(&format!("it has {} bytes, not the {size} that it claims", bytes.len() - before.len())))
            }
        }
    }
}

/// Unpacks LZ4 in one of the three variants in use. Returns whether any variant matched.
fn any_lz4(stream: &[u8], size: usize, total: usize, bytes: &mut Vec<u8>) -> bool {
    let start = bytes.len();
    if hadoop_lz4(stream, size, bytes) {
        return true;
    }
    bytes.truncate(start);
    if read(lz4_flex::frame::FrameDecoder::new(stream), size, bytes).is_ok() && bytes.len() == total {
        return true;
    }
    bytes.truncate(start);
    raw_lz4(stream, total, bytes).is_some()
}

/// Reads `size` bytes of a stream, which must end after them.
fn read(mut stream: impl Read, size: usize, bytes: &mut Vec<u8>) -> Result<()> {
    let broken = |error: std::io::Error| Error::Broken(format!("the page cannot be decompressed: {error}"));
    let start = bytes.len();
    lengthen(bytes, start + size);
    stream.read_exact(&mut bytes[start..]).map_err(broken)?;
    match stream.read(&mut [0]).map_err(broken)? {
        0 => Ok(()),
        _ => Err(Error::Broken(format!("a page has more than the {size} bytes that it claims"))),
    }
}

/// Unpacks a block until there are `total` bytes.
fn raw_lz4(stream: &[u8], total: usize, bytes: &mut Vec<u8>) -> Option<()> {
    let start = bytes.len();
    lengthen(bytes, total);
    let written = block::decompress_into(stream, &mut bytes[start..]).ok()?;
    (start + written == total).then_some(())
}

/// Unpacks Hadoop's blocks: each is preceded by its two lengths, the highest byte first.
fn hadoop_lz4(mut stream: &[u8], size: usize, bytes: &mut Vec<u8>) -> bool {
    let end = bytes.len() + size;
    while bytes.len() < end {
        let Some((size, rest)) = stream.split_first_chunk::<4>() else { return false };
        let Some((stored, rest)) = rest.split_first_chunk::<4>() else { return false };
        let [size, stored] = [*size, *stored].map(|word| u32::from_be_bytes(word) as usize);
        let Some((block, rest)) = rest.split_at_checked(stored) else { return false };
        let total = bytes.len().saturating_add(size);
        // A block without bytes would be read forever.
        if size == 0 || total > end || raw_lz4(block, total, bytes).is_none() {
            return false;
        }
        stream = rest;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn packed(codec: Compression, bytes: &[u8]) -> Vec<u8> {
        match codec {
            Compression::SNAPPY => snap::raw::Encoder::new().compress_vec(bytes).unwrap(),
            Compression::ZSTD(_) => zstd::bulk::compress(bytes, 1).unwrap(),
            Compression::GZIP(_) => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Compression::BROTLI(_) => {
                let mut packed = Vec::new();
                brotli::CompressorWriter::new(&mut packed, PIECE, 1, 20).write_all(bytes).unwrap();
                packed
            }
            Compression::LZ4_RAW => block::compress(bytes),
            _ => {
                let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
        }
    }

    #[test]
    fn page_is_unpacked_if_it_has_as_many_bytes_as_it_announces() {
        let bytes = vec![7; 100_000];
        let codecs = [
            Compression::SNAPPY,
            Compression::ZSTD(Default::default()),
            Compression::GZIP(Default::default()),
            Compression::BROTLI(Default::default()),
            Compression::LZ4_RAW,
            Compression::LZ4,
        ];
        for codec in codecs {
            let stream = packed(codec, &bytes);
            let mut unpacker = Unpacker::default();
            let made = unpacker.unpack(codec, &[1, 2], &stream, bytes.len()).unwrap();
            assert_eq!(made, [&[1, 2], &bytes[..]].concat(), "{codec}");
            for size in [1, bytes.len() - 1, bytes.len() + 1] {
                let refused = unpacker.unpack(codec, &[], &stream, size);
                assert!(matches!(refused, Err(Error::Broken(_))), "{codec}, {size}: {refused:?}");
            }
        }
    }

    #[test]
    fn blocks_of_hadoop_are_unpacked_one_after_the_other() {
        let mut stream = Vec::new();
        for part in [&[1_u8; 300][..], &[2; 200]] {
            let block = block::compress(part);
            stream.extend([part.len(), block.len()].iter().flat_map(|length| (*length as u32).to_be_bytes()));
            stream.extend(block);
        }
        let made = Unpacker::default().unpack(Compression::LZ4, &[], &stream, 500).unwrap();
        assert_eq!(made, [&[1; 300][..], &[2; 200]].concat());
    }
}
