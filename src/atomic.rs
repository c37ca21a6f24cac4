//! Files that appear whole or not at all.

use crate::{Error, Result};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

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
        let mut builder = tempfile::Builder::new();
        if let Some(permissions) = default_permissions() {
            builder.permissions(permissions);
        }
        let file = builder.prefix(".ndbytes-").tempfile_in(beside(&target)).map_err(at_path)?;
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

/// A folder in the making: it lies beside its target under another name until [`AtomicFolder::commit`]; dropped before
/// that, it vanishes.
#[derive(Debug)]
pub(crate) struct AtomicFolder {
    target: PathBuf,
    folder: TempDir,
    is_ours: fn(&str) -> bool,
}

impl AtomicFolder {
    /// Begins a folder. One that is there already is replaced only if all names in it are ours: somebody's other files
    /// are not lost with it.
    pub fn create(path: &Path, is_ours: fn(&str) -> bool) -> Result<Self> {
        let at_path = |source| Error::io(path, source);
        // A name, not a link, and without the separators at its end.
        let target = match fs::canonicalize(path) {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.components().collect(),
            Err(error) => return Err(at_path(error)),
        };
        ensure_ours(&target, is_ours).map_err(at_path)?;
        let mut builder = tempfile::Builder::new();
        // A folder can be entered by whoever may read what is in it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let folder = builder.prefix(".ndbytes-").tempdir_in(beside(&target)).map_err(at_path)?;
        if let Ok(before) = fs::metadata(&target) {
            fs::set_permissions(folder.path(), before.permissions()).map_err(at_path)?;
        }
        Ok(AtomicFolder { target, folder, is_ours })
    }

    /// Writes a file in the folder.
    pub fn put(&mut self, name: &str, parts: &[&[u8]]) -> Result<()> {
        let put = || {
            let mut file = File::create_new(self.folder.path().join(name))?;
            parts.iter().try_for_each(|part| file.write_all(part))
        };
        put().map_err(|error| Error::io(&self.target.join(name), error))
    }

    /// Gives the folder its name. Where one is there already, that one is put aside before: no system replaces a folder
    /// that has something in it in one step.
    pub fn commit(self) -> Result<()> {
        let AtomicFolder { target, folder, is_ours } = self;
        let at_target = |source| Error::io(&target, source);
        // All at once: a system that has to write one of them writes most of the others, too.
        let sync = |entry: io::Result<fs::DirEntry>| File::options().write(true).open(entry?.path())?.sync_all();
        folder.path().read_dir().and_then(|mut files| files.try_for_each(sync)).map_err(at_target)?;
        sync_folder(&folder.path().join("."));
        ensure_ours(&target, is_ours).map_err(at_target)?;
        let mut aside = None;
        if target.exists() {
            let place = tempfile::Builder::new().prefix(".ndbytes-").tempdir_in(beside(&target)).map_err(at_target)?;
            fs::rename(&target, place.path().join("replaced")).map_err(at_target)?;
            aside = Some(place);
        }
        if let Err(error) = fs::rename(folder.path(), &target) {
            if let Some(place) = &aside {
                // What was there comes back, if it can.
                let _ = fs::rename(place.path().join("replaced"), &target);
            }
            return Err(at_target(error));
        }
        // It has another name now, under which nobody has to look for it.
        let _ = folder.keep();
        sync_folder(&target);
        Ok(())
    }
}

/// Fails if there is something that must not be replaced.
fn ensure_ours(target: &Path, is_ours: fn(&str) -> bool) -> io::Result<()> {
    let entries = match fs::read_dir(target) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let name = entry?.file_name();
        if !name.to_str().is_some_and(is_ours) {
            let what = format!("is a folder that holds something else: {}", name.to_string_lossy());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
    }
    Ok(())
}

/// The folder in which something stands.
fn beside(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
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
