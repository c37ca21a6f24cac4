//! Blocks of every codec, in a table with one column.

use super::any_bytes::{check, examine_bytes, examine_content, options};
use super::codecs;
use super::file_parts::{self, ColumnParts, FileParts, Stored};
use super::model::{self, Row};
use super::naive::{self, Decoder};
use crate::bounds::limits;
use crate::bytes;
use crate::bytes::is_limited;
use crate::random::Random;
use everybyte::varint::Leb128;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use ndbytes::Depth;
use ndbytes_schemas::idv::{Codec, Column, Compression, NetString, Version};
use std::io::Write;

/// The maximum number of blocks of the column.
const MOST_BLOCKS: u8 = 3;

/// The bytes of blocks, and the properties of their column, which the first bytes of the input determine:
///
/// | byte | |
/// |---|---|
/// | 0 | the codec of the items, as numbered by [`codecs::item`] |
/// | 1 | the shape: 0 single items, 1 vectors of a fixed size, 2 of any size, 3 without axes, 4 to 7 with several axes |
/// | 2 | the size of the vectors, or the parameter of the codec |
/// | 3 | rows |
/// | 4 | rows per block; 0 means all |
/// | 5 | bits 0 and 1: compression; 2: the bytes are already compressed; 3: the other version; 4: the length is declared |
/// | 6, 7 | the declared length, if any |
/// | 8, 9 | the length of all blocks except the last |
#[derive(Debug)]
pub struct Sample<'a> {
    codec: Codec,
    version: Version,
    rows: u8,
    rows_per_block: u8,
    compression: Compression,
    is_compressed: bool,
    length: Option<i32>,
    blocks: Vec<&'a [u8]>,
}

impl<'a> Sample<'a> {
    /// Parses an input; `None` if it is too short.
    pub fn new(input: &'a [u8]) -> Option<Self> {
        let (&[selector, shape, parameter, rows, per_block, how, low, high, first, second], mut rest) =
            input.split_first_chunk()?;
        let size = i32::from(parameter % 8);
        let item = codecs::item(selector, parameter);
        let codec = match shape % 8 {
            0 => item,
            1 => codecs::vector(item, vec![size + 1]),
            2 => codecs::vector(item, vec![0]),
            3 => codecs::vector(item, vec![]),
            4 => codecs::vector(item, vec![2, size]),
            5 => codecs::vector(item, vec![0, size]),
            6 => codecs::vector(item, vec![1, 1, size + 1]),
            _ => codecs::vector(item, vec![3, 2]),
        };
        let old = codec_is_old(selector) != (how & 8 != 0);
        let version = if old { Version::V5 } else { Version::V6 };
        let rows_per_block = if per_block == 0 { rows.max(1) } else { per_block.max(rows.div_ceil(MOST_BLOCKS)) };
        let mut blocks = Vec::new();
        let count = rows.div_ceil(rows_per_block);
        for length in [first, second].into_iter().take(count.saturating_sub(1).into()) {
            let (block, behind) = rest.split_at(rest.len().min(length.into()));
            blocks.push(block);
            rest = behind;
        }
        if count > 0 {
            blocks.push(rest);
        }
        let length = (how & 16 != 0).then(|| i16::from_le_bytes([low, high]).into());
        let (compression, is_compressed) = (Compression(how & 3), how & 4 != 0);
        Some(Sample { codec, version, rows, rows_per_block, compression, is_compressed, length, blocks })
    }

    /// Builds the file with these blocks.
    pub fn file(&self) -> Vec<u8> {
        self.put_together(self.stored_blocks())
    }

    /// Asserts the guarantees for any blocks.
    pub fn examine(&self) {
        let blocks = self.stored_blocks();
        let file = self.put_together(blocks.clone());
        let report = check(&file, Depth::Payload);
        // Only a few files are examined completely, since they differ only in their blocks.
        if Random::of(&file).one_in(8) {
            examine_bytes(&file);
        } else {
            bytes::map(Depth::Payload, limits(), &file);
            examine_content(&file, &report);
        }
        if self.compression.name().is_none() || is_limited(&report) {
            return;
        }
        let structure = check(&file, Depth::Structure);
        let decoder = Decoder::new(&self.codec, self.version == Version::V5);
        let mut rows = Some(Vec::new());
        for (place, Stored { bytes, length }) in blocks.iter().enumerate() {
            let Some(content) = naive::decompress(bytes, self.compression) else { return };
            let content = content.filter(|content| i32::try_from(content.len()) == Ok(*length));
            let held = self.rows - place as u8 * self.rows_per_block;
            let decoded = content.and_then(|content| decoder.decode(&content, held.min(self.rows_per_block).into()));
            rows = rows.zip(decoded).map(|(rows, decoded): (Vec<Row>, _)| [rows, decoded].concat());
        }
        assert!(bytes::is_accepted(&structure) || rows.is_none(), "{structure:?}");
        assert_eq!(bytes::is_accepted(&report), rows.is_some(), "{report:?}, but {rows:?}");
        let Some(rows) = rows else { return };
        let table = options().from_slice(&file).expect("it was accepted");
        let values = table.column("x").and_then(|column| column.read()).expect("it was accepted");
        assert_eq!(model::rows(&values), rows);
    }

    fn stored_blocks(&self) -> Vec<Stored> {
        self.blocks.iter().map(|bytes| self.stored(bytes)).collect()
    }

    fn stored(&self, bytes: &[u8]) -> Stored {
        let stored = match self.compression {
            _ if self.is_compressed => bytes.to_vec(),
            Compression::DEFLATE => deflate(bytes),
            Compression::ZLIB => {
                let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes everything")
            }
            _ => bytes.to_vec(),
        };
        let length = self.length.unwrap_or_else(|| match self.is_compressed {
            // If the decoded length is too large, a small length is declared.
            true => naive::decompress(&stored, self.compression).flatten().map_or(0, |content| content.len() as i32),
            false => bytes.len() as i32,
        });
        Stored { bytes: stored, length }
    }

    fn put_together(&self, blocks: Vec<Stored>) -> Vec<u8> {
        let entry = column("x", self.codec.clone(), self.compression, self.rows_per_block.into());
        let column = ColumnParts { entry, blocks, annotations: vec![], slot_names: None };
        let header = file_parts::header(self.version, self.rows.into());
        FileParts { header, columns: vec![column], tail_first: false, rest: vec![] }.put_together()
    }
}

/// The entry of a column.
pub fn column(name: &str, codec: Codec, compression: Compression, rows_per_block: u64) -> Column {
    Column {
        name: NetString::new(name),
        codec,
        compression,
        rows_per_block: Leb128::new(rows_per_block),
        lookup_offset: 0,
        slot_names_offset: None,
        slot_names: None,
        annotations_offset: None,
    }
}

/// A deflate stream.
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes everything")
}

/// Returns whether a codec belongs to old files.
fn codec_is_old(selector: u8) -> bool {
    let name = codecs::PLAIN.get(usize::from(selector % codecs::ITEMS));
    name.is_some_and(|name| name.starts_with("Dv"))
}
