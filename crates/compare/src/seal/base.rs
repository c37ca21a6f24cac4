//! The directory of a seal, which determines the paths that the seal can contain.

use super::FILE_NAME;
use super::name::Name;
use ndbytes::archive::file_of;
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The directory of a seal. A seal covers files in its directory, at any depth.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// # std::fs::create_dir(folder.join("maps")).unwrap();
/// use ndbytes_compare::seal::Base;
///
/// let base = Base::of(&folder.join("ndbytes.seal"))?;
/// let name = base.name(&folder.join("maps/surface.ra")).unwrap();
/// assert_eq!(name.to_string(), "maps/surface.ra");
/// assert_eq!(base.name(&folder.join("../surface.ra")), None); // outside
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Base {
    /// The directory as the user named it.
    shown: PathBuf,
    /// The directory with all links resolved.
    real: PathBuf,
}

impl Base {
    /// Returns the directory of a seal that is, or will be, at this path.
    ///
    /// # Errors
    /// [`Error::Io`] if the directory does not exist.
    pub fn of(seal: &Path) -> Result<Base> {
        let shown = folder_of(seal);
        let real = fs::canonicalize(shown).map_err(|source| Error::io(shown, source))?;
        Ok(Base { shown: shown.to_owned(), real })
    }

    /// The name of a file, or of the directory of a sparse frame, in a seal. `None` if it is outside the directory of the seal, or if a
    /// seal cannot state its path. If the last part of the path is a link, this is the name of the link.
    pub fn name(&self, path: &Path) -> Option<Name> {
        let real = match path.file_name() {
            Some(file) => fs::canonicalize(folder_of(path)).ok()?.join(file),
            None => fs::canonicalize(path).ok()?,
        };
        self.within(&real)
    }

    /// The name of a directory to search. `None` if it is outside the directory of the seal.
    pub fn name_of_folder(&self, path: &Path) -> Option<Name> {
        self.within(&fs::canonicalize(path).ok()?)
    }

    /// Returns the path for a name. `None` if the system does not support such paths.
    pub(super) fn path(&self, name: &Name) -> Option<PathBuf> {
        let inside = name.to_path()?;
        Some(if self.shown == Path::new(".") { inside } else { self.shown.join(inside) })
    }

    /// The path of a file relative to the directory of the seal; `None` if the file is outside.
    fn within(&self, real: &Path) -> Option<Name> {
        Name::of(real.strip_prefix(&self.real).ok()?)
    }
}

/// Returns the directory that contains a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The default path for the seal of a path. It is `ndbytes.seal` in a directory, and `FILE.seal` next to a file or the
/// directory of a sparse frame, also for a tensor in the file.
///
/// ```
/// use ndbytes_compare::seal::beside;
/// use std::path::Path;
///
/// assert_eq!(beside(Path::new("no-folder/surface.ra")), Path::new("no-folder/surface.ra.seal"));
/// assert_eq!(beside(Path::new("../../samples")), Path::new("../../samples/ndbytes.seal"));
/// ```
pub fn beside(path: &Path) -> PathBuf {
    if path.is_dir() && !is_sparse_frame(path) {
        return path.join(FILE_NAME);
    }
    // Remove trailing separators, which only a directory may have.
    let mut seal = file_of(path).unwrap_or(path).components().collect::<PathBuf>().into_os_string();
    seal.push(".seal");
    seal.into()
}
