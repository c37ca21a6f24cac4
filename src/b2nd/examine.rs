//! Judges and maps a file: its structure and all of its chunks.

use super::as_read::settle;
use super::map::spaces;
use super::payload::judge_places;
use super::rules::{CHUNK_LENGTH, GEOMETRY, NO_ARRAY, OTHER_OBJECT};
use super::structure::{Examined, examine_structure};
use crate::blosc2::attributes::judge_attributes;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Depth, Reference};
use crate::format::Format;
use crate::format_driver::{self, Question};
use crate::zip::store::may_be_no_array;

/// Checks and maps a file.
pub(crate) fn examine(
    input: Input<'_>,
    depth: Depth,
    _: Limits,
    question: Question,
) -> Result<format_driver::Examined<'_>> {
    let is_no_array_fine = question.frames || may_be_no_array(&input);
    let mut examined = examine_structure(input)?;
    let mut findings = std::mem::take(&mut examined.findings);
    if question.findings {
        findings.extend(examined.limit.as_ref().map(Finding::limit));
        if depth == Depth::Payload {
            judge_payload(&examined, &mut findings)?;
        }
        reconsider(&mut findings);
        // A frame with the metalayer of an array is read as an array. The finding that the file contains another object is dropped
        // only for a caller that accepts frames.
        findings.retain(|finding| match finding.rule {
            rule if rule == &NO_ARRAY => !is_no_array_fine,
            rule if rule == &OTHER_OBJECT => !question.frames,
            _ => true,
        });
        if depth == Depth::Payload {
            settle(&examined.input, &mut findings)?;
        }
    }
    let spaces = question.map.then(|| spaces(&examined, depth));
    Ok(format_driver::Examined { format: Some(Format::B2nd), findings, spaces, input: Some(examined.input) })
}

/// Resets the reaction in findings about chunk lengths that C-Blosc2 does not compare. This applies to objects other than arrays,
/// and to arrays whose shapes do not match the frame.
fn reconsider(findings: &mut [Finding]) {
    if findings.iter().any(|finding| finding.rule == &NO_ARRAY || finding.rule == &GEOMETRY) {
        let lengths = findings.iter_mut().filter(|finding| finding.rule == &CHUNK_LENGTH);
        lengths.for_each(|finding| finding.reference = Reference::Unforeseen);
    }
}

/// Checks attributes and chunks.
fn judge_payload(examined: &Examined<'_>, findings: &mut Vec<Finding>) -> Result<()> {
    let Examined { input, frame: Some(frame), layer, .. } = examined else { return Ok(()) };
    let mut found = Findings::default();
    let judged = judge_attributes(input, frame, &mut found).and_then(|()| match frame.has_unknown_chunks() {
        // The finding about the frame already states that its chunks are not checked.
        true => Ok(()),
        false => judge_places(input, frame, layer.as_ref(), &mut found),
    });
    findings.extend(found.into_vec());
    match judged {
        Err(error @ (Error::Limit { .. } | Error::Time { .. })) => findings.push(Finding::limit(&error)),
        judged => judged?,
    }
    Ok(())
}
