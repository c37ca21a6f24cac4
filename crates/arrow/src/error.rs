//! The error type.
//!
//! Errors pass through Arrow's traits, which support only [`ArrowError`]. They are wrapped on the way in and unwrapped
//! on the way out, so a caller sees the original one.

use arrow_schema::ArrowError;

/// The reason why a table could not be converted to or from Arrow.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
/// use ndbytes_arrow::{Error, idv};
///
/// // IDV has no decimals.
/// let schema = Schema::new(vec![Field::new("Price", DataType::Decimal128(10, 2), false)]);
/// let file = std::io::Cursor::new(Vec::new());
/// let error = idv::BatchWriter::begin(file, &schema, idv::WriteOptions::new()).unwrap_err();
/// assert!(matches!(&error, Error::Column { column, .. } if column == "Price"), "{error}");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that violates a rule, an exceeded limit, or an error from the file system.
    #[error(transparent)]
    Ndbytes(#[from] ndbytes::Error),
    /// An error reported by Arrow or Parquet.
    #[error(transparent)]
    Arrow(ArrowError),
    /// A column that the target cannot represent.
    #[error("the column {column:?} {what}")]
    Column {
        /// Its name.
        column: String,
        /// The reason, and what to do.
        what: String,
    },
    /// A value that the target cannot represent.
    #[error("row {row} of the column {column:?} {what}")]
    Value {
        /// The name of its column.
        column: String,
        /// The row, counted from 0.
        row: u64,
        /// The reason, and what to do.
        what: String,
    },
    /// A broken file in a format that ndbytes has no rules for. It may violate rules of that format, or claim more than it
    /// can contain.
    #[error("ndbytes cannot read the file: {0}")]
    Broken(String),
    /// A C stream whose arrays violate Arrow's interface.
    #[error("the stream is broken: {0}")]
    Stream(String),
    /// More memory is needed than the limit allows.
    #[error("{needed} bytes are needed for {what}, but only {left} bytes of the memory limit are left")]
    Memory {
        /// What the memory is for, with the position in the file.
        what: String,
        /// The number of bytes needed.
        needed: u64,
        /// The number of bytes left.
        left: u64,
    },
    /// A defect of this crate or of the Arrow crates.
    #[error("internal error: {0}")]
    Defect(String),
}

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Returns the error from the stream that was written to, if it is one.
    ///
    /// # Errors
    /// Returns any other error unchanged.
    pub fn into_io(self) -> Result<std::io::Error> {
        match self {
            Error::Arrow(ArrowError::IoError(_, source)) => Ok(source),
            error => Err(error),
        }
    }
}

impl From<ArrowError> for Error {
    /// Unwraps an error of this crate that passed through an Arrow reader.
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::ExternalError(inner) => match inner.downcast() {
                Ok(error) => *error,
                Err(inner) => Error::Arrow(ArrowError::ExternalError(inner)),
            },
            error => Error::Arrow(error),
        }
    }
}

impl From<Error> for ArrowError {
    fn from(error: Error) -> Self {
        match error {
            Error::Arrow(error) => error,
            error => ArrowError::ExternalError(Box::new(error)),
        }
    }
}

/// A problem with one of many items.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The item's index.
    pub item: usize,
    pub what: String,
}

/// A problem with a column, or with one of its items.
#[derive(Debug)]
pub(crate) enum Trouble {
    Item(Problem),
    Column(String),
    Other(Error),
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Self {
        Trouble::Item(problem)
    }
}

impl From<ArrowError> for Trouble {
    fn from(error: ArrowError) -> Self {
        Trouble::Other(error.into())
    }
}

impl From<ndbytes::Error> for Trouble {
    fn from(error: ndbytes::Error) -> Self {
        Trouble::Other(error.into())
    }
}

impl Trouble {
    /// Creates the error for a column. `row_of` returns the row of an item.
    pub fn of(self, column: &str, row_of: impl FnOnce(usize) -> u64) -> Error {
        let column = column.to_owned();
        match self {
            Trouble::Item(Problem { item, what }) => Error::Value { column, row: row_of(item), what },
            Trouble::Column(what) => Error::Column { column, what },
            Trouble::Other(error) => error,
        }
    }
}
