//! How tables are converted.

use ndbytes_arrow::idv::{NullPolicy, Zones};
use ndbytes_arrow::table::{Keys, Sparse, Times};
use std::str::FromStr;

/// The columns that arrays become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Layout {
    /// Numbers, and tensors of a fixed shape: a column an array, with its name.
    #[default]
    Tensors,
    /// Images as PNG files and their labels, in the columns `image` and `label`: Hugging Face's `datasets` shows and reads them.
    HuggingFace,
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "tensors" => Ok(Layout::Tensors),
            "huggingface" => Ok(Layout::HuggingFace),
            _ => Err(format!("{name:?} is no layout: tensors, huggingface")),
        }
    }
}

/// How tables are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableOptions {
    pub(crate) times: Option<Times>,
    pub(crate) keys: Keys,
    pub(crate) sparse: Sparse,
    pub(crate) nulls: NullPolicy,
    pub(crate) layout: Layout,
    pub(crate) zones: Zones,
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

    /// Sets the columns that arrays become.
    #[must_use]
    pub fn layout(self, layout: Layout) -> Self {
        TableOptions { layout, ..self }
    }

    /// Sets what times with a zone become in IDV.
    #[must_use]
    pub fn zones(self, zones: Zones) -> Self {
        TableOptions { zones, ..self }
    }

    /// Sets what nulls become in IDV.
    #[must_use]
    pub fn nulls(self, nulls: NullPolicy) -> Self {
        TableOptions { nulls, ..self }
    }
}
