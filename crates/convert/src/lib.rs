//! Converts arrays and tables between the formats of ndbytes and those of others.
//!
//! Values stay as they are, and so does their type. Values that a target cannot hold are refused by name, or dropped by name if
//! [`Options::lossy`] asks for that. Metadata that it cannot hold are left out by name, or refused if [`Options::strict`] asks for
//! that. Arrays are read and written piece by piece: their size is not bounded by the memory.
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
//! assert_eq!(losses[0].to_string(), ".npy cannot hold the metalayer \"places\" of temperatures, which is left out");
//! # Ok::<(), ndbytes_convert::Error>(())
//! ```

#![cfg_attr(not(test), deny(clippy::too_many_lines))]
#![forbid(unsafe_code)]

mod arrays;
mod containers;
mod conversion;
mod error;
mod kind;
mod memory;
pub mod merge;
mod name;
mod options;
mod pick;
#[cfg(feature = "png")]
mod pictures;
#[cfg(feature = "tables")]
mod table_options;
#[cfg(feature = "tables")]
mod tables;
mod target;
mod zarr;

pub use arrays::part::ArraySource;
pub use containers::safetensors::Tensors;
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
pub use tables::{source::TableSource, text};
pub use target::Target;
pub use zarr::{array::ZarrArray, encode::ZarrCodec, store::ZarrStore};

/// Something that is converted.
#[derive(Debug)]
#[non_exhaustive]
pub enum Source<'s> {
    /// An array, or a part of one.
    Array(ArraySource<'s>),
    /// A table, or columns and rows of one.
    #[cfg(feature = "tables")]
    Table(TableSource),
}

impl Source<'_> {
    /// Bytes of all values of an array, or of the file of a table.
    pub fn length(&self) -> u64 {
        match self {
            Source::Array(part) => part.length(),
            #[cfg(feature = "tables")]
            Source::Table(table) => table.length(),
        }
    }
}

/// Converts. Several arrays become one along their first axis, unless the target holds several by
/// name. In a table, an array is a column, whose rows lie along its first axis. Several tables become
/// one, whose rows are theirs one after the other. The losses are returned.
///
/// # Errors
/// [`Error::Refused`] if the target cannot hold the values. [`Error::Lossy`] if the options do not allow a loss.
/// [`Error::Unlike`] if several sources are no whole, and the errors of the library. No file is written then.
pub fn convert(sources: &[Source<'_>], kind: FileKind, target: Target<'_>, options: &Options<'_>) -> Result<Vec<Loss>> {
    match target {
        Target::File(path) => convert_to(sources, kind, target, options).map_err(|error| error.at(path)),
        Target::Stream(_) => convert_to(sources, kind, target, options),
    }
}

fn convert_to(sources: &[Source<'_>], kind: FileKind, target: Target<'_>, options: &Options<'_>) -> Result<Vec<Loss>> {
    let options = &options.limits(options.limits.started());
    #[cfg(feature = "tables")]
    if sources.iter().any(|source| matches!(source, Source::Table(_))) {
        let mut all = Vec::new();
        for source in sources {
            match source {
                Source::Table(table) => all.push(table),
                Source::Array(array) => {
                    let what = format!("the array {} beside a table: convert each by itself", array.name());
                    return Err(Error::Refused { kind, what });
                }
            }
        }
        if !kind.is_table() {
            let what = "tables, only arrays: a table is written as idv, parquet, arrow, arrows, csv or jsonl".into();
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
