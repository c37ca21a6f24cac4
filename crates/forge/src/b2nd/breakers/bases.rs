//! The files that breakers start from: small arrays of known form.

use crate::b2nd::encode::Style;
use crate::b2nd::file_parts::{FileParts, Place};
use crate::b2nd::grid::Grid;
use crate::b2nd::parts::{special_chunk, stored_chunk};
use crate::b2nd::regrid;
use crate::b2nd::stored::Chunk;
use crate::forged_file::{Content, ForgedFile};
use everybyte::forge::Choices;
use ndbytes_schemas::blosc2::{ChunkHeader, Codec, FrameType, Special};

/// The item types that breakers use, and the length of an item in bytes.
pub const TYPES: [(&str, usize); 5] = [("|u1", 1), ("<i2", 2), ("<u4", 4), ("<f8", 8), ("|S5", 5)];

/// Builds the file of a draft, without content to compare.
pub fn whole(draft: &FileParts) -> Option<ForgedFile> {
    Some(ForgedFile { bytes: draft.put_together(), others: draft.others(), content: Content::Unknown })
}

/// Creates an array with these axes whose items are never zero, with the bytes of each chunk.
pub fn array_of(
    choices: &mut Choices<'_>,
    axes: &[[i64; 3]],
    (text, size): (&str, usize),
    make: impl Fn(&[u8], usize) -> Vec<u8>,
) -> FileParts {
    let grid = Grid { axes: axes.to_vec() };
    let items: Vec<u8> = (0..grid.items() * size).map(|_| choices.from_to(1, 120) as u8).collect();
    let block = grid.block_items() as usize * size;
    let chunks = grid.scatter(&items, size).iter().map(|items| make(items, block)).collect();
    FileParts::of_array(axes, size as i32, Some(text.as_bytes()), chunks)
}

/// Creates an axis with this number of chunks, and of blocks per chunk, of a few items each.
fn axis(choices: &mut Choices<'_>, chunks: i64, blocks: i64) -> [[i64; 3]; 1] {
    let block = choices.from_to(4, 8) as i64;
    [[chunks * blocks * block, blocks * block, block]]
}

/// A type of items.
pub fn item_type(choices: &mut Choices<'_>) -> (&'static str, usize) {
    *choices.pick(&TYPES)
}

/// Creates an array of two or three uncompressed chunks.
pub fn stored(choices: &mut Choices<'_>) -> FileParts {
    let (chunks, blocks) = (choices.from_to(2, 3) as i64, choices.from_to(1, 3) as i64);
    let item = item_type(choices);
    let axes = axis(choices, chunks, blocks);
    let typesize = item.1 as u8;
    array_of(choices, &axes, item, |items, block| stored_chunk(typesize, block, items))
}

/// Creates an array with this number of chunks, this number of blocks in each, and this style.
pub fn blocks(choices: &mut Choices<'_>, chunks: i64, blocks: i64, style: &Style) -> FileParts {
    let item = item_type(choices);
    let axes = axis(choices, chunks, blocks);
    let mut draft = array_of(choices, &axes, item, |items, block| regrid::chunk(style, item.1, block, items));
    (draft.header.filters, draft.header.filter_meta) = (style.filters, style.filter_meta);
    draft
}

/// Creates such an array without filters, compression or splitting, so each stream contains the items.
pub fn plain(choices: &mut Choices<'_>, chunks: i64, blocks: i64) -> FileParts {
    self::blocks(choices, chunks, blocks, &Style::plain(Codec::LZ4, 0))
}

/// Creates a sparse frame, whose chunks are files.
pub fn sparse(choices: &mut Choices<'_>) -> FileParts {
    let mut draft = stored(choices);
    draft.header.frame_type = FrameType::from_raw(1);
    draft
}

/// Creates an array of a single value, without stored chunks.
pub fn hollow(axes: &[[i64; 3]], (text, size): (&str, usize)) -> FileParts {
    let mut draft = FileParts::of_array(axes, size as i32, Some(text.as_bytes()), Vec::new());
    draft.entries = vec![Place::special(Special::ZEROS)];
    draft.agree();
    draft
}

/// Changes the parts of a chunk.
pub fn with_chunk(draft: &mut FileParts, number: usize, change: impl FnOnce(&mut Chunk)) -> Option<()> {
    let chunk = draft.chunks.get_mut(number)?;
    let mut made = Chunk::take_apart(chunk)?;
    change(&mut made);
    *chunk = made.put_together();
    Some(())
}

/// Changes the header of a chunk of blocks.
pub fn with_header(draft: &mut FileParts, number: usize, change: impl FnOnce(&mut ChunkHeader)) -> Option<()> {
    with_chunk(draft, number, |chunk| change(&mut chunk.header))
}

/// Chooses one of the chunks.
pub fn one_chunk(choices: &mut Choices<'_>, draft: &FileParts) -> usize {
    choices.index(draft.chunks.len())
}

/// Creates a chunk of the array without items.
pub fn special(draft: &FileParts, kind: Special, value: &[u8]) -> Vec<u8> {
    let typesize = draft.header.typesize.0 as u8;
    special_chunk(typesize, draft.header.chunksize.0, draft.header.blocksize.0, kind, value)
}
