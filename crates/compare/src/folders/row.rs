//! The outcome of each pair of files, and the totals of all.

use crate::diff::{Datum, Diff, Side, Verdict};
use serde::{Serialize, Serializer};
use std::fmt;

/// The outcome of a pair. Its text is what the JSON and the tool say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// Every byte is the same; with structures alone, every field.
    Same,
    /// The values differ, but not beyond the tolerance.
    WithinTolerance,
    /// The values are equal, and stored otherwise.
    StoredOtherwise,
    /// The files differ.
    Differs,
    /// The files cannot be compared, or not as a whole.
    Incomparable,
    /// The second folder has no such file.
    OnlyInA,
    /// The first folder has no such file.
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

    /// The name, as the JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Same => "same",
            Outcome::WithinTolerance => "same within tolerance",
            Outcome::StoredOtherwise => "stored otherwise",
            Outcome::Differs => "differs",
            Outcome::Incomparable => "cannot be compared",
            Outcome::OnlyInA => "only in A",
            Outcome::OnlyInB => "only in B",
        }
    }

    /// The outcome in words for people, with the names of the folders.
    pub fn in_words(self, a: &str, b: &str) -> String {
        match self {
            Outcome::OnlyInA => format!("only in {a}"),
            Outcome::OnlyInB => format!("only in {b}"),
            outcome => outcome.name().to_owned(),
        }
    }

    /// The outcome that a verdict on two files of known formats is.
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

/// A pair of files, in a line. Serialised, it is an entry of `ndbytes diff --json OLD/ NEW/`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The path below both folders, with `/`.
    pub path: String,
    /// The outcome.
    pub outcome: Outcome,
    /// True if nothing counts as a difference, by the options of the comparison.
    pub equal: bool,
    /// False if neither file is of a format that ndbytes knows: their bytes were compared.
    pub known: bool,
    /// The numbers or the reason, in one line; empty if the outcome says all.
    pub detail: String,
    /// The verdict on the two files, if they were compared.
    pub verdict: Option<Verdict>,
    /// The file in the first folder. Without a path: [`Row::path`] has it.
    pub a: Option<Side>,
    /// The file in the second folder.
    pub b: Option<Side>,
    /// The number of items that were compared; of tables, of cells.
    pub compared: u64,
    /// The number of items that differ, beyond the tolerance if there is one.
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
    /// A pair of which only the outcome is known.
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

    /// A pair that was compared.
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

/// The numbers of pairs by their outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    counts: [u64; Outcome::ALL.len()],
    /// The number of pairs of no known format, whose bytes were compared.
    pub unknown: u64,
}

impl Totals {
    /// Counts a pair.
    pub fn add(&mut self, row: &Row) {
        let place = Outcome::ALL.iter().position(|outcome| *outcome == row.outcome);
        self.counts[place.unwrap_or_default()] += 1;
        self.unknown += u64::from(!row.known);
    }

    /// The number of pairs of each outcome, in their order.
    pub fn counts(&self) -> impl Iterator<Item = (Outcome, u64)> + '_ {
        Outcome::ALL.into_iter().zip(self.counts)
    }

    /// The number of all pairs.
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
