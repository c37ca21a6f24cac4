//! The byte map of an IDX file.

use super::examine::{Examined, examine};
use super::{Options, dtype};
use crate::bytemap::{ByteMap, Space};
use crate::elements::{Elements, Stored};
use crate::gzip::{Inflated, is_gzip};
use crate::input::Input;
use crate::scalar::extremes;
use crate::{Depth, Format, Limits, Result};
use binrw::args;
use ndbytes_schemas::gzip::{Header, Member};
use ndbytes_schemas::idx::Idx;
use ndbytes_schemas::{Endian, Index, Node, Source, trace};

/// Maps a file, whatever its state.
pub(crate) fn byte_map(input: Input<'_>, depth: Depth, limits: Limits) -> Result<ByteMap> {
    if !is_gzip(input.head()) {
        return Ok(ByteMap::new(Some(Format::Idx), vec![array_space(0, "file", input, depth)?]));
    }
    let bytes = input.bytes()?;
    let file = Input::from_slice(bytes, limits);
    let Examined { content, gzip, header, .. } = examine(file, &Options::new().limits(limits), Depth::Payload)?;
    let members = gzip_members(bytes, &gzip.unwrap_or_default());
    let mut spaces = vec![Space::new(0, "file", &input, members)?];
    if content.length() > 0 {
        spaces.push(array_space(1, "inflated", content, depth)?);
    }
    Ok(ByteMap::new(header.map(|_| Format::Idx), spaces))
}

fn array_space(id: u32, title: &str, input: Input<'_>, depth: Depth) -> Result<Space> {
    let (header, root) = trace::<Idx>(input.source(), Endian::Big, ());
    let mut space = Space::new(id, title, &input, root.children)?;
    if let (Ok(Idx { element_type, payload, .. }), Some(node)) = (header, space.node_mut("payload")) {
        let count = payload.present / element_type.size();
        node.type_name = format!("{count} × {}", element_type.name());
        if depth == Depth::Payload && !payload.is_truncated() {
            let stored = Stored::Plain(payload.range());
            let elements = Elements { input, dtype: dtype(element_type), count, stored };
            if let Some(extremes) = extremes(&elements)? {
                node.meaning = extremes;
            }
        }
    }
    Ok(space)
}

/// The members of a gzip file; of one that breaks, its header and what follows.
fn gzip_members(bytes: &[u8], members: &[Inflated]) -> Vec<Node> {
    let source = Source::new(bytes);
    let mut nodes: Vec<Node> = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let at = source.at(member.start);
        let (_, root) = trace::<Member>(at, Endian::Little, args! { deflate_length: member.deflate_length });
        nodes.push(Node { name: "member", index: Some(Index::One(index as u64)), ..root });
    }
    let end = nodes.last().map_or(0, |member| member.end);
    let rest = &bytes[end as usize..];
    if is_gzip(rest) {
        let (_, header) = trace::<Header>(source.at(end), Endian::Little, ());
        nodes.push(Node { name: "header", ..header });
    } else if !rest.is_empty() && rest.iter().all(|&byte| byte == 0) {
        let doc = "Zeros behind the last member; they carry nothing.";
        nodes.push(Node { doc, type_name: "bytes".into(), ..Node::leaf("padding", end, source.length()) });
    }
    for member in &mut nodes {
        if let Some(deflate) = member.children.iter_mut().find(|node| node.name == "deflate") {
            deflate.meaning = format!("{}, inflates into the space `inflated`", deflate.meaning);
        }
    }
    nodes
}
