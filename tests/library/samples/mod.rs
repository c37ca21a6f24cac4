//! Files from elsewhere, which lie outside the repository. Real data sets, the format authors' own files, files that
//! other programs wrote, and files that are broken on purpose. What they hold is known independently.
//!
//! The tests are ignored unless they are requested: `cargo test --test library -- --ignored samples::`. The corpus covers the same
//! features.

mod arrays;
mod b2nd;
mod expected;

use std::path::{Path, PathBuf};

/// The samples of b2nd in a folder, files and folders, in the order of their names.
fn b2nd_files(folder: &Path, part: &str) -> Vec<(String, PathBuf)> {
    let entries = folder.join("b2nd").join(part).read_dir().unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| format!("{part}/{}", path.file_name().unwrap().to_str().unwrap());
    let is_array =
        |path: &Path| path.extension().is_some_and(|extension| extension == "b2nd" || extension == "caterva");
    let mut files: Vec<_> = entries.filter(|path| is_array(path)).map(|path| (name(&path), path)).collect();
    files.sort();
    files
}
