//! Once the reaction of a reference reader is known, sets it in the findings that may have caused it.
//!
//! Each rule states how the reader reacts to a violation in general: [`Reference`]. For a given file, more may be known, because
//! its bytes were processed in the same way as by the reader. The outcome applies to the whole file. If the reader accepts the
//! file, no finding can be a reason to refuse it. If the reader refuses the file, and no finding reports this yet, the cause is
//! among the findings whose reaction was unforeseen or, if there are none, among the errors.

use super::finding::Finding;
use super::rule::Reference;

/// Returns whether the reaction to a file does not follow from its findings, some of which may be its cause.
pub fn is_open(findings: &[Finding]) -> bool {
    let is_suspect = |finding: &Finding| match finding.reference {
        Reference::Unforeseen | Reference::Refuses => is_of_format(finding),
        Reference::Accepts => finding.is_error(),
        Reference::NotConcerned => false,
    };
    // A finding about a limit means that the examination ended early.
    let is_cut_short = |finding: &Finding| finding.reference == Reference::NotConcerned && finding.is_error();
    findings.iter().any(is_suspect) && !findings.iter().any(is_cut_short)
}

/// Returns whether a finding is about a rule of the format. If the format allows a violation, the rule exists only because of the
/// reader, whose reaction was measured.
fn is_of_format(finding: &Finding) -> bool {
    finding.reference != Reference::NotConcerned && finding.rule.severity.is_some()
}

/// Sets the reaction in the findings that may have caused it.
pub fn settle(findings: &mut [Finding], reaction: Reference) {
    let mut concerned: Vec<&mut Finding> = findings.iter_mut().filter(|finding| is_of_format(finding)).collect();
    if reaction == Reference::Accepts {
        return concerned.into_iter().for_each(|finding| finding.react(reaction));
    }
    if concerned.iter().any(|finding| finding.reference == Reference::Refuses) {
        return;
    }
    let are_unforeseen = concerned.iter().any(|finding| finding.reference == Reference::Unforeseen);
    concerned.retain(|finding| match are_unforeseen {
        true => finding.reference == Reference::Unforeseen,
        false => finding.is_error(),
    });
    concerned.into_iter().for_each(|finding| finding.react(reaction));
}

/// Withdraws the reactions to the content of frames in a store, because it is not known how much of it the store's reader needs.
pub fn doubt(findings: &mut [Finding]) {
    for finding in
        findings.iter_mut().filter(|finding| finding.is_error() && finding.member.is_some() && is_content(finding))
    {
        finding.react(Reference::Unforeseen);
    }
}

/// Returns whether a finding is about the chunks or the attributes of a frame, or about their position.
pub fn is_content(finding: &Finding) -> bool {
    ["chunks[", "attributes.contents[", "header_length"].iter().any(|part| finding.field.contains(part))
}
