//! Judging and mapping a gzip file: its members, and the array in it.

use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::envelope::gzip::Members;
use crate::error::Result;
use crate::findings::rule::Depth;
use crate::format::{Format, is_gzip};
use crate::idx::content::Examined;
use crate::idx::examine::examine;
use crate::idx::map::array_space;
use crate::options::Settings;
use crate::room::{self, Question};
use binrw::args;
use everybyte::map::Space;
use everybyte::{Endian, Index, Node, Source, trace};
use ndbytes_schemas::gzip::{Header, Member};

/// Judges and maps a file.
pub(crate) fn answer_gzip(
    input: Input<'_>,
    settings: &Settings,
    depth: Depth,
    question: Question,
) -> Result<room::Examined> {
    // Whatever is inside gzip is of a format only if it is IDX.
    let format = |examined: &Examined<'_>| examined.header.as_ref().map(|_| Format::Idx);
    if !question.map {
        let examined = examine(input, settings, depth)?;
        return Ok(room::Examined { format: format(&examined), findings: examined.findings, spaces: None });
    }
    let debit = Debit::new(input.budget());
    let bytes = &input.owned(0..input.length(), &debit)?[..];
    let again = || Input::from_slice(bytes, settings.limits).clocked_as(&input);
    // A map shows what the file inflates to, which at the depth of the structure is not looked at.
    let mut whole = examine(again(), settings, Depth::Payload)?;
    let findings = match depth {
        _ if !question.findings => Vec::new(),
        Depth::Structure => examine(again(), settings, depth)?.findings,
        Depth::Payload => std::mem::take(&mut whole.findings),
    };
    let format = format(&whole);
    let spaces = Some(gzip_spaces(&input, bytes, whole, depth));
    Ok(room::Examined { format, findings, spaces })
}

/// The number of the space of the inflated content.
const INFLATED_SPACE: u32 = 1;

/// Maps a gzip file: its members, and the array in it.
fn gzip_spaces(file: &Input<'_>, bytes: &[u8], examined: Examined<'_>, depth: Depth) -> Result<Vec<Space>> {
    let Examined { content, gzip, .. } = examined;
    let inflated = (content.length() > 0).then_some(INFLATED_SPACE);
    let members = gzip_members(bytes, &gzip.unwrap_or_default(), inflated);
    let mut spaces = vec![file.space(0, "file", members)?];
    if content.length() > 0 {
        spaces.push(array_space(INFLATED_SPACE, "inflated", content, depth)?);
    }
    Ok(spaces)
}

/// The members of a gzip file; of one that breaks, its header and what follows.
fn gzip_members(bytes: &[u8], members: &Members, inflated: Option<u32>) -> Vec<Node> {
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
