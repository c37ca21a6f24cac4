//! Files to write and to read back.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The scratch file of this process, in the folder for temporary files (`run.sh` makes one in memory).
pub fn path() -> PathBuf {
    env::temp_dir().join(format!("ndbytes-fuzz-{}", std::process::id()))
}

/// The scratch folder of this process.
pub fn folder() -> PathBuf {
    env::temp_dir().join(format!("ndbytes-fuzz-{}.d", std::process::id()))
}

/// An empty scratch folder, which is removed with all that is in it.
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

    /// Writes a file, and makes the folders that it is in. Returns its path.
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
