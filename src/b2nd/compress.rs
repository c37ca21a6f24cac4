//! Streams: what the codecs make of bytes.

use super::zstd;
use crate::{lz, memory};
use flate2::{Compress, Compression, FlushCompress, Status};
use ndbytes_schemas::b2nd::Codec;

/// What the codecs keep from one stream to the next.
#[derive(Default)]
pub struct Encoders {
    zlib: Option<(u8, Compress)>,
    zstd: zstd::Encoder,
    room: Vec<u8>,
}

impl Encoders {
    /// Encodes bytes at a level of 1 to 9. Nothing if that does not make them less.
    pub fn encode(&mut self, codec: Codec, level: u8, source: &[u8]) -> Option<&[u8]> {
        let most = source.len().checked_sub(1)?;
        let Encoders { zlib, zstd, room } = self;
        let lz: fn(&[u8], u8, &mut Vec<u8>) -> bool = match codec {
            Codec::BLOSCLZ => lz::blosclz::encode,
            Codec::LZ4 => lz::lz4::encode,
            Codec::LZ4HC => lz::lz4::encode_high,
            _ => {
                if !memory::set_length(room, most) {
                    return None;
                }
                let length = match codec {
                    Codec::ZLIB => deflate(zlib, level, source, room)?,
                    _ => zstd.encode(level, source, room)?,
                };
                return room.get(..length);
            }
        };
        room.clear();
        lz(source, level, room).then_some(room)
    }
}

fn deflate(kept: &mut Option<(u8, Compress)>, level: u8, source: &[u8], target: &mut [u8]) -> Option<usize> {
    let (_, compress) = match kept {
        Some(kept) if kept.0 == level => kept,
        kept => kept.insert((level, Compress::new(Compression::new(level.into()), true))),
    };
    compress.reset();
    match compress.compress(source, target, FlushCompress::Finish) {
        Ok(Status::StreamEnd) => Some(compress.total_out() as usize),
        _ => None,
    }
}
