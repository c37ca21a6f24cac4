//! Why a structure could not be read, and where.

use std::fmt;

/// A structure that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The field in which reading failed, such as `columns[2].lookup[7].offset`.
    pub path: String,
    /// The field's first byte.
    pub offset: u64,
    /// The fewest bytes that the field takes.
    pub length: u64,
    /// The problem with it.
    pub problem: Problem,
}

/// A problem with a field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The space ends inside the field.
    End {
        /// The fewest bytes that the field takes.
        needed: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// The structure around the field, whose size the file states, ends inside the field.
    Beyond {
        /// The fewest bytes that the field takes.
        needed: u64,
        /// Bytes that are left of the structure around it.
        left: u64,
    },
    /// The bytes belong to the space, but are not at hand (see [`Source::prefix`](crate::Source::prefix)).
    Unavailable,
    /// A code that is not defined.
    UnknownCode {
        /// The bytes in the file.
        found: Vec<u8>,
    },
    /// Fixed bytes that differ.
    WrongMagic {
        /// The bytes that are required.
        expected: Vec<u8>,
        /// The bytes in the file.
        found: Vec<u8>,
    },
    /// More elements than the rest of the space can hold.
    TooMany {
        /// The declared number of elements.
        count: u64,
        /// The fewest bytes of one element.
        element: u64,
        /// The bytes that are left.
        left: u64,
    },
    /// Structures inside structures, deeper than a reader goes.
    TooDeep {
        /// The depth that a reader may reach.
        most: u32,
    },
    /// An offset beyond the end of the space.
    Outside {
        /// The offset.
        offset: u64,
        /// The bytes of the space.
        length: u64,
    },
    /// Structures at offsets that share too many bytes, or are too many.
    TooOften,
    /// An assertion of the layout does not hold; its words.
    Invalid(String),
}

impl Problem {
    /// The rule of its findings.
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
            Problem::Unavailable => f.write_str("its bytes are not at hand"),
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
                "the file has too many structures at offsets, or they share too many bytes: the others are not read",
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

/// The error of a read beyond the end of a structure of a stated size.
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

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

pub(crate) fn amount(bytes: u64) -> String {
    if bytes == 1 { "1 byte".into() } else { format!("{bytes} bytes") }
}

fn are(bytes: u64) -> String {
    if bytes == 1 { "1 byte is".into() } else { format!("{bytes} bytes are") }
}

/// The end of a structure of a stated size, if that stopped a read.
fn beyond(error: &std::io::Error) -> Option<Problem> {
    let &Beyond { needed, left } = error.get_ref()?.downcast_ref()?;
    Some(Problem::Beyond { needed, left })
}

/// The problem that one of binrw's errors stands for. `alternative` is the one that was tried last in the field where it came
/// up.
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
        // What stopped the last alternative whose fields were reached is what is wrong.
        EnumErrors { variant_errors, .. } => {
            let tried = variant_errors.iter().rfind(|(name, _)| Some(*name) == alternative);
            tried.map_or(Problem::UnknownCode { found: Vec::new() }, |(_, error)| problem(error, None))
        }
        other => Problem::Invalid(other.to_string()),
    }
}
