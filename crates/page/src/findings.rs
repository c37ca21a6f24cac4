//! The findings on a page.

use everybyte::page::{Card, SENTENCE, shown};
use ndbytes::{Finding, Format, Scope, reference_reader};

/// Returns the first findings of a file in a format. `advice` returns the advice on a finding.
pub fn cards(findings: &[Finding], format: Option<Format>, advice: &dyn Fn(&Finding) -> Option<String>) -> Vec<Card> {
    Card::first(findings.iter().map(|finding| card(finding, format, advice)))
}

fn card(finding: &Finding, format: Option<Format>, advice: &dyn Fn(&Finding) -> Option<String>) -> Card {
    let sentence = |text: &String| shown(text, SENTENCE);
    let reader = reference_reader(finding, format).zip(finding.reference.verb());
    Card {
        severity: finding.severity.to_string(),
        rule: finding.rule.id.into(),
        message: sentence(&finding.message),
        field: shown(&finding.field, SENTENCE),
        space: finding.space,
        offset: finding.offset,
        length: finding.length,
        space_name: finding.space_name(),
        member: finding.member.as_deref().map(|member| shown(member, SENTENCE)),
        is_here: finding.member.is_none() || finding.rule.scope == Scope::Zip,
        expected: finding.expected.as_ref().map(sentence),
        found: finding.found.as_ref().map(sentence),
        help: advice(finding).as_ref().map(sentence),
        doc: finding.rule.doc,
        source: finding.rule.source,
        reader: reader.map(|(reader, verb)| format!("{reader} {verb} such a file")),
    }
}
