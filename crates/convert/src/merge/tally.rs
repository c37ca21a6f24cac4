//! The counts and conflicts of a merge in progress.

use super::conflict::{Conflict, Place};
use super::options::Decide;
use super::outcome::{Merge, Merged};
use super::versions::{Version, Versions};
use ndbytes_compare::diff::Datum;

/// The maximum number of conflicts that are kept.
pub const MOST_CONFLICTS: usize = 100;

/// Counts of changes, and conflicts.
pub struct Tally<'t, 'd> {
    decide: &'t mut Decide<'d>,
    conflicts: Vec<Conflict>,
    count: u64,
    undecided: u64,
    from_ours: u64,
    from_theirs: u64,
    /// Whether the merged file has content that theirs does not have.
    pub is_not_theirs: bool,
    /// Whether the merged file has content that ours does not have.
    pub is_not_ours: bool,
}

impl<'t, 'd> Tally<'t, 'd> {
    /// Creates an empty tally.
    pub fn new(decide: &'t mut Decide<'d>) -> Self {
        Tally {
            decide,
            conflicts: Vec::new(),
            count: 0,
            undecided: 0,
            from_ours: 0,
            from_theirs: 0,
            is_not_theirs: false,
            is_not_ours: false,
        }
    }

    /// Adds a conflict, and returns the version to use: ours, unless a side was chosen.
    pub fn conflict(&mut self, place: Place, values: Option<Versions<Datum>>) -> Version {
        let conflict = Conflict { place, values };
        let decided = (self.decide)(&conflict);
        self.count += 1;
        self.undecided += u64::from(decided.is_none());
        if self.conflicts.len() < MOST_CONFLICTS {
            self.conflicts.push(conflict);
        }
        let version = decided.unwrap_or(Version::Ours);
        self.take(version);
        version
    }

    /// Records that the merged file contains the content of this version only.
    pub fn take(&mut self, version: Version) {
        self.is_not_theirs |= version != Version::Theirs;
        self.is_not_ours |= version != Version::Ours;
    }

    /// Records items, rows or cells that only one version changed.
    pub fn change(&mut self, version: Version, count: u64) {
        match version {
            Version::Ours => self.from_ours += count,
            Version::Theirs => self.from_theirs += count,
            Version::Base => {}
        }
        self.take(version);
    }

    /// Returns whether all conflicts were resolved.
    pub fn is_decided(&self) -> bool {
        self.undecided == 0
    }

    /// The result, with the merged file if there is one.
    pub fn finish(self, merged: Option<Merged>) -> Merge {
        Merge {
            merged,
            from_ours: self.from_ours,
            from_theirs: self.from_theirs,
            conflict_count: self.count,
            conflicts: self.conflicts,
        }
    }
}
