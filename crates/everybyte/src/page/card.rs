//! The findings of a page.

use super::strings::shown;
use crate::finding::{Finding, Severity};
use crate::name::Name;
use serde::Serialize;

/// The findings that are shown, and the bytes of text that they take at most.
const MOST: usize = 200;
const ROOM: usize = 120_000;

/// The maximum number of letters of a sentence on a card.
pub const SENTENCE: usize = 1000;

/// A finding, in words.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Card {
    /// Its severity: `error` or `warning`.
    pub severity: String,
    /// The name of the rule.
    pub rule: Name,
    /// The violation, as a sentence.
    pub message: String,
    /// The path of the field; empty if there is none.
    pub field: String,
    /// The number of the space whose bytes are concerned.
    pub space: u32,
    /// The offset of these bytes.
    pub offset: u64,
    /// Their number.
    pub length: u64,
    /// The name of the space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space_name: Option<&'static str>,
    /// The member of an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// False if the offset counts in a member of an archive.
    pub is_here: bool,
    /// The value that would be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The value that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The text of the rule; empty if it has none.
    pub doc: &'static str,
    /// The source of the rule.
    pub source: &'static str,
    /// The reaction of the reference reader to such a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<String>,
}

impl Card {
    /// The finding in one line.
    pub fn line(&self) -> String {
        format!("{} {}: {}", self.severity, self.rule, self.message)
    }

    /// The first ones of many, as far as a page has room for their texts.
    pub fn first(cards: impl Iterator<Item = Card>) -> Vec<Card> {
        let mut room = ROOM;
        let mut first = Vec::new();
        for card in cards.take(MOST) {
            match room.checked_sub(card.taken()) {
                Some(left) => room = left,
                None => break,
            }
            first.push(card);
        }
        first
    }

    /// The bytes of its texts, about.
    fn taken(&self) -> usize {
        let texts = [&self.expected, &self.found, &self.help, &self.member].into_iter().flatten();
        self.message.len() + self.field.len() + self.doc.len() + texts.map(String::len).sum::<usize>() + 200
    }
}

impl From<&Finding> for Card {
    fn from(finding: &Finding) -> Self {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        Card {
            severity: severity.to_owned(),
            rule: finding.rule.clone(),
            message: shown(&finding.message, SENTENCE),
            field: shown(&finding.path, SENTENCE),
            space: finding.space,
            offset: finding.bytes.start,
            length: finding.bytes.end - finding.bytes.start,
            is_here: true,
            ..Card::default()
        }
    }
}
