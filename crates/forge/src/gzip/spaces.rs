//! The content of the streams of a gzip file.

use super::super::deflate::inflated;
use super::super::spaces::plain;
use everybyte::map::Node;
use everybyte::map::{Id, Space};

/// The maximum number of bytes to which a stream is inflated.
const MOST: usize = 1 << 20;

/// Returns the map with a separate space for each member if there are several, because a checksum covers only one member.
pub(crate) fn apart(mut spaces: Vec<Space>, file: &[u8]) -> Vec<Space> {
    let Some(first) = spaces.first_mut() else { return spaces };
    let streams: Vec<Id> = first.nodes.iter().filter_map(|node| node.child("deflate")).map(Node::id).collect();
    if streams.len() < 2 {
        return spaces;
    }
    let mut added = Vec::new();
    for stream in streams {
        let place = first.nodes.node(stream).place();
        first.nodes.edit(stream).opens(None);
        let stored = file.get(place.start as usize..place.end as usize).unwrap_or_default();
        let Some((bytes, _)) = inflated(stored, MOST) else { continue };
        let id = added.len() as u32 + 1;
        first.nodes.edit(stream).opens(id);
        added.push(plain(id, &bytes));
    }
    spaces.truncate(1);
    spaces.extend(added);
    spaces
}

/// Returns the bytes of the field that opens a space.
fn stream<'f>(file: &'f [u8], spaces: &[Space], space: u32) -> Option<&'f [u8]> {
    let mut nodes = spaces.first()?.nodes.iter().flat_map(Node::children);
    let node = nodes.find(|node| node.opens() == Some(space))?;
    file.get(node.start() as usize..node.end() as usize)
}

/// Returns the bytes of a space.
pub(crate) fn content(file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
    inflated(stream(file, spaces, space)?, MOST).map(|(bytes, _)| bytes)
}
