//! Positions in specifications, and the errors at them.

use std::fmt;

/// A position in a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct At {
    /// The number of the file, in [`crate::Spec::files`].
    pub file: u32,
    /// The line, counted from 1; 0 for the whole file.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

/// An error in a specification.
///
/// ```
/// use everybyte_ksy::Loader;
///
/// let text = "meta: {id: note}\nseq:\n  - {id: text, size: lenght}\n";
/// let error = Loader::new().parse("note.ksy", text).unwrap_err();
/// assert_eq!((error.path.as_str(), error.line), ("note.ksy", 3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct SpecError {
    /// The path of the file.
    pub path: String,
    /// The line, counted from 1; 0 for the whole file.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// The problem, as a sentence.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&everybyte::escape(&self.path))?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {}", everybyte::escape(&self.message))
    }
}

/// A fault at a position, before the name of the file is known.
#[derive(Debug, Clone)]
pub struct LocatedError {
    pub at: At,
    pub message: String,
}

/// A result whose error has a position.
pub type SpecResult<T> = Result<T, LocatedError>;

/// Returns a fault at a position.
pub fn error_at<T>(at: At, message: impl Into<String>) -> SpecResult<T> {
    Err(LocatedError { at, message: message.into() })
}
