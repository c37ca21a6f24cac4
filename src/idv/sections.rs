//! What stands where: everything in a file, in the order of its bytes.

use super::rules;
use super::structure::column_path;
use crate::Finding;
use crate::finding::{Findings, bytes};
use std::fmt;
use std::ops::Range;

/// Something that stands in a file. Numbers are those of the column, and of the block or annotation in it.
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
    /// Bytes that an entry takes in memory.
    pub const ENTRY: u64 = size_of::<(Range<u64>, Part)>() as u64;

    pub fn add(&mut self, place: Range<u64>, part: Part) {
        self.parts.push((place, part));
    }

    /// Notes that something could not be found, so that nothing can be said about gaps.
    pub fn incomplete(&mut self) {
        self.is_incomplete = true;
    }

    /// The parts, in the order of their places; those that have no bytes are left out.
    pub fn parts(&self) -> &[(Range<u64>, Part)] {
        &self.parts
    }

    /// Looks for overlaps and gaps, and puts the parts in order.
    pub fn judge(mut self, tail_end: u64, length: u64, findings: &mut Findings) -> Self {
        self.parts.retain(|(place, _)| !place.is_empty());
        self.parts.sort_by_key(|(place, _)| (place.start, place.end));
        let (mut end, mut last) = (0, Part::Header);
        for (place, part) in &self.parts {
            if place.start < end {
                findings.push_with(&rules::OVERLAP, || {
                    let shared = place.start..place.end.min(end);
                    let message = format!("{} that belong to {last} too", bytes(shared.end - shared.start));
                    Finding::new(&rules::OVERLAP, &part.to_string(), shared, message)
                });
            } else if place.start > end && !self.is_incomplete {
                self.gap(end..place.start, tail_end, findings);
            }
            if place.start >= tail_end {
                findings.push_with(&rules::AFTER_TAIL, || {
                    let message = "the tail is not the last thing in the file";
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
            let message = format!("{} behind the tail", bytes(gap.end - gap.start));
            findings.push_with(&rules::TRAILING_BYTES, || Finding::new(&rules::TRAILING_BYTES, "", gap, message));
        } else {
            let message = format!("{} that belong to nothing", bytes(gap.end - gap.start));
            let help = "the file may have more columns than its header says, or hide something";
            findings.push_with(&rules::GAP, || Finding::new(&rules::GAP, "", gap, message).help(help));
        }
    }
}
