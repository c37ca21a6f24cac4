//! The outcome of a merge.

use super::conflict::Conflict;
use super::versions::Version;

/// A merged file.
///
/// ```
/// use ndbytes_convert::merge::{Merged, Options, Version, Versions, merge};
///
/// let file = |values: [u8; 3]| ndbytes::idx::Writer::new().to_vec(&ndbytes::ndarray::arr1(&values));
/// let bytes = Versions { base: file([1, 2, 3])?, ours: file([1, 2, 3])?, theirs: file([1, 2, 9])? };
/// let opened = bytes.each_ref().try_map(|bytes| ndbytes::Options::new().from_slice(bytes))?;
/// let found = merge(opened.each_ref(), &Options::new(), &mut |_| None)?;
/// assert_eq!(found.merged, Some(Merged::Version(Version::Theirs))); // only they changed it
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// One of the files, unchanged, because only this side has changes.
    Version(Version),
    /// A new file with these bytes.
    File(Vec<u8>),
}

/// The merged file, or the conflicts.
///
/// ```
/// use ndbytes_convert::merge::{Options, Versions, merge};
///
/// let file = |values: [u8; 3]| ndbytes::idx::Writer::new().to_vec(&ndbytes::ndarray::arr1(&values));
/// let bytes = Versions { base: file([1, 2, 3])?, ours: file([7, 7, 3])?, theirs: file([1, 9, 9])? };
/// let opened = bytes.each_ref().try_map(|bytes| ndbytes::Options::new().from_slice(bytes))?;
/// let found = merge(opened.each_ref(), &Options::new(), &mut |_| None)?;
/// assert_eq!((found.from_ours, found.from_theirs, found.conflict_count), (1, 1, 1));
/// assert_eq!(found.merged, None);
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Merge {
    /// The merged file; `None` if conflicts are undecided.
    pub merged: Option<Merged>,
    /// The number of items, rows, cells, or archive members that only our version changed.
    pub from_ours: u64,
    /// The number of items, rows, cells, or archive members that only their version changed.
    pub from_theirs: u64,
    /// The number of conflicts.
    pub conflict_count: u64,
    /// The first hundred conflicts.
    pub conflicts: Vec<Conflict>,
}

impl Merge {
    /// Creates an empty outcome.
    pub(super) fn nothing() -> Self {
        Merge { merged: None, from_ours: 0, from_theirs: 0, conflict_count: 0, conflicts: Vec::new() }
    }
}
