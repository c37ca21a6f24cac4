//! Places in the checkout, and beside it.

use std::path::{Path, PathBuf};

/// The root of the checkout: the first folder that holds `tests/corpus`, from this package upwards.
pub fn project() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("tests/corpus").is_dir()).expect("a checkout").to_owned()
}

/// A file or folder of `tests/frozen`.
pub fn frozen(path: &str) -> PathBuf {
    project().join("tests/frozen").join(path)
}

/// The folder with samples from elsewhere, which lie outside the repository.
pub fn samples() -> PathBuf {
    let folder = project().join("../shared/data");
    assert!(folder.is_dir(), "there is no {}", folder.display());
    folder
}
