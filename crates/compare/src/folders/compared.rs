//! Comparing a pair of files.

use super::pairs::Pair;
use super::row::{Outcome, Row};
use crate::diff::{Diff, Options, Verdict, diff};
use everybyte::escape;
use ndbytes::{Checker, Depth, Error, Input, Result};
use std::path::Path;

/// Compares the pairs of two folders, each as [`diff()`] compares two files.
#[derive(Debug, Clone)]
pub struct Comparer {
    options: Options,
    takes_unknown: bool,
}

/// A pair that was compared.
#[derive(Debug)]
#[non_exhaustive]
pub struct Compared {
    /// The outcome, in a line.
    pub row: Row,
    /// The differences, if there are two files that can be read.
    pub diff: Option<Diff>,
}

impl Comparer {
    /// Compares by these options.
    pub fn new(options: Options) -> Self {
        Comparer { options, takes_unknown: true }
    }

    /// Compares files of no known format by their bytes, or says of them that they cannot be compared. The default is `true`.
    #[must_use]
    pub fn unknown(self, wanted: bool) -> Self {
        Comparer { takes_unknown: wanted, ..self }
    }

    /// The same comparison with other options, such as the tolerance of one pair.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(Options) -> Options) -> Self {
        Comparer { options: change(self.options.clone()), ..self.clone() }
    }

    /// Compares a pair. A file that cannot be read is no error: the row says so.
    ///
    /// # Errors
    /// [`Error::Time`]. The time is that of all pairs together, if the clock of the limits was started.
    pub fn compare(&self, pair: &Pair) -> Result<Compared> {
        let names: Vec<_> = pair.path.components().map(|name| name.as_os_str().to_string_lossy()).collect();
        let path = names.join("/");
        let alone = |outcome, detail| Ok(Compared { row: Row::new(path.clone(), outcome, detail), diff: None });
        let (a, b) = match (&pair.a, &pair.b, &pair.problem) {
            (Some(a), Some(b), None) => (a, b),
            (Some(_), None, None) => return alone(Outcome::OnlyInA, String::new()),
            (None, Some(_), None) => return alone(Outcome::OnlyInB, String::new()),
            (.., problem) => return Ok(unreadable(path, problem.clone().unwrap_or_default())),
        };
        match self.both(a, b) {
            Ok(found) => Ok(self.judged(path, found, a, b)),
            Err(error @ Error::Time { .. }) => Err(error),
            Err(Error::Io { source, .. }) => Ok(unreadable(path, source.to_string())),
            Err(error) => alone(Outcome::Incomparable, escape(&error.to_string())),
        }
    }

    fn both(&self, a: &Path, b: &Path) -> Result<Diff> {
        let open = |path: &Path| Input::open(path, self.options.limits);
        diff(&open(a)?, &open(b)?, &self.options)
    }

    fn judged(&self, path: String, found: Diff, a: &Path, b: &Path) -> Compared {
        let mut row = Row::of(path, &found);
        if self.are_unknown(&found, a, b) {
            row.known = false;
            let is_same = found.verdict == Verdict::Identical;
            let (outcome, detail) = match found.first_byte {
                _ if !self.takes_unknown => (Outcome::Incomparable, "no format that ndbytes reads".to_owned()),
                Some(at) => (Outcome::Differs, format!("the first byte that differs is at {at:#x}")),
                None if is_same => (Outcome::Same, String::new()),
                // Bytes were not to be compared.
                None => (Outcome::Incomparable, row.detail.clone()),
            };
            (row.outcome, row.detail, row.equal) = (outcome, detail, outcome == Outcome::Same);
        }
        Compared { row, diff: Some(found) }
    }

    /// Returns whether neither file is of a known format, nor has a name that promises one.
    fn are_unknown(&self, found: &Diff, a: &Path, b: &Path) -> bool {
        let checker = Checker::new().depth(Depth::Structure).limits(self.options.limits);
        let is_unknown = |path: &Path| checker.check(path).is_ok_and(|report| report.is_foreign());
        found.a.format.is_none() && found.b.format.is_none() && is_unknown(a) && is_unknown(b)
    }
}

fn unreadable(path: String, reason: String) -> Compared {
    let row = Row { unreadable: true, ..Row::new(path, Outcome::Incomparable, escape(&reason)) };
    Compared { row, diff: None }
}
