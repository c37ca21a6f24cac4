//! Breakers of the rules about chunks.

use super::bases::{blocks, one_chunk, plain, special, stored, whole, with_chunk, with_header};
use crate::b2nd::encode::Style;
use crate::b2nd::file_parts::{FileParts, Place};
use crate::b2nd::parts::{Layer, last_filter};
use crate::forged_file::ForgedFile;
use everybyte::forge::Choices;
use ndbytes_schemas::blosc2::{BlockFlags, ChunkKind, Codec, FilterId, FilterIds, Special, StreamFormat};

/// The offsets of fields in the header of a chunk.
const TYPESIZE: usize = 3;
/// The offset of `nbytes`, the number of decoded bytes, in the header of a chunk. The layout of the header is described
/// in Blosc2's `README_CHUNK_FORMAT.rst`.
const NBYTES: usize = 4;
/// The offset of `blocksize`.
const BLOCKSIZE: usize = 8;
/// The offset of `cbytes`, the number of stored bytes.
const CBYTES: usize = 12;
/// The offset of the byte with the flags of the extended header.
const KIND: usize = 31;

/// Changes the bytes of one of two stored chunks.
fn changed(choices: &mut Choices<'_>, change: impl FnOnce(&mut Vec<u8>, &mut Choices<'_>)) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    let number = one_chunk(choices, &draft);
    change(&mut draft.chunks[number], choices);
    whole(&draft)
}

/// Writes a number into a header.
fn put(chunk: &mut [u8], at: usize, number: i32) {
    chunk[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

/// Reads a little-endian number from a header.
fn number(chunk: &[u8], at: usize) -> i32 {
    i32::from_le_bytes([chunk[at], chunk[at + 1], chunk[at + 2], chunk[at + 3]])
}

/// Creates blocks that are neither filtered nor compressed, in two or three chunks.
fn base(choices: &mut Choices<'_>) -> FileParts {
    let (chunks, blocks) = (choices.from_to(2, 3) as i64, choices.from_to(2, 3) as i64);
    plain(choices, chunks, blocks)
}

/// Makes the content of an attribute too short for the header of a chunk.
pub fn truncated_chunk(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    let length = choices.below(16) as usize;
    draft.attributes.push(Layer::new(b"x", choices.bytes(length)));
    draft.agree();
    whole(&draft)
}

/// Sets a version that no reader supports.
pub fn chunk_version(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |chunk, choices| chunk[0] = *choices.pick(&[0, 1, 6, 7, 255]))
}

/// Sets an undefined flag of the chunk's kind, or blocks of variable size.
pub fn chunk_kind(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = base(choices);
    let number = one_chunk(choices, &draft);
    let bit = *choices.pick(&[1_u8, 3, 7]);
    let is_variable = choices.one_in(4);
    with_header(&mut draft, number, |header| {
        let Some(extension) = &mut header.extension else { return };
        match is_variable {
            true => extension.block_flags = BlockFlags::from_raw(1),
            false => extension.chunk_kind = ChunkKind::from_raw(1 << bit),
        }
    })?;
    whole(&draft)
}

/// Sets a reserved byte or bit of the header.
pub fn chunk_reserved(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |chunk, choices| match choices.below(3) {
        0 => chunk[1] = *choices.pick(&[0, 2, 255]),
        1 => chunk[30] = 2 << choices.below(7),
        _ => chunk[KIND] = 4,
    })
}

/// Sets a decoded length that is negative or differs from the length of the items.
pub fn chunk_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |chunk, choices| {
        let nbytes = number(chunk, NBYTES);
        let number = choices.from_to(1, 1000) as i32;
        put(chunk, NBYTES, *choices.pick(&[nbytes + number, -number]));
    })
}

/// Makes the stored bytes of an uncompressed chunk differ from the length of its items.
pub fn chunk_stored_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |chunk, choices| {
        // The chunk has more or fewer bytes than its items.
        let length = choices.from_to(1, 9) as usize;
        match choices.one_in(2) {
            true => chunk.extend(choices.bytes(length)),
            false => chunk.truncate(chunk.len() - length.min(chunk.len() - 33)),
        }
        let length = chunk.len() as i32;
        put(chunk, CBYTES, length);
    })
}

/// Sets the flag for a dictionary in an uncompressed chunk.
pub fn stored_with_dictionary(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |chunk, _| chunk[KIND] |= 1)
}

/// Creates a lazy chunk, whose special value belongs in the index, not in a chunk.
pub fn lazy_chunk(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    let kind = *choices.pick(&[Special::ZEROS, Special::UNINITIALISED]);
    // This replaces the first chunk, which C-Blosc2 reads in pieces.
    let Place::Chunk(first) = *draft.entries.first()? else { return None };
    draft.chunks[first] = special(&draft, kind, &[]);
    whole(&draft)
}

/// Sets an item size that differs from that in the frame.
pub fn chunk_item_size(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |chunk, choices| {
        let typesize = chunk[TYPESIZE];
        chunk[TYPESIZE] = *choices.pick(&[0, typesize + 1, typesize * 2, 255]);
    })
}

/// Sets a codec or filters that differ from the frame's.
pub fn chunk_settings(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = base(choices);
    let number = one_chunk(choices, &draft);
    let codec = *choices.pick(&[Codec::BLOSCLZ, Codec::ZLIB, Codec::ZSTD]);
    let has_delta = choices.one_in(2);
    with_header(&mut draft, number, |header| match (&mut header.extension, has_delta) {
        (Some(extension), false) => extension.codec = codec,
        _ => header.flags = header.flags.with_delta(true),
    })?;
    whole(&draft)
}

/// Sets a block size that is zero, negative, larger than Blosc2 allows, or not a multiple of the item size.
pub fn chunk_block_size(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |chunk, choices| {
        let block = number(chunk, BLOCKSIZE);
        put(chunk, BLOCKSIZE, *choices.pick(&[0, -block, block - 1, 536_866_817, i32::MIN]));
    })
}

/// Sets a special value that is undefined, or whose size does not fit the items.
pub fn special_value(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    let number = one_chunk(choices, &draft);
    let is_wide = matches!(draft.header.typesize.0, 4 | 8);
    draft.chunks[number] = match choices.below(3) {
        0 => special(&draft, Special(choices.from_to(5, 7) as u8), &[]),
        1 if !is_wide => special(&draft, Special::NAN, &[]),
        _ => special(&draft, Special::VALUE, &[]),
    };
    whole(&draft)
}

/// Sets the delta filter in two slots.
pub fn delta_twice(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = plain(choices, 2, 1);
    let mut filters = FilterIds::default();
    filters.0[choices.index(5)] = FilterId::DELTA;
    filters.0[5] = FilterId::DELTA;
    draft.header.filters = filters;
    for number in 0..draft.chunks.len() {
        with_header(&mut draft, number, |header| {
            header.flags = header.flags.with_delta(true);
            header.extension.iter_mut().for_each(|extension| extension.filters = filters);
        })?;
    }
    whole(&draft)
}

/// Sets the delta filter in chunks of several blocks, all of which refer to the first one.
pub fn delta_blocks(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = base(choices);
    let filters = last_filter(FilterId::DELTA);
    draft.header.filters = filters;
    for number in 0..draft.chunks.len() {
        with_header(&mut draft, number, |header| {
            header.flags = header.flags.with_delta(true);
            header.extension.iter_mut().for_each(|extension| extension.filters = filters);
        })?;
    }
    whole(&draft)
}

/// Creates a chunk whose filters differ from its neighbours'.
pub fn odd_chunk(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = plain(choices, 3, 2);
    let number = one_chunk(choices, &draft);
    let filters = last_filter(*choices.pick(&[FilterId::SHUFFLE, FilterId::BYTEDELTA, FilterId::BITSHUFFLE]));
    with_header(&mut draft, number, |header| {
        header.extension.iter_mut().for_each(|extension| extension.filters = filters);
    })?;
    whole(&draft)
}

/// Sets a codec from the range of registered and user-defined plugins.
pub fn plugin_codec(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = base(choices);
    let number = one_chunk(choices, &draft);
    let codec = Codec(choices.from_to(32, 255) as u8);
    with_header(&mut draft, number, |header| {
        header.flags = header.flags.with_codec_format(StreamFormat::REGISTERED);
        header.extension.iter_mut().for_each(|extension| extension.codec = codec);
    })?;
    whole(&draft)
}

/// Sets a filter from the range of plugins.
pub fn plugin_filter(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = base(choices);
    let number = one_chunk(choices, &draft);
    let filter = FilterId(*choices.pick(&[5, 31, 32, 33, 37, 159, 160, 255]));
    with_header(&mut draft, number, |header| {
        header.extension.iter_mut().for_each(|extension| extension.filters = last_filter(filter));
    })?;
    whole(&draft)
}

/// Changes the start of one of the first two blocks of a chunk.
fn with_start(
    choices: &mut Choices<'_>,
    change: impl FnOnce(&[u8], [i32; 2], &mut Choices<'_>) -> [i32; 2],
) -> Option<ForgedFile> {
    let mut draft = base(choices);
    let place = one_chunk(choices, &draft);
    let chunk = &mut draft.chunks[place];
    let [first, second] = change(chunk, [number(chunk, 32), number(chunk, 36)], choices);
    put(chunk, 32, first);
    put(chunk, 36, second);
    whole(&draft)
}

/// Makes the second block start outside the chunk, or inside its header.
pub fn block_start(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    with_start(choices, |chunk, [first, _], choices| {
        let beyond = chunk.len() as i32 + choices.below(1000) as i32;
        [first, *choices.pick(&[0, 31, -beyond, beyond, i32::MAX])]
    })
}

/// Gives two blocks the same start.
pub fn overlapping_blocks(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    with_start(choices, |_, [first, second], choices| *choices.pick(&[[first, first], [second, second]]))
}

/// Adds a valid dictionary, since a rule forbids any dictionary.
pub fn dictionary_used(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let style = Style { dictionary: Some(vec![1, 2, 3]), ..Style::plain(Codec::LZ4, 0) };
    whole(&blocks(choices, 2, 2, &style))
}

/// Sets a length of a dictionary that is zero, negative, or above the maximum of 32 KiB.
pub fn dictionary(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let style = Style { dictionary: Some(vec![1, 2, 3]), ..Style::plain(Codec::LZ4, 0) };
    let mut draft = blocks(choices, 2, 2, &style);
    let number = one_chunk(choices, &draft);
    let length = choices.from_to(1, 1000) as i32;
    let bad = *choices.pick(&[0, -length, 32_769, i32::MAX]);
    // The length follows the starts of the two blocks.
    put(&mut draft.chunks[number], 32 + 8, bad);
    whole(&draft)
}

/// Creates a stream that cannot be decoded, or whose stated length does not fit.
pub fn broken_stream(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = base(choices);
    let (number, block) = (one_chunk(choices, &draft), choices.index(2));
    let kind = choices.below(3);
    let last = choices.from_to(1, 100) as i32;
    with_chunk(&mut draft, number, |chunk| {
        let Some(stream) = chunk.blocks[block].streams.first_mut() else { return };
        match kind {
            // A length beyond the data, a run of an impossible byte, or an undefined token.
            0 => stream.length = Some(stream.data.len() as i32 + last),
            1 => (stream.length, stream.token, stream.data) = (Some(-255 - last), Some(1), Vec::new()),
            _ => (stream.length, stream.token, stream.data) = (Some(-last), Some(0), Vec::new()),
        }
    })?;
    whole(&draft)
}
