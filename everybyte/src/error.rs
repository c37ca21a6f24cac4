//! Errors while reading a structure: the problem, and the field and offset where it occurred.

use std::fmt;

/// A structure that could not be read.
///
/// ```
/// use everybyte::{Endian, Source, layout, read};
///
/// #[layout]
/// struct Pair {
///     a: u8,
///     b: u16,
/// }
///
/// let error = read::<Pair>(Source::new(b"\x01\x02"), Endian::Little, ()).unwrap_err();
/// assert_eq!((error.path.as_str(), error.offset, error.length), ("b", 1, 2));
/// assert_eq!(error.to_string(), "b at byte 1: 2 bytes are needed here, but only 1 byte is left");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The field that could not be read, such as `columns[2].lookup[7].offset`.
    pub path: String,
    /// The first byte of the field.
    pub offset: u64,
    /// The minimum number of bytes that the field takes.
    pub length: u64,
    /// The problem with the field.
    pub problem: Problem,
}

/// A problem with a field.
///
/// ```
/// use everybyte::{Endian, Source, error::Problem, layout, read};
///
/// #[layout]
/// struct Pair {
///     a: u8,
///     b: u16,
/// }
///
/// let error = read::<Pair>(Source::new(b"\x01\x02"), Endian::Little, ()).unwrap_err();
/// assert_eq!(error.problem, Problem::End { needed: 2, left: 1 });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The space ends inside the field.
    End {
        /// The minimum number of bytes that the field takes.
        needed: u64,
        /// The number of bytes that are left.
        left: u64,
    },
    /// The field extends beyond the enclosing structure, whose size the file states.
    Beyond {
        /// The minimum number of bytes that the field takes.
        needed: u64,
        /// The number of bytes that are left in the enclosing structure.
        left: u64,
    },
    /// The bytes belong to the space, but are not available (see [`Source::prefix`](crate::Source::prefix)).
    Unavailable,
    /// A code that is not defined.
    UnknownCode {
        /// The bytes in the file.
        found: Vec<u8>,
    },
    /// Bytes that differ from the fixed bytes of the format.
    WrongMagic {
        /// The expected bytes.
        expected: Vec<u8>,
        /// The bytes in the file.
        found: Vec<u8>,
    },
    /// More elements than the rest of the space can hold.
    TooMany {
        /// The declared number of elements.
        count: u64,
        /// The minimum number of bytes per element.
        element: u64,
        /// The number of bytes that are left.
        left: u64,
    },
    /// Structures are nested too deeply for the reader.
    TooDeep {
        /// The maximum depth.
        most: u32,
    },
    /// An offset beyond the end of the space.
    Outside {
        /// The offset.
        offset: u64,
        /// The length of the space in bytes.
        length: u64,
    },
    /// Structures at offsets share too many bytes, or there are too many of them.
    TooOften,
    /// An assertion of the layout does not hold. Contains the message of the assertion.
    Invalid(String),
}

impl Problem {
    /// Returns the rule for findings about this problem.
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            Problem::End { .. } | Problem::Beyond { .. } | Problem::Unavailable => "truncated",
            Problem::UnknownCode { .. } => "unknown-code",
            Problem::WrongMagic { .. } => "wrong-magic",
            Problem::TooMany { .. } => "too-many",
            Problem::TooDeep { .. } | Problem::TooOften => "limit",
            Problem::Outside { .. } => "outside",
            Problem::Invalid(_) => "invalid",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::End { needed, left } => {
                write!(f, "{} needed here, but only {} left", are(*needed), are(*left))
            }
            Problem::Beyond { needed, left } => write!(f, "{}", Beyond { needed: *needed, left: *left }),
            Problem::Unavailable => f.write_str("its bytes are not available"),
            Problem::UnknownCode { found } => write!(f, "{} is not a defined code", Hex(found)),
            Problem::WrongMagic { expected, found } => write!(f, "expected {}, found {}", Hex(expected), Hex(found)),
            Problem::TooMany { count, element, left } => {
                let left = are(*left);
                write!(f, "{count} elements of at least {} each do not fit: {left} left", amount(*element))
            }
            Problem::TooDeep { most } => write!(f, "the structures are nested deeper than {most} levels"),
            Problem::Outside { offset, length } => {
                write!(f, "its offset is {offset}, but the space has {}", amount(*length))
            }
            Problem::TooOften => f.write_str(
                "the file has too many structures at offsets, or they share too many bytes: the rest is not read",
            ),
            Problem::Invalid(words) => f.write_str(words),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.path, self.offset, self.problem)
    }
}

impl std::error::Error for ParseError {}
impl std::error::Error for Problem {}

/// The error for a read beyond the end of a structure whose size is stated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beyond {
    pub needed: u64,
    pub left: u64,
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} needed here, but of the size around it only {} left", are(self.needed), are(self.left))
    }
}

impl std::error::Error for Beyond {}

/// Formats bytes as hexadecimal digits.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Formats a number of bytes for messages.
pub(crate) fn amount(bytes: u64) -> String {
    if bytes == 1 { "1 byte".into() } else { format!("{bytes} bytes") }
}

/// Formats a number of bytes, followed by "is" or "are", for messages.
fn are(bytes: u64) -> String {
    if bytes == 1 { "1 byte is".into() } else { format!("{bytes} bytes are") }
}

/// Returns the problem if a read was stopped by the end of a structure whose size is stated.
fn beyond(error: &std::io::Error) -> Option<Problem> {
    let &Beyond { needed, left } = error.get_ref()?.downcast_ref()?;
    Some(Problem::Beyond { needed, left })
}

/// Returns the problem behind a binrw error. `alternative` is the last alternative tried in the field where the error
/// occurred.
pub(crate) fn problem(error: &binrw::Error, alternative: Option<&str>) -> Problem {
    use binrw::Error::{AssertFail, Backtrace, Custom, EnumErrors, Io, NoVariantMatch};
    match error {
        Io(error) if error.kind() == std::io::ErrorKind::WouldBlock => Problem::Unavailable,
        Io(error) if beyond(error).is_some() => beyond(error).unwrap_or(Problem::Unavailable),
        Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Problem::End { needed: 0, left: 0 },
        Io(error) => Problem::Invalid(error.to_string()),
        AssertFail { message, .. } => Problem::Invalid(message.clone()),
        NoVariantMatch { .. } => Problem::UnknownCode { found: Vec::new() },
        Custom { .. } => error.custom_err::<Problem>().cloned().unwrap_or_else(|| Problem::Invalid(error.to_string())),
        Backtrace(backtrace) => problem(&backtrace.error, alternative),
        // Take the problem that stopped the last alternative reached.
        EnumErrors { variant_errors, .. } => {
            let tried = variant_errors.iter().rfind(|(name, _)| Some(*name) == alternative);
            tried.map_or(Problem::UnknownCode { found: Vec::new() }, |(_, error)| problem(error, None))
        }
        other => Problem::Invalid(other.to_string()),
    }
}
