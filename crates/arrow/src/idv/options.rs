//! How batches become a table.

use crate::choices::choices;
use ndbytes::Limits;
use ndbytes::idv::Compression;

/// How record batches become an IDV table.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The treatment of nulls.
    pub nulls: Nulls,
    /// True if the metadata of fields determine the types of columns and their annotations, where Arrow's types agree with
    /// them; by default they do.
    pub metadata: bool,
    /// The compression of blocks: [`Compression::NONE`] or [`Compression::DEFLATE`], the default.
    pub compression: Compression,
    /// Limits on memory.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            nulls: Nulls::default(),
            metadata: true,
            compression: Compression::DEFLATE,
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets what becomes of nulls.
    #[must_use]
    pub fn nulls(self, nulls: Nulls) -> Self {
        Options { nulls, ..self }
    }

    /// Sets whether metadata count.
    #[must_use]
    pub fn metadata(self, metadata: bool) -> Self {
        Options { metadata, ..self }
    }

    /// Sets the compression of blocks.
    #[must_use]
    pub fn compression(self, compression: Compression) -> Self {
        Options { compression, ..self }
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }
}

choices! {
    /// The treatment of nulls. Version 1.1.1.6 of IDV has no missing values but NaN and the missing key, which a null key
    /// becomes in any case.
    Nulls: "kinds of nulls" {
        /// They are an error.
        #[default]
        Error = "error",
        /// Floating-point numbers become NaN. Other nulls are an error.
        Nan = "nan",
        /// Zero, false, the empty text, the empty vector.
        Default = "default",
    }
}
