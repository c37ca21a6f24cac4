//! Chunks of every kind, in an array with one chunk.

use super::any_bytes::{check, examine_bytes, options};
use super::plain::{self, Expected};
use super::{array, codecs};
use crate::bounds::limits;
use crate::bytes;
use crate::bytes::is_limited;
use crate::random::Random;
use everybyte::{Endian, write};
use ndbytes::Depth;
use ndbytes_forge::b2nd_of_chunk;
use ndbytes_schemas::blosc2::{
    BlockFlags, ChunkFlags, ChunkHeader, ChunkKind, ChunkVersion, Codec, Extension, FilterId, FilterIds, Special,
};

/// Filters, selected by their index.
const FILTERS: [FilterId; 12] = [
    FilterId::NONE,
    FilterId::NONE,
    FilterId::NONE,
    FilterId::SHUFFLE,
    FilterId::BITSHUFFLE,
    FilterId::DELTA,
    FilterId::BYTEDELTA,
    FilterId::DEFECTIVE_BYTEDELTA,
    FilterId::TRUNC_PREC,
    FilterId::INT_TRUNC,
    FilterId::SHUFFLE,
    FilterId::NDCELL,
];

/// The maximum number of bytes that a chunk decodes to.
const MOST_BYTES: usize = 16 << 10;

/// The streams of a chunk, and its properties, which the first bytes of the input determine:
///
/// | byte | |
/// |---|---|
/// | 0 | bits 0 to 2: format of the codec; 3: not split; 4: a dictionary; 5: last block first; 6: already compressed; 7: stored |
/// | 1 | bytes of an item; 0 means 300 |
/// | 2, 3 | blocks of the array in the chunk, and items in each |
/// | 4 | bytes of the chunk's own blocks, if they differ from the array's (from 128 on) |
/// | 5 to 10 | filters |
/// | 11, 12 | the filters with parameters, and the parameters |
/// | 13 | from 224 on, the kind of chunk |
/// | 14 | from 240 on, the version; odd ones have a header of 16 bytes |
/// | 15, 16, 17 | an offset in the chunk, and the bits to flip there |
/// | 18 | items of the last block outside the array |
/// | 19 | bytes of the dictionary |
///
/// The dictionary and the streams follow. A stream that is already compressed begins with a byte for its form: 0 zeros,
/// 1 a run of the next byte, 2 stored. Others have as many bytes as the next byte states, possibly plus 256.
#[derive(Debug)]
pub struct Sample<'a> {
    header: ChunkHeader,
    item_size: usize,
    /// The number of items in the array, in its chunk, and in a block.
    axis: [usize; 3],
    /// The number of items in the chunk, including the padding of its last block.
    items: usize,
    is_backwards: bool,
    is_compressed: bool,
    damage: (usize, u8),
    dictionary: &'a [u8],
    content: &'a [u8],
}

impl<'a> Sample<'a> {
    /// Parses an input; `None` if it is too short.
    pub fn new(input: &'a [u8]) -> Option<Self> {
        let (&how, rest) = input.split_first_chunk::<20>()?;
        let item_size = if how[1] == 0 { 300 } else { usize::from(how[1]) };
        let block = usize::from(how[3] % 64) + 1;
        let items = block * (usize::from(how[2] % 8) + 1);
        if items * item_size > MOST_BYTES {
            return None;
        }
        let extent = items - usize::from(how[18]) % items;
        let axis = [extent, extent.max(items - block + 1), block];
        let typesize = if item_size > 255 { 1 } else { item_size as u8 };
        let mut header = chunk_header(typesize);
        let is_version_known = how[14] < 240;
        header.version = if is_version_known { ChunkVersion::BLOSC2 } else { ChunkVersion(how[14] - 240) };
        header.nbytes = (items * item_size) as i32;
        let own = (usize::from(how[4]).saturating_sub(127) * item_size / 2).max(1);
        header.blocksize = if how[4] < 128 { block * item_size } else { own } as i32;
        let (dictionary, content) = rest.split_at(rest.len().min(how[19].into()));
        let has_dictionary = how[0] & 16 != 0;
        if let Some(extension) = &mut header.extension {
            let kind = if how[13] < 224 { 0 } else { how[13] << 3 };
            extension.chunk_kind = ChunkKind::from_raw(kind | u8::from(has_dictionary));
            extension.filters = FilterIds(std::array::from_fn(|slot| match how[5 + slot] {
                filter @ ..240 => FILTERS[usize::from(filter) % FILTERS.len()],
                filter => FilterId(filter),
            }));
            extension.filter_meta = std::array::from_fn(|slot| if how[11] >> slot & 1 == 1 { how[12] } else { 0 });
        }
        let mut flags = how[0] << 5 | (how[0] & 8) << 1 | how[0] >> 6 & 2;
        if is_version_known || how[14] % 2 == 0 {
            flags |= 5;
        } else {
            header.extension = None;
            flags |= [0, 1, 4, 8, 9, 12][usize::from(how[5]) % 6];
        }
        header.flags = ChunkFlags::from_raw(flags);
        let damage = (u16::from_le_bytes([how[15], how[16]]).into(), how[17]);
        let (is_backwards, is_compressed) = (how[0] & 32 != 0, how[0] & 64 != 0);
        Some(Sample { header, item_size, axis, items, is_backwards, is_compressed, damage, dictionary, content })
    }

    /// Builds the file with this chunk.
    pub fn file(&self) -> Vec<u8> {
        self.file_of(self.chunk())
    }

    /// Asserts the guarantees for any chunk.
    pub fn examine(&self) {
        let chunk = self.chunk();
        let nbytes = Ok(self.items * self.item_size);
        // A chunk in a frame must have room for a header of 32 bytes.
        let has_room = chunk.len() >= 32;
        let (item_size, block_size) = (Some(self.item_size), Some(self.axis[2] * self.item_size));
        let expected = Expected { nbytes, item_size, block_size };
        let expected = plain::decode(&chunk, expected).filter(|_| has_room);
        let file = self.file_of(chunk);
        let report = check(&file, Depth::Payload);
        assert!(bytes::is_accepted(&check(&file, Depth::Structure)), "{report:?}");
        assert!(!is_limited(&report), "{report:?}");
        assert_eq!(bytes::is_accepted(&report), expected.is_some(), "{report:?}");
        let mut random = Random::of(&file);
        // Only a few files are examined completely, since they differ only in their chunk.
        if random.one_in(16) {
            examine_bytes(&file);
        } else {
            bytes::map(Depth::Payload, limits(), &file);
        }
        let read = options().from_slice(&file).expect("there is nothing wrong with the structure");
        let whole = array::examine(&read, &mut random);
        if let Some(expected) = expected {
            let whole = whole.expect("it was accepted");
            assert!(whole == expected[..self.axis[0] * self.item_size], "not the same bytes");
        }
    }

    fn file_of(&self, chunk: Vec<u8>) -> Vec<u8> {
        b2nd_of_chunk(self.axis.map(|extent| extent as u32), self.item_size as u16, chunk)
    }

    /// Builds the chunk.
    fn chunk(&self) -> Vec<u8> {
        let special = self.header.extension.as_ref().map_or(Special::NONE, |extension| extension.chunk_kind.special());
        let behind = match special {
            Special::NONE if self.header.flags.stored() => {
                let mut content = self.content.to_vec();
                content.resize(self.header.nbytes as usize, 0);
                content
            }
            Special::NONE => self.blocks(),
            Special::VALUE => self.content[..self.content.len().min(self.item_size)].to_vec(),
            _ => self.content[..self.content.len() / 8].to_vec(),
        };
        let mut header = self.header.clone();
        let length = if header.extension.is_some() { 32 } else { 16 };
        header.cbytes = (length + behind.len()) as i32;
        let mut chunk = write(&header, Endian::Little).expect("a header can be written");
        chunk.extend(behind);
        let (place, bits) = self.damage;
        let place = place % chunk.len();
        chunk[place] ^= bits;
        chunk
    }

    /// The starts of the blocks, the dictionary, and the blocks.
    fn blocks(&self) -> Vec<u8> {
        let nbytes = self.header.nbytes as usize;
        let block = (self.header.blocksize as usize).min(nbytes);
        let count = nbytes.div_ceil(block);
        let mut feed = self.content;
        let blocks: Vec<Vec<u8>> = (0..count)
            .map(|number| {
                let length = block.min(nbytes - number * block);
                let is_split = !self.header.flags.not_split() && length == block;
                let streams = if is_split { usize::from(self.header.typesize) } else { 1 };
                (0..streams).flat_map(|_| self.stream(&mut feed, length / streams)).collect()
            })
            .collect();
        let length = if self.header.extension.is_some() { 32 } else { 16 };
        let mut tables = vec![0; 4 * count];
        if self.has_dictionary() {
            tables.extend((self.dictionary.len() as i32).to_le_bytes());
            tables.extend(self.dictionary);
        }
        let mut order: Vec<usize> = (0..count).collect();
        if self.is_backwards {
            order.reverse();
        }
        for number in order {
            let start = (length + tables.len()) as i32;
            tables[4 * number..4 * number + 4].copy_from_slice(&start.to_le_bytes());
            tables.extend(&blocks[number]);
        }
        tables
    }

    fn has_dictionary(&self) -> bool {
        self.header.extension.as_ref().is_some_and(|extension| extension.chunk_kind.dictionary())
    }

    /// Builds the next stream, which must decode to this many bytes.
    fn stream(&self, feed: &mut &[u8], length: usize) -> Vec<u8> {
        let mut take = |count: usize| {
            let (bytes, rest) = feed.split_at((*feed).len().min(count));
            *feed = rest;
            bytes
        };
        let of = |taken: i32, bytes: &[u8]| [&taken.to_le_bytes(), bytes].concat();
        let padded = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            bytes.resize(length, 0);
            bytes
        };
        if !self.is_compressed {
            let bytes = padded(take(length));
            return match bytes.first() {
                Some(0) if bytes.iter().all(|&byte| byte == 0) => of(0, &[]),
                Some(&first) if bytes.iter().all(|&byte| byte == first) => of(-i32::from(first), &[1]),
                _ => {
                    let dictionary = if self.has_dictionary() { self.dictionary } else { &[] };
                    let (format, level) = (self.header.flags.codec_format(), self.axis[0] as u8 % 9 + 1);
                    let stream = codecs::encode(format, &bytes, dictionary, level).unwrap_or_else(|| bytes.clone());
                    of(stream.len() as i32, &stream)
                }
            };
        }
        match take(1) {
            [] | [0] => of(0, &[]),
            [1] => of(-i32::from(take(1).first().copied().unwrap_or(1)), &[1]),
            [2] => of(length as i32, &padded(take(length))),
            [more, ..] => {
                let count = usize::from(take(1).first().copied().unwrap_or(1)) + 256 * usize::from(more % 2);
                let bytes = take(count);
                of(bytes.len() as i32, bytes)
            }
        }
    }
}

/// Creates a 32-byte chunk header; the caller must set the lengths.
fn chunk_header(typesize: u8) -> ChunkHeader {
    let extension = Extension {
        filters: FilterIds::default(),
        codec: Codec::BLOSCLZ,
        codec_meta: 0,
        filter_meta: [0; 6],
        block_flags: BlockFlags::from_raw(0),
        chunk_kind: ChunkKind::from_raw(0),
    };
    ChunkHeader {
        version: ChunkVersion::BLOSC2,
        codec_version: 1,
        flags: ChunkFlags::from_raw(0b1_0101),
        typesize,
        nbytes: 0,
        blocksize: 1,
        cbytes: 32,
        extension: Some(extension),
    }
}
