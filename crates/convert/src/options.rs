//! How to convert.

use crate::error::{Error, Loss, Result, Weight};
#[cfg(feature = "tables")]
use crate::table_options::TableOptions;
use crate::zarr::encode::ZarrCodec;
use ndbytes::Limits;
#[cfg(feature = "png")]
use std::str::FromStr;

/// Receives the index of a source, and the number of bytes of its values that have been read.
pub type Progress<'o> = dyn Fn(usize, u64) + 'o;

/// A sheet of pictures: the first items of an array, row by row.
///
/// ```
/// use ndbytes_convert::Sheet;
///
/// assert_eq!("4x10".parse(), Ok(Sheet { rows: 4, columns: 10 }));
/// ```
#[cfg(feature = "png")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sheet {
    /// The number of rows of pictures.
    pub rows: usize,
    /// The number of pictures per row.
    pub columns: usize,
}

#[cfg(feature = "png")]
impl FromStr for Sheet {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let parsed = text.split_once(['x', '×']).and_then(|(rows, columns)| {
            let sheet = Sheet { rows: rows.parse().ok()?, columns: columns.parse().ok()? };
            (sheet.rows > 0 && sheet.columns > 0).then_some(sheet)
        });
        parsed.ok_or("expected rows and columns, such as 4x10")
    }
}

/// How to convert.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let out = folder.path().join("temperatures.npy");
/// use ndbytes_convert::{ArraySource, Error, FileKind, Options, Source, Target, convert};
///
/// // Strict: metadata that the target cannot hold is an error.
/// let array = ndbytes::open("../../samples/temperatures.b2nd")?.into_array()?;
/// let sources = [Source::Array(ArraySource::new("temperatures", &array))];
/// let refused = convert(&sources, FileKind::Npy, Target::File(&out), &Options::new().strict(true));
/// assert!(matches!(refused, Err(Error::Lossy(_))));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Options<'o> {
    pub(crate) limits: Limits,
    pub(crate) lossy: bool,
    pub(crate) strict: bool,
    pub(crate) compress: bool,
    pub(crate) zarr_codec: ZarrCodec,
    #[cfg(feature = "png")]
    pub(crate) sheet: Option<Sheet>,
    #[cfg(feature = "tables")]
    pub(crate) tables: TableOptions,
    pub(crate) progress: &'o Progress<'o>,
}

impl<'o> Options<'o> {
    /// Uses the default limits and drops only metadata that a target cannot hold.
    pub fn new() -> Self {
        Options {
            limits: Limits::default(),
            lossy: false,
            strict: false,
            compress: false,
            zarr_codec: ZarrCodec::default(),
            #[cfg(feature = "png")]
            sheet: None,
            #[cfg(feature = "tables")]
            tables: TableOptions::new(),
            progress: &|_, _| {},
        }
    }

    /// Sets limits on memory and output.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Allows losses of values: the original type of values that are stored as another type, halves of characters, or
    /// the range of numbers that become pictures.
    #[must_use]
    pub fn lossy(self, lossy: bool) -> Self {
        Options { lossy, ..self }
    }

    /// Treats dropped metadata and a changed unit of times as errors.
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        Options { strict, ..self }
    }

    /// Fails if there are losses that are not allowed.
    pub(crate) fn ensure_allowed(&self, losses: &[Loss]) -> Result<()> {
        let is_refused = |loss: &&Loss| match loss.weight {
            Weight::Metadata | Weight::Unit => self.strict,
            Weight::Values => !self.lossy,
        };
        let refused: Vec<Loss> = losses.iter().filter(is_refused).cloned().collect();
        if refused.is_empty() { Ok(()) } else { Err(Error::Lossy(refused)) }
    }

    /// Compresses the entries of `.npz` with deflate.
    #[must_use]
    pub fn compress(self, compress: bool) -> Self {
        Options { compress, ..self }
    }

    /// Sets the codec of Zarr chunks.
    #[must_use]
    pub fn zarr_codec(self, zarr_codec: ZarrCodec) -> Self {
        Options { zarr_codec, ..self }
    }

    /// Writes the first items as a sheet, if the target is a picture.
    #[cfg(feature = "png")]
    #[must_use]
    pub fn sheet(self, sheet: Option<Sheet>) -> Self {
        Options { sheet, ..self }
    }

    /// Sets how tables are converted.
    #[cfg(feature = "tables")]
    #[must_use]
    pub fn tables(self, tables: TableOptions) -> Self {
        Options { tables, ..self }
    }

    /// Calls a function with the index of a source and the number of bytes of its values that have been read. The first
    /// call reports 0 bytes. All calls come from the current thread.
    #[must_use]
    pub fn progress(self, progress: &'o Progress<'o>) -> Self {
        Options { progress, ..self }
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options::new()
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Options { limits, lossy, strict, compress, .. } = self;
        let mut shown = f.debug_struct("Options");
        shown.field("limits", limits).field("lossy", lossy).field("strict", strict).field("compress", compress);
        shown.finish_non_exhaustive()
    }
}
