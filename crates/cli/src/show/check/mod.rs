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
    /// Returns whether findings in the baseline are also shown.
    fn shows_known(&self) -> bool {
        false
    }

    /// Returns whether the output ends with totals, which include skipped entries.
    fn has_sum(&self) -> bool {
        false
    }

    /// Shows a file, or a member of an archive.
    fn part(&mut self, checked: &Checked<'_>, limits: Limits, out: &mut Printer<'_>) -> io::Result<()>;

    /// Shows a file in an unknown format, which was only counted.
    fn other(&mut self, _path: &Path, _out: &mut Printer<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Shows the kind of a file or a store without rules, which was read completely.
    fn without_rules(&mut self, path: &Path, _kind: &Kind, out: &mut Printer<'_>) -> io::Result<()> {
        self.other(path, out)
    }

    /// Reports a path that cannot be read, which is also reported on standard error.
    fn unreadable(&mut self, _path: Option<&Path>, _reason: &str, _out: &mut Printer<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Ends the output.
    fn end(&mut self, totals: &Totals, out: &mut Printer<'_>) -> io::Result<()>;

    /// Returns the Markdown text for the summary page of a step in GitHub workflows, which has room for this number of
    /// bytes.
    fn step_summary(&self, _totals: &Totals, _room: usize) -> Option<String> {
        None
    }
}

/// A checked file, or a member of an archive.
pub struct Checked<'c> {
    /// The file, or the archive.
    pub file: &'c Path,
    /// The file, or the address of the member.
    pub address: &'c Path,
    pub part: &'c Part<'c>,
    /// The findings to show.
    pub findings: &'c [Seen<'c>],
    pub places: &'c Places<'c>,
}

/// The kind of a file or a store without rules.
pub struct Kind {
    /// The name in JSON.
    pub name: &'static str,
    /// The name in a sentence about what was done.
    pub words: String,
}

/// A finding that is shown.
pub struct Seen<'c> {
    pub finding: &'c Finding,
    /// Whether it is in the baseline.
    pub is_known: bool,
}
