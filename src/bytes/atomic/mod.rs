//! Files and folders that appear whole or not at all.
//!
//! A new file lies beside its target in a [`slot`](slot::Slot) until it is whole and on disk. One step of the system
//! gives it its name then. A slot's name follows from the target's, and its writer holds a lock on it. By it, the next
//! writer of the same target distinguishes a killed writer's slot from a living one's.

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

use super::stores;
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The maximum number of links in a row that are followed; systems follow fewer.
const MOST_LINKS: usize = 40;

/// Writes a file that appears whole or not at all, as all writers of this crate do.
///
/// The content is written beside the target, synced, and renamed. A link is followed, and the file that it names is
/// replaced. Mode, owner, group and extended attributes of the file before are kept where the system allows it. The
/// bits that lend its owner's rights to whoever runs it are dropped. Of two writers, the last one wins. The next writer
/// of the same target removes a file that a killed writer has left beside it.
///
/// # Errors
/// [`Error::Io`]; the file before is unchanged then.
pub fn replace_file(path: impl AsRef<Path>, content: &[u8]) -> Result<()> {
    let path = path.as_ref();
    let mut file = AtomicFile::create(path)?;
    file.write_all(content).map_err(|error| Error::io(path, error))?;
    file.commit()
}

/// Writes a file that appears whole or not at all, piece by piece. Errors name it.
pub(crate) fn write_file(path: &Path, write: impl FnOnce(&mut AtomicFile) -> Result<()>) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    write(&mut file).map_err(|error| error.at(path))?;
    file.commit()
}

/// The path that links lead to, whether it exists or not.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    if stores::is_url(path) {
        let why = "files are read from stores, and not written to them: write to a file, and copy that";
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        resolved => return resolved,
    }
    // Without the separators at its end, which only a folder has.
    let mut target: PathBuf = path.components().collect();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(named) => target = beside(&target).join(named),
            // The target does not exist, but a file can be made there.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(target),
            // The target exists and is not a link: it was made meanwhile.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(target),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("more than {MOST_LINKS} links lead from one to the next")))
}

/// The folder that contains the target.
fn beside(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The result for a path, or `None` if the path does not exist.
fn present<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes a new name last. A system that cannot sync folders keeps the old promise: the file itself is on disk.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
