//! A format of one's own: its files explained, checked and written back.

use crate::byte_order::ByteOrder;
use crate::elsewhere;
use crate::error::{ParseError, Problem};
use crate::examination::{Examination, wrong_sums};
use crate::finding::{Finding, MOST_FINDINGS, Severity};
use crate::flaw;
use crate::hook::exactly;
use crate::limits::Limits;
use crate::map::{GAP, Space, each_field};
use crate::name::Name;
use crate::reference::{Book, Layout};
use crate::source::Source;
use crate::trace::read;
use binrw::{BinRead, BinWrite};

/// A file format: the layout with which its files begin, and all else that is to be known of them.
///
/// A format whose files are one structure from the first byte to the last needs its name alone.
pub trait Format: Layout + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()> {
    /// The name of the format, for people.
    const NAME: &'static str;

    /// The licence of definitions of the format in other languages, such as `CC0-1.0`. They have none unless it is stated.
    const LICENSE: Option<&'static str> = None;

    /// The byte order of integers, where the layout does not state it.
    const BYTE_ORDER: ByteOrder = ByteOrder::Little;

    /// Reads the structures that stand at offsets, and judges what the layout alone does not: the rules of the format.
    fn examine(&self, _file: &mut Examination<'_>) {}

    /// The byte that stands between structures at offsets, where the format leaves bytes to nobody. Runs of it are the field
    /// `padding`, and other bytes that no field claims are findings. `None`: all such bytes are findings.
    const PADDING: Option<u8> = None;

    /// The cost that a file may cause.
    fn limits() -> Limits {
        Limits::default()
    }

    /// The field reference. A format with structures at offsets adds theirs: `Table::describe(&mut book)`.
    fn book() -> Book {
        Book::of::<Self>()
    }
}

/// A file, byte by byte, and what is wrong with it. Its `Display` is a table for people.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explained {
    /// The name of the format.
    pub format: Name,
    /// The map. Space 0 is the file; the leaves of each space tile it.
    pub spaces: Vec<Space>,
    /// The violations of rules, in the order of their bytes.
    pub findings: Vec<Finding>,
}

impl Explained {
    /// A map and its findings, for readers that are not declared with everybyte. The findings are sorted by their places; of
    /// many, the first ones are kept and the others counted.
    pub fn new(format: impl Into<Name>, spaces: Vec<Space>, findings: Vec<Finding>) -> Self {
        Explained::bounded(format.into(), spaces, findings, 0)
    }

    fn bounded(format: Name, spaces: Vec<Space>, mut findings: Vec<Finding>, further: usize) -> Self {
        findings.sort_by_key(|finding| (finding.space, finding.bytes.start));
        let further = further + findings.len().saturating_sub(MOST_FINDINGS);
        if further > 0 {
            let message = format!("the file has {further} more findings");
            findings.truncate(MOST_FINDINGS);
            let bytes = 0..spaces.first().map_or(0, |file| file.length);
            findings.push(Finding::new("limit", Severity::Error, String::new(), 0, bytes, message));
        }
        Explained { format, spaces, findings }
    }
}

/// Accounts for every byte of a file. A broken file is explained up to the break.
///
/// Memory and time are proportional to the file, within the [limits](Format::limits) of the format.
pub fn explain<F: Format>(file: &[u8]) -> Explained {
    explain_within::<F>(file, F::limits())
}

/// The same within other limits.
pub fn explain_within<F: Format>(file: &[u8], limits: Limits) -> Explained {
    limits.bounded(file.len() as u64, || {
        let mut examination = Examination::new(file, F::BYTE_ORDER.of(file), limits).padded(F::PADDING);
        let (root, read_on) = flaw::gathered(|| examination.root::<F>(F::NAME));
        examination.add(read_on, 0, "");
        match &root {
            Ok(root) => root.examine(&mut examination),
            Err(error) => examination.push(Finding::unread(error, 0, "")),
        }
        // Where structures stand is not known of those after the one that cannot be read.
        let is_limited = examination.is_limited() || (root.is_err() && examination.has_asides());
        let (spaces, mut findings, further) = examination.assembled();
        findings.extend(wrong_sums(file, &spaces));
        findings.extend(flaws(&spaces).into_iter().filter(|flaw| !(is_limited && flaw.rule == "gap")));
        if findings.is_empty() && elsewhere::is_cut() && !is_sound::<F>(file, limits) {
            let message = "the map has no room for all structures at offsets: some share bytes, or leave bytes out";
            let bytes = 0..file.len() as u64;
            findings.push(Finding::new("limit", Severity::Error, String::new(), 0, bytes, message.to_owned()));
        }
        Explained::bounded(F::NAME.into(), spaces, findings, further)
    })
}

/// The findings of [`explain`] alone: structures that cannot be read, asserts that fail, gaps, overlaps, and the format's own
/// rules.
///
/// No map is made of a file without findings: it costs little more than to read it.
pub fn check<F: Format>(file: &[u8]) -> Vec<Finding> {
    check_within::<F>(file, F::limits())
}

/// The same within other limits.
pub fn check_within<F: Format>(file: &[u8], limits: Limits) -> Vec<Finding> {
    match is_sound::<F>(file, limits) {
        true => Vec::new(),
        false => explain_within::<F>(file, limits).findings,
    }
}

/// Reads all structures of a file. Returns whether each byte is that of one structure, and nothing is wrong with any.
fn is_sound<F: Format>(file: &[u8], limits: Limits) -> bool {
    limits.bounded(file.len() as u64, || {
        let mut examination = Examination::glancing(file, F::BYTE_ORDER.of(file), limits).padded(F::PADDING);
        let Some(root) = examination.glance_at_root::<F>() else { return false };
        root.examine(&mut examination);
        examination.is_sound()
    })
}

/// Reads all structures of a file, and writes them over a copy of it. The contents of regions stay as they are. A layout that
/// keeps what it reads gives the file back, byte by byte.
///
/// Numbers that are not in the value, such as checksums with `#[br(temp)]`, are computed.
///
/// # Errors
/// If the layout of the file cannot be read, or not be written. Surplus bytes of a structure have no place in its value.
pub fn rewrite<F: Format>(file: &[u8]) -> Result<Vec<u8>, Box<ParseError>> {
    let (endian, limits) = (F::BYTE_ORDER.of(file), F::limits());
    limits.bounded(file.len() as u64, || {
        let root: F = exactly(|| read(Source::new(file), endian, ()))?;
        let mut examination = Examination::rewriting(file, endian, limits);
        examination.write(&root, 0);
        root.examine(&mut examination);
        examination.written().map_err(|error| {
            let problem = Problem::Invalid(error.to_string());
            Box::new(ParseError { path: String::new(), offset: 0, length: file.len() as u64, problem })
        })
    })
}

/// The bytes that no field claims, but for those after a structure that cannot be read, and the bytes that are missing from fields.
fn flaws(spaces: &[Space]) -> Vec<Finding> {
    let mut found = Vec::new();
    let (mut space, mut was_complete) = (0, true);
    each_field(spaces, |path, of, node| {
        if !node.is_leaf() {
            return;
        }
        let follows_a_break = space == of && !was_complete;
        let is_gap = node.name() == GAP;
        (space, was_complete) = (of, if is_gap { !follows_a_break } else { node.is_complete() });
        let (bytes, missing) = (node.place(), node.missing());
        let present = node.length();
        let (rule, message) = match (is_gap, present) {
            (true, _) if follows_a_break => return,
            (true, 1) => ("gap", "no field claims this byte".to_owned()),
            (true, _) => ("gap", format!("no field claims these {present} bytes")),
            (false, _) if missing == 0 => return,
            (false, _) => {
                let length = present.saturating_add(missing);
                ("truncated", format!("the bytes end after {present} of {length}"))
            }
        };
        let bytes = bytes.start..bytes.end.saturating_add(missing);
        found.push(Finding::new(rule, Severity::Error, path.to_owned(), of, bytes, message));
    });
    found
}
