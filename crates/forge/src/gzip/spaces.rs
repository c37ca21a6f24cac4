//! The content of the streams of a gzip file.

use super::super::deflate::inflated;
use super::super::spaces::plain;
use everybyte::Node;
use everybyte::map::Space;

/// The maximum number of bytes that a stream is inflated to.
const MOST: usize = 1 << 20;

/// The map, in which each of several members has a space of its own: a checksum is that of one member.
pub(crate) fn apart(mut spaces: Vec<Space>, file: &[u8]) -> Vec<Space> {
    let [first, ..] = &mut spaces[..] else { return spaces };
    let streams = |node: &Node| node.children.iter().any(|part| part.name == "deflate");
    if first.nodes.iter().filter(|node| streams(node)).count() < 2 {
        return spaces;
    }
    spaces.truncate(1);
    let mut added = Vec::new();
    let parts = spaces.iter_mut().flat_map(|space| &mut space.nodes).flat_map(|node| &mut node.children);
    for part in parts.filter(|part| part.name == "deflate") {
        part.opens = None;
        let stream = file.get(part.start as usize..part.end as usize).unwrap_or_default();
        let Some((bytes, _)) = inflated(stream, MOST) else { continue };
        let id = added.len() as u32 + 1;
        part.opens = Some(id);
        added.push(plain(id, &bytes));
    }
    spaces.extend(added);
    spaces
}

/// The bytes of the field that opens a space.
fn stream<'f>(file: &'f [u8], spaces: &[Space], space: u32) -> Option<&'f [u8]> {
    let mut nodes = spaces.first()?.nodes.iter().flat_map(|node| &node.children);
    let node = nodes.find(|node| node.opens == Some(space))?;
    file.get(node.start as usize..node.end as usize)
}

/// The bytes of a space.
pub(crate) fn content(file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
    inflated(stream(file, spaces, space)?, MOST).map(|(bytes, _)| bytes)
}
