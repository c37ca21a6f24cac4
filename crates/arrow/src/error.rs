//! The error type.

use arrow_schema::ArrowError;

/// The reason why a table could not be converted to Arrow, or from it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that breaks a rule, a limit, or the file system.
    #[error(transparent)]
    Ndbytes(#[from] ndbytes::Error),
    /// An error reported by Arrow or Parquet.
    #[error(transparent)]
    Arrow(ArrowError),
    /// A column that the target cannot hold.
    #[error("the column {column:?} {what}")]
    Column {
        /// Its name.
        column: String,
        /// The reason, and what to do.
        what: String,
    },
    /// A value that the target cannot hold.
    #[error("row {row} of the column {column:?} {what}")]
    Value {
        /// The name of its column.
        column: String,
        /// Its row, counted from 0.
        row: u64,
        /// The reason, and what to do.
        what: String,
    },
    /// A file that is not read, of a format without rules of ndbytes. It may break rules of its own, or claim what it cannot hold.
    #[error("the file is not read by ndbytes: {0}")]
    Broken(String),
    /// A C stream whose arrays break the rules of Arrow's interface.
    #[error("the stream is broken: {0}")]
    Stream(String),
    /// More memory than the limit has left.
    #[error("{needed} bytes are needed for {what}, but only {left} bytes of the memory limit are left")]
    Memory {
        /// The purpose of the memory, with its place in the file.
        what: String,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// A defect of this crate or of Arrow's.
    #[error("a defect was met: {0}")]
    Defect(String),
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The error of the stream that was written to, if it is one.
    ///
    /// # Errors
    /// The same error, if it is another one.
    pub fn into_io(self) -> Result<std::io::Error> {
        match self {
            Error::Arrow(ArrowError::IoError(_, source)) => Ok(source),
            error => Err(error),
        }
    }
}

impl From<ArrowError> for Error {
    /// An error of this crate that went through a reader of Arrow's comes out again.
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
    /// The item's place.
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
    /// The error for a column. `row_of` gives the row of an item.
    pub fn of(self, column: &str, row_of: impl FnOnce(usize) -> u64) -> Error {
        let column = column.to_owned();
        match self {
            Trouble::Item(Problem { item, what }) => Error::Value { column, row: row_of(item), what },
            Trouble::Column(what) => Error::Column { column, what },
            Trouble::Other(error) => error,
        }
    }
}
