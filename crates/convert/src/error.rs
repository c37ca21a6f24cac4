//! Errors, and losses.

use crate::kind::FileKind;
use std::fmt;
use std::path::Path;

/// The result of a conversion.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a conversion.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the library: a file that breaks a rule, a limit, the system.
    #[error(transparent)]
    Library(#[from] ndbytes::Error),
    /// The target cannot hold the values.
    #[error("{} cannot hold {what}", kind.title())]
    Refused {
        /// The kind of the target.
        kind: FileKind,
        /// The content that it cannot hold.
        what: String,
    },
    /// The target cannot hold all that belongs to the values, or only other values, and nobody asked for that.
    #[error("{}", listed(.0))]
    Lossy(Vec<Loss>),
    /// This build cannot write the kind.
    #[error("this build of ndbytes has no writer of {}: turn the feature `{feature}` on", kind.title())]
    NotBuilt {
        /// The kind.
        kind: FileKind,
        /// The feature of its writer.
        feature: &'static str,
    },
    /// A source breaks the rules of its kind.
    #[error("the {} file {what}", kind.title())]
    Malformed {
        /// Its kind.
        kind: FileKind,
        /// A clause that says how: "has a header that …".
        what: String,
    },
    /// A zip archive has entries that are no arrays and no tables, which a merged one would not have.
    #[error("the archive holds files that are no arrays and no tables: they would be lost, so that it is not merged")]
    NoMembers,
    /// A file of several arrays has none of this name.
    #[error("there is no array {name:?}; the first of those that are there: {}", names.join(", "))]
    NoArray {
        /// The name.
        name: String,
        /// The first names that are there.
        names: Vec<String>,
    },
    /// A table has no column of this name.
    #[error("{name} has no column {column:?}; the first of those that are there: {}", names.join(", "))]
    NoColumn {
        /// The table.
        name: String,
        /// The name.
        column: String,
        /// The first names that are there.
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
    /// The versions of a file that are merged are of different kinds.
    #[error("an array and a table cannot be merged")]
    ArrayAndTable,
    /// Several sources are not parts of one whole.
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
    /// The same error, about the file that is written: some of its writers know a stream alone.
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
    pub(crate) fn without_columns(kind: FileKind) -> Self {
        Error::Refused { kind, what: "a table without columns".into() }
    }
}

/// Something that the target cannot hold, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The kind of the target.
    pub kind: FileKind,
    /// The content that it cannot hold, with the name of its source.
    pub what: String,
    /// A clause that says what becomes of it: "which is left out".
    pub instead: String,
    /// The weight of it.
    pub weight: Weight,
}

/// The weight of a loss: what has to be requested, so that a conversion goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Weight {
    /// Metadata are left out: annotations, attributes, metalayers, slot names, hidden columns. The values are all there. Nothing
    /// has to be requested.
    Metadata,
    /// Times are counted in another unit, none of them rounded. Nothing has to be requested.
    Unit,
    /// The type is dropped, or values are changed. [`Options::lossy`](crate::Options::lossy) has to ask for it.
    Values,
}

impl Loss {
    pub(crate) fn of(kind: FileKind, what: &str, source: &str, instead: &str) -> Loss {
        Loss { kind, what: format!("{what} of {source}"), instead: instead.to_owned(), weight: Weight::Values }
    }

    /// Metadata that are left out.
    pub(crate) fn left_out(kind: FileKind, what: &str, source: &str) -> Loss {
        Loss { weight: Weight::Metadata, ..Loss::of(kind, what, source, "which is left out") }
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
        1 => ", nor one thing more".into(),
        more => format!(", nor {more} things more"),
    };
    format!("{} cannot hold {}{others}", first.kind.title(), first.what)
}
