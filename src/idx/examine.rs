//! Reading and judging the structure of an IDX file.

use super::rules::{self, judge, judge_byte_order, judge_name};
use crate::bytes::input::Input;
use crate::envelope::gzip::Promise;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::format::idx::{little_endian_idx, reverse_words};
use crate::options::Settings;
use everybyte::Source;
use ndbytes_schemas::idx::Idx;

/// Bytes of the payload that the check of the byte order looks at.
const SAMPLE: u64 = 16 << 10;

/// A file whose structure was read and judged.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub content: Input<'a>,
    /// The header, if all of it could be read.
    pub header: Option<Idx>,
    pub findings: Vec<Finding>,
}

/// Reads and judges a file. At depth `Structure`, no more of it is looked at than holds the header.
pub(crate) fn examine<'a>(content: Input<'a>, settings: &Settings, depth: Depth) -> Result<Examined<'a>> {
    let (header, mut findings) = judge_with(content.source(), settings);
    if let (Some(header), Some(path)) = (&header, content.path()) {
        findings.extend(judge_name(header, path));
    }
    if let (Depth::Payload, Some(header)) = (depth, &header) {
        judge_payload(header, &content, settings, &mut findings)?;
    }
    Ok(Examined { content, header, findings })
}

/// The length of the file that a header promises.
pub(super) fn promise(source: Source<'_>, settings: &Settings) -> Option<Promise> {
    let (header, _) = judge_with(source, settings);
    header.map(|header| Promise {
        length: header.payload.offset.saturating_add(header.payload.length),
        excess: &rules::TRAILING_BYTES,
        short: &rules::TRUNCATED_PAYLOAD,
    })
}

/// Judges the header as it is or, where that is tolerated and the only way to read it, with its words reversed.
fn judge_with(source: Source<'_>, settings: &Settings) -> (Option<Idx>, Vec<Finding>) {
    let judged = judge(source);
    let reversed = judged.1.first().is_some_and(|finding| finding.rule == &rules::LITTLE_ENDIAN_HEADER);
    if !(settings.tolerates(&rules::LITTLE_ENDIAN_HEADER) && reversed) {
        return judged;
    }
    let mut bytes = source.bytes().to_vec();
    let length = little_endian_idx(&bytes).unwrap_or_default();
    reverse_words(&mut bytes[..length]);
    let (header, findings) = judge(Source::prefix(&bytes, source.length()));
    (header, judged.1.into_iter().chain(findings).collect())
}

/// The byte order is not judged where the caller has chosen one, or where the payload is not what it should be.
fn judge_payload(header: &Idx, content: &Input<'_>, settings: &Settings, findings: &mut Vec<Finding>) -> Result<()> {
    if findings.iter().any(Finding::is_error) || settings.byte_order.is_some() || header.element_type.size() == 1 {
        return Ok(());
    }
    let mut sample = vec![0; header.payload.present.min(SAMPLE) as usize];
    content.read_at(&mut sample, header.payload.offset)?;
    findings.extend(judge_byte_order(header, &sample));
    Ok(())
}
