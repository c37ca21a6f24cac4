//! The identity of a file, whatever its names are.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Identifies a file of the system. Two paths lead to the same file if their ids are equal, whatever links are on the
/// way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileId(Id);

/// Device and number.
#[cfg(unix)]
type Id = (u64, u64);
/// The path without links: other systems report no more about a file that is not open.
#[cfg(not(unix))]
type Id = std::path::PathBuf;

impl FileId {
    /// Identifies the file or folder that a path leads to.
    ///
    /// # Errors
    /// The system's errors, above all that there is no such file.
    pub fn of(path: &Path) -> io::Result<FileId> {
        #[cfg(unix)]
        return fs::metadata(path).map(|metadata| FileId::known(&metadata));
        #[cfg(not(unix))]
        return fs::canonicalize(path).map(FileId);
    }

    /// Identifies an open file. Returns `None` if the system does not identify it.
    pub fn of_open(file: &File) -> Option<FileId> {
        #[cfg(unix)]
        return FileId::of_handle(file).ok();
        #[cfg(not(unix))]
        {
            let _ = file;
            None
        }
    }

    #[cfg(unix)]
    fn of_handle(file: &File) -> io::Result<FileId> {
        file.metadata().map(|metadata| FileId::known(&metadata))
    }

    #[cfg(unix)]
    fn known(metadata: &fs::Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId((metadata.dev(), metadata.ino()))
    }
}

/// Returns whether a path still leads to what was opened there. Where files are not identified, any file at the path counts.
///
/// # Errors
/// The system's, if it does not report it.
pub fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    match FileId::of(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
        #[cfg(unix)]
        Ok(there) => Ok(there == FileId::of_handle(file)?),
        #[cfg(not(unix))]
        Ok(_) => {
            let _ = file;
            Ok(true)
        }
    }
}
