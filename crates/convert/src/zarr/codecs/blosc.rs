//! Chunks of Blosc 1, as Zarr stores them.
//!
//! A Blosc 1 chunk is a b2nd chunk with an older header. It goes through the same checks and the same decoder, with the
//! same findings. The exception is snappy, which Blosc 2 dropped.

use crate::zarr::read_error::{ReadError, Result};
use ndbytes::everybyte::{Endian, Layout, Source, read, write};
use ndbytes::internals::{ChargedLoader, Encoders, Expected, Findings, StoredChunk};
use ndbytes::schemas::blosc2::{ChunkFlags, ChunkHeader, ChunkVersion, Codec, StreamFormat};
use ndbytes::{Input, Limits, Severity};
use ndbytes_codecs::filters::shuffle;

/// The maximum length of a written block, in bytes.
const BLOCK: usize = 256 << 10;

/// The level of compression for writing, from 1 to 9.
pub const LEVEL: u8 = 5;

/// The stream format that Blosc 1 uses for snappy.
const SNAPPY: StreamFormat = StreamFormat(2);

/// Decodes a chunk to at most `most` bytes.
pub fn decode(stored: &[u8], most: u64, limits: Limits) -> Result<Vec<u8>> {
    if is_snappy(stored) {
        return Err(
            "the Blosc chunk is compressed with snappy, which is not read: numcodecs has left it out, too".into()
        );
    }
    let input = Input::from_slice(stored, limits);
    let mut chunk = StoredChunk::within(&input, 0..stored.len() as u64);
    let mut findings = Findings::default();
    let judged = chunk.chunk(Expected::default(), 0, 0, &mut findings)?;
    let error = findings.into_vec().into_iter().find(|finding| finding.severity == Severity::Error);
    let judged = match (judged, error) {
        (Some(judged), None) => judged,
        (_, error) => return Err(words(error.map(|error| error.message))),
    };
    if judged.nbytes > most {
        return Err(
            format!("the Blosc chunk decodes to {} bytes, but at most {most} are expected", judged.nbytes).into()
        );
    }
    let decoded = ChargedLoader::new(input.budget()).whole(&judged, &chunk, input.budget())?;
    decoded.map_err(|finding| words(Some(finding.message)))
}

/// Returns whether a chunk has snappy streams, for which Blosc 2 has no format.
fn is_snappy(stored: &[u8]) -> bool {
    let header = read::<ChunkHeader>(Source::new(stored), Endian::Little, ());
    header.is_ok_and(|header| {
        header.version == ChunkVersion::BLOSC1 && !header.flags.stored() && header.flags.codec_format() == SNAPPY
    })
}

fn words(message: Option<String>) -> ReadError {
    format!("the Blosc chunk is not valid: {}", message.unwrap_or_else(|| "its header cannot be read".into())).into()
}

/// Encodes bytes with zstd, after shuffling the bytes of their items. Returns `None` if there are too many for the format.
pub fn encode(bytes: &[u8], item_size: usize, encoders: &mut Encoders) -> Option<Vec<u8>> {
    let length = i32::try_from(bytes.len()).ok()?;
    let typesize = if item_size > 255 { 1 } else { item_size.max(1) };
    let block = (BLOCK / typesize * typesize).min(bytes.len()).max(1);
    let count = bytes.len().div_ceil(block);
    let header = |cbytes: usize, is_stored: bool| {
        let flags = ChunkFlags::new()
            .with_shuffle(typesize > 1)
            .with_stored(is_stored)
            .with_not_split(true)
            .with_codec_format(StreamFormat::ZSTD);
        let header = ChunkHeader {
            version: ChunkVersion::BLOSC1,
            codec_version: 1,
            flags,
            typesize: typesize as u8,
            nbytes: length,
            blocksize: block as i32,
            cbytes: cbytes as i32,
            extension: None,
        };
        write(&header, Endian::Little).expect("a header can be written")
    };
    let start = ChunkHeader::MIN_SIZE as usize;
    i32::try_from(start.checked_add(bytes.len())?).ok()?;
    let (mut starts, mut streams, mut shuffled) = (Vec::new(), Vec::new(), vec![0; block]);
    for block in bytes.chunks(block) {
        starts.extend(((start + count * 4 + streams.len()) as u32).to_le_bytes());
        let shuffled = &mut shuffled[..block.len()];
        shuffle(typesize, block, shuffled);
        let stream = encoders.encode(Codec::ZSTD, LEVEL, shuffled).unwrap_or(shuffled);
        streams.extend((stream.len() as u32).to_le_bytes());
        streams.extend_from_slice(stream);
        // Bytes that compression does not shrink are stored uncompressed.
        if count * 4 + streams.len() >= bytes.len() {
            return Some([&header(start + bytes.len(), true), bytes].concat());
        }
    }
    Some([header(start + starts.len() + streams.len(), false), starts, streams].concat())
}
