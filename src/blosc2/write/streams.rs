//! Encodes streams.

use crate::bytes::memory;
use ndbytes_codecs::deflate::ZlibEncoder;
use ndbytes_codecs::{lz, zstd};
use ndbytes_schemas::blosc2::Codec;

/// The state that the encoders keep between streams.
#[derive(Default)]
pub struct Encoders {
    zlib: ZlibEncoder,
    zstd: zstd::Encoder,
    room: Vec<u8>,
}

impl Encoders {
    /// Compresses bytes at a level from 1 to 9; `None` if they would not become smaller.
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
                    Codec::ZLIB => zlib.encode(level, source, room)?,
                    _ => zstd.encode(level, source, room)?,
                };
                return room.get(..length);
            }
        };
        room.clear();
        lz(source, level, room).then_some(room)
    }
}
