//! The byte map of a gzip file, with its members and the spaces of its content.

use super::inflate::Members;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::format::is_gzip;
use binrw::args;
use everybyte::map::{Nodes, Space};
use everybyte::{Endian, Source, map::Index};
use ndbytes_schemas::gzip::{Header, Member};
use std::collections::HashMap;

/// The number of the space of the decompressed content.
const INFLATED_SPACE: u32 = 1;

/// Maps a gzip file from all of its bytes, with its members and any spaces of its content.
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

/// Adds the members of a gzip file. For a broken member, adds its header and the bytes after it.
fn member_nodes(bytes: &[u8], members: &Members, inflated: Option<u32>) -> Nodes {
    let source = Source::new(bytes);
    let mut nodes = Nodes::new();
    let mut shown = 0;
    for (index, member) in (0..).zip(&members.first) {
        let at = source.at(member.start);
        let (_, root) = nodes.trace::<Member>(at, Endian::Little, args! { deflate_length: member.deflate_length });
        nodes.edit(root).name("member").index(Index::One(index)).add();
        shown = nodes.node(root).end();
        let Some(deflate) = nodes.node(root).child("deflate") else { continue };
        let meaning = format!("{}, inflates into the space `inflated`", deflate.meaning());
        let deflate = deflate.id();
        nodes.edit(deflate).meaning(meaning).opens(inflated);
    }
    let end = members.end;
    if shown < end {
        let index = Index::Range(members.first.len() as u64, members.count);
        nodes.leaf("member", shown..end).index(index).type_name("Member").add();
    }
    let rest = &bytes[end as usize..];
    if is_gzip(rest) {
        let (_, header) = nodes.trace::<Header>(source.at(end), Endian::Little, ());
        nodes.edit(header).name("header").add();
    } else if !rest.is_empty() && rest.iter().all(|&byte| byte == 0) {
        let doc = "Zeros after the last member; they carry no data.";
        nodes.leaf("padding", end..source.length()).doc(doc).type_name("bytes").add();
    }
    nodes
}
