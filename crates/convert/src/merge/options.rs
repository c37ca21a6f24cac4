//! How to merge.

use super::conflict::Conflict;
use super::versions::Version;
use ndbytes::Limits;

/// A function that decides conflicts: it returns the version that counts there, or `None` if it does not know.
pub type Decide<'d> = dyn FnMut(&Conflict) -> Option<Version> + 'd;

/// Options of a merge.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub(super) limits: Limits,
    pub(super) gzip: bool,
}

impl Options {
    /// The default limits, and a file that is not compressed.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets the memory and the time that are granted. The merged file is made in memory.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Puts the merged file inside gzip.
    #[must_use]
    pub fn gzip(self, gzip: bool) -> Self {
        Options { gzip, ..self }
    }
}
