//! Breakers of the rules about frames.

use super::bases::{blocks, hollow, item_type, one_chunk, plain, sparse, stored, whole, with_chunk};
use crate::b2nd::encode::Style;
use crate::b2nd::file_parts::{FileParts, IndexForm, Place};
use crate::b2nd::parts::{Layer, stored_chunk};
use crate::forged_file::ForgedFile;
use everybyte::forge::Choices;
use ndbytes_schemas::blosc2::{
    Bool, Codec, Compression, FilterId, FixExt16, FrameFlags, FrameType, FrameVersion, Int16, Int32, Int64, Splitting,
    WriterFlags,
};

/// Returns any small array.
pub fn any(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    whole(&either(choices))
}

/// Creates a small array in one of two forms.
fn either(choices: &mut Choices<'_>) -> FileParts {
    if choices.one_in(2) { plain(choices, 2, 2) } else { stored(choices) }
}

/// Creates a small array and changes it.
fn changed(choices: &mut Choices<'_>, change: impl FnOnce(&mut FileParts, &mut Choices<'_>)) -> Option<ForgedFile> {
    let mut draft = either(choices);
    change(&mut draft, choices);
    whole(&draft)
}

/// Creates an attribute of one uncompressed byte.
fn attribute(name: &[u8]) -> Layer {
    Layer::new(name, stored_chunk(1, 1, b"\xc0"))
}

/// Creates a small array with attributes of these names.
fn with_attributes(choices: &mut Choices<'_>, names: &[&[u8]]) -> FileParts {
    let mut draft = either(choices);
    draft.attributes = names.iter().map(|name| attribute(name)).collect();
    draft.agree();
    draft
}

/// Cuts a file somewhere in its second half.
pub fn truncated(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut whole = any(choices)?;
    let least = whole.bytes.len() / 2;
    let length = choices.from_to(least as u64, whole.bytes.len() as u64 - 1);
    whole.bytes.truncate(length as usize);
    Some(whole)
}

/// Appends bytes that do not belong to any part.
pub fn trailing_bytes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        let length = choices.from_to(1, 9);
        draft.rest = choices.bytes(length as usize);
    })
}

/// Makes the header claim to end after the frame, or to have a negative length.
pub fn header_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        let length = draft.put_together().len() as i32;
        draft.lies.header_length = match choices.one_in(2) {
            true => -(length + choices.below(1000) as i32),
            false => length + choices.below(1000) as i32,
        };
    })
}

/// Sets an undefined version of the frame format.
pub fn frame_version(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        let version = *choices.pick(&[0, 4, 5, 8, 15]);
        draft.header.flags = draft.header.flags.with_version(FrameVersion(version));
    })
}

/// Sets a frame type other than contiguous or sparse.
pub fn frame_type(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| draft.header.frame_type = FrameType::from_raw(choices.from_to(2, 15) as u8))
}

/// Sets a reserved bit of one of the flag bytes.
pub fn reserved_bits(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        let header = &mut draft.header;
        match choices.below(3) {
            0 => header.frame_type = FrameType::from_raw(16 << choices.below(4)),
            1 => header.splitting = Splitting::from_raw(3 | 4 << choices.below(6)),
            _ => header.writer_flags = WriterFlags::from_raw(2 << choices.below(7)),
        }
    })
}

/// States more filter slots than the six of the format.
pub fn filter_slots(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| draft.header.filter_slots = FixExt16(choices.from_to(7, 127) as _))
}

/// Sets a filter that is not built in as the default of the frame.
pub fn default_filter(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        let filter = *choices.pick(&[5, 31, 37, 100, 159]);
        draft.header.filters.0[choices.index(6)] = FilterId(filter);
    })
}

/// Sets a parameter of a filter outside its range.
pub fn filter_parameter(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        draft.header.filter_meta[choices.index(6)] = choices.from_to(128, 255) as u8;
    })
}

/// Sets a writer setting that known writers do not use. It does not affect reading.
pub fn writer_settings(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        let header = &mut draft.header;
        match choices.below(5) {
            0 => header.flags = FrameFlags::from_raw(0x13),
            1 => header.compression = Compression::from_raw((choices.from_to(10, 15) as u8) << 4 | 1),
            2 => header.compress_threads = Int16(-1 - choices.below(9) as i16),
            3 => header.filter_slots = FixExt16(choices.below(6) as _),
            _ => header.user_codec = Codec::ZSTD,
        }
    })
}

/// Sets a size that is zero or negative.
pub fn frame_sizes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        let number = -1 - choices.below(1000) as i32;
        match choices.below(4) {
            0 => draft.header.typesize = Int32(number + 1),
            1 => draft.header.nbytes = Int64(number.into()),
            2 => draft.header.blocksize = Int32(number),
            _ => draft.header.chunksize = Int32(number),
        }
    })
}

/// Sets flags for chunks or blocks of variable size, which arrays cannot have.
pub fn variable_chunks(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| match choices.below(3) {
        0 => draft.header.flags = draft.header.flags.with_variable_blocks(true),
        1 => draft.header.flags = draft.header.flags.with_variable_chunks(true),
        _ => draft.header.chunksize = Int32(0),
    })
}

/// Sets a size of a metalayer directory that does not match its entries.
pub fn metalayer_directory(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| draft.lies.directories[choices.index(2)] = choices.from_to(1, 100) as i32)
}

/// Adds more than 16 metalayers, the limit of C-Blosc2.
pub fn metalayer_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        let names = (0..choices.from_to(16, 20) as u8).map(|number| [b'm', number + b'0']);
        draft.layers.extend(names.map(|name| Layer::new(&name, vec![0xc0])));
    })
}

/// Sets an offset in the directory that does not point to the content.
pub fn metalayer_offset(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = with_attributes(choices, &[b"x", b"y"]);
    let lie = 1 + choices.below(100) as i32;
    match choices.one_in(2) {
        true => draft.layers[0].offset_lie = lie,
        false => draft.attributes[1].offset_lie = -lie,
    }
    whole(&draft)
}

/// Sets a length of a metalayer that does not match its content.
pub fn metalayer_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = either(choices);
    let marked = b"a content that is found again";
    draft.layers.push(Layer::new(b"x", marked.to_vec()));
    let mut whole = whole(&draft)?;
    let at = whole.bytes.windows(marked.len()).position(|bytes| bytes == marked)?;
    let length = *choices.pick(&[0x7fff_ffff_u32, 0x8000_0000, 0xffff_ffff, 0x10_0000]);
    whole.bytes[at - 4..at].copy_from_slice(&length.to_be_bytes());
    Some(whole)
}

/// Sets a name that is not UTF-8, or the same name twice.
pub fn metalayer_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let names: [&[u8]; 4] = [b"x", b"\xff", b"", b"\xc3\x28"];
    let first = *choices.pick(&names);
    // A name that is valid UTF-8 is used twice.
    let second = if std::str::from_utf8(first).is_ok() { first } else { b"y" };
    whole(&with_attributes(choices, &[first, second]))
}

/// Sets a trailer length that is too short, negative, or longer than the frame.
pub fn trailer_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| {
        // A trailer without metalayers has 35 bytes.
        draft.lies.trailer_length = if choices.one_in(2) { -1 - choices.below(35) as i32 } else { 1 << 20 };
    })
}

/// Sets an undefined version of the trailer.
pub fn trailer_version(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| draft.trailer_version = *choices.pick(&[0, 2, 3, 127]))
}

/// Sets a type of fingerprint. None is defined.
pub fn fingerprint(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| draft.fingerprint.0 = FixExt16(choices.from_to(1, 127) as _))
}

/// Makes the flag for attributes contradict the trailer.
pub fn attributes_flag(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = if choices.one_in(2) { either(choices) } else { with_attributes(choices, &[b"x"]) };
    draft.header.has_attributes = Bool::from(!draft.header.has_attributes.is_true());
    whole(&draft)
}

/// Adds bytes after the chunk of an attribute.
pub fn attribute_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = with_attributes(choices, &[b"x", b"y"]);
    let length = choices.from_to(1, 9) as usize;
    draft.attributes[0].content.extend(choices.bytes(length));
    whole(&draft)
}

/// Creates a huge number of chunks, described by a single special value in place of the index.
pub fn chunk_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let count = (1 << 28) + choices.below(1 << 20) as i64;
    let (text, size) = item_type(choices);
    let mut draft = hollow(&[[count, 1, 1]], (text, size));
    draft.index = IndexForm::Same;
    whole(&draft)
}

/// Sets a total length of the chunks that moves the index.
pub fn index_place(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |draft, choices| draft.lies.cbytes = choices.from_to(1 << 10, 1 << 20) as i64)
}

/// Sets an index entry that is out of range, negative, or an undefined special value.
pub fn index_entry(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = either(choices);
    draft.chunks.pop();
    let last = draft.entries.len() - 1;
    let undefined = i64::MIN | (choices.from_to(5, 7) as i64 * (1 << 56));
    draft.entries[last] = Place::Other(*choices.pick(&[1 << 40, -1, undefined, i64::MIN + 1]));
    whole(&draft)
}

/// Makes two index entries refer to the same chunk.
pub fn overlapping_chunks(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = either(choices);
    draft.chunks.pop();
    let last = draft.entries.len() - 1;
    draft.entries[last] = Place::Chunk(choices.index(last));
    whole(&draft)
}

/// Adds bytes between the chunks that no index entry refers to.
pub fn dead_chunk(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = either(choices);
    let dead = match choices.one_in(2) {
        true => draft.chunks[0].clone(),
        false => {
            let length = choices.from_to(1, 20);
            choices.bytes(length as usize)
        }
    };
    draft.chunks.push(dead);
    whole(&draft)
}

/// Removes or breaks a chunk file of a sparse frame.
pub fn chunk_file(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let draft = sparse(choices);
    let mut whole = whole(&draft)?;
    match choices.one_in(2) {
        true => drop(whole.others.pop()),
        false => {
            let length = choices.from_to(1, 9) as usize;
            whole.others[0].1.extend(choices.bytes(length));
        }
    }
    Some(whole)
}

/// Sets a total of stored bytes that differs from the length of the chunk files.
pub fn stored_bytes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = sparse(choices);
    draft.lies.cbytes = choices.from_to(1, 50) as i64;
    whole(&draft)
}

/// Adds bytes to a chunk that do not belong to any of its blocks.
pub fn unclaimed_bytes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = blocks(choices, 2, 2, &Style::plain(Codec::BLOSCLZ, 5));
    let length = choices.from_to(1, 9) as usize;
    let rest = choices.bytes(length);
    let (number, block) = (one_chunk(choices, &draft), choices.index(2));
    with_chunk(&mut draft, number, |chunk| chunk.blocks[block].rest = rest)?;
    whole(&draft)
}
