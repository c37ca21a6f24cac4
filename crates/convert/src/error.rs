//! Errors, and losses.

use crate::kind::FileKind;
use std::fmt;
use std::path::Path;

/// The result of a conversion.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a conversion.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let out = folder.path().join("a.idx");
/// use ndbytes_convert::{ArraySource, Error, FileKind, Options, Source, Target, convert};
///
/// // An array of complex numbers, which IDX does not support.
/// # let bytes = b"\x93NUMPY\x01\0\x46\0{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }            \n\0\0\0\0\0\0\0\0";
/// let array = ndbytes::Options::new().from_slice(bytes)?.into_array()?;
/// let sources = [Source::Array(ArraySource::new("a", &array))];
/// let error = convert(&sources, FileKind::Idx, Target::File(&out), &Options::new()).unwrap_err();
/// assert!(matches!(error, Error::Refused { kind: FileKind::Idx, .. }), "{error}");
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the library: a broken rule, an exceeded limit, or a system error.
    #[error(transparent)]
    Library(#[from] ndbytes::Error),
    /// The target cannot hold the values.
    #[error("{} cannot hold {what}", kind.title())]
    Refused {
        /// The kind of the target.
        kind: FileKind,
        /// The content that cannot be represented.
        what: String,
    },
    /// The target cannot hold the values or their metadata, and dropping them was not allowed.
    #[error("{}", listed(.0))]
    Lossy(Vec<Loss>),
    /// This build cannot write files of this kind.
    #[error("this build cannot write {}: build with the feature `{feature}`", kind.title())]
    NotBuilt {
        /// The kind.
        kind: FileKind,
        /// The feature that enables it.
        feature: &'static str,
    },
    /// A source violates its format.
    #[error("the {} file {what}", kind.title())]
    Malformed {
        /// Its kind.
        kind: FileKind,
        /// A clause about the violation: "has a header that …".
        what: String,
    },
    /// A zip archive has entries that are neither arrays nor tables, which would be missing from the merged archive.
    #[error("the archive contains files other than arrays and tables, which a merge would lose")]
    NoMembers,
    /// A table has no column with this name.
    #[error("{name} has no column {column:?}; the first columns are {}", names.join(", "))]
    NoColumn {
        /// The table.
        name: String,
        /// The name.
        column: String,
        /// The first few names that exist.
        names: Vec<String>,
    },
    /// A table cannot be read or written.
    #[cfg(feature = "tables")]
    #[error("{name}: {error}")]
    Table {
        /// The source, or the kind of the target.
        name: String,
        /// The reason.
        #[source]
        error: ndbytes_arrow::Error,
    },
    /// The versions of a file to merge are of different kinds.
    #[error("an array and a table cannot be merged")]
    ArrayAndTable,
    /// Several sources do not fit together.
    #[error("{name} cannot follow {first}: it has {what}")]
    Unlike {
        /// The source that differs from the first one.
        name: String,
        /// The first one.
        first: String,
        /// The difference.
        what: String,
    },
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Error::Library(error.into())
    }
}

impl Error {
    /// Returns the same error with the path of the written file, because some writers have only a stream.
    pub(crate) fn at(self, path: &Path) -> Self {
        match self {
            Error::Library(ndbytes::Error::Io { path: None, source }) => {
                Error::Library(ndbytes::Error::Io { path: Some(path.to_owned()), source })
            }
            error => error,
        }
    }
}

#[cfg(feature = "tables")]
impl Error {
    /// Returns the error for a table without columns.
    pub(crate) fn without_columns(kind: FileKind) -> Self {
        Error::Refused { kind, what: "a table without columns".into() }
    }
}

/// Content that the target cannot hold, and what happens to it.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let out = folder.path().join("temperatures.npy");
/// use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, Weight, convert};
///
/// let array = ndbytes::open("../../samples/temperatures.b2nd")?.into_array()?;
/// let sources = [Source::Array(ArraySource::new("temperatures", &array))];
/// let losses = convert(&sources, FileKind::Npy, Target::File(&out), &Options::new())?;
/// assert_eq!(losses[0].what, "the metalayer \"places\" of temperatures");
/// assert_eq!((&*losses[0].instead, losses[0].weight), ("which is dropped", Weight::Metadata));
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The kind of the target.
    pub kind: FileKind,
    /// The content that cannot be represented, with the name of its source.
    pub what: String,
    /// A clause about what happens to it: "which is dropped".
    pub instead: String,
    /// How serious it is.
    pub weight: Weight,
}

/// How serious a loss is, and thus which option the user must set to continue.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let out = folder.path().join("temperatures.npy");
/// # use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, convert};
/// use ndbytes_convert::Weight;
///
/// # let array = ndbytes::open("../../samples/temperatures.b2nd")?.into_array()?;
/// # let sources = [Source::Array(ArraySource::new("temperatures", &array))];
/// let losses = convert(&sources, FileKind::Npy, Target::File(&out), &Options::new())?;
/// assert!(losses.iter().all(|loss| loss.weight == Weight::Metadata)); // no value changed
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Weight {
    /// Metadata is left out: annotations, attributes, metalayers, slot names or hidden columns. All values are
    /// preserved. No option is needed.
    Metadata,
    /// Times are counted in another unit, without rounding. No option is needed.
    Unit,
    /// The type is dropped, or values are changed. [`Options::lossy`](crate::Options::lossy) is needed.
    Values,
}

impl Loss {
    /// Returns a loss of values of a source.
    pub(crate) fn of(kind: FileKind, what: &str, source: &str, instead: &str) -> Loss {
        Loss { kind, what: format!("{what} of {source}"), instead: instead.to_owned(), weight: Weight::Values }
    }

    /// Returns a loss of metadata.
    pub(crate) fn left_out(kind: FileKind, what: &str, source: &str) -> Loss {
        Loss { weight: Weight::Metadata, ..Loss::of(kind, what, source, "which is dropped") }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot hold {}, {}", self.kind.title(), self.what, self.instead)
    }
}

/// Names the first of several losses.
fn listed(losses: &[Loss]) -> String {
    let Some(first) = losses.first() else { return String::new() };
    let others = match losses.len() - 1 {
        0 => String::new(),
        1 => ", nor one other thing".into(),
        more => format!(", nor {more} other things"),
    };
    format!("{} cannot hold {}{others}", first.kind.title(), first.what)
}
