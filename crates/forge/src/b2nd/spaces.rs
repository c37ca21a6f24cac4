//! The spaces of the map that chunks decompress into, and the parts that must change with a value.

use super::encode::{Style, decode};
use super::file_parts::FileParts;
use super::parts::stored_chunk;
use super::regrid::{self, chunk, item_size, regrid, retype, stretched};
use everybyte::map::Space;
use everybyte::{Endian, Source, read};
use ndbytes::internals::Expected;
use ndbytes_schemas::blosc2::{ChunkHeader, Header};
use std::ops::Range;

/// Returns the bytes of the file that a space is decompressed from.
fn opener(file: &[u8], spaces: &[Space], space: u32) -> Option<Range<usize>> {
    let own = spaces.iter().find(|space| space.id == 0)?;
    let node = own.nodes.all().find(|node| node.opens() == Some(space))?;
    let place = node.start() as usize..node.end() as usize;
    (place.end <= file.len() && place.start <= place.end).then_some(place)
}

/// Returns the properties of a chunk's items that follow from its position. Only chunks of the array have the frame's properties.
fn expected(file: &[u8], typesize: u8) -> Expected {
    let header: Option<Header> = read(Source::new(file), Endian::Big, ()).ok();
    let size = header.and_then(|header| u64::try_from(header.typesize.0).ok());
    let is_of_array = size.is_some_and(|size| if size > 255 { typesize == 1 } else { size == u64::from(typesize) });
    Expected { item_size: size.filter(|_| is_of_array), ..Expected::default() }
}

/// The decompressed bytes of a field.
pub fn content(file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
    let stored = &file[opener(file, spaces, space)?];
    decode(stored, expected(file, *stored.get(3)?))
}

/// Builds a chunk with other content in the style of the existing one.
pub fn pack(file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
    let stored = &file[opener(file, spaces, space)?];
    let header: ChunkHeader = read(Source::new(stored), Endian::Little, ()).ok()?;
    let block = usize::try_from(header.blocksize).ok().filter(|&block| block > 0)?;
    let size = expected(file, header.typesize).item_size.unwrap_or(header.typesize.into());
    match Style::of(&header).filter(|_| !header.flags.stored() && !content.is_empty()) {
        Some(style) => Some(chunk(&style, size as usize, block, content)),
        None => Some(stored_chunk(header.typesize, block, content)),
    }
}

/// Returns the file with its chunks adjusted to a changed value, or the earlier file if the value is derived.
pub fn agree(before: &[u8], after: &[u8], fact: &str) -> Option<Vec<u8>> {
    let was = FileParts::take_apart(before)?;
    let items = regrid::items(&was);
    if fact == "blocksize" || fact == "chunksize" {
        return Some(before.to_vec());
    }
    if let Some(rest) = fact.strip_prefix("chunks[") {
        return agree_chunk(before, after, rest);
    }
    let mut draft = FileParts::take_apart(after)?;
    let size = item_size(&draft)?;
    if fact == "typesize" {
        retype(&mut draft, format!("|V{size}").as_bytes(), size, &items?)?;
        return Some(draft.put_together());
    }
    let is_extent = ["shape", "chunk_shape", "block_shape"].iter().any(|part| fact.contains(&format!(".{part}.")));
    if !is_extent {
        return None;
    }
    let axes: Vec<[i64; 3]> = draft.axes()?.into_iter().map(possible).collect();
    let stretched = items.and_then(|items| stretched(&items, &axes, size));
    match stretched {
        Some(items) => regrid(&mut draft, &axes, size, &items)?,
        None => hollow(&mut draft),
    }
    Some(draft.put_together())
}

/// Returns valid lengths for an axis: a block fits into a chunk, and neither is empty unless the array is.
fn possible([extent, chunk, block]: [i64; 3]) -> [i64; 3] {
    let extent = extent.max(0);
    let chunk = chunk.max(i64::from(extent > 0));
    [extent, chunk, block.clamp(i64::from(extent > 0).min(chunk), chunk)]
}

/// Replaces the array with zeros of the stated shape, without stored chunks.
fn hollow(draft: &mut FileParts) {
    draft.chunks.clear();
    draft.entries.clear();
    draft.agree();
}

/// Returns a chunk with another block size. The other values of a chunk follow from the array.
fn agree_chunk(before: &[u8], after: &[u8], rest: &str) -> Option<Vec<u8>> {
    let (number, field) = rest.split_once(']')?;
    if field.ends_with("typesize") {
        return Some(before.to_vec());
    }
    if !field.ends_with("blocksize") {
        return None;
    }
    let mut draft = FileParts::take_apart(before)?;
    let changed = FileParts::take_apart(after)?;
    let number: usize = number.parse().ok()?;
    let super::file_parts::Place::Chunk(place) = *draft.entries.get(number)? else { return None };
    let header: ChunkHeader = read(Source::new(changed.chunks.get(place)?), Endian::Little, ()).ok()?;
    let items = decode(draft.chunks.get(place)?, regrid::expected(&draft))?;
    let block = usize::try_from(header.blocksize).ok().filter(|block| (1..=items.len()).contains(block))?;
    let style = Style::of(&header).filter(|_| !header.flags.stored())?;
    draft.chunks[place] = chunk(&style, item_size(&draft)?, block, &items);
    Some(draft.put_together())
}
