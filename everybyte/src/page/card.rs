//! The findings on a page.

use super::strings::shown;
use crate::finding::{Finding, Severity};
use crate::name::Name;
use serde::Serialize;

/// The maximum number of findings that are shown, and the maximum number of bytes of their text.
const MOST: usize = 200;
const ROOM: usize = 120_000;

/// The maximum length of a sentence on a card, in characters.
pub const SENTENCE: usize = 1000;

/// A finding as text.
///
/// ```
/// use everybyte::page::Card;
/// # use everybyte::{Format, explain, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
///
/// let explained = explain::<Pair>(&[1]);
/// let card = Card { help: Some("Download the file again.".to_owned()), ..Card::from(&explained.findings[0]) };
/// assert_eq!((card.field.as_str(), card.offset, card.length), ("b", 1, 1));
/// assert!(card.line().starts_with("error truncated: "));
/// ```
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
    /// The number of the space that contains the bytes concerned.
    pub space: u32,
    /// The offset of these bytes.
    pub offset: u64,
    /// The number of these bytes.
    pub length: u64,
    /// The name of the space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space_name: Option<&'static str>,
    /// The member of an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// False if the offset is relative to a member of an archive.
    pub is_here: bool,
    /// The expected value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The actual value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The text of the rule; empty if it has none.
    pub doc: &'static str,
    /// The source of the rule.
    pub source: &'static str,
    /// What the reference reader does with such a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<String>,
}

impl Card {
    /// The finding in one line.
    pub fn line(&self) -> String {
        format!("{} {}: {}", self.severity, self.rule, self.message)
    }

    /// Returns as many of the first cards as fit on a page.
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

    /// The approximate size of its strings in bytes.
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
