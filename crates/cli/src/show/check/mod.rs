//! The output of `check`, in each of its formats.

pub mod from_here;
pub mod github;
pub mod json;
pub mod junit;
pub mod list;
pub mod place;
pub mod sarif;
pub mod text;
pub mod totals;

use crate::show::printer::Printer;
use ndbytes::{Finding, Limits, Part};
use place::Places;
use std::io;
use std::path::Path;
use totals::Totals;

/// A format of output.
pub trait Output {
    /// Returns whether findings of the baseline are shown too.
    fn shows_known(&self) -> bool {
        false
    }

    /// Returns whether the output ends with a sum, which says what was skipped.
    fn has_sum(&self) -> bool {
        false
    }

    /// Shows a file, or a member of an archive.
    fn part(&mut self, checked: &Checked<'_>, limits: Limits, out: &mut Printer<'_>) -> io::Result<()>;

    /// Shows a file of another format, which was only counted.
    fn other(&mut self, _path: &Path, _out: &mut Printer<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Shows that a path cannot be read. Standard error says so too.
    fn unreadable(&mut self, _path: Option<&Path>, _reason: &str, _out: &mut Printer<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Ends the output.
    fn end(&mut self, totals: &Totals, out: &mut Printer<'_>) -> io::Result<()>;

    /// The text in Markdown for the page of a step of GitHub's workflows, which has room for this number of bytes.
    fn step_summary(&self, _totals: &Totals, _room: usize) -> Option<String> {
        None
    }
}

/// A file that was checked, or a member of an archive.
pub struct Checked<'c> {
    /// The file, or the archive.
    pub file: &'c Path,
    /// The file, or the address of the member.
    pub address: &'c Path,
    pub part: &'c Part<'c>,
    /// Those of its findings that are shown.
    pub findings: &'c [Seen<'c>],
    pub places: &'c Places<'c>,
}

/// A finding that is shown.
pub struct Seen<'c> {
    pub finding: &'c Finding,
    /// True if it is in the baseline.
    pub is_known: bool,
}
