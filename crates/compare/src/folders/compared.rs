//! Comparing a pair of files.

use super::pairs::Pair;
use super::row::{Outcome, Row};
use crate::diff::{Diff, Options, Verdict, diff};
use everybyte::escape;
use ndbytes::{Checker, Depth, Error, Input, Result};
use std::path::Path;

/// Compares pairs of files in two directories, each like [`diff()`].
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
/// # for (side, value) in [(&old, 5), (&new, 6)] {
/// #     std::fs::create_dir(side).unwrap();
/// #     std::fs::write(side.join("a.idx"), [0, 0, 8, 1, 0, 0, 0, 1, value]).unwrap();
/// # }
/// use ndbytes::walk;
/// use ndbytes_compare::diff::{Options, Tolerance};
/// use ndbytes_compare::folders::{Comparer, Outcome, Pairs};
///
/// let exact = Comparer::new(Options::new());
/// let loose = exact.with(|options| options.tolerance(Tolerance::exact().absolute(2.0)));
/// for pair in Pairs::new(&old, &new, &walk::Options::new()) {
///     assert_eq!(exact.compare(&pair)?.row.outcome, Outcome::Differs); // 5 and 6
///     assert_eq!(loose.compare(&pair)?.row.outcome, Outcome::WithinTolerance);
/// }
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Comparer {
    options: Options,
    takes_unknown: bool,
}

/// A pair that was compared.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
/// # for (side, value) in [(&old, 5), (&new, 6)] {
/// #     std::fs::create_dir(side).unwrap();
/// #     std::fs::write(side.join("a.idx"), [0, 0, 8, 1, 0, 0, 0, 1, value]).unwrap();
/// # }
/// # use ndbytes::walk;
/// # use ndbytes_compare::diff::Options;
/// # use ndbytes_compare::folders::{Comparer, Pairs};
/// let pair = Pairs::new(&old, &new, &walk::Options::new()).next().unwrap();
/// let compared = Comparer::new(Options::new()).compare(&pair)?;
/// assert_eq!((&*compared.row.path, compared.row.different), ("a.idx", 1));
/// println!("{}", compared.diff.expect("both directories have it"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Compared {
    /// The outcome in one line.
    pub row: Row,
    /// The differences, if there are two readable files.
    pub diff: Option<Diff>,
}

impl Comparer {
    /// Creates a comparer with these options.
    pub fn new(options: Options) -> Self {
        Comparer { options, takes_unknown: true }
    }

    /// Sets whether files in unknown formats are compared byte by byte; otherwise they are reported as incomparable. The default is `true`.
    #[must_use]
    pub fn unknown(self, wanted: bool) -> Self {
        Comparer { takes_unknown: wanted, ..self }
    }

    /// Returns the same comparer with other options, such as another tolerance for one pair.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(Options) -> Options) -> Self {
        Comparer { options: change(self.options.clone()), ..self.clone() }
    }

    /// Compares a pair. A file that cannot be read is not an error: the row reports it.
    ///
    /// # Errors
    /// [`Error::Time`]. All pairs share the time limit if the clock of the limits was started.
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

    /// Opens and compares two files.
    fn both(&self, a: &Path, b: &Path) -> Result<Diff> {
        let open = |path: &Path| Input::open(path, self.options.limits);
        diff(&open(a)?, &open(b)?, &self.options)
    }

    /// Returns the row of a comparison. Files in unknown formats are compared only byte by byte.
    fn judged(&self, path: String, found: Diff, a: &Path, b: &Path) -> Compared {
        let mut row = Row::of(path, &found);
        if self.are_unknown(&found, a, b) {
            row.known = false;
            let is_same = found.verdict == Verdict::Identical;
            let (outcome, detail) = match found.first_byte {
                _ if !self.takes_unknown => (Outcome::Incomparable, "unknown format".to_owned()),
                Some(at) => (Outcome::Differs, format!("the first byte that differs is at {at:#x}")),
                None if is_same => (Outcome::Same, String::new()),
                // Bytes are not compared, at the caller's request.
                None => (Outcome::Incomparable, row.detail.clone()),
            };
            (row.outcome, row.detail, row.equal) = (outcome, detail, outcome == Outcome::Same);
        }
        Compared { row, diff: Some(found) }
    }

    /// Returns whether neither file has a known format, or a name that implies one.
    fn are_unknown(&self, found: &Diff, a: &Path, b: &Path) -> bool {
        let checker = Checker::new().depth(Depth::Structure).limits(self.options.limits);
        let is_unknown = |path: &Path| checker.check(path).is_ok_and(|report| report.is_foreign());
        found.a.format.is_none() && found.b.format.is_none() && is_unknown(a) && is_unknown(b)
    }
}

/// Returns the row of a pair that cannot be read.
fn unreadable(path: String, reason: String) -> Compared {
    let row = Row { unreadable: true, ..Row::new(path, Outcome::Incomparable, escape(&reason)) };
    Compared { row, diff: None }
}
