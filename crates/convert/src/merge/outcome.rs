//! The outcome of a merge.

use super::conflict::Conflict;
use super::versions::Version;

/// A merged file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// One of the files, as it is: all that changed was changed there.
    Version(Version),
    /// A new file: these bytes.
    File(Vec<u8>),
}

/// The merged file, or the conflicts.
#[derive(Debug)]
#[non_exhaustive]
pub struct Merge {
    /// The merged file; `None` if there are conflicts that nobody decided.
    pub merged: Option<Merged>,
    /// The number of items, rows or cells, or members of an archive, that ours alone changed.
    pub from_ours: u64,
    /// The number of items, rows or cells, or members of an archive, that theirs alone changed.
    pub from_theirs: u64,
    /// The number of conflicts.
    pub conflict_count: u64,
    /// The first hundred of them.
    pub conflicts: Vec<Conflict>,
}

impl Merge {
    /// A merge of nothing, so far.
    pub(super) fn nothing() -> Self {
        Merge { merged: None, from_ours: 0, from_theirs: 0, conflict_count: 0, conflicts: Vec::new() }
    }
}
