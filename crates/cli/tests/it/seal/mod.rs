//! Seals, with which `check` detects more changes. A seal may contain anything.

mod changes;
mod folders;
mod hostile;
mod parts;

use crate::support::tool::{Ended, json_lines, run_in};
use ndbytes_testkit::project;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The samples that are valid.
pub const VALID: [&str; 5] =
    ["digits-idx1-ubyte", "digits-idx3-ubyte.gz", "surface.ra", "temperatures.b2nd", "trees.idv"];

/// A directory `data` with copies of samples, in a new directory.
pub fn samples(names: &[&str]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("data")).unwrap();
    for name in names {
        fs::copy(project().join("samples").join(name), place.path().join("data").join(name)).unwrap();
    }
    place
}

/// Runs the tool with these words as arguments.
pub fn run(place: &TempDir, words: &str) -> Ended {
    run_in(place.path(), &words.split_whitespace().collect::<Vec<_>>())
}

/// Seals the directory `data`.
pub fn sealed(place: &TempDir) {
    let ended = run(place, "seal data");
    assert_eq!((ended.status, &*ended.stderr), (0, ""), "{}", ended.stdout);
}

/// The status and the findings for the rule `changed` with the paths of their files.
pub fn changed(place: &TempDir, words: &str) -> (i32, Vec<(String, Value)>) {
    let ended = run(place, &format!("check --json {words}"));
    assert_eq!(ended.stderr, "", "{words}");
    let mut found = Vec::new();
    for report in json_lines(&ended.stdout) {
        for finding in report["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] == "changed") {
            assert_eq!(finding["severity"], "error");
            found.push((report["path"].as_str().unwrap().to_owned(), finding.clone()));
        }
    }
    (ended.status, found)
}

/// Flips a bit of a byte.
pub fn flip(path: &Path, byte: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[byte] ^= 1;
    fs::write(path, bytes).unwrap();
}
