//! Flaws of stored bytes and of metadata, before the file is named.

use ndbytes::Error;
use std::io;
use std::path::PathBuf;

/// The result of reading something.
pub type Result<T, E = Flaw> = std::result::Result<T, E>;

/// The reason why something cannot be read.
#[derive(Debug)]
pub enum Flaw {
    /// A sentence about the file.
    Words(String),
    /// An error that needs no name of a file.
    Error(Error),
}

impl Flaw {
    /// The error that names a file.
    pub fn at(self, path: impl Into<PathBuf>) -> Error {
        match self {
            Flaw::Words(words) => {
                Error::Io { path: Some(path.into()), source: io::Error::new(io::ErrorKind::InvalidData, words) }
            }
            Flaw::Error(Error::Io { path: None, source }) => Error::Io { path: Some(path.into()), source },
            Flaw::Error(error) => error,
        }
    }
}

impl From<String> for Flaw {
    fn from(words: String) -> Self {
        Flaw::Words(words)
    }
}

impl From<&str> for Flaw {
    fn from(words: &str) -> Self {
        Flaw::Words(words.into())
    }
}

impl From<Error> for Flaw {
    fn from(error: Error) -> Self {
        match error {
            // It is about bytes of a chunk: the chunk is named.
            Error::Invalid(finding) if finding.rule != &ndbytes::LIMIT_EXCEEDED => Flaw::Words(finding.message.clone()),
            error => Flaw::Error(error),
        }
    }
}

impl From<io::Error> for Flaw {
    fn from(source: io::Error) -> Self {
        Flaw::Error(source.into())
    }
}
