//! The byte map of a gzip file: its members, and the spaces of its content.

use super::inflate::Members;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::format::is_gzip;
use binrw::args;
use everybyte::map::Space;
use everybyte::{Endian, Index, Node, Source, trace};
use ndbytes_schemas::gzip::{Header, Member};
use std::collections::HashMap;

/// The number of the space of the inflated content.
const INFLATED_SPACE: u32 = 1;

/// Maps a gzip file, all of whose bytes are given: its members, and the spaces of its content, if there are any.
pub(crate) fn spaces(file: &Input<'_>, bytes: &[u8], members: &Members, content: Vec<Space>) -> Result<Vec<Space>> {
    let inflated = (!content.is_empty()).then_some(INFLATED_SPACE);
    let mut spaces = vec![file.space(0, "file", member_nodes(bytes, members, inflated))?];
    let ids: HashMap<u32, u32> = content.iter().map(|space| (space.id, space.id.saturating_add(1))).collect();
    for mut space in content {
        if space.id == 0 {
            space.title = "inflated".to_owned();
        }
        space.renumber(&ids);
        spaces.push(space);
    }
    Ok(spaces)
}

/// The members of a gzip file; of one that breaks, its header and what follows.
fn member_nodes(bytes: &[u8], members: &Members, inflated: Option<u32>) -> Vec<Node> {
    let source = Source::new(bytes);
    let mut nodes: Vec<Node> = Vec::new();
    for (index, member) in members.first.iter().enumerate() {
        let at = source.at(member.start);
        let (_, root) = trace::<Member>(at, Endian::Little, args! { deflate_length: member.deflate_length });
        nodes.push(Node { name: "member", index: Some(Index::One(index as u64)), ..root });
    }
    let (shown, end) = (nodes.last().map_or(0, |member| member.end), members.end);
    if shown < end {
        let index = Some(Index::Range(nodes.len() as u64, members.count));
        nodes.push(Node { index, type_name: "Member".into(), ..Node::leaf("member", shown, end) });
    }
    let rest = &bytes[end as usize..];
    if is_gzip(rest) {
        let (_, header) = trace::<Header>(source.at(end), Endian::Little, ());
        nodes.push(Node { name: "header", ..header });
    } else if !rest.is_empty() && rest.iter().all(|&byte| byte == 0) {
        let doc = "Zeros after the last member; they carry no data.";
        nodes.push(Node { doc, type_name: "bytes".into(), ..Node::leaf("padding", end, source.length()) });
    }
    for member in &mut nodes {
        if let Some(deflate) = member.children.iter_mut().find(|node| node.name == "deflate") {
            deflate.meaning = format!("{}, inflates into the space `inflated`", deflate.meaning);
            deflate.opens = inflated;
        }
    }
    nodes
}
