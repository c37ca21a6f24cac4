//! A simple decoder for chunks, as a second opinion.

use super::{codecs, filters};

/// The properties of a chunk that follow from its position.
#[derive(Debug, Clone, Copy)]
pub struct Expected {
    /// The number of decoded bytes, or its maximum if it is unknown.
    pub nbytes: Result<usize, usize>,
    /// The size of an item in bytes, if known.
    pub item_size: Option<usize>,
    /// The size of a block in bytes, if known. Chunks without blocks must state it too.
    pub block_size: Option<usize>,
}

/// The fields of the header that are needed for decoding blocks.
struct Header {
    version: u8,
    /// The length of the header in bytes.
    length: usize,
    typesize: usize,
    /// The size of an item of the array in bytes.
    item_size: usize,
    nbytes: usize,
    block: usize,
    is_split: bool,
    codec: u8,
    has_dictionary: bool,
    /// Filters and their parameters, in the order in which they are undone.
    filters: Vec<(u8, usize)>,
}

/// Decodes a chunk at the beginning of these bytes; `None` if it violates a rule.
pub fn decode(stored: &[u8], expected: Expected) -> Option<Vec<u8>> {
    let flags = *stored.get(2)?;
    let is_extended = flags & 5 == 5;
    let length = if is_extended { 32 } else { 16 };
    let header = stored.get(..length)?;
    let (version, typesize) = (header[0], usize::from(header[3]));
    let nbytes = number(header, 4)?;
    let (blocksize, cbytes) = (number(header, 8)?, number(header, 12)?);
    let is_expected = expected.nbytes.map_or_else(|most| nbytes <= most, |expected| nbytes == expected);
    let stated = expected.item_size.map_or(typesize, |size| if size > 255 { 1 } else { size });
    let is_known = (2..=5).contains(&version) && typesize > 0 && stated == typesize;
    if !is_expected || !is_known || !(1..=536_866_816).contains(&blocksize) {
        return None;
    }
    let behind = stored.get(length..cbytes)?;
    let block = blocksize.min(nbytes);
    let is_block_expected = expected.block_size.is_none_or(|expected| expected.min(nbytes) == block);
    let (kind, block_flags) = if is_extended { (header[31], header[30]) } else { (0, 0) };
    // The chunk is big-endian, lazy or instrumented, or has blocks of variable length.
    if kind & 0b1000_1010 != 0 || block_flags & 1 != 0 {
        return None;
    }
    let has_blocks = kind & 0x70 == 0 && flags & 2 == 0 && nbytes > 0;
    if !has_blocks && !is_block_expected {
        return None;
    }
    let same = |value: &[u8]| value.iter().copied().cycle().take(nbytes).collect::<Vec<u8>>();
    match kind >> 4 & 7 {
        1 | 4 => return behind.is_empty().then(|| same(&[0])),
        2 if !behind.is_empty() || !nbytes.is_multiple_of(typesize) => return None,
        2 if typesize == 4 => return Some(same(&f32::NAN.to_le_bytes())),
        2 if typesize == 8 => return Some(same(&f64::NAN.to_le_bytes())),
        3 if !behind.is_empty() && nbytes.is_multiple_of(behind.len()) => return Some(same(behind)),
        0 => {}
        _ => return None,
    }
    // If delta is applied twice, the items are lost. Stored bytes may have filters that were not applied.
    let deltas = header.get(16..22).unwrap_or_default().iter().filter(|&&filter| filter == 3).count();
    if version > 3 && deltas > 1 && (has_blocks || flags & 0b1010 == 0b1010) {
        return None;
    }
    if flags & 2 != 0 {
        return (behind.len() == nbytes).then(|| behind.to_vec());
    }
    if nbytes == 0 {
        return behind.is_empty().then(Vec::new);
    }
    let filters: Vec<(u8, usize)> = match is_extended {
        // An alpha release that wrote version 3 had five slots.
        true => (0..if version == 3 { 5 } else { 6 })
            .rev()
            .map(|slot| (header[16 + slot], header[24 + slot].into()))
            .collect(),
        // Blosc 1 had shuffle or bitshuffle in the last slot, and delta before it.
        false => vec![(flags & 1, 0), (flags >> 1 & 2, 0), ((flags >> 3 & 1) * 3, 0)],
    };
    let item_size = expected.item_size.unwrap_or(typesize);
    let (is_split, codec, has_dictionary) = (flags & 16 == 0, flags >> 5, kind & 1 != 0);
    let are_known =
        filters.iter().all(|(filter, _)| matches!(filter, 0..=4 | 34..=36)) && matches!(codec, 0 | 1 | 3 | 4);
    if !are_known || is_split && !block.is_multiple_of(typesize) {
        return None;
    }
    let header =
        Header { version, length, typesize, item_size, nbytes, block, is_split, codec, has_dictionary, filters };
    header.blocks(&stored[..cbytes])
}

/// Reads a nonnegative number of four bytes.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 4)?.first_chunk()?;
    usize::try_from(i32::from_le_bytes(*bytes)).ok()
}

impl Header {
    /// Decodes all blocks of a chunk.
    fn blocks(&self, chunk: &[u8]) -> Option<Vec<u8>> {
        let count = self.nbytes.div_ceil(self.block);
        let mut first = self.length + 4 * count;
        chunk.get(..first)?;
        let starts = (0..count).map(|block| number(chunk, self.length + 4 * block)).collect::<Option<Vec<usize>>>()?;
        let mut dictionary: &[u8] = &[];
        if self.has_dictionary {
            let length = number(chunk, first).filter(|length| (1..=32 << 10).contains(length))?;
            dictionary = chunk.get(first + 4..first + 4 + length)?;
            first += 4 + length;
        }
        let mut decoded: Vec<u8> = Vec::new();
        for (block, &start) in starts.iter().enumerate() {
            let is_own = start >= first && !starts[..block].contains(&start);
            // It may use the remaining bytes before the next block.
            let end = starts.iter().copied().filter(|&other| other > start).min().unwrap_or(chunk.len());
            let stored = chunk.get(start..end).filter(|stored| is_own && !stored.is_empty())?;
            let length = self.block.min(self.nbytes - decoded.len());
            let reference = decoded.get(..length).filter(|_| block > 0);
            let bytes = self.unfiltered(self.streams(stored, dictionary, length)?, reference);
            decoded.extend(bytes);
        }
        Some(decoded)
    }

    /// Decodes the streams of a block.
    fn streams(&self, mut stored: &[u8], dictionary: &[u8], length: usize) -> Option<Vec<u8>> {
        let count = if self.is_split && length == self.block { self.typesize } else { 1 };
        let each = length / count;
        let mut decoded = Vec::new();
        for _ in 0..count {
            let (&taken, behind) = stored.split_first_chunk()?;
            let taken = i32::from_le_bytes(taken);
            let Ok(taken) = usize::try_from(taken) else {
                // This is a run, of whose token only the lowest bit is defined.
                let (&token, behind) = behind.split_first()?;
                let byte = u8::try_from(taken.unsigned_abs()).ok().filter(|_| token == 1)?;
                decoded.extend(vec![byte; each]);
                stored = behind;
                continue;
            };
            let (stream, behind) = behind.split_at_checked(taken)?;
            stored = behind;
            decoded.extend(match taken {
                0 => vec![0; each],
                taken if taken == each => stream.to_vec(),
                // No writer would have kept it compressed.
                taken if taken > each => return None,
                _ => match self.codec {
                    0 => codecs::blosclz(stream, each)?,
                    1 => codecs::lz4(stream, dictionary, each).filter(|lz4| lz4.obeys_ends)?.bytes,
                    3 => codecs::zlib(stream, each)?,
                    _ => codecs::zstd(stream, dictionary, each)?,
                },
            });
        }
        Some(decoded)
    }

    /// Undoes the filters of a block. The reference is the first block, if this is another one.
    fn unfiltered(&self, mut bytes: Vec<u8>, reference: Option<&[u8]>) -> Vec<u8> {
        for &(filter, told) in &self.filters {
            let width = |otherwise| if told == 0 { otherwise } else { told };
            match filter {
                1 => bytes = filters::unshuffle(width(self.typesize), &bytes),
                // Blosc 1 did not filter blocks unless their number of items was a multiple of eight.
                2 if self.version == 2 && !(bytes.len() / self.typesize).is_multiple_of(8) => {}
                2 => bytes = filters::unbitshuffle(self.typesize, &bytes),
                3 => filters::undelta(self.typesize, &mut bytes, reference),
                34 | 35 => filters::unbytedelta(width(self.item_size), filter == 34, &mut bytes),
                _ => {}
            }
        }
        bytes
    }
}
