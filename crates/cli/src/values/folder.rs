//! Distinguishes directories of files from directories that are read like a single file.

use crate::show::text::is_standard;
use ndbytes::{archive, b2nd, stores};
use std::path::Path;

/// Returns whether a path is a directory that is searched for files. The directories of sparse frames and of stores are
/// read like a single file.
pub fn is_walked(path: &Path) -> bool {
    stores::names_several(path) || !is_standard(path) && path.is_dir() && !is_one(path)
}

/// Returns whether a directory is read like a single file.
fn is_one(path: &Path) -> bool {
    is_foreign(path) || b2nd::is_sparse_frame(path) || archive::is_store(path)
}

/// Returns whether a path is the directory of a store without rules.
pub fn is_foreign(path: &Path) -> bool {
    #[cfg(feature = "convert")]
    if !is_standard(path) && ndbytes_convert::ZarrStore::is_folder(path) {
        return true;
    }
    let _ = path;
    false
}
