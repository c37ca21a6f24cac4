//! Complete valid files: the shapes are chosen first, then the kinds of chunks, and the rest follows from them.
//!
//! The files use everything that a writer may use: all codecs and filters, stored chunks, chunks of one value in the
//! file or only in the index, Blosc 1 chunks, and directories. A file is made from its content, so a test knows what a
//! reader must find. A frame that is too large is made again with a quarter of the items.

use super::encode::{self, Style};
use super::file_parts::{FileParts, IndexForm, Place};
use super::grid::Grid;
use super::parts::{Layer, special_chunk, stored_chunk};
use super::types::{ItemKind, TYPES, Type};
use crate::forged_file::{Content, ForgedFile};
use everybyte::forge::Choices;
use ndbytes_schemas::blosc2::{
    Bool, ChunkKind, ChunkVersion, Codec, Compression, FilterId, FilterIds, FrameFlags, FrameType, Int16, Special,
    SplitMode, Splitting, WriterFlags,
};

/// The codecs of chunks.
const CODECS: [Codec; 5] = [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD];

/// Names of metalayers and attributes.
const NAMES: [&str; 7] = ["x", "", "é", "title", "a name", "schunk", "a name of one and thirty bytes."];

/// Contents of metalayers. Attributes store them in chunks.
const VALUES: [&[u8]; 9] = [
    b"\xc0",
    b"\x93\x01\xa1x\xc0",
    b"\xc4\x01x",
    b"\x82\xa1a\x01\xa1b\xcb\x3f\xf8\0\0\0\0\0\0",
    b"\xa5hello",
    b"\xdb\0\0\0\x03abc",
    b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
    b"",
    b"no msgpack",
];

/// How the items of a chunk are chosen, and how it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Uncompressed.
    Stored,
    /// In blocks.
    Blocks,
    /// In a chunk without stored items: zeros, NaN, or one value.
    Special(Special),
    /// Only in the index.
    Nowhere(Special),
    /// In blocks, as Blosc 1 stored them.
    Blosc1,
}

/// A complete valid file of approximately `size` bytes at most.
pub fn valid(choices: &mut Choices<'_>, size: usize) -> ForgedFile {
    // A frame that is too large is tried again with fewer items.
    let mut room = (size as u64 / 2).clamp(1, 1 << 20);
    loop {
        let mut part = choices.fork();
        let whole = attempt(&mut part, room);
        let length: usize = whole.bytes.len() + whole.others.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        if length <= size || room <= 1 {
            return whole;
        }
        room /= 4;
    }
}

fn attempt(choices: &mut Choices<'_>, room: u64) -> ForgedFile {
    let item = choices.pick(&TYPES);
    let usual = *choices.pick(&[16, 32, 32, 64, 256]);
    let grid = Grid::any(choices, item.size as u64, room.min(usual));
    let mut draft = FileParts::of_array(&grid.axes, item.size, item.text.map(str::as_bytes), Vec::new());
    let style = style(choices, item, &grid);
    header(choices, &mut draft, &style);
    let mut contents = Vec::new();
    draft.entries.clear();
    let has_undefined = choices.one_in(24);
    for number in 0..grid.chunks() {
        let form = match form(choices, item, has_undefined) {
            // C-Blosc2 reads the first chunk and partial chunks in pieces, which fails at random with a Blosc 1 header.
            Form::Blosc1 if number == 0 || !grid.inside(number).iter().all(|&inside| inside) => Form::Blocks,
            form => form,
        };
        let items = items(choices, item, &grid, number, form);
        chunk(choices, &mut draft, item, &grid, &style, form, &items);
        contents.push(items);
    }
    order(choices, &mut draft);
    draft.index = IndexForm::any(choices);
    layers(choices, &mut draft);
    // A directory without chunks would be a file.
    if !draft.chunks.is_empty() && choices.one_in(8) {
        draft.header.frame_type = FrameType::from_raw(1);
    }
    draft.agree();
    empty(choices, &mut draft);
    let is_known = !draft.entries.contains(&Place::special(Special::UNINITIALISED))
        && !draft.chunks.iter().any(|chunk| is_undefined(chunk));
    let content = match is_known {
        true => {
            let shape = grid.axes.iter().map(|axis| axis[0] as u64).collect();
            let items = grid.gather(&contents, item.size as usize);
            Content::Array { item_type: item.name.to_owned(), shape, items }
        }
        false => Content::Unknown,
    };
    ForgedFile { bytes: draft.put_together(), others: draft.others(), content }
}

/// Returns whether the reader accepts the items of a chunk.
fn is_undefined(chunk: &[u8]) -> bool {
    let kind = chunk.get(31).map(|kind| ChunkKind::from_raw(*kind).special());
    chunk.len() == 32 && kind == Some(Special::UNINITIALISED)
}

/// Chooses arbitrary values for fields that readers may ignore.
fn header(choices: &mut Choices<'_>, draft: &mut FileParts, style: &Style) {
    let header = &mut draft.header;
    header.flags = FrameFlags::from_raw(if choices.one_in(8) { 0x11 } else { 0x12 });
    header.compression = Compression::from_raw(style.level << 4).with_codec(style.codec);
    header.user_codec = if choices.one_in(3) { Codec::BLOSCLZ } else { style.codec };
    header.splitting = Splitting::from_raw(0).with_mode(SplitMode(choices.below(4) as u8));
    header.compress_threads = Int16(choices.below(17) as i16);
    header.decompress_threads = Int16(choices.below(17) as i16);
    (header.filters, header.filter_meta) = (style.filters, style.filter_meta);
    header.writer_flags = WriterFlags::from_raw(u8::from(style.dictionary.is_some()));
    if choices.one_in(8) {
        header.codec_meta = choices.below(256) as u8;
    }
}

fn style(choices: &mut Choices<'_>, item: &Type, grid: &Grid) -> Style {
    let mut style = Style::plain(*choices.pick(&CODECS), choices.below(10) as u8);
    let typesize = item.size.min(255);
    let blocks = grid.blocks();
    let several: &[&[(FilterId, u8)]] = &[
        &[],
        &[(FilterId::SHUFFLE, 0)],
        &[(FilterId::BITSHUFFLE, 0)],
        &[(FilterId::SHUFFLE, 2)],
        &[(FilterId::SHUFFLE, 0), (FilterId::BYTEDELTA, 0)],
        &[(FilterId::BYTEDELTA, 4), (FilterId::BITSHUFFLE, 0)],
        &[(FilterId::SHUFFLE, 0), (FilterId::SHUFFLE, 3), (FilterId::BITSHUFFLE, 0)],
        &[(FilterId::TRUNC_PREC, 10), (FilterId::SHUFFLE, 0)],
        &[(FilterId::INT_TRUNC, 7)],
        &[(FilterId::DELTA, 0)],
        &[(FilterId::DELTA, 0), (FilterId::SHUFFLE, 0)],
    ];
    let chosen = choices.index(several.len() - if blocks == 1 { 0 } else { 2 });
    let (mut ids, mut meta) = ([FilterId::NONE; 6], [0; 6]);
    let first = if choices.one_in(4) { 0 } else { 6 - several[chosen].len() };
    for (slot, (id, told)) in several[chosen].iter().enumerate() {
        (ids[first + slot], meta[first + slot]) = (*id, *told);
    }
    (style.filters, style.filter_meta) = (FilterIds(ids), meta);
    style.is_split = choices.one_in(3) && typesize < 64;
    style.is_backwards = choices.one_in(6);
    let can_refer = matches!(style.codec, Codec::LZ4 | Codec::LZ4HC | Codec::ZSTD);
    if can_refer && choices.one_in(4) {
        let length = choices.from_to(1, 24) as usize;
        // Bytes that begin like zstd tables would be mistaken for them.
        style.dictionary = Some((0..length).map(|_| choices.below(7) as u8).collect());
    }
    style
}

fn form(choices: &mut Choices<'_>, item: &Type, has_undefined: bool) -> Form {
    if has_undefined && choices.one_in(2) {
        let (special, nowhere) = (Form::Special(Special::UNINITIALISED), Form::Nowhere(Special::UNINITIALISED));
        return *choices.pick(&[special, nowhere]);
    }
    let nan = if matches!(item.size, 4 | 8) { Special::NAN } else { Special::ZEROS };
    match choices.below(16) {
        0..8 => Form::Blocks,
        8..11 => Form::Stored,
        11 => Form::Special(Special::ZEROS),
        12 => Form::Special(Special::VALUE),
        13 => *choices.pick(&[Form::Special(nan), Form::Nowhere(nan)]),
        14 => Form::Nowhere(Special::ZEROS),
        _ => Form::Blosc1,
    }
}

/// Chooses the items of a chunk, block by block. Items outside the array are zeros, or chosen like the others.
fn items(choices: &mut Choices<'_>, item: &Type, grid: &Grid, number: u64, form: Form) -> Vec<u8> {
    let size = item.size as usize;
    let length = grid.chunk_items() as usize * size;
    let same = |value: &[u8]| value.iter().copied().cycle().take(length).collect::<Vec<u8>>();
    match form {
        Form::Special(Special::NAN) | Form::Nowhere(Special::NAN) => match size {
            4 => same(&f32::NAN.to_le_bytes()),
            _ => same(&0x7ff8_0000_0000_0000_u64.to_le_bytes()),
        },
        Form::Special(Special::VALUE) => same(&item.value(choices, 1)),
        Form::Special(_) | Form::Nowhere(_) => vec![0; length],
        _ => {
            let kind = *choices.pick(&[ItemKind::Counted, ItemKind::Repeated, ItemKind::Any, ItemKind::Few]);
            let mut bytes = item.values(choices, kind, length);
            let inside = grid.inside(number);
            for (item, inside) in bytes.chunks_mut(size).zip(inside) {
                if !inside {
                    item.fill(0);
                }
            }
            bytes
        }
    }
}

/// Appends a chunk, and its position.
fn chunk(
    choices: &mut Choices<'_>,
    draft: &mut FileParts,
    item: &Type,
    grid: &Grid,
    style: &Style,
    form: Form,
    items: &[u8],
) {
    let size = item.size as usize;
    let typesize = u8::try_from(size).unwrap_or(1);
    let block = grid.block_items() as usize * size;
    let stored = || stored_chunk(typesize, block, items);
    let stored = match form {
        Form::Nowhere(kind) => return draft.entries.push(Place::special(kind)),
        Form::Special(kind) => {
            let value = if kind == Special::VALUE { &items[..size] } else { &[] };
            special_chunk(typesize, items.len() as i32, block as i32, kind, value)
        }
        Form::Stored => {
            let mut chunk = stored();
            // Its filters and its codec were not applied.
            if choices.one_in(3) && chunk.len() > 22 {
                chunk[21] = FilterId::SHUFFLE.0;
            }
            chunk
        }
        Form::Blosc1 => blosc1(choices, typesize, size, block, items).unwrap_or_else(stored),
        Form::Blocks => {
            let codec = if choices.one_in(4) { *choices.pick(&CODECS) } else { style.codec };
            let style = Style { codec, ..style.clone() };
            let made = encode::blocks(&style, typesize, size, block, items).map(|mut made| {
                // Files of the alpha and beta versions are read like the newest ones, except for the last slot.
                if choices.one_in(10) {
                    made.header.version = ChunkVersion::BETA;
                }
                made.put_together()
            });
            made.unwrap_or_else(stored)
        }
    };
    // Equal chunks are still separate.
    draft.entries.push(Place::Chunk(draft.chunks.len()));
    draft.chunks.push(stored);
}

/// Creates a Blosc 1 chunk with a 16-byte header, using only what that can express.
fn blosc1(choices: &mut Choices<'_>, typesize: u8, size: usize, block: usize, items: &[u8]) -> Option<Vec<u8>> {
    let filter = *choices.pick(&[FilterId::NONE, FilterId::SHUFFLE]);
    let mut style = Style::plain(*choices.pick(&CODECS), 5);
    style.filters.0[5] = filter;
    style.is_split = choices.one_in(2);
    let mut made = encode::blocks(&style, typesize, size, block, items)?;
    made.header.version = ChunkVersion::BLOSC1;
    made.header.extension = None;
    made.header.flags = made.header.flags.with_bitshuffle(false).with_shuffle(filter == FilterId::SHUFFLE);
    let chunk = made.put_together();
    // Readers look for a header of 32 bytes.
    (chunk.len() >= 32).then_some(chunk)
}

/// Sometimes stores the chunks in another order.
fn order(choices: &mut Choices<'_>, draft: &mut FileParts) {
    if draft.chunks.len() > 1 && choices.one_in(4) {
        draft.chunks.reverse();
        let last = draft.chunks.len() - 1;
        for entry in &mut draft.entries {
            if let Place::Chunk(chunk) = entry {
                *chunk = last - *chunk;
            }
        }
    }
}

/// Chooses metalayers and attributes.
fn layers(choices: &mut Choices<'_>, draft: &mut FileParts) {
    let mut names = Vec::new();
    for number in 0..choices.small(3) {
        let name = *choices.pick(&NAMES);
        if !names.contains(&name) {
            names.push(name);
            let layer = Layer::new(name.as_bytes(), choices.pick(&VALUES).to_vec());
            let place = if choices.one_in(2) { 0 } else { number as usize };
            draft.layers.insert(place.min(draft.layers.len()), layer);
        }
    }
    if choices.one_in(12) {
        let array = draft.layers.iter_mut().find(|layer| layer.name.bytes() == ndbytes_schemas::b2nd::METALAYER);
        array.into_iter().for_each(|layer| *layer = Layer::new(b"caterva", layer.content.clone()));
    }
    names.clear();
    for _ in 0..choices.small(3).saturating_sub(1) {
        let name = *choices.pick(&NAMES);
        if names.contains(&name) {
            continue;
        }
        names.push(name);
        let value = *choices.pick(&VALUES);
        let made = encode::blocks(&Style::plain(*choices.pick(&CODECS), 9), 1, 1, value.len(), value);
        let chunk = made.filter(|_| choices.one_in(2)).map(|chunk| chunk.put_together());
        let chunk = chunk.unwrap_or_else(|| stored_chunk(1, value.len().max(1), value));
        draft.attributes.push(Layer::new(name.as_bytes(), chunk));
    }
    draft.header.has_attributes = Bool::from(!draft.attributes.is_empty());
}

/// Changes the chunk size of a frame without chunks, since it need not be correct.
fn empty(choices: &mut Choices<'_>, draft: &mut FileParts) {
    if draft.header.nbytes.0 == 0 && choices.one_in(2) {
        draft.lies.cbytes = choices.below(100) as i64;
    }
}
