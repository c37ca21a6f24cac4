//! The parts of a file, in file order.

use super::paths::column_path;
use super::rules;
use crate::bytes::limits::{Budget, grown};
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::words::bytes;
use std::fmt;
use std::ops::Range;

/// A part of a file. Numbers refer to the column, and to the block or annotation in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Header,
    Block(usize, usize),
    Lookup(usize),
    AnnotationBlock(usize, usize),
    Annotations(usize),
    SlotNames(usize),
    Columns,
    Tail,
}

impl Part {
    /// Its position among parts with the same bytes, which are sorted by column.
    fn rank(self) -> (usize, u8, usize) {
        match self {
            Part::Lookup(column) => (column, 0, 0),
            Part::Block(column, block) => (column, 1, block),
            Part::Annotations(column) => (column, 2, 0),
            Part::AnnotationBlock(column, number) => (column, 3, number),
            Part::SlotNames(column) => (column, 4, 0),
            Part::Header => (usize::MAX, 0, 0),
            Part::Columns => (usize::MAX, 1, 0),
            Part::Tail => (usize::MAX, 2, 0),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Part::Header => f.write_str("header"),
            Part::Block(column, block) => write!(f, "{}.block[{block}]", column_path(column)),
            Part::Lookup(column) => write!(f, "{}.lookup", column_path(column)),
            Part::AnnotationBlock(column, number) => write!(f, "{}.annotation[{number}]", column_path(column)),
            Part::Annotations(column) => write!(f, "{}.annotations", column_path(column)),
            Part::SlotNames(column) => write!(f, "{}.slot_names", column_path(column)),
            Part::Columns => f.write_str("columns"),
            Part::Tail => f.write_str("tail"),
        }
    }
}

/// All parts of a file.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    parts: Vec<(Range<u64>, Part)>,
    is_incomplete: bool,
}

impl Sections {
    /// Charges room for `parts` more parts and allocates it.
    pub fn make_room(&mut self, parts: usize, budget: &Budget) -> Result<()> {
        let (what, needed) = ("the parts of the file", grown::<(Range<u64>, Part)>(parts));
        budget.take(needed, what)?;
        self.parts.try_reserve(parts).map_err(|_| Error::Limit { what, needed, left: 0 })
    }

    pub fn add(&mut self, place: Range<u64>, part: Part) {
        self.parts.push((place, part));
    }

    /// Records that a part could not be found, so that gaps cannot be checked.
    pub fn incomplete(&mut self) {
        self.is_incomplete = true;
    }

    /// The nonempty parts, sorted by position.
    pub fn parts(&self) -> &[(Range<u64>, Part)] {
        &self.parts
    }

    /// Finds overlaps and gaps, and sorts the parts.
    pub fn judge(mut self, tail_end: u64, length: u64, findings: &mut Findings) -> Self {
        self.parts.retain(|(place, _)| !place.is_empty());
        // This sorts in place, because a stable sort would need as much memory again.
        self.parts.sort_unstable_by_key(|(place, part)| (place.start, place.end, part.rank()));
        let (mut end, mut last) = (0, Part::Header);
        for (place, part) in &self.parts {
            if place.start < end {
                findings.push_with(&rules::OVERLAP, || {
                    let shared = place.start..place.end.min(end);
                    let message = format!("{last} also claims {}", bytes(shared.end - shared.start));
                    Finding::new(&rules::OVERLAP, &part.to_string(), shared, message)
                });
            } else if place.start > end && !self.is_incomplete {
                self.gap(end..place.start, tail_end, findings);
            }
            if place.start >= tail_end {
                findings.push_with(&rules::AFTER_TAIL, || {
                    let message = "the tail is not the last part of the file";
                    Finding::new(&rules::AFTER_TAIL, &part.to_string(), place.clone(), message)
                });
            }
            if place.end > end {
                (end, last) = (place.end, *part);
            }
        }
        if end < length && !self.is_incomplete {
            self.gap(end..length, tail_end, findings);
        }
        self
    }

    fn gap(&self, gap: Range<u64>, tail_end: u64, findings: &mut Findings) {
        if gap.start >= tail_end {
            let message = format!("the file has {} after the tail", bytes(gap.end - gap.start));
            findings.push_with(&rules::TRAILING_BYTES, || Finding::new(&rules::TRAILING_BYTES, "", gap, message));
        } else {
            let message = format!("no structure claims {}", bytes(gap.end - gap.start));
            let help = "the file may have undeclared columns, or hide data";
            findings.push_with(&rules::GAP, || Finding::new(&rules::GAP, "", gap, message).help(help));
        }
    }
}
