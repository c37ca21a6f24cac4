//! The findings of a page.

use crate::strings::shown;
use ndbytes::{Finding, Format, Scope, reference_reader};
use serde::Serialize;

/// The findings that are shown, and the bytes of text that they take at most.
const MOST: usize = 200;
const ROOM: usize = 120_000;

/// The letters of a sentence that are shown.
const SENTENCE: usize = 1000;

/// A finding, in words.
#[derive(Debug, Serialize)]
pub struct Card {
    severity: String,
    rule: &'static str,
    message: String,
    field: String,
    space: u32,
    offset: u64,
    length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    space_name: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<String>,
    /// False if the offset counts in a member of an archive.
    is_here: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    doc: &'static str,
    source: &'static str,
    /// The reaction of the reference reader to such a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    reader: Option<String>,
}

impl Card {
    /// The finding in one line.
    pub fn line(&self) -> String {
        format!("{} {}: {}", self.severity, self.rule, self.message)
    }
}

/// The first findings of a file of a format. `advice` says what can be done about one.
pub fn cards(findings: &[Finding], format: Option<Format>, advice: &dyn Fn(&Finding) -> Option<String>) -> Vec<Card> {
    let mut room = ROOM;
    let mut cards = Vec::new();
    for finding in findings.iter().take(MOST) {
        let card = card(finding, format, advice);
        let texts = [&card.expected, &card.found, &card.help, &card.member].into_iter().flatten();
        let taken =
            card.message.len() + card.field.len() + card.doc.len() + texts.map(String::len).sum::<usize>() + 200;
        match room.checked_sub(taken) {
            Some(left) => room = left,
            None => break,
        }
        cards.push(card);
    }
    cards
}

fn card(finding: &Finding, format: Option<Format>, advice: &dyn Fn(&Finding) -> Option<String>) -> Card {
    let sentence = |text: &String| shown(text, SENTENCE);
    let reader = reference_reader(finding, format).zip(finding.reference.verb());
    Card {
        severity: finding.severity.to_string(),
        rule: finding.rule.id,
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
