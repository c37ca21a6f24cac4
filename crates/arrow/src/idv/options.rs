//! How batches become a table.

use crate::choices::choices;
use ndbytes::Limits;
use ndbytes::idv::Compression;

/// How record batches become an IDV table.
#[derive(Debug, Clone)]
pub struct WriteOptions {
    pub(crate) nulls: NullPolicy,
    pub(crate) zones: Zones,
    pub(crate) metadata: bool,
    pub(crate) compression: Compression,
    pub(crate) limits: Limits,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            nulls: NullPolicy::default(),
            zones: Zones::default(),
            metadata: true,
            compression: Compression::DEFLATE,
            limits: Limits::default(),
        }
    }
}

impl WriteOptions {
    /// The defaults.
    pub fn new() -> Self {
        WriteOptions::default()
    }

    /// Sets the treatment of nulls. The default is [`NullPolicy::Error`].
    #[must_use]
    pub fn nulls(self, nulls: NullPolicy) -> Self {
        WriteOptions { nulls, ..self }
    }

    /// Sets what times with a zone become. The default is [`Zones::Offset`].
    #[must_use]
    pub fn zones(self, zones: Zones) -> Self {
        WriteOptions { zones, ..self }
    }

    /// Sets whether the metadata of fields determine the types of columns and their annotations, where Arrow's types agree with
    /// them. By default they do.
    #[must_use]
    pub fn metadata(self, metadata: bool) -> Self {
        WriteOptions { metadata, ..self }
    }

    /// Sets the compression of blocks: [`Compression::NONE`] or [`Compression::DEFLATE`], the default.
    #[must_use]
    pub fn compression(self, compression: Compression) -> Self {
        WriteOptions { compression, ..self }
    }

    /// Sets limits on memory.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        WriteOptions { limits, ..self }
    }
}

choices! {
    /// The clock of times with a zone. IDV has `DateTimeOffset`: the time on a clock, and how far the clock is ahead of UTC.
    Zones: "kinds of zones" {
        /// The clock of the zone, by the time zone database of the system.
        #[default]
        Offset = "offset",
        /// A clock of UTC. The times stay what they are, and their zone is dropped.
        Utc = "utc",
    }
}

choices! {
    /// The treatment of nulls. Version 1.1.1.6 of IDV has no missing values but NaN and the missing key, which a null key
    /// becomes in any case.
    NullPolicy: "kinds of nulls" {
        /// They are an error.
        #[default]
        Error = "error",
        /// Floating-point numbers become NaN. Other nulls are an error.
        Nan = "nan",
        /// Zero, false, the empty text, the empty vector.
        Default = "default",
    }
}
