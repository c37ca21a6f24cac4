//! The outcome of each pair of files, and the totals of all pairs.

use crate::diff::{Datum, Diff, Side, Verdict};
use serde::{Serialize, Serializer};
use std::fmt;

/// The outcome for a pair, as text in JSON and in the output of the tool.
///
/// ```
/// use ndbytes_compare::folders::Outcome;
///
/// assert_eq!(Outcome::WithinTolerance.to_string(), "same within tolerance");
/// assert_eq!(Outcome::OnlyInB.in_words("v1/", "v2/"), "only in v2/");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// Every byte is the same; if only structures are compared, every field.
    Same,
    /// The values differ, but not beyond the tolerance.
    WithinTolerance,
    /// The values are equal, but encoded differently.
    StoredOtherwise,
    /// The files differ.
    Differs,
    /// The files cannot be compared, or only partially.
    Incomparable,
    /// The second directory does not have this file.
    OnlyInA,
    /// The first directory does not have this file.
    OnlyInB,
}

impl Outcome {
    /// All outcomes, in the order in which totals list them.
    pub const ALL: [Outcome; 7] = [
        Outcome::Same,
        Outcome::WithinTolerance,
        Outcome::StoredOtherwise,
        Outcome::Differs,
        Outcome::Incomparable,
        Outcome::OnlyInA,
        Outcome::OnlyInB,
    ];

    /// The name, as used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Same => "same",
            Outcome::WithinTolerance => "same within tolerance",
            Outcome::StoredOtherwise => "encoded differently",
            Outcome::Differs => "differs",
            Outcome::Incomparable => "cannot be compared",
            Outcome::OnlyInA => "only in A",
            Outcome::OnlyInB => "only in B",
        }
    }

    /// The outcome as text, with the names of the directories.
    pub fn in_words(self, a: &str, b: &str) -> String {
        match self {
            Outcome::OnlyInA => format!("only in {a}"),
            Outcome::OnlyInB => format!("only in {b}"),
            outcome => outcome.name().to_owned(),
        }
    }

    /// Returns the outcome for a verdict on two files of known formats.
    pub(super) fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Identical | Verdict::SameStructure => Outcome::Same,
            Verdict::SameWithinTolerance => Outcome::WithinTolerance,
            Verdict::SameValues => Outcome::StoredOtherwise,
            Verdict::Incomplete | Verdict::Incomparable => Outcome::Incomparable,
            Verdict::SameItemsOtherShape
            | Verdict::TypeDiffers
            | Verdict::ValuesDiffer
            | Verdict::StructureDiffers
            | Verdict::OneSided => Outcome::Differs,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

/// The result for a pair of files, in one line. Serialized, it is an entry of `ndbytes diff --json OLD/ NEW/`.
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
/// let row = Comparer::new(Options::new()).compare(&pair)?.row; // 5 and 6
/// assert_eq!(format!("{}: {}", row.path, row.outcome), "a.idx: differs");
/// assert_eq!(row.largest.unwrap().to_string(), "1");
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The relative path, with `/`.
    pub path: String,
    /// The outcome.
    pub outcome: Outcome,
    /// True if nothing counts as a difference, according to the options of the comparison.
    pub equal: bool,
    /// False if neither file is in a known format, in which case bytes were compared.
    pub known: bool,
    /// The numbers or the reason, in one line; empty if the outcome says it all.
    pub detail: String,
    /// The verdict on the two files, if they were compared.
    pub verdict: Option<Verdict>,
    /// The file in the first directory. Its path is only in [`Row::path`].
    pub a: Option<Side>,
    /// The file in the second directory.
    pub b: Option<Side>,
    /// The number of items that were compared; for tables, of cells.
    pub compared: u64,
    /// The number of items that differ beyond the tolerance.
    pub different: u64,
    /// The number of items that differ within the tolerance.
    pub within: u64,
    /// The largest |a − b|.
    pub largest: Option<Datum>,
    /// True if a file could not be read.
    #[serde(skip)]
    pub unreadable: bool,
}

impl Row {
    /// Returns a pair with only its outcome.
    pub(super) fn new(path: String, outcome: Outcome, detail: String) -> Self {
        Row {
            path,
            outcome,
            equal: outcome == Outcome::Same,
            known: true,
            detail,
            verdict: None,
            a: None,
            b: None,
            compared: 0,
            different: 0,
            within: 0,
            largest: None,
            unreadable: false,
        }
    }

    /// Returns a compared pair.
    pub(super) fn of(path: String, found: &Diff) -> Self {
        let nameless = |side: &Side| side.exists.then(|| Side { name: None, ..side.clone() });
        let outcome = Outcome::of(found.verdict);
        let is_said = matches!(outcome, Outcome::Same | Outcome::StoredOtherwise);
        let detail = if is_said { String::new() } else { found.in_a_line() };
        let values = found.values.as_ref();
        Row {
            equal: found.is_equal(),
            verdict: Some(found.verdict),
            a: nameless(&found.a),
            b: nameless(&found.b),
            compared: values.map_or(0, |values| values.compared),
            different: values.map_or(0, |values| values.different),
            within: values.map_or(0, |values| values.within),
            largest: values.and_then(|values| Some(values.largest.absolute.as_ref()?.difference.clone())),
            ..Row::new(path, outcome, detail)
        }
    }
}

/// The number of pairs for each outcome.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
/// # for side in [&old, &new] {
/// #     std::fs::create_dir(side).unwrap();
/// #     std::fs::write(side.join("a.idx"), [0, 0, 8, 1, 0, 0, 0, 1, 5]).unwrap();
/// # }
/// # use ndbytes::walk;
/// # use ndbytes_compare::diff::Options;
/// use ndbytes_compare::folders::{Comparer, Outcome, Pairs, Totals};
///
/// let (comparer, mut totals) = (Comparer::new(Options::new()), Totals::default());
/// for pair in Pairs::new(&old, &new, &walk::Options::new()) {
///     totals.add(&comparer.compare(&pair)?.row);
/// }
/// assert_eq!(totals.counts().next(), Some((Outcome::Same, 1)));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    counts: [u64; Outcome::ALL.len()],
    /// The number of pairs in unknown formats, which were compared byte by byte.
    pub unknown: u64,
}

impl Totals {
    /// Counts a pair.
    pub fn add(&mut self, row: &Row) {
        let place = Outcome::ALL.iter().position(|outcome| *outcome == row.outcome);
        self.counts[place.unwrap_or_default()] += 1;
        self.unknown += u64::from(!row.known);
    }

    /// The number of pairs for each outcome, in order.
    pub fn counts(&self) -> impl Iterator<Item = (Outcome, u64)> + '_ {
        Outcome::ALL.into_iter().zip(self.counts)
    }

    /// The total number of pairs.
    pub fn files(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl Serialize for Totals {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let counts = self.counts().map(|(outcome, count)| (outcome.name(), count));
        to.collect_map([("files", self.files()), ("unknown", self.unknown)].into_iter().chain(counts))
    }
}
