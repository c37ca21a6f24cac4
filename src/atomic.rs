//! Files that appear whole or not at all.

use crate::{Error, Result};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file in the making: it lies beside its target under another name until [`AtomicFile::commit`]; dropped before
/// that, it vanishes.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    target: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    pub fn create(path: &Path) -> Result<Self> {
        let at_path = |source| Error::io(path, source);
        // Behind a link, the file that it names is replaced, not the link.
        let target = match (fs::canonicalize(path), fs::read_link(path)) {
            (Ok(target), _) => target,
            (Err(error), _) if error.kind() != io::ErrorKind::NotFound => return Err(at_path(error)),
            // The link is there, and what it names is not.
            (Err(_), Ok(named)) => path.parent().unwrap_or(Path::new("")).join(named),
            (Err(_), Err(_)) => path.to_owned(),
        };
        let before = fs::metadata(&target).ok();
        if before.as_ref().is_some_and(|before| !before.is_file()) {
            return Err(at_path(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file")));
        }
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        if let Some(permissions) = default_permissions() {
            builder.permissions(permissions);
        }
        let file = builder.prefix(".ndbytes-").tempfile_in(folder).map_err(at_path)?;
        if let Some(before) = before {
            file.as_file().set_permissions(before.permissions()).map_err(at_path)?;
        }
        Ok(AtomicFile { target, file: BufWriter::with_capacity(256 << 10, file) })
    }

    /// Writes everything to disk and gives the file its name.
    pub fn commit(self) -> Result<()> {
        let target = self.target;
        let at_target = |source| Error::io(&target, source);
        let file = self.file.into_inner().map_err(|error| at_target(error.into_error()))?;
        file.as_file().sync_all().map_err(at_target)?;
        file.persist(&target).map_err(|error| at_target(error.error))?;
        sync_folder(&target);
        Ok(())
    }
}

/// Writes a file that appears whole or not at all, as all writers of this crate do.
///
/// # Errors
/// [`Error::Io`]; what stood there before is still there then.
pub fn replace_file(path: impl AsRef<Path>, content: &[u8]) -> Result<()> {
    let path = path.as_ref();
    let mut file = AtomicFile::create(path)?;
    file.write_all(content).map_err(|error| Error::io(path, error))?;
    file.commit()
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.file.seek(target)
    }
}

/// What a new file is given, before the user's mask.
fn default_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    return None;
}

/// Makes the new name last. A system that cannot sync folders keeps the old promise: the file itself is on disk.
fn sync_folder(target: &Path) {
    if let Some(folder) = target.parent().and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
}
