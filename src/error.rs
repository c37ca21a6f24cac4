//! The error type of the library.
//!
//! There is one type for all operations. Callers distinguish errors by their cause: the file ([`Error::Invalid`]), the system
//! ([`Error::Io`]), the caller's limits ([`Error::Limit`], [`Error::Time`]), or the request. The text of an error is one sentence
//! that names the rule, the field and the bytes, so it can be shown to users unchanged.

use crate::findings::finding::{Finding, RAISE, Remedy, Sentence};
use crate::findings::general::LIMIT_EXCEEDED;
use crate::format::Format;
use crate::types::dtype::Dtype;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the library.
///
/// # Tell a broken file from a failure
///
/// ```
/// use ndbytes::Error;
///
/// match ndbytes::open("samples/interrupted-idx3-ubyte") {
///     Ok(file) => println!("{}", file.format().title()),
///     Err(Error::Invalid(finding)) => assert_eq!(finding.rule.id, "idx/truncated-payload"), // its author has to repair it
///     Err(Error::Io { source, .. }) => panic!("try again later: {source}"),
///     Err(error) => panic!("{error}"),
/// }
/// ```
///
/// # Show it to people
///
/// The text of an error is one sentence without a prefix such as "error: ", as `anyhow` and similar crates expect:
///
/// ```
/// let error = ndbytes::open("samples/interrupted-idx3-ubyte").unwrap_err();
/// assert_eq!(
///     format!("Error: {error}"),
///     "Error: the payload is missing 5388 bytes (idx/truncated-payload, payload, byte 2468); \
///      expected 7840 bytes of payload; found 2452 bytes; 3 of 10 items are whole",
/// );
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused an operation.
    #[error("{}{source}", path.as_ref().map(|path| format!("{}: ", without_query(path))).unwrap_or_default())]
    Io {
        /// The file, if there is one.
        path: Option<PathBuf>,
        /// The system's error.
        source: io::Error,
    },
    /// The file breaks a rule. The finding states the rule, the field, the bytes, and what was expected.
    #[error("{}", Sentence(.0))]
    Invalid(Box<Finding>),
    /// More memory is needed than the budget has left or the machine provides.
    #[error("{needed} bytes are needed for {what}, but only {left} bytes of the memory limit are left")]
    Limit {
        /// The purpose of the memory.
        what: &'static str,
        /// The number of bytes needed.
        needed: u64,
        /// The number of bytes left.
        left: u64,
    },
    /// The time allowed by the caller is up.
    #[error("the file takes longer than the time limit of {granted:?}")]
    Time {
        /// The time that was allowed.
        granted: Duration,
    },
    /// The file is not a seal, or is malformed.
    #[error("line {line} of the seal is not valid: {what}")]
    Seal {
        /// The line number, counted from 1.
        line: u64,
        /// A description of the violation.
        what: String,
    },
    /// A redaction of a snapshot did not match anything.
    #[error("the redaction {pattern:?} matches no field that is shown")]
    Unmatched {
        /// The pattern.
        pattern: String,
    },
    /// The elements have a different type from the one requested.
    #[error("the elements are {stored}, not {requested}")]
    WrongType {
        /// The type that was requested.
        requested: Dtype,
        /// The type in the file.
        stored: Dtype,
    },
    /// A value does not fit the requested type.
    #[error("the value {value} does not fit {requested}")]
    Unfit {
        /// The first such value.
        value: String,
        /// The type that was requested.
        requested: Dtype,
    },
    /// The array does not have the requested number of axes.
    #[error("the array has {stored} axes, not {requested}")]
    WrongAxes {
        /// The number of axes that was requested.
        requested: usize,
        /// The number of axes in the file.
        stored: usize,
    },
    /// The elements cannot be viewed without copying them.
    #[error("the elements cannot be viewed without a copy: {0}")]
    NoView(NoView),
    /// An index is out of range.
    #[error("index {index} is out of range: there are {length} items")]
    OutOfRange {
        /// The requested index.
        index: u64,
        /// The number of items.
        length: u64,
    },
    /// A buffer has the wrong length.
    #[error("the buffer has room for {given} elements, but the array has {needed}")]
    BufferLength {
        /// The number of elements of the array.
        needed: u64,
        /// The number of elements of the buffer.
        given: u64,
    },
    /// The items of a column have a different type from the one requested, or some of them are missing.
    #[error("the items are {stored}, not {requested}")]
    WrongItems {
        /// The type that was requested.
        requested: &'static str,
        /// The type that the items have.
        stored: &'static str,
    },
    /// Vectors of different lengths do not form an array.
    #[error("the vectors differ in length: the first row has {first} items, row {row} has {other}")]
    Ragged {
        /// The number of items of the first vector.
        first: u64,
        /// A row whose vector has a different length.
        row: u64,
        /// The number of items in that row.
        other: u64,
    },
    /// The file contains a table, not an array.
    #[error("{} files hold tables, not arrays", format.title())]
    NoArray {
        /// Its format.
        format: Format,
    },
    /// The path refers to an archive or store. Name one of its members instead.
    #[error("this is an archive or a store; name one of its members: {}", listed(members, *more))]
    Archive {
        /// The addresses of the first members.
        members: Vec<PathBuf>,
        /// The number of further members.
        more: usize,
    },
    /// The archive has no entry with this name, or the file has no array with this number.
    #[error("there is no entry {entry:?}: {}", listed(members, *more))]
    NoEntry {
        /// The name.
        entry: String,
        /// The addresses of the first members of the archive.
        members: Vec<PathBuf>,
        /// The number of further members.
        more: usize,
    },
    /// The table has no column with this name.
    #[error("there is no column {name:?}")]
    NoColumn {
        /// The name.
        name: String,
    },
    /// Tables that should be combined have different columns.
    #[error("table {table} has {what}")]
    OtherColumns {
        /// The index of the table among the others.
        table: usize,
        /// The difference.
        what: String,
    },
    /// The codec or the compression of a column is unknown.
    #[error("the column {name:?} cannot be read: its codec or its compression is unknown")]
    UnreadableColumn {
        /// The column's name.
        name: String,
    },
    /// The selection and the array have different numbers of axes.
    #[error("the selection has {given} axes, but the array has {axes}")]
    Selection {
        /// The number of axes of the selection.
        given: usize,
        /// The number of axes of the array.
        axes: usize,
    },
    /// No metalayer or attribute has this name.
    #[error("there is no metalayer {name:?}")]
    NoMetalayer {
        /// The name.
        name: String,
    },
    /// The content of a metalayer or attribute is not msgpack.
    #[error("the metalayer {name:?} is not msgpack")]
    NoMsgpack {
        /// The name.
        name: String,
    },
    /// The format cannot express this.
    #[error("{format} cannot hold {what}")]
    Inexpressible {
        /// The format's name.
        format: &'static str,
        /// The content that cannot be expressed.
        what: String,
    },
}

/// The reason why elements cannot be viewed without copying them.
///
/// ```
/// use ndbytes::{Error, NoView, idx};
///
/// let array = idx::from_slice(&[0, 0, 0x0B, 1, 0, 0, 0, 1, 0x12, 0x34])?; // one big-endian 16-bit integer
/// match array.view::<i16>() {
///     Err(Error::NoView(NoView::ByteOrder)) => assert_eq!(array.to_array::<i16>()?[0], 0x1234), // a copy is swapped
///     view => println!("{}", view?),
/// }
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum NoView {
    /// The byte order of the elements differs from the machine's.
    #[error("the elements are stored in the other byte order")]
    ByteOrder,
    /// The elements are not aligned.
    #[error("the elements are not aligned in memory")]
    Alignment,
    /// The elements are encoded, or are single bits.
    #[error("the elements are stored encoded")]
    Encoded,
}

/// Lists the addresses of members to choose from.
fn listed(members: &[PathBuf], more: usize) -> String {
    let addresses: Vec<String> = members.iter().map(|address| address.display().to_string()).collect();
    match (members.len() + more, more) {
        (0, _) => "it contains no array and no table".into(),
        (number, 0) => format!("its members ({number}) are {}", addresses.join(", ")),
        (number, more) => format!("its members ({number}) are {} and {more} more", addresses.join(", ")),
    }
}

/// Formats a path for a message. The query of a web URL is left out, because it may grant access.
pub fn without_query(path: &Path) -> Cow<'_, str> {
    let text = path.to_string_lossy();
    match text.split_once('?') {
        Some((before, _)) if ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) => {
            format!("{before}?…").into()
        }
        _ => text,
    }
}

impl Error {
    #[doc(hidden)]
    pub fn io(path: &Path, source: io::Error) -> Self {
        Error::Io { path: Some(path.to_owned()), source }
    }

    /// Returns the same error, with the name of the file.
    pub(crate) fn at(self, path: &Path) -> Self {
        match self {
            Error::Io { path: None, source } => Error::io(path, source),
            error => error,
        }
    }

    /// The finding, if the error is that the file breaks a rule.
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

impl Finding {
    /// The finding for a budget that was exceeded.
    pub(crate) fn limit(error: &Error) -> Self {
        let remedy = if matches!(error, Error::Time { .. }) { Remedy::MoreTime } else { Remedy::MoreMemory };
        Finding::new(&LIMIT_EXCEEDED, "", 0..0, error.to_string()).help(RAISE).remedy_by(remedy)
    }
}
