//! Scans as plain data.

use crate::filters::Wanted;
use crate::source::Source;
use serde::{Deserialize, Serialize};

/// A scan of a source, as plain data.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Scan {
    pub source: Source,
    /// The required columns, by index; `None` for all of them.
    pub projection: Option<Vec<usize>>,
    /// The required rows.
    pub wanted: Wanted,
    /// The number of files to open.
    pub files: usize,
    /// The total number of rows, if known.
    pub rows: Option<usize>,
    /// The number of rows after which a partition may stop.
    pub limit: Option<usize>,
}
