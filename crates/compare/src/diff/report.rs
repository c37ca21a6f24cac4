//! The result of a comparison.

use super::options::Options;
use super::values::Values;
use super::verdict::Verdict;
use everybyte::diff::Structure;
use ndbytes::internals::known_format;
use ndbytes::{Finding, Format, Input, is_gzip};

/// The differences between two files, as [`diff()`](super::diff) finds them.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let (a, b) = ([0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3], [0, 0, 8, 1, 0, 0, 0, 3, 1, 7, 3]);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let found = diff(&a, &b, &Options::new())?; // the bytes 1, 2, 3 and 1, 7, 3, in IDX
/// assert!(!found.is_equal());
/// assert_eq!(found.first_byte, Some(9));
/// assert!(found.to_string().contains("values differ"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// `Display` prints a report for people, in which no character can control a terminal. Serialized, it is the output of `ndbytes diff
/// --json`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Diff {
    /// The first file.
    pub a: Side,
    /// The second file.
    pub b: Side,
    /// The verdict on the two files.
    pub verdict: Verdict,
    /// The first byte that differs; if one file is a prefix of the other, its length. `None` if all bytes are equal, or if one file is
    /// missing.
    pub first_byte: Option<u64>,
    /// The differences between the values, if they were compared.
    pub values: Option<Values>,
    /// The differences between the structures, if they were compared.
    pub structure: Option<Structure>,
    /// The findings that only one of the files has.
    pub findings: NewAndGone,
    /// The members that differ between two archives.
    pub members: Vec<MemberDiff>,
    /// The number of members that are identical.
    pub equal_members: u64,
    pub(super) asked: Asked,
}

/// The options that determine the report and the exit status.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Asked {
    pub structure: bool,
    pub ignores: bool,
    pub all: bool,
    pub most: usize,
}

/// One of the two files.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let (a, b) = ([0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3], *b"not an array");
/// # let (a, b) = (Input::from_slice(&a, Limits::default()), Input::from_slice(&b, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let found = diff(&a, &b, &Options::new())?; // an IDX file, and a text
/// assert_eq!((found.a.format, found.a.size), (Some(ndbytes::Format::Idx), 11));
/// assert_eq!((found.b.format, found.b.size), (None, 12));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Side {
    /// The path that it was opened with; `None` for a stream or a slice, and if there is no file.
    pub name: Option<String>,
    /// The format of its content, if ndbytes supports it.
    pub format: Option<Format>,
    /// The name of its format, if it is a third-party format whose values were compared.
    pub kind: Option<String>,
    /// Its length in bytes.
    pub size: u64,
    /// False if the file does not exist.
    pub exists: bool,
    /// True if it is a zip archive, or the directory of a store.
    pub is_archive: bool,
    /// True if its content is compressed with gzip.
    pub is_gzip: bool,
}

/// Findings that only one of two files has; findings for the same rule and key count as the same.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let whole = [0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3];
/// # let [a, b] = [&whole[..], &whole[..10]].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let findings = diff(&a, &b, &Options::new())?.findings; // the second file lost its last byte
/// assert_eq!(findings.new[0].rule.id, "idx/truncated-payload");
/// assert!(findings.gone.is_empty());
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct NewAndGone {
    /// Those that only the first file has.
    pub gone: Vec<Finding>,
    /// Those that only the second file has.
    pub new: Vec<Finding>,
}

/// A member that differs between two archives.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # use ndbytes_testkit::zip::{Entry, zip};
/// # let header = b"\x93NUMPY\x01\0\x46\0{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }            \n";
/// # let npz = |value: u8| zip(&[Entry::deflated("w.npy", &[&header[..], &[value]].concat())]);
/// # let (a, b) = (npz(1), npz(2));
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, Verdict, diff};
///
/// let found = diff(&a, &b, &Options::new())?; // two .npz files whose `w.npy` differs
/// let member = &found.members[0];
/// assert_eq!((&*member.name, member.diff.verdict), ("w.npy", Verdict::ValuesDiffer));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MemberDiff {
    /// Its name in both archives.
    pub name: String,
    /// The differences; [`Verdict::OneSided`] if only one archive has it.
    pub diff: Diff,
}

impl Diff {
    /// Returns a report on two inputs that has only a verdict.
    pub(super) fn between(a: Option<&Input<'_>>, b: Option<&Input<'_>>, verdict: Verdict, options: &Options) -> Self {
        Diff {
            a: Side::of(a),
            b: Side::of(b),
            verdict,
            first_byte: None,
            values: None,
            structure: None,
            findings: NewAndGone::default(),
            members: Vec::new(),
            equal_members: 0,
            asked: Asked {
                structure: options.structure,
                ignores: !options.ignore.is_empty(),
                all: options.all,
                most: options.most,
            },
        }
    }

    /// Returns whether nothing counts as a difference: the files are identical, all differences are ignored, or only
    /// values count and they are equal within the tolerance.
    pub fn is_equal(&self) -> bool {
        match self.verdict {
            Verdict::Identical | Verdict::SameStructure | Verdict::SameWithinTolerance => true,
            Verdict::SameValues if !self.asked.structure => true,
            Verdict::SameValues => {
                let is_empty = self.structure.as_ref().is_none_or(everybyte::diff::Structure::is_empty);
                self.asked.ignores && is_empty && self.members.iter().all(|member| member.diff.is_equal())
            }
            _ => false,
        }
    }
}

/// Returns whether an input is an archive whose members are compared.
fn is_archive(input: &Input<'_>) -> bool {
    ndbytes::archive::is_archive(input)
}

impl Side {
    /// Describes a side; the default if there is no file.
    fn of(input: Option<&Input<'_>>) -> Self {
        input.map_or_else(Side::default, |input| Side {
            name: input.path().map(|path| path.display().to_string()),
            format: known_format(input),
            size: input.length(),
            exists: true,
            kind: None,
            is_archive: is_archive(input),
            is_gzip: is_gzip(input.head()),
        })
    }
}
