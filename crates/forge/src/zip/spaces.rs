//! The unpacked data of the members of an archive.

use super::super::deflate::{inflated, plainly_deflated};
use super::super::spaces::plain;
use super::file_parts::{DEFLATED, STORED};
use everybyte::map::Node;
use everybyte::map::{Id, Space};

/// The maximum number of bytes to which the data of a member is unpacked.
const MOST: usize = 1 << 20;

/// Returns the map with a space for the data of each member, because a checksum covers the unpacked bytes.
pub(crate) fn with_all(mut spaces: Vec<Space>, file: &[u8]) -> Vec<Space> {
    let mut next = spaces.iter().map(|space| space.id).max().map_or(0, |id| id + 1);
    let mut room = MOST;
    let mut added = Vec::new();
    let Some(first) = spaces.first_mut() else { return spaces };
    let members: Vec<Id> = first.nodes.iter().filter(|node| node.name() == "members").map(Node::id).collect();
    for member in members {
        let member = first.nodes.node(member);
        let Some(method) = method(member, file) else { continue };
        let Some(data) = member.child("data").filter(|data| data.opens().is_none()) else { continue };
        let Some(bytes) = bytes(data, file).and_then(|bytes| unpacked(method, bytes, room)) else { continue };
        room -= bytes.len();
        let data = data.id();
        first.nodes.edit(data).opens(next);
        added.push(plain(next, &bytes));
        next += 1;
    }
    spaces.extend(added);
    spaces
}

/// Returns the bytes of a field.
fn bytes<'f>(node: Node<'_>, file: &'f [u8]) -> Option<&'f [u8]> {
    file.get(node.start() as usize..node.end() as usize)
}

/// Returns the method of a member.
fn method(member: Node<'_>, file: &[u8]) -> Option<u16> {
    let node = member.child("method")?;
    bytes(node, file)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn unpacked(method: u16, bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    match method {
        STORED => (bytes.len() <= most).then(|| bytes.to_vec()),
        DEFLATED => inflated(bytes, most).map(|(bytes, _)| bytes),
        _ => None,
    }
}

/// Returns the member whose data opens a space.
fn opener(spaces: &[Space], space: u32) -> Option<(Node<'_>, Node<'_>)> {
    spaces.first()?.nodes.iter().find_map(|member| {
        let data = member.child("data").filter(|data| data.opens() == Some(space))?;
        Some((member, data))
    })
}

/// Returns the bytes of a space; `None` if the space is inside the unpacked data.
pub(crate) fn content(file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
    let (member, data) = opener(spaces, space)?;
    let content = unpacked(method(member, file)?, bytes(data, file)?, MOST)?;
    let length = spaces.iter().find(|other| other.id == space)?.length;
    (content.len() as u64 == length).then_some(content)
}

/// Returns the packed data for this content.
pub(crate) fn pack(file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
    let (member, _) = opener(spaces, space)?;
    match method(member, file)? {
        STORED => Some(content.to_vec()),
        DEFLATED => Some(plainly_deflated(content)),
        _ => None,
    }
}
