//! Operations on whole frames. They keep the rest of the frame consistent, unlike most byte mutations.
//!
//! A length or an index reveals most single-byte changes. These operations take the frame apart, change it as a program
//! could have done (another codec, one chunk fewer, one attribute more), and put it together consistently. So readers
//! get past their checks, into the code behind them.

use super::encode::{Style, blocks, decode};
use super::file_parts::{FileParts, IndexForm, Place};
use super::parts::{Layer, special_chunk, stored_chunk};
use super::regrid::{chunk, expected, item_size, items, regrid, retype, stretched, usual_style};
use super::stored::Chunk;
use super::types::TYPES;
use everybyte::forge::Choices;
use ndbytes_schemas::b2nd::METALAYER;
use ndbytes_schemas::blosc2::{
    Bool, ChunkVersion, Codec, Compression, FilterId, FilterIds, FrameFlags, FrameVersion, Name, Special, SplitMode,
    Splitting,
};

/// The maximum number of chunks that operations create.
const MOST_CHUNKS: usize = 64;

/// The maximum size of an item in a chunk.
const LARGEST_ITEM: usize = 4096;

/// Names of metalayers.
const NAMES: [&[u8]; 7] = [b"x", b"", b"title", b"schunk", "é".as_bytes(), b"vl", b"a name of one and thirty bytes.."];

/// Contents of metalayers.
const CONTENTS: [&[u8]; 6] = [b"\x81\xa4kind\xa1x", b"\x93\x01\xa1x\xc0", b"\xc4\x01x", b"", &[0x91; 80], b"\xc0"];

/// An operation on a frame; `None` if there is nothing in the frame that it could change.
type Operation = fn(&mut FileParts, &mut Choices<'_>) -> Option<()>;

/// The operations and their names.
const ALL: [(&str, Operation); 20] = [
    ("recode-chunk", recode_chunk),
    ("recode-all", recode_all),
    ("special-chunk", make_special),
    ("store-chunk", store_chunk),
    ("reorder-chunks", reorder_chunks),
    ("reorder-blocks", reorder_blocks),
    ("share-chunk", share_chunk),
    ("drop-chunk", drop_chunk),
    ("duplicate-chunk", duplicate_chunk),
    ("change-stream", change_stream),
    ("add-metalayer", add_metalayer),
    ("change-metalayer", change_metalayer),
    ("add-attribute", add_attribute),
    ("change-attribute", change_attribute),
    ("index-form", index_form),
    ("reshape", reshape),
    ("rechunk", rechunk),
    ("change-type", change_type),
    ("change-settings", change_settings),
    ("change-items", change_items),
];

/// The names of the operations.
pub static NAMES_OF_ALL: [&str; ALL.len()] = {
    let mut names = [""; ALL.len()];
    let mut number = 0;
    while number < names.len() {
        names[number] = ALL[number].0;
        number += 1;
    }
    names
};

/// Performs an operation; returns `None` if it does not apply to the file.
pub fn operate(operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
    let (_, operation) = ALL.iter().find(|(name, _)| *name == operation)?;
    let mut draft = FileParts::take_apart(file)?;
    operation(&mut draft, choices)?;
    Some(draft.put_together())
}

/// Returns a random index; `None` if there are none.
fn one_of(choices: &mut Choices<'_>, count: usize) -> Option<usize> {
    (count > 0).then(|| choices.index(count))
}

/// Chooses codecs, filters, splits and dictionaries of any kind.
fn any_style(choices: &mut Choices<'_>, filters: (FilterIds, [u8; 6])) -> Style {
    let codec = *choices.pick(&[Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD]);
    let mut style = Style::plain(codec, choices.below(10) as u8);
    (style.filters, style.filter_meta) = filters;
    (style.is_split, style.is_backwards) = (choices.one_in(2), choices.one_in(4));
    style.dictionary = choices.one_in(4).then(|| vec![1, 2, 3, 4, 5, 6, 7, choices.below(256) as u8]);
    style
}

/// Chooses one or two filters, and their parameters.
fn any_filters(choices: &mut Choices<'_>) -> (FilterIds, [u8; 6]) {
    let mut ids = FilterIds::default();
    ids.0[5] = *choices.pick(&[FilterId::NONE, FilterId::SHUFFLE, FilterId::BITSHUFFLE, FilterId::BYTEDELTA]);
    ids.0[4] = *choices.pick(&[FilterId::NONE, FilterId::NONE, FilterId::SHUFFLE, FilterId::TRUNC_PREC]);
    let told = if choices.one_in(4) { choices.below(9) as u8 } else { 0 };
    (ids, [0, 0, 0, 0, 0, told])
}

/// Returns one of the chunks, and its items.
fn decoded(draft: &FileParts, choices: &mut Choices<'_>) -> Option<(usize, Vec<u8>)> {
    let number = one_of(choices, draft.chunks.len())?;
    Some((number, decode(&draft.chunks[number], expected(draft))?))
}

/// Returns the block size of the frame, if it is positive.
fn block_size(draft: &FileParts) -> Option<usize> {
    usize::try_from(draft.header.blocksize.0).ok().filter(|&size| size > 0)
}

/// Encodes a chunk again with another codec and, in half of the cases, other filters.
fn recode_chunk(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (number, items) = decoded(draft, choices)?;
    let filters =
        if choices.one_in(2) { any_filters(choices) } else { (draft.header.filters, draft.header.filter_meta) };
    let style = any_style(choices, filters);
    draft.chunks[number] = chunk(&style, item_size(draft)?, block_size(draft)?, &items);
    Some(())
}

/// Encodes all chunks again in one style.
fn recode_all(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let filters = any_filters(choices);
    let style = any_style(choices, filters);
    let (size, block) = (item_size(draft)?, block_size(draft)?);
    for number in 0..draft.chunks.len() {
        let items = decode(&draft.chunks[number], expected(draft))?;
        draft.chunks[number] = chunk(&style, size, block, &items);
    }
    (draft.header.filters, draft.header.filter_meta) = filters;
    draft.header.compression = draft.header.compression.with_codec(style.codec);
    draft.header.user_codec = style.codec;
    Some(())
}

/// Makes all items of a chunk the same.
fn make_special(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let number = one_of(choices, draft.entries.len())?;
    let size = item_size(draft).filter(|&size| size <= LARGEST_ITEM)?;
    let kinds = [Special::ZEROS, Special::VALUE, Special::UNINITIALISED, Special::NAN];
    let kind = kinds[choices.index(if matches!(size, 4 | 8) { 4 } else { 3 })];
    if kind != Special::VALUE && choices.one_in(2) {
        let old = draft.entries[number];
        draft.entries[number] = Place::special(kind);
        remove_unused(draft, old);
        return Some(());
    }
    let value = if kind == Special::VALUE { choices.bytes(size) } else { Vec::new() };
    let typesize = u8::try_from(size).unwrap_or(1);
    let made = special_chunk(typesize, draft.header.chunksize.0, draft.header.blocksize.0, kind, &value);
    put(draft, number, made);
    Some(())
}

/// Replaces the chunk of an entry.
fn put(draft: &mut FileParts, number: usize, made: Vec<u8>) {
    match draft.entries[number] {
        Place::Chunk(chunk) if chunk < draft.chunks.len() => draft.chunks[chunk] = made,
        _ => {
            draft.entries[number] = Place::Chunk(draft.chunks.len());
            draft.chunks.push(made);
        }
    }
}

/// Removes a chunk if no entry refers to it any longer.
fn remove_unused(draft: &mut FileParts, place: Place) {
    let Place::Chunk(chunk) = place else { return };
    if draft.entries.contains(&place) || chunk >= draft.chunks.len() {
        return;
    }
    draft.chunks.remove(chunk);
    for entry in &mut draft.entries {
        if let Place::Chunk(other) = entry {
            *other -= usize::from(*other > chunk);
        }
    }
}

/// Stores a chunk without compression.
fn store_chunk(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (number, items) = decoded(draft, choices)?;
    let typesize = u8::try_from(item_size(draft)?).unwrap_or(1);
    draft.chunks[number] = stored_chunk(typesize, block_size(draft)?, &items);
    Some(())
}

/// Swaps two chunks in the file. In half of the cases, the index is adjusted, so the values do not change.
fn reorder_chunks(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    if draft.chunks.len() < 2 {
        return None;
    }
    let (one, other) = (choices.index(draft.chunks.len()), choices.index(draft.chunks.len()));
    draft.chunks.swap(one, other);
    // Either the array stays the same, or its chunks swap places.
    if choices.one_in(2) {
        for entry in &mut draft.entries {
            *entry = match *entry {
                Place::Chunk(chunk) if chunk == one => Place::Chunk(other),
                Place::Chunk(chunk) if chunk == other => Place::Chunk(one),
                entry => entry,
            };
        }
    }
    Some(())
}

/// Changes the order of the blocks of a chunk. Their starts are adjusted, so the values do not change.
fn reorder_blocks(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let number = one_of(choices, draft.chunks.len())?;
    let mut made = Chunk::take_apart(&draft.chunks[number])?;
    let last = made.order.len().checked_sub(1).filter(|&last| last > 0)?;
    match choices.one_in(2) {
        true => made.order.reverse(),
        false => made.order.swap(choices.index(last), last),
    }
    draft.chunks[number] = made.put_together();
    Some(())
}

/// Makes two index entries share a chunk.
fn share_chunk(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (one, other) = (one_of(choices, draft.entries.len())?, one_of(choices, draft.entries.len())?);
    let old = draft.entries[one];
    draft.entries[one] = draft.entries[other];
    remove_unused(draft, old);
    Some(())
}

/// Replaces a chunk with the special value for zeros.
fn drop_chunk(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let number = one_of(choices, draft.entries.len())?;
    let old = draft.entries[number];
    draft.entries[number] = Place::special(Special::ZEROS);
    remove_unused(draft, old);
    Some(())
}

/// Copies the chunk of one entry to another.
fn duplicate_chunk(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let from = one_of(choices, draft.chunks.len())?;
    let to = one_of(choices, draft.entries.len())?;
    if draft.chunks.len() >= MOST_CHUNKS {
        return None;
    }
    let copy = draft.chunks[from].clone();
    put(draft, to, copy);
    Some(())
}

/// Changes an uncompressed or compressed stream of a chunk, keeping its length correct.
fn change_stream(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let number = one_of(choices, draft.chunks.len())?;
    let mut made = Chunk::take_apart(&draft.chunks[number])?;
    let block = one_of(choices, made.blocks.len())?;
    let block = &mut made.blocks[block];
    let stream = one_of(choices, block.streams.len())?;
    let stream = &mut block.streams[stream];
    match stream.data.is_empty() {
        // Zeros and runs become a run of another byte.
        true => (stream.length, stream.token) = (Some(-(choices.from_to(1, 255) as i32)), Some(1)),
        false => {
            let at = choices.index(stream.data.len());
            stream.data[at] = choices.below(256) as u8;
        }
    }
    draft.chunks[number] = made.put_together();
    Some(())
}

/// Adds a metalayer, up to the limit of 16.
fn add_metalayer(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let layer = Layer::new(NAMES[choices.index(NAMES.len())], choices.pick(&CONTENTS).to_vec());
    let place = choices.index(draft.layers.len() + 1);
    (draft.layers.len() < 16).then(|| draft.layers.insert(place, layer))
}

/// Renames, removes or changes a metalayer. The array layer is only ever renamed, to the old name that readers still accept.
fn change_metalayer(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let number = one_of(choices, draft.layers.len())?;
    let layer = &mut draft.layers[number];
    if layer.name.bytes() == METALAYER {
        layer.name = Name::new(b"caterva")?;
        return Some(());
    }
    match choices.below(3) {
        0 => drop(draft.layers.remove(number)),
        1 if layer.name.bytes() != b"caterva" => layer.name = Name::new(NAMES[choices.index(6)])?,
        _ if layer.name.bytes() == b"caterva" => layer.name = Name::new(METALAYER)?,
        _ => layer.content = choices.pick(&CONTENTS).to_vec(),
    }
    Some(())
}

/// Returns a chunk with content for an attribute.
fn attribute(choices: &mut Choices<'_>) -> Vec<u8> {
    let content = *choices.pick(&CONTENTS);
    let filters = any_filters(choices);
    let made = blocks(&any_style(choices, filters), 1, 1, content.len(), content);
    made.map_or_else(|| stored_chunk(1, content.len().max(1), content), |made| made.put_together())
}

/// Adds an attribute and sets the flag in the header.
fn add_attribute(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let layer = Layer::new(NAMES[choices.index(NAMES.len())], attribute(choices));
    (draft.attributes.len() < 16).then(|| draft.attributes.push(layer))?;
    draft.header.has_attributes = Bool::from(true);
    Some(())
}

/// Removes, renames or changes an attribute.
fn change_attribute(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let number = one_of(choices, draft.attributes.len())?;
    match choices.below(3) {
        0 => drop(draft.attributes.remove(number)),
        1 => draft.attributes[number].name = Name::new(NAMES[choices.index(6)])?,
        _ => draft.attributes[number].content = attribute(choices),
    }
    draft.header.has_attributes = Bool::from(!draft.attributes.is_empty());
    Some(())
}

/// Stores the index in another form.
fn index_form(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    draft.read_index = None;
    draft.index = IndexForm::any(choices);
    (!draft.entries.is_empty()).then_some(())
}

/// Changes the shape, and possibly adds or removes an axis.
fn reshape(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (mut axes, size) = (draft.axes()?, item_size(draft)?);
    let items = items(draft)?;
    let chosen = choices.index(axes.len() + 1);
    let count = axes.len();
    match (choices.below(6), axes.get_mut(chosen)) {
        (0, Some(_)) => drop(axes.remove(chosen)),
        (1, _) => axes.reverse(),
        (2..=4, Some(axis)) => {
            axis[0] = if choices.one_in(16) { 0 } else { choices.from_to(1, 12) as i64 };
            axis[1] = axis[1].max(1);
            axis[2] = axis[2].clamp(1, axis[1]);
        }
        _ if count < 16 => {
            let block = choices.from_to(1, 3) as i64;
            axes.insert(chosen, [choices.from_to(1, 4) as i64, block + choices.below(3) as i64, block]);
        }
        _ => return None,
    }
    let items = stretched(&items, &axes, size)?;
    regrid(draft, &axes, size, &items)
}

/// Divides the same items into other chunks and blocks.
fn rechunk(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (mut axes, size) = (draft.axes()?, item_size(draft)?);
    let items = items(draft)?;
    for axis in &mut axes {
        if choices.one_in(2) {
            axis[1] = choices.from_to(1, axis[0].clamp(1, 64) as u64 + 1) as i64;
        }
        axis[2] = if choices.one_in(2) { axis[1] } else { choices.from_to(1, axis[1].max(1) as u64) as i64 };
    }
    regrid(draft, &axes, size, &items)
}

/// Changes the type of the items, and possibly their size.
fn change_type(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let item = choices.pick(&TYPES);
    let items = items(draft)?;
    retype(draft, item.text?.as_bytes(), item.size as usize, &items)
}

/// Changes fields that readers may ignore.
fn change_settings(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let style = usual_style(draft);
    let header = &mut draft.header;
    match choices.below(5) {
        0 => header.compression = Compression::from_raw(choices.below(10) as u8 * 16).with_codec(style.codec),
        1 => header.splitting = Splitting::from_raw(0).with_mode(SplitMode(choices.below(4) as u8)),
        2 => (header.filters, header.filter_meta) = any_filters(choices),
        3 => {
            let version = *choices.pick(&[FrameVersion::BETA, FrameVersion::EQUAL]);
            header.flags = FrameFlags::from_raw(0x10).with_version(version);
        }
        _ => {
            let number = one_of(choices, draft.chunks.len())?;
            let mut made = Chunk::take_apart(&draft.chunks[number])?;
            made.header.version = *choices.pick(&[ChunkVersion::BETA, ChunkVersion::BLOSC2]);
            draft.chunks[number] = made.put_together();
        }
    }
    header_codec(draft);
    Some(())
}

/// Changes the codec, which a header names twice.
fn header_codec(draft: &mut FileParts) {
    draft.header.user_codec = draft.header.compression.codec();
}

/// Changes items of a chunk, keeping its style.
fn change_items(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (number, mut items) = decoded(draft, choices)?;
    let size = item_size(draft)?;
    let first = one_of(choices, items.len() / size)? * size;
    let value = choices.bytes(size);
    let count = if choices.one_in(2) { 1 } else { items.len() / size };
    items[first..].chunks_mut(size).take(count).for_each(|item| item.copy_from_slice(&value[..item.len()]));
    let style = usual_style(draft);
    draft.chunks[number] = chunk(&style, size, block_size(draft)?, &items);
    Some(())
}
