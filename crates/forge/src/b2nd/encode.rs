//! Chunks of blocks, decoded and encoded with the library's own codecs and filters.

use super::parts::chunk_header;
use super::stored::{Block, Chunk, MOST_BLOCKS, Piece};
use crate::map;
use ndbytes::Input;
use ndbytes::internals::ChargedLoader;
use ndbytes::internals::Encoders;
use ndbytes::internals::Expected;
use ndbytes::internals::Findings;
use ndbytes::internals::StoredChunk;
use ndbytes_codecs::filters;
use ndbytes_schemas::blosc2::{ChunkFlags, ChunkHeader, ChunkKind, Codec, FilterId, FilterIds, StreamFormat};

/// The maximum number of bytes that a chunk is decoded to.
pub const MOST_BYTES: u64 = 64 << 10;

/// How blocks are filtered and compressed.
#[derive(Debug, Clone)]
pub struct Style {
    pub codec: Codec,
    /// The level, from 0 to 9; at 0, streams are not compressed.
    pub level: u8,
    pub filters: FilterIds,
    pub filter_meta: [u8; 6],
    pub is_split: bool,
    pub dictionary: Option<Vec<u8>>,
    /// Whether the blocks are stored in reverse order.
    pub is_backwards: bool,
}

impl Style {
    /// Returns the style of blocks that are neither filtered nor split.
    pub fn plain(codec: Codec, level: u8) -> Self {
        Style {
            codec,
            level,
            filters: FilterIds::default(),
            filter_meta: [0; 6],
            is_split: false,
            dictionary: None,
            is_backwards: false,
        }
    }

    /// The style of an existing chunk.
    pub fn of(header: &ChunkHeader) -> Option<Self> {
        let extension = header.extension.as_ref()?;
        let codec = match header.flags.codec_format() {
            StreamFormat::BLOSCLZ => Codec::BLOSCLZ,
            StreamFormat::LZ4 if extension.codec == Codec::LZ4HC => Codec::LZ4HC,
            StreamFormat::LZ4 => Codec::LZ4,
            StreamFormat::ZLIB => Codec::ZLIB,
            StreamFormat::ZSTD => Codec::ZSTD,
            _ => return None,
        };
        let (filters, filter_meta) = (extension.filters, extension.filter_meta);
        let is_split = !header.flags.not_split();
        Some(Style { filters, filter_meta, is_split, ..Style::plain(codec, 5) })
    }

    /// Returns whether the filters can be applied; delta only to a chunk of one block.
    fn has_known_filters(&self, blocks: usize) -> bool {
        let is_known = |id: FilterId| match id {
            FilterId::DELTA => blocks == 1,
            FilterId::SHUFFLE | FilterId::BITSHUFFLE | FilterId::BYTEDELTA => true,
            FilterId::TRUNC_PREC | FilterId::INT_TRUNC => true,
            _ => false,
        };
        let deltas = self.filters.used().filter(|id| *id == FilterId::DELTA).count();
        deltas < 2 && self.filters.used().all(is_known)
    }

    /// Applies the filters to a block.
    fn filter(&self, typesize: usize, item_size: usize, block: &mut Vec<u8>) {
        let mut other = block.clone();
        for (id, meta) in self.filters.0.into_iter().zip(self.filter_meta) {
            let width = |otherwise| if meta == 0 { otherwise } else { usize::from(meta) };
            match id {
                FilterId::SHUFFLE => filters::shuffle(width(typesize), block, &mut other),
                FilterId::BITSHUFFLE => filters::bitshuffle(typesize, block, &mut other),
                _ => {
                    match id {
                        FilterId::DELTA => filters::delta_first(typesize, block),
                        FilterId::BYTEDELTA => filters::bytedelta(width(item_size), block),
                        // Filters that clear bits would change the values.
                        _ => {}
                    }
                    continue;
                }
            }
            std::mem::swap(block, &mut other);
        }
    }
}

/// Creates a chunk of blocks from these items; `None` if its filters cannot be applied, or if it has no blocks.
pub fn blocks(style: &Style, typesize: u8, item_size: usize, block: usize, content: &[u8]) -> Option<Chunk> {
    let count = content.len().checked_div(block)? + usize::from(!content.len().is_multiple_of(block));
    let is_split = style.is_split && block.is_multiple_of(usize::from(typesize).max(1)) && typesize > 0;
    if count == 0 || count as u64 > MOST_BLOCKS || !style.has_known_filters(count) {
        return None;
    }
    let format = style.codec.format()?;
    let dictionary = style.dictionary.clone().filter(|_| format == StreamFormat::LZ4 || format == StreamFormat::ZSTD);
    let mut header = chunk_header(typesize);
    (header.nbytes, header.blocksize) = (content.len() as i32, block as i32);
    let has_delta = style.filters.used().any(|id| id == FilterId::DELTA);
    let flags = 5 | u8::from(has_delta) << 3 | u8::from(!is_split) << 4;
    header.flags = ChunkFlags::from_raw(flags).with_codec_format(format);
    if let Some(extension) = &mut header.extension {
        (extension.filters, extension.filter_meta, extension.codec) = (style.filters, style.filter_meta, style.codec);
        extension.chunk_kind = ChunkKind::from_raw(u8::from(dictionary.is_some()));
    }
    let mut encoders = Encoders::default();
    let each_of = |length: usize| if is_split && length == block { block / usize::from(typesize) } else { length };
    let blocks = content.chunks(block).map(|bytes| {
        let mut bytes = bytes.to_vec();
        style.filter(typesize.into(), item_size, &mut bytes);
        let streams = bytes.chunks(each_of(bytes.len()).max(1));
        let stream = |bytes: &[u8]| stream(style, dictionary.as_deref(), bytes, &mut encoders);
        Block { streams: streams.map(stream).collect(), rest: Vec::new() }
    });
    let blocks: Vec<Block> = blocks.collect();
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    if style.is_backwards {
        order.reverse();
    }
    Some(Chunk { header, dictionary, blocks, order })
}

/// Encodes a stream. Runs of one byte need no data: Blosc2 marks them with a zero or negative length.
fn stream(style: &Style, dictionary: Option<&[u8]>, bytes: &[u8], encoders: &mut Encoders) -> Piece {
    let same = bytes.iter().all(|byte| Some(byte) == bytes.first());
    match bytes.first() {
        Some(0) if same => Piece { length: None, token: None, data: Vec::new() },
        Some(&first) if same => Piece { length: Some(-i32::from(first)), token: Some(1), data: Vec::new() },
        _ => Piece { length: None, token: None, data: encoded(style, dictionary, bytes, encoders) },
    }
}

/// Returns the compressed bytes, or the bytes themselves if these are not longer.
fn encoded(style: &Style, dictionary: Option<&[u8]>, bytes: &[u8], encoders: &mut Encoders) -> Vec<u8> {
    if let (Some(dictionary), Some(StreamFormat::LZ4)) = (dictionary, style.codec.format())
        && let Some(stream) = lz4_of_dictionary(dictionary, bytes)
    {
        return stream;
    }
    let encoded = match style.level {
        0 => None,
        level => encoders.encode(style.codec, level.min(9), bytes),
    };
    encoded.filter(|stream| !stream.is_empty()).unwrap_or(bytes).to_vec()
}

/// Returns an LZ4 block that begins with bytes from the end of the dictionary; `None` if the data begins with other
/// bytes, or if the block is not shorter.
fn lz4_of_dictionary(dictionary: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    // The last match ends at least five bytes before the end of the block, and begins at least twelve before it.
    let most = bytes.len().checked_sub(12)?.min(14 + 4);
    let common = |start: usize| dictionary[start..].iter().zip(bytes).take_while(|(one, other)| one == other).count();
    let first = dictionary.len().saturating_sub(256);
    let (start, length) =
        (first..dictionary.len()).map(|start| (start, common(start))).max_by_key(|(_, length)| *length)?;
    let (distance, length) = ((dictionary.len() - start) as u16, length.min(most));
    let literals = bytes.len() - length;
    if length < 4 || literals >= 15 + 255 {
        return None;
    }
    let mut stream = vec![(length - 4) as u8];
    stream.extend(distance.to_le_bytes());
    match u8::try_from(literals) {
        Ok(few @ ..15) => stream.push(few << 4),
        _ => stream.extend([0xf0, (literals - 15) as u8]),
    }
    stream.extend(&bytes[length..]);
    (stream.len() < bytes.len()).then_some(stream)
}

/// Decodes a chunk, if it has at most [`MOST_BYTES`].
pub fn decode(chunk: &[u8], expected: Expected) -> Option<Vec<u8>> {
    let input = Input::from_slice(chunk, map::limits());
    let mut stored = StoredChunk::within(&input, 0..chunk.len() as u64);
    let chunk = stored.chunk(expected, 0, 0, &mut Findings::default()).ok()??;
    if chunk.nbytes > MOST_BYTES {
        return None;
    }
    let budget = input.budget();
    ChargedLoader::new(budget).whole(&chunk, &stored, budget).ok()?.ok()
}
