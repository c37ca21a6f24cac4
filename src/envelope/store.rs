//! Folders that have a format, told from others.

#[cfg(feature = "b2nd")]
use crate::bytes::input::Input;
use ndbytes_schemas::blosc2::folder::FRAME_FILE;
use std::path::Path;
#[cfg(feature = "b2nd")]
use std::path::PathBuf;

/// The file that every store has: the frame in which its small leaves are.
const EMBEDDED: &str = "embed.b2e";

/// Returns whether a path leads to the folder of a store: it holds a file `embed.b2e`.
pub fn is_store(path: impl AsRef<Path>) -> bool {
    path.as_ref().join(EMBEDDED).is_file()
}

/// Returns whether a path leads to a folder that holds a sparse frame: that is opened as one file is.
pub fn is_sparse_frame(path: impl AsRef<Path>) -> bool {
    path.as_ref().join(FRAME_FILE).is_file()
}

/// The origin of an input.
#[cfg(feature = "b2nd")]
pub(crate) struct Origin {
    is_entry: bool,
    path: Option<PathBuf>,
}

#[cfg(feature = "b2nd")]
impl Origin {
    pub fn of(input: &Input<'_>) -> Self {
        Origin { is_entry: input.is_entry(), path: input.path().map(Path::to_owned) }
    }

    /// Returns whether that is an archive or a store, where frames are expected that are not arrays.
    pub fn is_archive_or_store(&self) -> bool {
        self.is_entry || self.path.as_deref().is_some_and(is_in_store)
    }
}

/// Returns whether a file is in the folder of a store, at any depth.
#[cfg(feature = "b2nd")]
fn is_in_store(path: &Path) -> bool {
    std::path::absolute(path).is_ok_and(|path| path.ancestors().skip(1).any(is_store))
}
