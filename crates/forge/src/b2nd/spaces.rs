//! The spaces of the map that chunks decompress into, and what follows from a changed fact.

use super::draft::Draft;
use super::encode::{Style, decode};
use super::parts::stored_chunk;
use super::regrid::{self, chunk, item_size, regrid, retype, stretched};
use everybyte::map::Space;
use everybyte::{Endian, Source, read};
use ndbytes::internals::Expected;
use ndbytes_schemas::blosc2::{ChunkHeader, Header};
use std::ops::Range;

/// The bytes of the file that a space is decompressed from.
fn opener(file: &[u8], spaces: &[Space], space: u32) -> Option<Range<usize>> {
    let own = spaces.iter().find(|space| space.id == 0)?;
    let node = own.nodes.all().find(|node| node.opens() == Some(space))?;
    let place = node.start() as usize..node.end() as usize;
    (place.end <= file.len() && place.start <= place.end).then_some(place)
}

/// The facts about the items of a chunk that follow from its place: only chunks of the array have those of the frame.
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

/// A chunk of other content in the style of the one that is there.
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

/// The file whose chunks follow a fact that was changed; the file before, if the fact follows from others itself.
pub fn agree(before: &[u8], after: &[u8], fact: &str) -> Option<Vec<u8>> {
    let was = Draft::take_apart(before)?;
    let items = regrid::items(&was);
    if fact == "blocksize" || fact == "chunksize" {
        return Some(before.to_vec());
    }
    if let Some(rest) = fact.strip_prefix("chunks[") {
        return agree_chunk(before, after, rest);
    }
    let mut draft = Draft::take_apart(after)?;
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

/// Shapes that an axis can have: a block is in a chunk, and both have a length where the array has one.
fn possible([extent, chunk, block]: [i64; 3]) -> [i64; 3] {
    let extent = extent.max(0);
    let chunk = chunk.max(i64::from(extent > 0));
    [extent, chunk, block.clamp(i64::from(extent > 0).min(chunk), chunk)]
}

/// An array of zeros, as large as the shapes say: no chunk is stored.
fn hollow(draft: &mut Draft) {
    draft.chunks.clear();
    draft.entries.clear();
    draft.agree();
}

/// A chunk whose blocks have another size; another fact of a chunk follows from the array.
fn agree_chunk(before: &[u8], after: &[u8], rest: &str) -> Option<Vec<u8>> {
    let (number, field) = rest.split_once(']')?;
    if field.ends_with("typesize") {
        return Some(before.to_vec());
    }
    if !field.ends_with("blocksize") {
        return None;
    }
    let mut draft = Draft::take_apart(before)?;
    let changed = Draft::take_apart(after)?;
    let number: usize = number.parse().ok()?;
    let super::draft::Place::Chunk(place) = *draft.entries.get(number)? else { return None };
    let header: ChunkHeader = read(Source::new(changed.chunks.get(place)?), Endian::Little, ()).ok()?;
    let items = decode(draft.chunks.get(place)?, regrid::expected(&draft))?;
    let block = usize::try_from(header.blocksize).ok().filter(|block| (1..=items.len()).contains(block))?;
    let style = Style::of(&header).filter(|_| !header.flags.stored())?;
    draft.chunks[place] = chunk(&style, item_size(&draft)?, block, &items);
    Some(draft.put_together())
}
