//! Helpers that the tests share.

pub mod allocations;
pub mod b2nd;
pub mod cases;
pub mod cli;
pub mod corpus;
pub mod frames;
pub mod generated;
pub mod idv;
pub mod recipe;
pub mod reports;
pub mod snapshot;
pub mod sources;
pub mod tables;
pub mod tool;
pub mod values;
pub mod web;
pub mod zip;

use std::path::{Path, PathBuf};

/// The root of the checkout: the first folder that holds `tests/corpus`, from the package of the tests upwards.
pub fn project() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("tests/corpus").is_dir()).expect("a checkout").to_owned()
}

/// A file or folder of `tests/frozen`.
pub fn frozen(path: &str) -> PathBuf {
    project().join("tests/frozen").join(path)
}
