//! Files that are written and read back.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The scratch file of this process, in the directory for temporary files (`run.sh` creates one in memory).
pub fn path() -> PathBuf {
    env::temp_dir().join(format!("ndbytes-fuzz-{}", std::process::id()))
}

/// The scratch directory of this process.
pub fn folder() -> PathBuf {
    env::temp_dir().join(format!("ndbytes-fuzz-{}.d", std::process::id()))
}

/// An empty scratch directory, which is removed on drop with its content.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        let path = folder();
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a scratch folder can be made");
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and creates its directories. Returns its path.
    pub fn put(&self, name: impl AsRef<Path>, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        if let Some(around) = path.parent() {
            fs::create_dir_all(around).expect("a scratch folder can be made");
        }
        fs::write(&path, bytes).expect("a scratch file can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
