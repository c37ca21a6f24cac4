//! Scans as plain data.

use crate::filters::Wanted;
use crate::source::Source;
use serde::{Deserialize, Serialize};

/// The scan of a source, as plain data.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Scan {
    pub source: Source,
    /// The columns that are wanted, by their places; `None` for all of them.
    pub projection: Option<Vec<usize>>,
    /// The rows that are wanted.
    pub wanted: Wanted,
    /// The number of files that are opened.
    pub files: usize,
    /// The number of all rows, where it is known.
    pub rows: Option<usize>,
    /// The rows after which a partition may stop.
    pub limit: Option<usize>,
}
