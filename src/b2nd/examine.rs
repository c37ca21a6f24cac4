//! Judging and mapping a file: its structure, and all of its chunks.

use super::is_of_other_object;
use super::map::spaces;
use super::payload::judge_places;
use super::structure::{Examined, examine_structure};
use crate::blosc2::attributes::judge_attributes;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::envelope::store::Origin;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::room::{self, Question};

/// Judges and maps a file.
pub(crate) fn examine(input: Input<'_>, depth: Depth, _: Limits, question: Question) -> Result<room::Examined> {
    let origin = Origin::of(&input);
    let mut examined = examine_structure(input)?;
    let mut findings = std::mem::take(&mut examined.findings);
    if question.findings {
        findings.extend(examined.limit.as_ref().map(Finding::limit));
        if depth == Depth::Payload {
            judge_payload(&examined, &mut findings)?;
        }
        let is_of_object = |finding: &Finding| is_of_other_object(finding.rule);
        if findings.iter().any(is_of_object) && (question.frames || origin.is_archive_or_store()) {
            findings.retain(|finding| !is_of_object(finding));
        }
    }
    let spaces = question.map.then(|| spaces(&examined, depth));
    Ok(room::Examined { format: Some(Format::B2nd), findings, spaces })
}

/// Judges attributes and chunks.
fn judge_payload(examined: &Examined<'_>, findings: &mut Vec<Finding>) -> Result<()> {
    let Examined { input, frame: Some(frame), layer, .. } = examined else { return Ok(()) };
    let mut found = Findings::default();
    let judged = judge_attributes(input, frame, &mut found).and_then(|()| match frame.has_unknown_chunks() {
        // The finding about the frame says that they are not checked.
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
