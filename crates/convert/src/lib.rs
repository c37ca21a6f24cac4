//! Converts arrays and tables between the formats of ndbytes and third-party formats.
//!
//! Values and their types are preserved. If a target cannot hold some values, the error names them. With [`Options::lossy`],
//! they are changed or dropped instead, and reported. Metadata that a target cannot hold is dropped and reported, or causes an
//! error with [`Options::strict`]. Arrays are read and written piece by piece, so their size is not limited by memory.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let out = folder.path().join("temperatures.npy");
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/temperatures.b2nd");
//! use ndbytes_convert::{FileKind, Options, ArraySource, Source, Target, convert};
//!
//! let array = ndbytes::open(path)?.into_array()?;
//! let sources = [Source::Array(ArraySource::new("temperatures", &array))];
//! let losses = convert(&sources, FileKind::Npy, Target::File(&out), &Options::new())?;
//! assert_eq!(losses[0].to_string(), ".npy cannot hold the metalayer \"places\" of temperatures, which is dropped");
//! # Ok::<(), ndbytes_convert::Error>(())
//! ```

#![cfg_attr(not(test), deny(clippy::too_many_lines))]
#![forbid(unsafe_code)]

mod arrays;
mod axis_selection;
mod containers;
mod conversion;
pub mod door;
mod error;
mod kind;
mod memory;
pub mod merge;
mod name;
mod options;
#[cfg(feature = "png")]
mod pictures;
#[cfg(feature = "tables")]
mod table_options;
#[cfg(feature = "tables")]
mod tables;
mod target;
mod zarr;

pub use arrays::part::ArraySource;
pub use error::{Error, Loss, Result, Weight};
pub use kind::FileKind;
#[cfg(feature = "tables")]
pub use ndbytes_arrow::{
    ctable::CTable,
    idv::{NullPolicy, Zones},
    table::{Keys, Sparse, Times},
};
#[cfg(feature = "png")]
pub use options::Sheet;
pub use options::{Options, Progress};
#[cfg(feature = "png")]
pub use pictures::Pictures;
#[cfg(feature = "tables")]
pub use table_options::{Layout, TableOptions};
#[cfg(feature = "tables")]
pub use tables::{ColumnStatistics, ShownColumn, source::TableSource, text};
pub use target::Target;
pub use zarr::{array::ZarrArray, encode::ZarrCodec, store::ZarrStore};

/// Returns the names of the supported codecs in Zarr 3 metadata. The tests measure the cost of each codec.
#[doc(hidden)]
pub fn zarr_codecs() -> impl Iterator<Item = String> {
    use zarr::codecs::steps::{OF_V3, STEPS};
    STEPS.into_iter().map(|(name, _)| if OF_V3.contains(&name) { name.to_owned() } else { format!("numcodecs.{name}") })
}

/// A source to convert.
///
/// ```
/// use ndbytes_convert::{ArraySource, Source};
///
/// let surface = ndbytes::open("../../samples/surface.ra")?.into_array()?;
/// let source = Source::Array(ArraySource::new("surface", &surface));
/// assert_eq!(source.length(), 4 * 6 * 4); // 4 × 6 floats
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Source<'s> {
    /// An array, or a part of one.
    Array(ArraySource<'s>),
    /// A table, or some of its columns and rows.
    #[cfg(feature = "tables")]
    Table(TableSource),
}

impl Source<'_> {
    /// The length in bytes of all values of an array, or of a table's file.
    pub fn length(&self) -> u64 {
        match self {
            Source::Array(part) => part.length(),
            #[cfg(feature = "tables")]
            Source::Table(table) => table.length(),
        }
    }
}

/// Converts sources. Several arrays are concatenated along the first axis, unless the target holds several by name. In
/// a table, each array becomes a column, with one row per item of the first axis. Several tables are concatenated by
/// row. Returns the losses.
///
/// # Errors
/// [`Error::Refused`] if the target cannot hold the values. [`Error::Lossy`] if the options do not allow a loss.
/// [`Error::Unlike`] if several sources do not fit together; any error of the library. After an error, no file is
/// written.
pub fn convert(sources: &[Source<'_>], kind: FileKind, target: Target<'_>, options: &Options<'_>) -> Result<Vec<Loss>> {
    match target {
        Target::File(path) => convert_to(sources, kind, target, options).map_err(|error| error.at(path)),
        Target::Stream(_) => convert_to(sources, kind, target, options),
    }
}

/// Converts sources to a target. The clock starts here.
fn convert_to(sources: &[Source<'_>], kind: FileKind, target: Target<'_>, options: &Options<'_>) -> Result<Vec<Loss>> {
    let options = &options.limits(options.limits.started());
    #[cfg(feature = "tables")]
    if sources.iter().any(|source| matches!(source, Source::Table(_))) {
        let mut all = Vec::new();
        for source in sources {
            match source {
                Source::Table(table) => all.push(table),
                Source::Array(array) => {
                    let what = format!("the array {} together with a table: convert them separately", array.name());
                    return Err(Error::Refused { kind, what });
                }
            }
        }
        if !kind.is_table() {
            let what = "tables: use idv, parquet, arrow, arrows, csv or jsonl".into();
            return Err(Error::Refused { kind, what });
        }
        return tables::convert(&all, kind, target, options);
    }
    let mut parts: Vec<&ArraySource<'_>> = Vec::new();
    for source in sources {
        match source {
            Source::Array(part) => parts.push(part),
            #[cfg(feature = "tables")]
            Source::Table(_) => {}
        }
    }
    match kind.is_table() {
        #[cfg(feature = "tables")]
        true => tables::arrays::convert(&parts, kind, target, options),
        #[cfg(not(feature = "tables"))]
        true => Err(Error::NotBuilt { kind, feature: "tables" }),
        false => conversion::convert(&parts, kind, target, options),
    }
}
