//! Encodes chunks of items as stored bytes, with metadata that describes the encoding.

use super::codecs::blosc;
use super::codecs::chain::{ENTRY, MISSING};
use super::fill;
use super::grid::{Run, copy, count, each_chunk};
use super::read_error::Result;
use super::types::v3_of;
use ndbytes::ItemType;
use ndbytes::everybyte::Endian;
use ndbytes::internals::{Encoders, write_gzip};
use ndbytes_codecs::{crc32c, zstd};
use serde_json::{Map, Value, json};
use std::str::FromStr;

/// The codec for the chunks of a new Zarr array.
///
/// ```
/// use ndbytes_convert::ZarrCodec;
///
/// assert_eq!("blosc".parse(), Ok(ZarrCodec::Blosc));
/// assert_eq!("none".parse(), Ok(ZarrCodec::Stored));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ZarrCodec {
    /// zstd at level 3.
    #[default]
    Zstd,
    /// gzip at level 6.
    Gzip,
    /// Blosc 1: byte shuffle and zstd.
    Blosc,
    /// None.
    Stored,
}

/// The names of the codecs.
const CODECS: [(&str, ZarrCodec); 4] =
    [("zstd", ZarrCodec::Zstd), ("gzip", ZarrCodec::Gzip), ("blosc", ZarrCodec::Blosc), ("none", ZarrCodec::Stored)];

impl FromStr for ZarrCodec {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = CODECS.iter().find(|(known, _)| *known == name).map(|(_, codec)| *codec);
        found.ok_or_else(|| format!("{name:?} is not one of the codecs {}", CODECS.map(|(name, _)| name).join(", ")))
    }
}

/// The zstd level in the metadata, and the corresponding Blosc level.
const ZSTD_LEVELS: (u8, u8) = (3, 2);
/// The level of gzip in the metadata.
const GZIP_LEVEL: u8 = 6;

/// How an array is stored.
#[derive(Debug)]
pub struct Layout {
    pub shape: Vec<u64>,
    pub item_type: ItemType,
    /// The shape of a chunk, which is a shard if there are inner chunks.
    pub chunk: Vec<u64>,
    pub inner: Option<Vec<u64>>,
    pub codec: ZarrCodec,
    /// The value of items that are not stored.
    pub fill: Vec<u8>,
}

impl Layout {
    /// Returns the metadata of the array.
    pub fn node(&self, attributes: &Map<String, Value>, axes: Option<&[Option<String>]>) -> Value {
        let codecs = match &self.inner {
            None => self.codecs(),
            Some(inner) => json!([{"name": "sharding_indexed", "configuration": {
                "chunk_shape": inner,
                "codecs": self.codecs(),
                "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
                "index_location": "end",
            }}]),
        };
        let mut node = json!({
            "zarr_format": 3,
            "node_type": "array",
            "shape": self.shape,
            "data_type": v3_of(&self.item_type),
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": self.chunk}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "fill_value": fill::value(&self.fill, &self.item_type),
            "codecs": codecs,
            "attributes": attributes,
        });
        if let Some(axes) = axes {
            node["dimension_names"] = json!(axes);
        }
        node
    }

    fn codecs(&self) -> Value {
        let dtype = self.item_type.dtype();
        let bytes = match (dtype.kind.swapped(), dtype.endian) {
            (1, _) => json!({"name": "bytes"}),
            (_, Endian::Little) => json!({"name": "bytes", "configuration": {"endian": "little"}}),
            (_, Endian::Big) => json!({"name": "bytes", "configuration": {"endian": "big"}}),
        };
        let typesize = if self.fill.len() > 255 { 1 } else { self.fill.len() };
        match self.codec {
            ZarrCodec::Stored => json!([bytes]),
            ZarrCodec::Zstd => {
                json!([bytes, {"name": "zstd", "configuration": {"level": ZSTD_LEVELS.0, "checksum": false}}])
            }
            ZarrCodec::Gzip => json!([bytes, {"name": "gzip", "configuration": {"level": GZIP_LEVEL}}]),
            ZarrCodec::Blosc => json!([bytes, {"name": "blosc", "configuration": {
                "typesize": typesize,
                "cname": "zstd",
                "clevel": blosc::LEVEL,
                "shuffle": if typesize > 1 { "shuffle" } else { "noshuffle" },
                "blocksize": 0,
            }}]),
        }
    }

    /// Returns the stored bytes of a chunk, or `None` if all items have the fill value, since such a chunk is not stored.
    pub fn encode(&self, items: &[u8], encoder: &mut Encoder) -> Result<Option<Vec<u8>>> {
        let Some(inner) = &self.inner else { return self.encode_one(items, encoder) };
        if self.is_filled(items) {
            return Ok(None);
        }
        let size = self.fill.len();
        let all: Vec<Run> = self.chunk.iter().map(|&extent| Run::all(extent)).collect();
        let inner_length = count(inner).unwrap_or(0) as usize * size;
        let (mut stored, mut index, mut part) = (Vec::new(), Vec::new(), vec![0; inner_length]);
        each_chunk(&all, inner, |_, runs| {
            copy((items, &self.chunk), (&mut part, inner), &turned_round(&runs), size);
            let entry = match self.encode_one(&part, encoder)? {
                Some(bytes) => {
                    let entry = [stored.len() as u64, bytes.len() as u64];
                    stored.extend(bytes);
                    entry
                }
                None => [MISSING; 2],
            };
            index.extend(entry.into_iter().flat_map(u64::to_le_bytes));
            Ok::<(), super::read_error::ReadError>(())
        })?;
        debug_assert!((index.len() as u64).is_multiple_of(ENTRY));
        let sum = crc32c::sum(&index);
        stored.extend(index);
        stored.extend(sum.to_le_bytes());
        Ok(Some(stored))
    }

    fn encode_one(&self, items: &[u8], encoder: &mut Encoder) -> Result<Option<Vec<u8>>> {
        if self.is_filled(items) {
            return Ok(None);
        }
        Ok(Some(match self.codec {
            ZarrCodec::Stored => items.to_vec(),
            ZarrCodec::Zstd => encoder.zstd(items)?,
            ZarrCodec::Gzip => {
                let mut stored = Vec::new();
                write_gzip(&mut stored, items, |_| Ok(()))?;
                stored
            }
            ZarrCodec::Blosc => {
                let stored = blosc::encode(items, self.fill.len(), &mut encoder.blosc);
                stored.ok_or("a chunk has more bytes than Blosc can hold")?
            }
        }))
    }

    fn is_filled(&self, items: &[u8]) -> bool {
        items.chunks_exact(self.fill.len()).all(|item| item == self.fill)
    }
}

/// Returns the runs that copy in the opposite direction.
pub fn turned_round(runs: &[Run]) -> Vec<Run> {
    runs.iter().map(|run| Run { place: run.to, to: run.place, ..*run }).collect()
}

/// State that is reused from one chunk to the next.
#[derive(Default)]
pub struct Encoder {
    zstd: zstd::Encoder,
    blosc: Encoders,
}

impl Encoder {
    fn zstd(&mut self, items: &[u8]) -> Result<Vec<u8>> {
        // The maximum length of zstd's output.
        let mut stored = vec![0; items.len() + items.len() / 128 + 1024];
        let length = self.zstd.encode(ZSTD_LEVELS.1, items, &mut stored).ok_or("zstd cannot encode a chunk")?;
        stored.truncate(length);
        Ok(stored)
    }
}
