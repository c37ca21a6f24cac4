//! Third-party files outside the repository: real data sets, files from the authors of the formats, files from other
//! programs, and files that are broken on purpose. Their content is known independently.
//!
//! The tests run only on request: `cargo test --test library -- --ignored samples::`. The corpus covers the same features.

mod arrays;
mod b2nd;
mod expected;

use std::path::{Path, PathBuf};

/// The b2nd samples in a directory, files and directories, sorted by name.
fn b2nd_files(folder: &Path, part: &str) -> Vec<(String, PathBuf)> {
    let entries = folder.join("b2nd").join(part).read_dir().unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| format!("{part}/{}", path.file_name().unwrap().to_str().unwrap());
    let is_array =
        |path: &Path| path.extension().is_some_and(|extension| extension == "b2nd" || extension == "caterva");
    let mut files: Vec<_> = entries.filter(|path| is_array(path)).map(|path| (name(&path), path)).collect();
    files.sort();
    files
}
