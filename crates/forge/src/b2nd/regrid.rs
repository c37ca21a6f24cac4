//! Moves the items of an array into chunks of another shape or type.

use super::encode::{self, Style, decode};
use super::file_parts::{FileParts, Place};
use super::grid::Grid;
use super::parts::{array_layer, stored_chunk};
use everybyte::{Endian, Source, read};
use ndbytes::internals::Expected;
use ndbytes_schemas::b2nd::ArrayLayer;
use ndbytes_schemas::blosc2::{ChunkHeader, IndexEntry, Int32, Special};

/// Returns the length of an item in bytes, as stated in the header of a frame.
pub fn item_size(draft: &FileParts) -> Option<usize> {
    usize::try_from(draft.header.typesize.0).ok().filter(|&size| size > 0)
}

/// The properties of a chunk that follow from its position.
pub fn expected(draft: &FileParts) -> Expected {
    let number = |number: i32| u64::try_from(number).ok().filter(|&number| number > 0);
    let (nbytes, block_size) = (number(draft.header.chunksize.0), number(draft.header.blocksize.0));
    Expected { nbytes, item_size: number(draft.header.typesize.0), block_size, block_count: None }
}

/// The items of an array in C order; `None` if a chunk cannot be decoded, or if there are too many.
pub fn items(draft: &FileParts) -> Option<Vec<u8>> {
    let size = item_size(draft)?;
    let grid = Grid::of(&draft.axes()?, size as u64)?;
    let length = grid.chunk_items() as usize * size;
    let content = |place: &Place| match *place {
        Place::Chunk(chunk) => decode(draft.chunks.get(chunk)?, expected(draft)),
        Place::Other(entry) => match IndexEntry::from_bytes(entry.to_le_bytes()) {
            IndexEntry::Special(Special::NAN) if size == 4 => Some(f32::NAN.to_le_bytes().repeat(length / 4)),
            IndexEntry::Special(Special::NAN) => Some(f64::NAN.to_le_bytes().repeat(length / 8)),
            IndexEntry::Special(_) => Some(vec![0; length]),
            _ => None,
        },
    };
    let contents: Vec<Vec<u8>> = draft.entries.iter().map(content).collect::<Option<_>>()?;
    (contents.len() as u64 == grid.chunks()).then(|| grid.gather(&contents, size))
}

/// Returns the style of the first chunk that has one, or plain blocks.
pub fn usual_style(draft: &FileParts) -> Style {
    let headers =
        draft.chunks.iter().filter_map(|chunk| read::<ChunkHeader>(Source::new(chunk), Endian::Little, ()).ok());
    let style = headers.filter_map(|header| Style::of(&header)).next();
    style.unwrap_or_else(|| Style::plain(ndbytes_schemas::blosc2::Codec::LZ4, 5))
}

/// Creates a chunk of these items: in blocks, or uncompressed.
pub fn chunk(style: &Style, size: usize, block: usize, items: &[u8]) -> Vec<u8> {
    let typesize = u8::try_from(size).unwrap_or(1);
    let made = encode::blocks(style, typesize, size, block, items);
    made.map_or_else(|| stored_chunk(typesize, block, items), |made| made.put_together())
}

/// Gives the array these shapes, this item size, and these items. Returns `None` if there would be too many items.
pub fn regrid(draft: &mut FileParts, axes: &[[i64; 3]], size: usize, items: &[u8]) -> Option<()> {
    let (_, layer) = draft.array_layer()?;
    let grid = Grid::of(axes, size as u64)?;
    let style = usual_style(draft);
    let block = grid.block_items() as usize * size;
    let layer =
        ArrayLayer { dtype: layer.dtype, parts: layer.parts, version: layer.version, ..array_layer(axes, None) };
    draft.set_array_layer(&layer);
    draft.header.typesize = Int32(size as i32);
    draft.chunks = grid.scatter(items, size).iter().map(|items| chunk(&style, size, block, items)).collect();
    draft.entries = (0..draft.chunks.len()).map(Place::Chunk).collect();
    draft.agree();
    Some(())
}

/// Returns items that fill the shapes, repeated if there are too few.
pub fn stretched(items: &[u8], axes: &[[i64; 3]], size: usize) -> Option<Vec<u8>> {
    let grid = Grid::of(axes, size as u64)?;
    let length = grid.items() * size;
    let zeros = [0];
    let items = if items.is_empty() { &zeros[..] } else { items };
    Some(items.iter().copied().cycle().take(length).collect())
}

/// Sets the type of the items, given by its text and its size.
pub fn retype(draft: &mut FileParts, text: &[u8], size: usize, items: &[u8]) -> Option<()> {
    let axes = draft.axes()?;
    let items = stretched(items, &axes, size)?;
    draft.set_array_layer(&array_layer(&axes, Some(text)));
    regrid(draft, &axes, size, &items)
}
