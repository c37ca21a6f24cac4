//! The trait for your own formats, and functions that explain, check and rewrite their files.
//!
//! All three read the root structure and then call [`Format::examine`] with an [`Examination`] that treats structures
//! at offsets differently: it adds them to the map, claims their bytes, or writes them into a copy of the file.
//!
//! [`check`] first tries to prove without a map that a file is sound: all structures can be read, nothing is in doubt,
//! and their bytes cover the file exactly. Only a file that fails this proof is explained. The map then determines the
//! findings, so both functions report the same findings.

use crate::byte_order::ByteOrder;
use crate::elsewhere;
use crate::error::{ParseError, Problem};
use crate::examination::{Examination, wrong_sums};
use crate::finding::{Finding, MOST_FINDINGS, Severity};
use crate::hook::exactly;
use crate::limits::Limits;
use crate::map::{GAP, Space, each_field};
use crate::name::Name;
use crate::reference::{Book, Layout};
use crate::source::Source;
use crate::trace::read;
use crate::violation;
use binrw::{BinRead, BinWrite};

/// A file format: the layout at the beginning of its files, and everything else that everybyte needs to know about them.
///
/// If the files of a format consist of a single structure, only the name is required.
pub trait Format: Layout + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()> {
    /// The name of the format, as shown to users.
    const NAME: &'static str;

    /// The licence of definitions of the format in other languages, such as `CC0-1.0`. By default, there is none.
    const LICENSE: Option<&'static str> = None;

    /// The byte order of integers whose layouts do not state one.
    const BYTE_ORDER: ByteOrder = ByteOrder::Little;

    /// Reads the structures at offsets and checks the rules of the format that its layouts do not express.
    fn examine(&self, _file: &mut Examination<'_>) {}

    /// The filler byte between structures at offsets. Runs of this byte become the field `padding`, and other bytes
    /// that no field claims are reported as findings. If it is `None`, all unclaimed bytes are reported.
    const PADDING: Option<u8> = None;

    /// The limits on the work that a file may cause.
    fn limits() -> Limits {
        Limits::default()
    }

    /// The field reference. If a format has structures at offsets, add their pages: `Table::describe(&mut book)`.
    fn book() -> Book {
        Book::of::<Self>()
    }
}

/// A file explained byte by byte, with its findings. `Display` prints a human-readable table.
///
/// ```
/// use everybyte::{Format, explain, layout};
///
/// #[layout]
/// #[brw(little)]
/// struct Pair {
///     a: u8,
///     b: u16,
/// }
///
/// impl Format for Pair {
///     const NAME: &'static str = "pair";
/// }
///
/// let explained = explain::<Pair>(b"\x01\x02\x00");
/// assert!(explained.findings.is_empty());
/// println!("{explained}"); // offset, bytes, field, value
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explained {
    /// The name of the format.
    pub format: Name,
    /// The map. Space 0 is the file; the leaves of a space cover it without overlapping.
    pub spaces: Vec<Space>,
    /// The violations of rules, in file order.
    pub findings: Vec<Finding>,
}

impl Explained {
    /// Combines a map and its findings, for readers that are not declared with everybyte. The findings are sorted by
    /// position; if there are too many, the first ones are kept and the others are only counted.
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

/// Accounts for every byte of a file. A broken file is explained up to the point where it cannot be read.
///
/// Memory and time are proportional to the file, within the [limits](Format::limits) of the format.
pub fn explain<F: Format>(file: &[u8]) -> Explained {
    explain_within::<F>(file, F::limits())
}

/// Like [`explain`], but with different limits.
pub fn explain_within<F: Format>(file: &[u8], limits: Limits) -> Explained {
    limits.bounded(file.len() as u64, || {
        let mut examination = Examination::new(file, F::BYTE_ORDER.of(file), limits).padded(F::PADDING);
        let (root, read_on) = violation::gathered(|| examination.root::<F>(F::NAME));
        examination.add(read_on, 0, "");
        match &root {
            Ok(root) => root.examine(&mut examination),
            Err(error) => examination.push(Finding::unread(error, 0, "")),
        }
        // After a structure that cannot be read, positions are unknown.
        let is_limited = examination.is_limited() || (root.is_err() && examination.has_asides());
        let (spaces, mut findings, further) = examination.assembled();
        findings.extend(wrong_sums(file, &spaces));
        findings.extend(flaws(&spaces).into_iter().filter(|flaw| !(is_limited && flaw.rule == "gap")));
        if findings.is_empty() && elsewhere::is_cut() && !is_sound::<F>(file, limits) {
            let message = "the map cannot show all structures at offsets: some share bytes, or leave gaps";
            let bytes = 0..file.len() as u64;
            findings.push(Finding::new("limit", Severity::Error, String::new(), 0, bytes, message.to_owned()));
        }
        Explained::bounded(F::NAME.into(), spaces, findings, further)
    })
}

/// Returns only the findings of [`explain`]: structures that cannot be read, failed assertions, gaps, overlaps, and violations of the
/// format's own rules.
///
/// If there are no findings, no map is built, so a check costs little more than reading the file.
pub fn check<F: Format>(file: &[u8]) -> Vec<Finding> {
    check_within::<F>(file, F::limits())
}

/// Like [`check`], but with different limits.
pub fn check_within<F: Format>(file: &[u8], limits: Limits) -> Vec<Finding> {
    match is_sound::<F>(file, limits) {
        true => Vec::new(),
        false => explain_within::<F>(file, limits).findings,
    }
}

/// Reads all structures of a file. Returns whether each byte belongs to exactly one structure and there are no errors.
fn is_sound<F: Format>(file: &[u8], limits: Limits) -> bool {
    limits.bounded(file.len() as u64, || {
        let mut examination = Examination::glancing(file, F::BYTE_ORDER.of(file), limits).padded(F::PADDING);
        let Some(root) = examination.peek_at_root::<F>() else { return false };
        root.examine(&mut examination);
        examination.is_sound()
    })
}

/// Reads all structures of a file and writes them into a copy of it. The contents of regions do not change. If a layout
/// keeps everything it reads, the result equals the file byte for byte.
///
/// Numbers that are not in the value, such as checksums with `#[br(temp)]`, are computed.
///
/// # Errors
/// Fails if the layout cannot be read or written. Also fails if a structure has surplus bytes, because its value cannot store them.
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

/// Returns findings for bytes that are missing from fields and for bytes that no field claims, except after a structure
/// that cannot be read.
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
