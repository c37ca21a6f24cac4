//! Paths in the checkout, and next to it.

use std::path::{Path, PathBuf};

/// The root of the checkout: the first directory with `tests/corpus`, from this package upwards.
pub fn project() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("tests/corpus").is_dir()).expect("a checkout").to_owned()
}

/// A file or directory in `tests/frozen`.
pub fn frozen(path: &str) -> PathBuf {
    project().join("tests/frozen").join(path)
}

/// The directory with third-party samples, outside the repository.
pub fn samples() -> PathBuf {
    let folder = project().join("../shared/data");
    assert!(folder.is_dir(), "there is no {}", folder.display());
    folder
}
