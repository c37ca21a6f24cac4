//! Checks and maps a file: its tables and, on request, the content of its blocks.

use super::judge::examiner::{Examined, examine_structure};
use super::map::spaces;
use super::payload::examine_payload;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::format_driver::{self, Question};

/// Checks and maps a file.
pub(crate) fn examine(
    input: Input<'_>,
    depth: Depth,
    _: Limits,
    question: Question,
) -> Result<format_driver::Examined<'_>> {
    let Examined { input, structure, mut findings, limit } = examine_structure(input)?;
    findings.extend(limit.as_ref().map(Finding::limit));
    if let (Some(structure), true, Depth::Payload) = (&structure, question.findings, depth) {
        let mut all = Findings::default();
        all.extend(findings);
        examine_payload(&input, structure, |_| true, &mut all)?;
        findings = all.into_vec();
    }
    let spaces = question.map.then(|| spaces(&input, structure.as_ref(), depth));
    Ok(format_driver::Examined { format: Some(Format::Idv), findings, spaces, input: Some(input) })
}
