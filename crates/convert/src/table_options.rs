//! How tables are converted.

use ndbytes_arrow::idv::NullPolicy;
use ndbytes_arrow::table::{Keys, Sparse, Times};

/// How tables are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TableOptions {
    /// The unit of the times of IDV in other kinds. If it is `None`, one pass over the times chooses: microseconds if
    /// all are whole ones, or else nanoseconds if all are in their range.
    pub times: Option<Times>,
    /// The representation of IDV keys in other kinds.
    pub keys: Keys,
    /// The representation of IDV vectors in other kinds.
    pub sparse: Sparse,
    /// The replacement of nulls in IDV.
    pub nulls: NullPolicy,
}

impl TableOptions {
    /// The defaults.
    pub fn new() -> Self {
        TableOptions::default()
    }

    /// Sets the unit of times, or lets the times choose it.
    #[must_use]
    pub fn times(self, times: Option<Times>) -> Self {
        TableOptions { times, ..self }
    }

    /// Sets what keys become.
    #[must_use]
    pub fn keys(self, keys: Keys) -> Self {
        TableOptions { keys, ..self }
    }

    /// Sets what vectors become.
    #[must_use]
    pub fn sparse(self, sparse: Sparse) -> Self {
        TableOptions { sparse, ..self }
    }

    /// Sets what nulls become.
    #[must_use]
    pub fn nulls(self, nulls: NullPolicy) -> Self {
        TableOptions { nulls, ..self }
    }
}
