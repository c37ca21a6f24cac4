//! Contents that a declaration says fields unpack into.

use crate::map::Space;
use crate::nodes::Node;
use crate::packing::Unpacked;

/// The most bytes of a content that the forge holds.
const MOST_CONTENT: u64 = 1 << 28;

/// The field that opens a space, and its own space.
pub fn opener(spaces: &[Space], space: u32) -> Option<(u32, Node<'_>)> {
    let openers = spaces.iter().filter(|around| around.id < space);
    openers
        .rev()
        .find_map(|around| around.nodes.all().find(|node| node.opens() == Some(space)).map(|node| (around.id, node)))
}

/// The bytes of a space: the content of the field that opens it.
pub fn content(file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
    let (around, opener) = opener(spaces, space)?;
    let codec = opener.codec()?;
    let place = opener.place();
    let range = usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?;
    let unpack = |bytes: &[u8]| match codec.unpack(bytes.get(range)?, MOST_CONTENT) {
        Unpacked::Content(content) => Some(content),
        Unpacked::TooMany | Unpacked::Broken(_) => None,
    };
    match spaces.first().is_some_and(|file| file.id == around) {
        true => unpack(file),
        false => unpack(&content(file, spaces, around)?),
    }
}
