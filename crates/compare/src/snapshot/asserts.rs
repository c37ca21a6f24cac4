//! Assertions about pairs of files.

use crate::diff;
use crate::diff::{Diff, Options, Tolerance, Verdict};
use ndbytes::{Input, Limits};
use std::path::Path;

/// Asserts that two files contain the same values, whatever their encoding and format.
///
/// ```
/// # let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
/// use ndbytes_compare::diff::Tolerance;
/// use ndbytes_compare::snapshot::assert_same_values;
///
/// # let (expected, written) = (format!("{samples}/surface.ra"), format!("{samples}/surface.ra"));
/// assert_same_values(expected, written, Tolerance::exact().relative(1e-6));
/// ```
///
/// # Panics
/// Panics if they do not, with the report of [`diff`](diff::diff) as the message, or if a file cannot be read.
#[track_caller]
pub fn assert_same_values(a: impl AsRef<Path>, b: impl AsRef<Path>, tolerance: Tolerance) {
    let options = Options::new().tolerance(tolerance).structure(false);
    let found = compared(a.as_ref(), b.as_ref(), &options);
    let is_same = matches!(found.verdict, Verdict::Identical | Verdict::SameValues | Verdict::SameWithinTolerance);
    assert!(is_same, "the values of two files are not the same\n\n{found}");
}

/// Asserts that two files have the same structure: the same fields with the same values, at any offset. Their values do
/// not matter.
///
/// # Panics
/// Panics if they do not, with the report of [`diff`](diff::diff) as the message, or if a file cannot be read.
#[track_caller]
pub fn assert_identical_structure(a: impl AsRef<Path>, b: impl AsRef<Path>) {
    let found = compared(a.as_ref(), b.as_ref(), &Options::new().values(false));
    let is_same = match &found.structure {
        Some(structure) => structure.changes.is_empty() && structure.further == 0,
        None => found.verdict == Verdict::Identical,
    };
    assert!(is_same, "the structures of two files are not the same\n\n{found}");
}

#[track_caller]
fn compared(a: &Path, b: &Path, options: &Options) -> Diff {
    let open = |path: &Path| Input::open(path, Limits::default());
    let found = open(a).and_then(|a| diff::diff(&a, &open(b)?, options));
    found.unwrap_or_else(|error| panic!("the files cannot be compared: {error}"))
}

/// Asserts, with the caller's version of insta, that the text of a file equals the stored snapshot. The path or the
/// bytes may be followed by options: methods of [`Snapshot`](crate::snapshot::Snapshot).
///
/// ```ignore
/// ndbytes_compare::assert_layout!("out/model.b2nd");
/// ndbytes_compare::assert_layout!("out/model.b2nd", redact("*_threads").redact_sizes());
/// ```
#[macro_export]
macro_rules! assert_layout {
    ($source:expr $(,)?) => {
        ::insta::assert_snapshot!($crate::snapshot::text($source).to_string())
    };
    ($source:expr, $($how:tt)+) => {
        ::insta::assert_snapshot!($crate::snapshot::text($source).$($how)+.to_string())
    };
}
