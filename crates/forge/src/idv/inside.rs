//! Unpacks the content of compressed blocks, and packs changed content.

use super::stream::{pack, unpack};
use everybyte::map::Space;
use ndbytes_schemas::idv::Compression;

/// The maximum number of bytes in the content of a block.
const MOST: usize = 16 << 20;

/// Returns the bytes of a space in the map.
pub(super) fn content(file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
    let (stored, compression) = opener(file, spaces, space)?;
    unpack(stored, compression, MOST)
}

/// Returns new bytes for the field that opens a space, so that the space has this content.
pub(super) fn packed(file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
    let (_, compression) = opener(file, spaces, space)?;
    pack(content, compression)
}

/// Returns the bytes that open a space, and their compression.
fn opener<'f>(file: &'f [u8], spaces: &[Space], space: u32) -> Option<(&'f [u8], Compression)> {
    let node = spaces.iter().flat_map(|outer| outer.nodes.all()).find(|node| node.opens() == Some(space))?;
    let bytes = file.get(usize::try_from(node.start()).ok()?..usize::try_from(node.end()).ok()?)?;
    let compressions = [Compression::DEFLATE, Compression::ZLIB];
    let compression = compressions.into_iter().find(|compression| compression.name() == Some(node.type_name()))?;
    Some((bytes, compression))
}
