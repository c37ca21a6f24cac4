//! Files to write and read, in memory where the system has a place for that.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let builder = tempfile::Builder::new().prefix("ndbytes-fuzz-").to_owned();
    let folder = if memory.is_dir() { builder.tempdir_in(memory) } else { builder.tempdir() };
    folder.expect("a folder for scratch files can be made")
});

/// The one scratch file of this name.
pub fn path(name: &str) -> PathBuf {
    FOLDER.path().join(name)
}
