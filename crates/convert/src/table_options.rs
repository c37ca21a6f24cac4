//! How tables are converted.

use ndbytes_arrow::idv::NullPolicy;
use ndbytes_arrow::table::{Keys, Sparse, Times};

/// How tables are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableOptions {
    pub(crate) times: Option<Times>,
    pub(crate) keys: Keys,
    pub(crate) sparse: Sparse,
    pub(crate) nulls: NullPolicy,
}

impl TableOptions {
    /// The defaults.
    pub fn new() -> Self {
        TableOptions::default()
    }

    /// Sets the unit of the times of IDV in other kinds. If it is `None`, one pass over the times chooses: microseconds if
    /// all are whole ones, or else nanoseconds if all are in their range.
    #[must_use]
    pub fn times(self, times: Option<Times>) -> Self {
        TableOptions { times, ..self }
    }

    /// Sets what keys of IDV become in other kinds.
    #[must_use]
    pub fn keys(self, keys: Keys) -> Self {
        TableOptions { keys, ..self }
    }

    /// Sets what vectors of IDV become in other kinds.
    #[must_use]
    pub fn sparse(self, sparse: Sparse) -> Self {
        TableOptions { sparse, ..self }
    }

    /// Sets what nulls become in IDV.
    #[must_use]
    pub fn nulls(self, nulls: NullPolicy) -> Self {
        TableOptions { nulls, ..self }
    }
}
