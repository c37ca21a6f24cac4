//! Files that breakers begin with: small arrays in a known form.

use crate::b2nd::draft::{Draft, Place};
use crate::b2nd::encode::Style;
use crate::b2nd::grid::Grid;
use crate::b2nd::parts::{special_chunk, stored_chunk};
use crate::b2nd::regrid;
use crate::b2nd::stored::Chunk;
use crate::whole::{Content, Whole};
use everybyte::forge::Choices;
use ndbytes_schemas::blosc2::{ChunkHeader, Codec, FrameType, Special};

/// Types of items that breakers use, and bytes of one.
pub const TYPES: [(&str, usize); 5] = [("|u1", 1), ("<i2", 2), ("<u4", 4), ("<f8", 8), ("|S5", 5)];

/// A file of which nothing is said.
pub fn whole(draft: &Draft) -> Option<Whole> {
    Some(Whole { bytes: draft.put_together(), others: draft.others(), content: Content::Unknown })
}

/// An array of these axes whose items are anything but zero, with the bytes of each chunk.
pub fn array_of(
    choices: &mut Choices<'_>,
    axes: &[[i64; 3]],
    (text, size): (&str, usize),
    make: impl Fn(&[u8], usize) -> Vec<u8>,
) -> Draft {
    let grid = Grid { axes: axes.to_vec() };
    let items: Vec<u8> = (0..grid.items() * size).map(|_| choices.from_to(1, 120) as u8).collect();
    let block = grid.block_items() as usize * size;
    let chunks = grid.scatter(&items, size).iter().map(|items| make(items, block)).collect();
    Draft::of_array(axes, size as i32, Some(text.as_bytes()), chunks)
}

/// One axis: so many chunks of so many blocks, of a few items each.
fn axis(choices: &mut Choices<'_>, chunks: i64, blocks: i64) -> [[i64; 3]; 1] {
    let block = choices.from_to(4, 8) as i64;
    [[chunks * blocks * block, blocks * block, block]]
}

/// A type of items.
pub fn item_type(choices: &mut Choices<'_>) -> (&'static str, usize) {
    *choices.pick(&TYPES)
}

/// An array of two or three chunks that are stored as they are.
pub fn stored(choices: &mut Choices<'_>) -> Draft {
    let (chunks, blocks) = (choices.from_to(2, 3) as i64, choices.from_to(1, 3) as i64);
    let item = item_type(choices);
    let axes = axis(choices, chunks, blocks);
    let typesize = item.1 as u8;
    array_of(choices, &axes, item, |items, block| stored_chunk(typesize, block, items))
}

/// An array of chunks of blocks: their number, the number of blocks of each, and their style.
pub fn blocks(choices: &mut Choices<'_>, chunks: i64, blocks: i64, style: &Style) -> Draft {
    let item = item_type(choices);
    let axes = axis(choices, chunks, blocks);
    let mut draft = array_of(choices, &axes, item, |items, block| regrid::chunk(style, item.1, block, items));
    (draft.header.filters, draft.header.filter_meta) = (style.filters, style.filter_meta);
    draft
}

/// The same, neither filtered nor compressed nor split: streams are the items.
pub fn plain(choices: &mut Choices<'_>, chunks: i64, blocks: i64) -> Draft {
    self::blocks(choices, chunks, blocks, &Style::plain(Codec::LZ4, 0))
}

/// A sparse frame: its chunks are files.
pub fn sparse(choices: &mut Choices<'_>) -> Draft {
    let mut draft = stored(choices);
    draft.header.frame_type = FrameType::from_raw(1);
    draft
}

/// An array of a single value: no chunk is stored.
pub fn hollow(axes: &[[i64; 3]], (text, size): (&str, usize)) -> Draft {
    let mut draft = Draft::of_array(axes, size as i32, Some(text.as_bytes()), Vec::new());
    draft.entries = vec![Place::special(Special::ZEROS)];
    draft.agree();
    draft
}

/// Changes the parts of a chunk.
pub fn with_chunk(draft: &mut Draft, number: usize, change: impl FnOnce(&mut Chunk)) -> Option<()> {
    let chunk = draft.chunks.get_mut(number)?;
    let mut made = Chunk::take_apart(chunk)?;
    change(&mut made);
    *chunk = made.put_together();
    Some(())
}

/// Changes the header of a chunk of blocks.
pub fn with_header(draft: &mut Draft, number: usize, change: impl FnOnce(&mut ChunkHeader)) -> Option<()> {
    with_chunk(draft, number, |chunk| change(&mut chunk.header))
}

/// One of the chunks.
pub fn one_chunk(choices: &mut Choices<'_>, draft: &Draft) -> usize {
    choices.index(draft.chunks.len())
}

/// A chunk of the array without items.
pub fn special(draft: &Draft, kind: Special, value: &[u8]) -> Vec<u8> {
    let typesize = draft.header.typesize.0 as u8;
    special_chunk(typesize, draft.header.chunksize.0, draft.header.blocksize.0, kind, value)
}
