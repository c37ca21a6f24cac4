//! The place of a seal: what it can state paths of.

use super::FILE_NAME;
use super::name::Name;
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a seal. A seal is about files in its folder, at any depth.
#[derive(Debug, Clone)]
pub struct Base {
    /// The folder as its user names it.
    shown: PathBuf,
    /// The folder without links on the way.
    real: PathBuf,
}

impl Base {
    /// The folder of a seal that is at this path, or will be.
    ///
    /// # Errors
    /// [`Error::Io`] if there is no such folder.
    pub fn of(seal: &Path) -> Result<Base> {
        let shown = folder_of(seal);
        let real = fs::canonicalize(shown).map_err(|source| Error::io(shown, source))?;
        Ok(Base { shown: shown.to_owned(), real })
    }

    /// The name of a file, or of the folder of a sparse frame. `None` if it is not in the folder of the seal, or if no seal
    /// can state its path. If the last part of the path is a link, that is the name.
    pub fn name(&self, path: &Path) -> Option<Name> {
        let real = match path.file_name() {
            Some(file) => fs::canonicalize(folder_of(path)).ok()?.join(file),
            None => fs::canonicalize(path).ok()?,
        };
        self.within(&real)
    }

    /// The name of a folder that is walked. `None` if it is not in the folder of the seal.
    pub fn name_of_folder(&self, path: &Path) -> Option<Name> {
        self.within(&fs::canonicalize(path).ok()?)
    }

    /// The path that leads to a name. `None` if the system has no such paths.
    pub(super) fn path(&self, name: &Name) -> Option<PathBuf> {
        let inside = name.to_path()?;
        Some(if self.shown == Path::new(".") { inside } else { self.shown.join(inside) })
    }

    fn within(&self, real: &Path) -> Option<Name> {
        Name::of(real.strip_prefix(&self.real).ok()?)
    }
}

/// The folder that a path leads into.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The place of the seal of a path, if no other is named. It is `ndbytes.seal` in a folder, and `FILE.seal` beside a
/// file or the folder of a sparse frame.
pub fn beside(path: &Path) -> PathBuf {
    if path.is_dir() && !is_sparse_frame(path) {
        return path.join(FILE_NAME);
    }
    // Without the separators at its end, which only a folder has.
    let mut seal = path.components().collect::<PathBuf>().into_os_string();
    seal.push(".seal");
    seal.into()
}
