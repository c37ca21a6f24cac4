//! Metalayers: contents under names.

use super::rules;
use crate::finding::bytes;
use crate::{Finding, Reference, Rule};
use ndbytes_schemas::b2nd::{Content, Metalayers};
use std::collections::HashSet;

/// What metalayers stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Around {
    Header,
    /// A trailer, that begins here.
    Trailer(u64),
}

impl Around {
    /// The offset that offsets count from.
    fn base(self) -> u64 {
        match self {
            Around::Header => 0,
            Around::Trailer(start) => start,
        }
    }
}

/// The metalayers that a writer puts into a header, or into a trailer, at the most.
pub const MOST: usize = 16;

/// Judges how names and contents stand to each other. The findings have still to be placed.
pub fn judge_metalayers(layers: &Metalayers, around: Around) -> Vec<Finding> {
    let path = if around == Around::Header { "metalayers" } else { "attributes" };
    let base = around.base();
    let entries = &layers.directory.entries;
    let mut findings = Vec::new();
    let mut say = |rule: &'static Rule, reference, field: &str, message: String| {
        findings.push(Finding::new(rule, &format!("{path}.{field}"), 0..0, message).with_reference(reference));
    };
    // The directory's length and both counts are three bytes each; an entry has two markers and an offset.
    let names: u64 = entries.iter().map(|entry| 6 + entry.name.bytes().len() as u64).sum();
    let length = 6 + names + u64::from(around == Around::Header);
    let claimed = u64::from(layers.directory.length.0);
    if claimed != length {
        let message = format!("the names of the metalayers take {}, not {claimed}", bytes(length));
        say(&rules::METALAYER_DIRECTORY, Reference::Accepts, "directory.length", message);
    }
    if entries.len() != layers.contents.len() {
        let message = format!("{} names for {} contents", entries.len(), layers.contents.len());
        let reference = if entries.len() > layers.contents.len() { Reference::Refuses } else { Reference::Accepts };
        say(&rules::METALAYER_COUNT, reference, "contents", message);
    }
    if entries.len() > MOST {
        let message = format!("{} metalayers; writers stop at {MOST}", entries.len());
        let reference = if around == Around::Header { Reference::Refuses } else { Reference::Accepts };
        say(&rules::METALAYER_COUNT, reference, "directory.entries", message);
    }
    let mut names = HashSet::new();
    let reference = if are_reordered(layers, base) { Reference::Accepts } else { Reference::Refuses };
    for (number, (entry, content)) in entries.iter().zip(&layers.contents).enumerate() {
        let stands = start(content, base);
        if i64::from(entry.offset.0) != stands as i64 {
            let message =
                format!("the content of {:?} stands at byte {stands}, not {}", entry.name.lossy(), entry.offset.0);
            say(&rules::METALAYER_OFFSET, reference, &format!("directory.entries[{number}].offset"), message);
        }
        let field = format!("directory.entries[{number}].name");
        if !names.insert(entry.name.bytes()) {
            let message = format!("a second metalayer is called {:?}", entry.name.lossy());
            say(&rules::METALAYER_NAME, Reference::Accepts, &field, message);
        }
        if std::str::from_utf8(entry.name.bytes()).is_err() {
            let message = format!("the name {:?} is not UTF-8", entry.name.lossy());
            say(&rules::METALAYER_NAME, Reference::Accepts, &field, message);
        }
    }
    findings
}

/// Where a content stands: its head and its length are five bytes.
fn start(content: &Content, base: u64) -> u64 {
    content.bytes.offset - 5 - base
}

/// Whether the contents stand in another order than the names, each where its offset says.
fn are_reordered(layers: &Metalayers, base: u64) -> bool {
    let entries = &layers.directory.entries;
    let mut stands: Vec<i64> = layers.contents.iter().map(|content| start(content, base) as i64).collect();
    let mut claimed: Vec<i64> = entries.iter().map(|entry| entry.offset.0.into()).collect();
    stands.sort_unstable();
    claimed.sort_unstable();
    stands == claimed
}

/// The content of a name: as a rule in the same place among the contents.
pub fn content_of(layers: &Metalayers, entry: usize, around: Around) -> Option<&Content> {
    let base = around.base();
    let offset = i64::from(layers.directory.entries.get(entry)?.offset.0);
    let in_order = layers.contents.get(entry);
    match in_order {
        Some(content) if start(content, base) as i64 != offset && are_reordered(layers, base) => {
            layers.contents.iter().find(|content| start(content, base) as i64 == offset)
        }
        in_order => in_order,
    }
}
