//! Places in specifications, and what is wrong there.

use std::fmt;

/// A place in a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct At {
    /// The number of the file, in [`crate::Spec::files`].
    pub file: u32,
    /// The line, from 1; 0 if the whole file is meant.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// The fault of a specification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct SpecError {
    /// The path of the file.
    pub path: String,
    /// The line, from 1; 0 if the whole file is meant.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The fault, as a sentence.
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

/// A fault at a place, before the name of the file is known.
#[derive(Debug, Clone)]
pub struct Flaw {
    pub at: At,
    pub message: String,
}

pub type Sound<T> = Result<T, Flaw>;

/// A fault at a place.
pub fn flaw<T>(at: At, message: impl Into<String>) -> Sound<T> {
    Err(Flaw { at, message: message.into() })
}
