//! Files and directories that appear completely or not at all.
//!
//! A new file is written next to its target, in a [`slot`](slot::Slot), until it is complete and on disk. A single system call then
//! renames it. A slot's name is derived from the target's. Its writer holds a lock on it, so that the next writer of the same
//! target can see whether the first one is still alive.

mod file;
mod folder;
mod id;
mod likeness;
mod slot;
mod sparse;

pub use file::AtomicFile;
pub use folder::{AtomicFolder, Names};
pub use id::FileId;
pub(crate) use id::leads_to;
pub(crate) use slot::recover;
pub use slot::remove_unfinished;
pub(crate) use slot::{clear, open as open_in_place};

use super::{door, stores};
use crate::error::{Error, Result};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The maximum number of consecutive links that are followed; systems follow fewer.
const MOST_LINKS: usize = 40;

/// Writes a file that appears completely or not at all, as all writers of this crate do.
///
/// The content is written next to the target, synced, and renamed. A symbolic link is followed, and its target is replaced. The mode,
/// owner, group and extended attributes of the previous file are kept where the system allows it. The set-user-ID and set-group-ID bits are
/// dropped. If two processes write the same file, the last one wins. The next writer of the same target removes the leftovers of a killed
/// writer.
///
/// # Errors
/// [`Error::Io`]; the previous file is then unchanged.
pub fn replace_file(path: impl AsRef<Path>, content: &[u8]) -> Result<()> {
    let path = path.as_ref();
    let mut file = AtomicFile::create(path)?;
    file.write_all(content).map_err(|error| Error::io(path, error))?;
    file.commit()
}

/// Writes a file that appears completely or not at all, piece by piece. Errors name the file.
pub(crate) fn write_file(path: &Path, write: impl FnOnce(&mut AtomicFile) -> Result<()>) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    write(&mut file).map_err(|error| error.at(path))?;
    file.commit()
}

/// The path that links point to, whether it exists or not.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    if stores::is_url(path) {
        let why = "cannot write to a URL: write to a file, and copy it";
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        resolved => return resolved,
    }
    // Removes trailing separators, which only a folder may have.
    let mut target: PathBuf = path.components().collect();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(named) => target = beside(&target).join(named),
            // The target does not exist, but a file can be created there.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(target),
            // The target exists and is not a link, so it was created in the meantime.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(target),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("more than {MOST_LINKS} symbolic links in a row")))
}

/// Returns the directory that contains the target.
fn beside(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the result for a path, or `None` if the path does not exist.
fn present<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes a new name durable. If the system cannot sync directories, only the file itself is durable.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = door::named(folder) {
        let _ = folder.sync_all();
    }
}
