//! How to convert.

#[cfg(feature = "png")]
use crate::pictures::Sheet;
#[cfg(feature = "tables")]
use crate::tables::TableOptions;
use ndbytes::Limits;

/// A function that is told the place of a source, and how many bytes of its values have been read.
pub type Progress<'o> = dyn Fn(usize, u64) + 'o;

/// How to convert.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Options<'o> {
    /// The memory and the output that are granted.
    pub limits: Limits,
    /// True if what a target cannot hold is given up, as far as values remain.
    pub lossy: bool,
    /// True if the entries of `.npz` are deflated.
    pub compress: bool,
    /// The pictures of a sheet, if the target is one.
    #[cfg(feature = "png")]
    pub sheet: Option<Sheet>,
    /// How tables are converted.
    #[cfg(feature = "tables")]
    pub tables: TableOptions,
    /// Is told what is read.
    pub(crate) progress: &'o Progress<'o>,
}

impl<'o> Options<'o> {
    /// The default limits, and nothing is given up.
    pub fn new() -> Self {
        Options {
            limits: Limits::default(),
            lossy: false,
            compress: false,
            #[cfg(feature = "png")]
            sheet: None,
            #[cfg(feature = "tables")]
            tables: TableOptions::new(),
            progress: &|_, _| {},
        }
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Lets the target give up what it cannot hold: metadata, and names of types whose values it can hold in another type.
    #[must_use]
    pub fn lossy(self, lossy: bool) -> Self {
        Options { lossy, ..self }
    }

    /// Deflates the entries of `.npz`.
    #[must_use]
    pub fn compress(self, compress: bool) -> Self {
        Options { compress, ..self }
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

    /// Calls a function with the place of a source and the number of bytes whenever so many of its values have been read, and
    /// with 0 bytes before they are. It is called from this thread.
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
        let Options { limits, lossy, compress, .. } = self;
        let mut shown = f.debug_struct("Options");
        shown.field("limits", limits).field("lossy", lossy).field("compress", compress).finish_non_exhaustive()
    }
}
