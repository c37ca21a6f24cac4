//! Contents that fields unpack into, according to a declaration.

use crate::map::Space;
use crate::nodes::Node;
use crate::packing::Unpacked;
use std::borrow::Cow;
use std::ops::Range;

/// The maximum length of content that the forge keeps in memory.
const MOST_CONTENT: u64 = 1 << 28;

/// The field that opens a space, and the space of that field.
pub fn opener(spaces: &[Space], space: u32) -> Option<(u32, Node<'_>)> {
    let openers = spaces.iter().filter(|around| around.id < space);
    openers
        .rev()
        .find_map(|around| around.nodes.all().find(|node| node.opens() == Some(space)).map(|node| (around.id, node)))
}

/// Returns the packed bytes of the content that a field opens.
fn packed<'b>(bytes: &'b [u8], opener: Node<'_>) -> Option<Cow<'b, [u8]>> {
    let of = |place: &Range<u64>| bytes.get(usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?);
    match opener.pieces() {
        [] => of(&opener.place()).map(Cow::Borrowed),
        pieces => pieces.iter().map(of).collect::<Option<Vec<_>>>().map(|pieces| Cow::Owned(pieces.concat())),
    }
}

/// The bytes of a space, which are the decoded content of the field that opens it.
pub fn content(file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
    let (around, opener) = opener(spaces, space)?;
    let codec = opener.codec()?;
    let unpack = |bytes: &[u8]| match codec.unpack(&packed(bytes, opener)?, MOST_CONTENT) {
        Unpacked::Content(content) => Some(content),
        Unpacked::TooMany | Unpacked::Broken(_) => None,
    };
    match spaces.first().is_some_and(|file| file.id == around) {
        true => unpack(file),
        false => unpack(&content(file, spaces, around)?),
    }
}
