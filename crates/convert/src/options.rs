//! How to convert.

use crate::error::{Error, Loss, Result, Weight};
#[cfg(feature = "tables")]
use crate::table_options::TableOptions;
use crate::zarr::encode::ZarrCodec;
use ndbytes::Limits;
#[cfg(feature = "png")]
use std::str::FromStr;

/// A function that gets the number of a source, and how many bytes of its values have been read.
pub type Progress<'o> = dyn Fn(usize, u64) + 'o;

/// A sheet of pictures: the first items of an array, row by row.
#[cfg(feature = "png")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sheet {
    /// Pictures below each other.
    pub rows: usize,
    /// Pictures beside each other.
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
        parsed.ok_or("rows and columns are expected, such as 4x10")
    }
}

/// How to convert.
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
    /// The default limits. Metadata are left out where a target cannot hold them; nothing else is dropped.
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

    /// Sets the memory and the output that are granted.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Drops what the target cannot hold of values. That is the name of a type whose values another type can hold,
    /// halves of characters, or the range of numbers that become pictures.
    #[must_use]
    pub fn lossy(self, lossy: bool) -> Self {
        Options { lossy, ..self }
    }

    /// Refuses to leave out metadata, and to change the unit of times.
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        Options { strict, ..self }
    }

    /// Fails with the losses that are not allowed, if there are any.
    pub(crate) fn ensure_allowed(&self, losses: &[Loss]) -> Result<()> {
        let is_refused = |loss: &&Loss| match loss.weight {
            Weight::Metadata | Weight::Unit => self.strict,
            Weight::Values => !self.lossy,
        };
        let refused: Vec<Loss> = losses.iter().filter(is_refused).cloned().collect();
        if refused.is_empty() { Ok(()) } else { Err(Error::Lossy(refused)) }
    }

    /// Deflates the entries of `.npz`.
    #[must_use]
    pub fn compress(self, compress: bool) -> Self {
        Options { compress, ..self }
    }

    /// Sets the codec of the chunks of Zarr.
    #[must_use]
    pub fn zarr_codec(self, zarr_codec: ZarrCodec) -> Self {
        Options { zarr_codec, ..self }
    }

    /// Writes a sheet of the first items, if the target is a picture.
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

    /// Calls a function with the place of a source and the number of bytes of its values that have been read. The first
    /// call has 0 bytes. It is called from this thread.
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
