//! Chunks in parts, down to their streams.

use super::parts::written;
use binrw::args;
use everybyte::{
    Endian, Source, read,
    trace::{length_of, read_next},
};
use ndbytes_schemas::blosc2::{BlockTable, ChunkHeader, Stream};
use std::iter;

/// The maximum number of blocks in a chunk that is split into parts.
pub const MOST_BLOCKS: u64 = 256;

/// A chunk of blocks.
#[derive(Debug, Clone)]
pub struct Chunk {
    /// The header, whose length fields are set when the chunk is built.
    pub header: ChunkHeader,
    pub dictionary: Option<Vec<u8>>,
    pub blocks: Vec<Block>,
    /// The blocks in the order in which they are stored.
    pub order: Vec<usize>,
}

/// The streams of a block, and the bytes after them.
#[derive(Debug, Clone, Default)]
pub struct Block {
    pub streams: Vec<Piece>,
    pub rest: Vec<u8>,
}

/// A stream.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The stated length, if it differs from the length of the data.
    pub length: Option<i32>,
    /// The byte after a negative length.
    pub token: Option<u8>,
    pub data: Vec<u8>,
}

impl Chunk {
    /// Splits a chunk with readable tables into its parts; `None` if it has no blocks.
    pub fn take_apart(chunk: &[u8]) -> Option<Self> {
        let source = Source::new(chunk);
        let header: ChunkHeader = read(source, Endian::Little, ()).ok()?;
        let kind = header.extension.as_ref().map_or(0, |extension| extension.chunk_kind.raw());
        let (nbytes, block) = (u64::try_from(header.nbytes).ok()?, u64::try_from(header.blocksize).ok()?.max(1));
        let block = block.min(nbytes);
        if kind & 0x70 != 0 || header.flags.stored() || nbytes == 0 || nbytes.div_ceil(block) > MOST_BLOCKS {
            return None;
        }
        let table = source.at(length_of(&header, Endian::Little));
        let (block_count, dictionary) = (nbytes.div_ceil(block), kind & 1 == 1);
        let table = read::<BlockTable>(table, Endian::Little, args! { block_count, dictionary }).ok()?;
        let slice = |range: std::ops::Range<u64>| &chunk[range.start as usize..range.end as usize];
        let starts: Vec<u64> = slice(table.starts.range())
            .as_chunks::<4>()
            .0
            .iter()
            .map(|start| u64::try_from(i32::from_le_bytes(*start)).ok())
            .collect::<Option<_>>()?;
        let dictionary = table.dictionary.map(|dictionary| slice(dictionary.bytes.range()).to_vec());
        let mut order: Vec<usize> = (0..starts.len()).collect();
        order.sort_by_key(|&block| starts[block]);
        let mut blocks = vec![Block::default(); starts.len()];
        for (place, &number) in order.iter().enumerate() {
            let end = order.get(place + 1).map_or(chunk.len() as u64, |&next| starts[next]);
            let length = block.min(nbytes - number as u64 * block);
            let is_split = !header.flags.not_split() && length == block;
            let mut at = source.at(starts[number]).until(end);
            let block = &mut blocks[number];
            for _ in 0..if is_split { header.typesize } else { 1 } {
                let before = at;
                match read_next::<Stream>(&mut at, Endian::Little, ()) {
                    Ok(stream) => block.streams.push(Piece {
                        length: (stream.data.length as i32 != stream.length || stream.data.is_truncated())
                            .then_some(stream.length),
                        token: stream.token.map(|token| token.raw()),
                        data: slice(stream.data.range()).to_vec(),
                    }),
                    Err(_) => {
                        at = before;
                        break;
                    }
                }
            }
            block.rest = at.until(end).bytes().get(at.position() as usize..).unwrap_or_default().to_vec();
        }
        Some(Chunk { header, dictionary, blocks, order })
    }

    /// Builds the chunk.
    pub fn put_together(&self) -> Vec<u8> {
        let mut header = self.header.clone();
        let mut chunk = written(&header, Endian::Little);
        let table = chunk.len();
        chunk.extend(iter::repeat_n(0, 4 * self.blocks.len()));
        if let Some(dictionary) = &self.dictionary {
            chunk.extend((dictionary.len() as i32).to_le_bytes());
            chunk.extend(dictionary);
        }
        for &number in &self.order {
            let Some(block) = self.blocks.get(number) else { continue };
            let start = chunk.len() as i32;
            chunk[table + 4 * number..][..4].copy_from_slice(&start.to_le_bytes());
            for stream in &block.streams {
                chunk.extend(stream.length.unwrap_or(stream.data.len() as i32).to_le_bytes());
                chunk.extend(stream.token);
                chunk.extend(&stream.data);
            }
            chunk.extend(&block.rest);
        }
        header.cbytes = chunk.len() as i32;
        let header = written(&header, Endian::Little);
        chunk[..header.len()].copy_from_slice(&header);
        chunk
    }
}
