//! Files that appear completely or not at all.

use super::likeness::Likeness;
use super::slot::Slot;
use super::sparse::SparseFile;
use super::{beside, resolve, sync_folder};
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;

/// If a file is expected to have at least this length, writing starts only if there is enough space.
const LARGE: u64 = 1 << 20;

/// A file that replaces its target atomically. It has a temporary name in the target's directory until [`AtomicFile::commit`]. If
/// it is dropped before that, it is removed. [`replace_file`](super::replace_file) lists the properties of the replaced file that
/// are kept.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("x");
/// use std::io::Write;
///
/// let mut file = ndbytes::AtomicFile::create(&path)?;
/// file.write_all(b"content")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert!(path.exists());
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<SparseFile>,
    before: Option<Likeness>,
    slot: Slot,
}

impl AtomicFile {
    /// The temporary path of the file, which a search of the directory may find.
    pub fn unfinished(&self) -> &Path {
        self.slot.path()
    }

    /// Starts a file.
    ///
    /// # Errors
    /// [`Error::Io`], including if the path exists and is not a file.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let at_path = |source| Error::io(path, source);
        let target = resolve(path).map_err(at_path)?;
        let before = Likeness::of(&target).map_err(at_path)?;
        if before.as_ref().is_some_and(|before| !before.metadata().is_file()) {
            return Err(at_path(io::Error::new(ErrorKind::InvalidInput, "is not a regular file")));
        }
        let mut options = File::options();
        options.write(true).create_new(true);
        if before.is_some() {
            // The final permissions are set by `commit`.
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let slot = Slot::take(target, |path| options.open(path)).map_err(at_path)?;
        let file = slot.handle().try_clone().map_err(at_path)?;
        Ok(AtomicFile { file: BufWriter::with_capacity(256 << 10, SparseFile::new(file)), before, slot })
    }

    /// Fails early if a large file does not fit on the disk.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn ensure_room(&mut self, bytes: u64) -> Result<()> {
        match free_space(self.file.get_ref().file()) {
            Some(free) if bytes >= LARGE && bytes > free => {
                let what = format!("the file needs {bytes} bytes, but only {free} are free");
                Err(Error::io(self.slot.target(), io::Error::new(ErrorKind::StorageFull, what)))
            }
            _ => Ok(()),
        }
    }

    /// Syncs everything to disk and gives the file its name.
    ///
    /// # Errors
    /// [`Error::Io`]; the previous file is then unchanged.
    pub fn commit(self) -> Result<()> {
        let AtomicFile { file, before, slot } = self;
        let target = slot.target().to_owned();
        let commit = || {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
            // The target may have been replaced since the file was created, so its properties are read again.
            if let Some(before) = Likeness::of(&target)?.or(before) {
                before.give(&file)?;
            }
            file.sync_all()?;
            slot.become_target()
        };
        commit().map_err(|error| Error::io(&target, error))?;
        sync_folder(beside(&target));
        Ok(())
    }
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

/// Returns the free space in bytes on the disk that contains the file, or `None` if the system does not report it.
fn free_space(file: &File) -> Option<u64> {
    #[cfg(unix)]
    {
        let system = rustix::fs::fstatvfs(file).ok()?;
        Some(system.f_bavail.saturating_mul(system.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        None
    }
}
