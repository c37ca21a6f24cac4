//! Files to write and to read back.

use std::path::PathBuf;

/// The scratch file of this process, in the folder for temporary files (`run.sh` makes one in memory).
pub fn path() -> PathBuf {
    std::env::temp_dir().join(format!("ndbytes-fuzz-{}", std::process::id()))
}

/// The scratch folder of this process.
pub fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("ndbytes-fuzz-{}.d", std::process::id()))
}
