//! Reads and checks an IDX file.

use super::rules::{self, judge, judge_byte_order, judge_name};
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::format::idx::{little_endian_idx, reverse_words};
use crate::gzip::Promise;
use crate::options::Settings;
use everybyte::Source;
use ndbytes_schemas::idx::Idx;

/// The number of bytes of the payload that are read to check the byte order.
const SAMPLE: u64 = 16 << 10;

/// A file that was read and checked.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub content: Input<'a>,
    /// The header, if it could be read completely.
    pub header: Option<Idx>,
    pub findings: Vec<Finding>,
}

/// Reads and checks a file. At depth `Structure`, only the bytes that contain the header are read.
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

/// Returns the length of the file that a header promises.
pub(super) fn promise(source: Source<'_>, settings: &Settings) -> Option<Promise> {
    let (header, _) = judge_with(source, settings);
    header.map(|header| Promise {
        length: header.payload.offset.saturating_add(header.payload.length),
        excess: &rules::TRAILING_BYTES,
        short: &rules::TRUNCATED_PAYLOAD,
    })
}

/// Checks the header or, if that is tolerated and the only way to read it, the header with its words reversed.
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

/// Checks the payload. The byte order is not checked if the caller has chosen one or the payload has errors.
fn judge_payload(header: &Idx, content: &Input<'_>, settings: &Settings, findings: &mut Vec<Finding>) -> Result<()> {
    if findings.iter().any(Finding::is_error) || settings.byte_order.is_some() || header.element_type.size() == 1 {
        return Ok(());
    }
    let mut sample = vec![0; header.payload.present.min(SAMPLE) as usize];
    content.read_at(&mut sample, header.payload.offset)?;
    findings.extend(judge_byte_order(header, &sample));
    Ok(())
}
