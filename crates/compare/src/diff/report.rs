//! The result of a comparison.

use super::options::Options;
use super::values::Values;
use super::verdict::Verdict;
use everybyte::diff::Structure;
use ndbytes::internals::known_format;
use ndbytes::{Finding, Format, Input, is_gzip};

/// The differences of two files.
///
/// Its `Display` is a report for people, whose lines hold no letter that steers a terminal. Serialised, it is the output of
/// `ndbytes diff --json`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Diff {
    /// The first file.
    pub a: Side,
    /// The second file.
    pub b: Side,
    /// The verdict on both.
    pub verdict: Verdict,
    /// The first byte that differs; the length of the shorter file if that is where the other one goes on. `None` if all
    /// bytes are equal, and if one is no file.
    pub first_byte: Option<u64>,
    /// The differences of the values, if they were compared.
    pub values: Option<Values>,
    /// The differences of the structures, if they were compared.
    pub structure: Option<Structure>,
    /// The findings that only one of the files has.
    pub findings: NewAndGone,
    /// The members of two archives that differ.
    pub members: Vec<MemberDiff>,
    /// The number of members that are identical.
    pub equal_members: u64,
    pub(super) asked: Asked,
}

/// The parts of the options that decide on the report and on the exit status.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Asked {
    pub structure: bool,
    pub ignores: bool,
    pub all: bool,
    pub most: usize,
}

/// One of two files that were compared.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Side {
    /// Its path as it was opened, or `None` for a stream, a slice, and for no file.
    pub name: Option<String>,
    /// The format of its content, if ndbytes knows it.
    pub format: Option<Format>,
    /// Its bytes.
    pub size: u64,
    /// False if there is no file.
    pub exists: bool,
    /// True if it is a zip archive, or the folder of a store.
    pub is_archive: bool,
    /// True if its content is in gzip.
    pub is_gzip: bool,
}

/// Findings that only one of two files has: those of the same rule at the same key are in both.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct NewAndGone {
    /// Those that only the first file has.
    pub gone: Vec<Finding>,
    /// Those that only the second file has.
    pub new: Vec<Finding>,
}

/// A member of two archives that differs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MemberDiff {
    /// Its name in both archives.
    pub name: String,
    /// The differences; [`Verdict::OneSided`] if only one archive has it.
    pub diff: Diff,
}

impl Diff {
    /// Two inputs, of which nothing is known but the verdict.
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

    /// Returns whether nothing counts as a difference. The files are identical, or all that differs was to be ignored,
    /// or only values count and they are equal within the tolerance.
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

fn is_archive(input: &Input<'_>) -> bool {
    ndbytes::archive::is_archive(input)
}

impl Side {
    fn of(input: Option<&Input<'_>>) -> Self {
        input.map_or_else(Side::default, |input| Side {
            name: input.path().map(|path| path.display().to_string()),
            format: known_format(input),
            size: input.length(),
            exists: true,
            is_archive: is_archive(input),
            is_gzip: is_gzip(input.head()),
        })
    }
}
