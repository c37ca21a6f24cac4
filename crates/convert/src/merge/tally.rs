//! The counts and conflicts of a merge, so far.

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
    /// True if the merged file has something that theirs does not have.
    pub is_not_theirs: bool,
    /// True if the merged file has something that ours does not have.
    pub is_not_ours: bool,
}

impl<'t, 'd> Tally<'t, 'd> {
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

    /// Adds a conflict, and returns the version that counts: ours, if nobody decides.
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

    /// Notes that something of a version is in the merged file, and not what the others have there.
    pub fn take(&mut self, version: Version) {
        self.is_not_theirs |= version != Version::Theirs;
        self.is_not_ours |= version != Version::Ours;
    }

    /// Notes items, rows or cells that one version alone changed.
    pub fn change(&mut self, version: Version, count: u64) {
        match version {
            Version::Ours => self.from_ours += count,
            Version::Theirs => self.from_theirs += count,
            Version::Base => {}
        }
        self.take(version);
    }

    /// Returns whether all conflicts were decided.
    pub fn is_decided(&self) -> bool {
        self.undecided == 0
    }

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
