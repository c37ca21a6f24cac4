//! What can go wrong, as types.

use crate::{Dtype, Finding, Format};
use std::io;
use std::path::{Path, PathBuf};

/// The result of everything that ndbytes does.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused something.
    #[error("{}{source}", path.as_ref().map(|path| format!("{}: ", path.display())).unwrap_or_default())]
    Io {
        /// The file, where there is one.
        path: Option<PathBuf>,
        /// What the system said.
        source: io::Error,
    },
    /// The file breaks a rule. The finding says which one, in which field, at which bytes, and what was expected.
    #[error("{0}")]
    Invalid(Box<Finding>),
    /// More memory than the budget has left, or than the machine gives.
    #[error("{needed} bytes are needed for {what}, but {left} are left of the budget")]
    Limit {
        /// What the memory is for.
        what: &'static str,
        /// Bytes.
        needed: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// The elements are of another type than was asked for.
    #[error("the elements are {stored}, not {requested}")]
    WrongType {
        /// The type that was asked for.
        requested: Dtype,
        /// The type in the file.
        stored: Dtype,
    },
    /// The elements cannot be had without a copy.
    #[error("no view without a copy: {0}")]
    NoView(NoView),
    /// There is no such item.
    #[error("item {index} of {length}")]
    OutOfRange {
        /// The index that was asked for.
        index: u64,
        /// The number of items.
        length: u64,
    },
    /// A buffer of the wrong length.
    #[error("the buffer has room for {given} elements, the array has {needed}")]
    BufferLength {
        /// Elements of the array.
        needed: u64,
        /// Elements of the buffer.
        given: u64,
    },
    /// The items of a column are of another type than was asked for, or some of them are missing.
    #[error("the items are {stored}, not {requested}")]
    WrongItems {
        /// The type that was asked for.
        requested: &'static str,
        /// What they are.
        stored: &'static str,
    },
    /// Vectors of different lengths are no array.
    #[error("the vectors are of different lengths: {first} items in the first row, {other} in row {row}")]
    Ragged {
        /// Items of the first vector.
        first: u64,
        /// A row whose vector has another length.
        row: u64,
        /// Items of that one.
        other: u64,
    },
    /// The file holds a table, not an array.
    #[error("{} files hold tables, not arrays", format.title())]
    NoArray {
        /// Its format.
        format: Format,
    },
    /// The path leads to a zip archive; one of the IDV streams in it has to be named.
    #[error("a zip archive: {}", listed(streams, *more))]
    Archive {
        /// The first of their addresses.
        streams: Vec<PathBuf>,
        /// How many there are beyond those.
        more: usize,
    },
    /// The archive has no entry of this name.
    #[error("the archive has no entry {entry:?}: {}", listed(streams, *more))]
    NoEntry {
        /// The name.
        entry: String,
        /// The first addresses of IDV streams in the archive.
        streams: Vec<PathBuf>,
        /// How many there are beyond those.
        more: usize,
    },
    /// The table has no column of this name.
    #[error("there is no column {name:?}")]
    NoColumn {
        /// The name.
        name: String,
    },
    /// Tables that are to be one have different columns.
    #[error("table {table} has {what}")]
    OtherColumns {
        /// The place of the table among the others.
        table: usize,
        /// What is different about it.
        what: String,
    },
    /// The codec or the compression of a column is not known.
    #[error("the column {name:?} cannot be read: its codec or its compression is not known")]
    UnreadableColumn {
        /// The column's name.
        name: String,
    },
    /// A selection with another number of axes than the array has.
    #[error("the selection has {given} axes, the array {axes}")]
    Selection {
        /// Axes that the selection speaks of.
        given: usize,
        /// Axes of the array.
        axes: usize,
    },
    /// There is no metalayer, or attribute, of this name.
    #[error("there is no metalayer {name:?}")]
    NoMetalayer {
        /// The name.
        name: String,
    },
    /// The content of a metalayer, or attribute, is not msgpack.
    #[error("the metalayer {name:?} is not msgpack")]
    NoMsgpack {
        /// The name.
        name: String,
    },
    /// The format has no way to say this.
    #[error("{format} cannot hold {what}")]
    Inexpressible {
        /// The format's name.
        format: &'static str,
        /// What it cannot hold.
        what: String,
    },
}

/// Why elements cannot be had without a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum NoView {
    /// Their bytes are in the other order.
    #[error("the elements are stored in the other byte order")]
    ByteOrder,
    /// They do not begin at a multiple of their alignment.
    #[error("the elements are not aligned in memory")]
    Alignment,
    /// They are encoded, or one bit each.
    #[error("the elements are stored encoded")]
    Encoded,
}

/// The addresses of streams, to choose from.
fn listed(streams: &[PathBuf], more: usize) -> String {
    let addresses: Vec<String> = streams.iter().map(|address| address.display().to_string()).collect();
    match (streams.len() + more, more) {
        (0, _) => "there is no IDV stream in it".into(),
        (number, 0) => format!("its IDV streams ({number}) are {}", addresses.join(", ")),
        (number, more) => format!("its IDV streams ({number}) are {} and {more} more", addresses.join(", ")),
    }
}

impl Error {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Error::Io { path: Some(path.to_owned()), source }
    }

    /// The same error, with the name of the file.
    pub(crate) fn at(self, path: &Path) -> Self {
        match self {
            Error::Io { path: None, source } => Error::io(path, source),
            error => error,
        }
    }

    /// The broken rule's finding, if that is what the error is.
    pub fn finding(&self) -> Option<&Finding> {
        match self {
            Error::Invalid(finding) => Some(finding),
            _ => None,
        }
    }
}

impl From<Finding> for Error {
    fn from(finding: Finding) -> Self {
        Error::Invalid(Box::new(finding))
    }
}

impl From<Box<Finding>> for Error {
    fn from(finding: Box<Finding>) -> Self {
        Error::Invalid(finding)
    }
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        Error::Io { path: None, source }
    }
}
