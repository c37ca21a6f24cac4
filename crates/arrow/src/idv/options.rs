//! Options for converting batches to a table.

use crate::choices::choices;
use ndbytes::Limits;
use ndbytes::idv::Compression;

/// How record batches are converted to an IDV table.
///
/// ```
/// # use arrow_array::{ArrayRef, Float32Array, RecordBatch, RecordBatchIterator};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.idv");
/// # let sizes: ArrayRef = std::sync::Arc::new(Float32Array::from(vec![Some(0.5), None]));
/// # let batch = RecordBatch::try_from_iter([("Size", sizes)])?;
/// # let batches = || RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
/// use ndbytes_arrow::idv::{NullPolicy, WriteOptions, write};
///
/// // A column of floats with a null. IDV has no nulls, so somebody must decide.
/// assert!(write(&path, batches(), WriteOptions::new()).is_err());
/// assert_eq!(write(&path, batches(), WriteOptions::new().nulls(NullPolicy::Nan))?, 2);
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
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
    /// Creates the default options.
    pub fn new() -> Self {
        WriteOptions::default()
    }

    /// Sets how nulls are handled. The default is [`NullPolicy::Error`].
    #[must_use]
    pub fn nulls(self, nulls: NullPolicy) -> Self {
        WriteOptions { nulls, ..self }
    }

    /// Sets what times with a zone become. The default is [`Zones::Offset`].
    #[must_use]
    pub fn zones(self, zones: Zones) -> Self {
        WriteOptions { zones, ..self }
    }

    /// Sets whether the metadata of fields determines the types of columns and their annotations, if it agrees with Arrow's types.
    /// By default, it does.
    #[must_use]
    pub fn metadata(self, metadata: bool) -> Self {
        WriteOptions { metadata, ..self }
    }

    /// Sets the compression of blocks: [`Compression::NONE`] or [`Compression::DEFLATE`] (the default).
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
    /// What times with a zone become. IDV has `DateTimeOffset`: the local time and its offset from UTC.
    ///
    /// ```
    /// use ndbytes_arrow::idv::Zones;
    ///
    /// assert_eq!("utc".parse(), Ok(Zones::Utc));
    /// assert_eq!(Zones::default().name(), "offset");
    /// ```
    Zones: "kinds of zones" {
        /// The local time of the zone, according to the system's time zone database.
        #[default]
        Offset = "offset",
        /// UTC. The times do not change, and their zone is dropped.
        Utc = "utc",
    }
}

choices! {
    /// How nulls are handled. In IDV 1.1.1.6, only NaN and the missing key are missing values; a null key always becomes the missing key.
    ///
    /// ```
    /// use ndbytes_arrow::idv::NullPolicy;
    ///
    /// assert_eq!("nan".parse(), Ok(NullPolicy::Nan));
    /// assert_eq!(NullPolicy::default(), NullPolicy::Error);
    /// ```
    NullPolicy: "kinds of nulls" {
        /// Nulls are an error.
        #[default]
        Error = "error",
        /// Null floating-point numbers become NaN. Other nulls are an error.
        Nan = "nan",
        /// Nulls become zero, false, the empty text, or the empty vector.
        Default = "default",
    }
}
