//! Identifies a file independently of its names.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Identifies a file on the system. Two paths refer to the same file if their ids are equal, no matter what links are involved.
///
/// ```
/// use ndbytes::FileId;
/// use std::path::Path;
///
/// let surface = FileId::of(Path::new("samples/surface.ra"))?;
/// assert_eq!(FileId::of(Path::new("samples/../samples/surface.ra"))?, surface);
/// assert_ne!(FileId::of(Path::new("samples/trees.idv"))?, surface);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileId(Id);

/// The device and the inode number.
#[cfg(unix)]
type Id = (u64, u64);
/// The path without links, because other systems report nothing else about a file that is not open.
#[cfg(not(unix))]
type Id = std::path::PathBuf;

impl FileId {
    /// Identifies the file or directory at a path.
    ///
    /// # Errors
    /// Any error from the system, usually that the file does not exist.
    pub fn of(path: &Path) -> io::Result<FileId> {
        #[cfg(unix)]
        return fs::metadata(path).map(|metadata| FileId::known(&metadata));
        #[cfg(not(unix))]
        return fs::canonicalize(path).map(FileId);
    }

    /// Identifies an open file. Returns `None` if the system does not support that.
    pub fn of_open(file: &File) -> Option<FileId> {
        #[cfg(unix)]
        return FileId::of_handle(file).ok();
        #[cfg(not(unix))]
        {
            let _ = file;
            None
        }
    }

    /// The identity of an open file, which does not change when it is renamed.
    #[cfg(unix)]
    fn of_handle(file: &File) -> io::Result<FileId> {
        file.metadata().map(|metadata| FileId::known(&metadata))
    }

    /// The device and the inode number.
    #[cfg(unix)]
    fn known(metadata: &fs::Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId((metadata.dev(), metadata.ino()))
    }
}

/// Identifies a directory in a way that distinguishes it from copies: by its inode number or, if there is none, its creation time.
///
/// # Errors
/// Any error from the system, usually that the directory does not exist.
pub fn mark(folder: &Path) -> io::Result<String> {
    let metadata = fs::symlink_metadata(folder)?;
    #[cfg(unix)]
    let number = u128::from(std::os::unix::fs::MetadataExt::ino(&metadata));
    #[cfg(not(unix))]
    let number = {
        let made = metadata.created()?.duration_since(std::time::UNIX_EPOCH).map_err(io::Error::other)?;
        made.as_nanos()
    };
    match metadata.is_dir() {
        true => Ok(format!("{number:x}")),
        false => Err(ErrorKind::NotADirectory.into()),
    }
}

/// Returns whether a path still refers to the file that was opened at it. If the system cannot identify files, any file there is
/// accepted.
///
/// # Errors
/// Any error from the system if the file cannot be inspected.
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
