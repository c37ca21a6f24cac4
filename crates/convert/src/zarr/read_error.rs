//! Errors in stored bytes and metadata, before the path of the file is known.

use ndbytes::Error;
use std::io;
use std::path::PathBuf;

/// The result of reading stored bytes or metadata.
pub type Result<T, E = ReadError> = std::result::Result<T, E>;

/// The reason why something cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// A sentence about the file.
    Words(String),
    /// An error that does not need a file name.
    Error(Error),
}

impl ReadError {
    /// Adds a file name to the error.
    pub fn at(self, path: impl Into<PathBuf>) -> Error {
        match self {
            ReadError::Words(words) => {
                Error::Io { path: Some(path.into()), source: io::Error::new(io::ErrorKind::InvalidData, words) }
            }
            ReadError::Error(Error::Io { path: None, source }) => Error::Io { path: Some(path.into()), source },
            ReadError::Error(error) => error,
        }
    }
}

impl From<String> for ReadError {
    fn from(words: String) -> Self {
        ReadError::Words(words)
    }
}

impl From<&str> for ReadError {
    fn from(words: &str) -> Self {
        ReadError::Words(words.into())
    }
}

impl From<Error> for ReadError {
    fn from(error: Error) -> Self {
        match error {
            // The finding is about bytes of a chunk, so the error names the chunk.
            Error::Invalid(finding) if finding.rule != &ndbytes::LIMIT_EXCEEDED => {
                ReadError::Words(finding.message.clone())
            }
            error => ReadError::Error(error),
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(source: io::Error) -> Self {
        ReadError::Error(source.into())
    }
}
