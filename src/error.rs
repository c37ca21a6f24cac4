//! Errors, as types.

use crate::findings::finding::{Finding, RAISE, Remedy, Sentence};
use crate::findings::general::LIMIT_EXCEEDED;
use crate::format::Format;
use crate::types::dtype::Dtype;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The result of everything that ndbytes does.
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
///     Err(Error::Invalid(finding)) => assert_eq!(finding.rule.id, "idx/truncated-payload"), // its author has to mend it
///     Err(Error::Io { source, .. }) => panic!("try again later: {source}"),
///     Err(error) => panic!("{error}"),
/// }
/// ```
///
/// # Say it to people
///
/// The text of an error is one sentence without a beginning such as "error: ", as `anyhow` and others print it:
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
    /// The operating system refused something.
    #[error("{}{source}", path.as_ref().map(|path| format!("{}: ", without_query(path))).unwrap_or_default())]
    Io {
        /// The file, if there is one.
        path: Option<PathBuf>,
        /// The system's error.
        source: io::Error,
    },
    /// The file breaks a rule. The finding says which one, in which field, at which bytes, and what was expected.
    #[error("{}", Sentence(.0))]
    Invalid(Box<Finding>),
    /// More memory than the budget has left, or than the machine gives.
    #[error("{needed} bytes are needed for {what}, but only {left} bytes of the memory limit are left")]
    Limit {
        /// The purpose of the memory.
        what: &'static str,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// The time is over that a caller granted.
    #[error("the work on the file takes longer than the {granted:?} that are granted")]
    Time {
        /// The time that was granted.
        granted: Duration,
    },
    /// A file is not a seal, or breaks a rule of its form.
    #[error("line {line} of the seal is not valid: {what}")]
    Seal {
        /// The line, from 1.
        line: u64,
        /// A description of the violation.
        what: String,
    },
    /// A redaction of a snapshot matches nothing.
    #[error("the redaction {pattern:?} matches no field that is shown")]
    Unmatched {
        /// The pattern.
        pattern: String,
    },
    /// The elements have another type than was requested.
    #[error("the elements are {stored}, not {requested}")]
    WrongType {
        /// The type that was requested.
        requested: Dtype,
        /// The type in the file.
        stored: Dtype,
    },
    /// A value does not fit the type that it was to be converted to.
    #[error("the value {value} does not fit {requested}")]
    Unfit {
        /// The first such value.
        value: String,
        /// The type that was requested.
        requested: Dtype,
    },
    /// The array has another number of axes than was requested.
    #[error("the array has {stored} axes, not {requested}")]
    WrongAxes {
        /// The number that was requested.
        requested: usize,
        /// The number of axes in the file.
        stored: usize,
    },
    /// The elements cannot be had without a copy.
    #[error("the elements cannot be viewed without a copy: {0}")]
    NoView(NoView),
    /// An index is out of range.
    #[error("index {index} is out of range: there are {length} items")]
    OutOfRange {
        /// The index that was requested.
        index: u64,
        /// The number of items.
        length: u64,
    },
    /// A buffer of the wrong length.
    #[error("the buffer has room for {given} elements, but the array has {needed}")]
    BufferLength {
        /// Elements of the array.
        needed: u64,
        /// Elements of the buffer.
        given: u64,
    },
    /// The items of a column have another type than was requested, or some of them are missing.
    #[error("the items are {stored}, not {requested}")]
    WrongItems {
        /// The type that was requested.
        requested: &'static str,
        /// The type that they have.
        stored: &'static str,
    },
    /// Vectors of different lengths do not form an array.
    #[error("the vectors differ in length: the first row has {first} items, row {row} has {other}")]
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
    /// The path leads to an archive or a store; one of its members has to be named.
    #[error("this is an archive or a store, so one of its members has to be named: {}", listed(members, *more))]
    Archive {
        /// The first of their addresses.
        members: Vec<PathBuf>,
        /// The number of further members.
        more: usize,
    },
    /// The archive has no entry of this name.
    #[error("the archive has no entry {entry:?}: {}", listed(members, *more))]
    NoEntry {
        /// The name.
        entry: String,
        /// The first addresses of members of the archive.
        members: Vec<PathBuf>,
        /// The number of further members.
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
        /// The difference.
        what: String,
    },
    /// The codec or the compression of a column is unknown.
    #[error("the column {name:?} cannot be read: its codec or its compression is unknown")]
    UnreadableColumn {
        /// The column's name.
        name: String,
    },
    /// A selection with another number of axes than the array has.
    #[error("the selection has {given} axes, but the array has {axes}")]
    Selection {
        /// Axes of the selection.
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
    /// The format cannot express this.
    #[error("{format} cannot hold {what}")]
    Inexpressible {
        /// The format's name.
        format: &'static str,
        /// The content that it cannot hold.
        what: String,
    },
}

/// The reason why elements cannot be viewed without a copy.
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

/// The addresses of members, to choose from.
fn listed(members: &[PathBuf], more: usize) -> String {
    let addresses: Vec<String> = members.iter().map(|address| address.display().to_string()).collect();
    match (members.len() + more, more) {
        (0, _) => "it holds no array and no table".into(),
        (number, 0) => format!("its members ({number}) are {}", addresses.join(", ")),
        (number, more) => format!("its members ({number}) are {} and {more} more", addresses.join(", ")),
    }
}

/// A path in a sentence. Of the URL of a web server, what follows `?` is left out: it may grant access to whoever reads it.
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

    /// The same error, with the name of the file.
    pub(crate) fn at(self, path: &Path) -> Self {
        match self {
            Error::Io { path: None, source } => Error::io(path, source),
            error => error,
        }
    }

    /// The finding, if the error is a broken rule.
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
    /// A budget that was exceeded.
    pub(crate) fn limit(error: &Error) -> Self {
        let remedy = if matches!(error, Error::Time { .. }) { Remedy::MoreTime } else { Remedy::MoreMemory };
        Finding::new(&LIMIT_EXCEEDED, "", 0..0, error.to_string()).help(RAISE).remedy_by(remedy)
    }
}
