//! Metalayers: named contents.

use crate::blosc2::rules;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::{bytes, quoted};
use everybyte::{Endian, trace::length_of};
use ndbytes_schemas::b2nd::{METALAYER, OLD_METALAYER};
use ndbytes_schemas::blosc2::{Content, Entry, Header, Metalayers};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The structure that contains metalayers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Around {
    Header,
    /// A trailer that begins at this offset.
    Trailer(u64),
}

impl Around {
    /// The position that offsets are relative to.
    fn base(self) -> u64 {
        match self {
            Around::Header => 0,
            Around::Trailer(start) => start,
        }
    }
}

/// The maximum number of metalayers in a header or trailer: `BLOSC2_MAX_METALAYERS` in C-Blosc2. If there are more, the
/// `b2nd/metalayer-count` rule is violated.
pub const MOST: usize = 16;

/// Returns whether a metalayer turns the frame into an array.
pub fn is_array(header: &Header) -> bool {
    let mut entries = header.metalayers.directory.entries.iter();
    entries.any(|entry| [METALAYER, OLD_METALAYER].contains(&entry.name.bytes()))
}

/// Checks whether names and contents match. The findings contain positions in the file.
pub fn judge_metalayers(
    layers: &Metalayers,
    around: Around,
    findings: &mut Findings,
    placed: impl Fn(Finding) -> Finding,
) {
    let path = if around == Around::Header { "metalayers" } else { "attributes" };
    let base = around.base();
    let entries = &layers.directory.entries;
    let mut say = |rule: &'static Rule, reference, said: &dyn Fn() -> (String, String)| {
        findings.push_with(rule, || {
            let (field, message) = said();
            placed(Finding::new(rule, &format!("{path}.{field}"), 0..0, message).with_reference(reference))
        });
    };
    // In a header, the length includes the head of the metalayers.
    let head = if around == Around::Header { length_of(&layers.head, Endian::Big) } else { 0 };
    let length = head + length_of(&layers.directory, Endian::Big);
    let claimed = u64::from(layers.directory.length.0);
    if claimed != length {
        let message = || format!("the names of the metalayers take {}, not {claimed}", bytes(length));
        say(&rules::METALAYER_DIRECTORY, Reference::Accepts, &|| ("directory.length".into(), message()));
    }
    if entries.len() != layers.contents.len() {
        let message = || format!("there are {} names for {} contents", entries.len(), layers.contents.len());
        say(&rules::METALAYER_COUNT, rules::METALAYER_COUNT.reference, &|| ("contents".into(), message()));
    }
    if entries.len() > MOST {
        let message = || format!("there are {} metalayers, but writers stop at {MOST}", entries.len());
        say(&rules::METALAYER_COUNT, rules::METALAYER_COUNT.reference, &|| ("directory.entries".into(), message()));
    }
    let mut names = HashSet::new();
    let reference = match () {
        // C-Blosc2 determines only late which content belongs to which name.
        () if entries.len() != layers.contents.len() => Reference::Unforeseen,
        () if reordered(layers, base).is_some() => Reference::Accepts,
        () => Reference::Refuses,
    };
    for (number, (entry, content)) in entries.iter().zip(&layers.contents).enumerate() {
        let (name, field) = (&entry.name, |part| format!("directory.entries[{number}].{part}"));
        if !is_at(entry, content, base) {
            let (stands, claimed) = (start(content, base), entry.offset.0);
            let message = || format!("the content of {} is at byte {stands}, not {claimed}", quoted(&name.lossy()));
            say(&rules::METALAYER_OFFSET, reference, &|| (field("offset"), message()));
        }
        if !names.insert(name.bytes()) {
            let message = || format!("a second metalayer is called {}", quoted(&name.lossy()));
            say(&rules::METALAYER_NAME, Reference::Accepts, &|| (field("name"), message()));
        }
        if std::str::from_utf8(name.bytes()).is_err() {
            let message = || format!("the name {} is not UTF-8", quoted(&name.lossy()));
            say(&rules::METALAYER_NAME, Reference::Accepts, &|| (field("name"), message()));
        }
    }
}

/// Returns the offset of a content, which is the first byte of its head.
fn start(content: &Content, base: u64) -> u64 {
    content.bytes.range().end - length_of(content, Endian::Big) - base
}

/// Returns whether the content of a metalayer is at its declared offset.
fn is_at(entry: &Entry, content: &Content, base: u64) -> bool {
    i64::from(entry.offset.0) == start(content, base) as i64
}

/// Returns the positions of the contents that the offsets refer to, if each content has one name but their order differs from that
/// of the names.
fn reordered(layers: &Metalayers, base: u64) -> Option<Vec<Range<u64>>> {
    let entries = &layers.directory.entries;
    let mut pairs = entries.iter().zip(&layers.contents);
    if entries.len() != layers.contents.len() || pairs.all(|(entry, content)| is_at(entry, content, base)) {
        return None;
    }
    let stands = layers.contents.iter().map(|content| (start(content, base) as i64, content.bytes.range()));
    let mut by_start: HashMap<i64, Range<u64>> = stands.collect();
    entries.iter().map(|entry| by_start.remove(&entry.offset.0.into())).collect()
}

/// The position of the content for each name. Usually, the contents are in the order of the names.
pub fn content_places(layers: &Metalayers, around: Around) -> Vec<Range<u64>> {
    let in_order = || layers.contents.iter().map(|content| content.bytes.range()).collect();
    reordered(layers, around.base()).unwrap_or_else(in_order)
}
