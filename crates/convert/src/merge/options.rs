//! How to merge.

use super::conflict::Conflict;
use super::versions::Version;
use ndbytes::Limits;

/// Decides conflicts: returns the version to use, or `None` to leave a conflict undecided.
pub type Decide<'d> = dyn FnMut(&Conflict) -> Option<Version> + 'd;

/// Options of a merge.
///
/// ```
/// use ndbytes_convert::merge::{Merged, Options, Versions, merge};
///
/// let file = |values: [u8; 3]| ndbytes::idx::Writer::new().to_vec(&ndbytes::ndarray::arr1(&values));
/// let bytes = Versions { base: file([1, 2, 3])?, ours: file([7, 2, 3])?, theirs: file([1, 2, 9])? };
/// let opened = bytes.each_ref().try_map(|bytes| ndbytes::Options::new().from_slice(bytes))?;
/// let found = merge(opened.each_ref(), &Options::new().gzip(true), &mut |_| None)?;
/// let Some(Merged::File(merged)) = found.merged else { panic!("both sides changed the file") };
/// assert!(ndbytes::is_gzip(&merged));
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub(super) limits: Limits,
    pub(super) gzip: bool,
}

impl Options {
    /// Uses the default limits and writes an uncompressed file.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets limits on memory and time. The merged file is made in memory.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Compresses the merged file with gzip.
    #[must_use]
    pub fn gzip(self, gzip: bool) -> Self {
        Options { gzip, ..self }
    }
}
