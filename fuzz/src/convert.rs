//! Third-party files as input of `ndbytes convert`.

use crate::bounds::limits;
use crate::bundle::Bundle;
use crate::cost::{bounded, of_tool};
use crate::tool::{Ended, tool};
use crate::{panics, scratch};
use std::fs;
use std::path::Path;

/// A valid file for a third-party reader.
const FIRST: &[u8] = include_bytes!("../../tests/frozen/arrow/none.parquet");

/// The targets for tables and arrays, given by extension.
const TABLES: &[&str] = &["idv", "parquet", "arrow", "jsonl", "csv"];
const ARRAYS: &[&str] = &["npy", "b2nd"];

/// The kinds that are read back. Text tables have no types, so their values need not be the same.
const TYPED: [&str; 5] = ["idv", "parquet", "arrow", "npy", "b2nd"];

/// A factor for a higher memory limit, since the written file has the same values in another order.
const MORE: u64 = 3;

/// Converts arbitrary bytes as a table of a kind.
pub fn examine_table(kind: &str, bytes: &[u8]) {
    examine(kind, bytes, "", TABLES);
}

/// Converts arbitrary bytes as an array of a kind. `member` is an address in an archive.
pub fn examine_array(kind: &str, member: &str, bytes: &[u8]) {
    examine(kind, bytes, member, ARRAYS);
}

/// Converts files as the directory of a Zarr store.
pub fn examine_store(bytes: &[u8]) {
    let (bundle, folder) = (Bundle::of(bytes), scratch::Folder::new());
    bundle.write(&folder, "in.zarr/");
    let store = folder.path().join("in.zarr");
    if store.is_dir() {
        examine_at(&store.display().to_string(), bundle.length(), ARRAYS);
    }
}

/// Asserts that a file is either converted or refused with a sentence, and that a written file has no errors and can be read.
fn examine(kind: &str, bytes: &[u8], member: &str, targets: &[&str]) {
    let file = scratch::path().with_extension(kind);
    fs::write(&file, bytes).expect("the scratch file can be written");
    let picked = bytes.iter().map(|&byte| usize::from(byte)).sum::<usize>() % targets.len();
    examine_at(&format!("{}{member}", file.display()), bytes.len(), &targets[picked..=picked]);
}

/// The same, but for a file or directory of this many bytes, and for each of these kinds.
fn examine_at(file: &str, length: usize, targets: &[&str]) {
    targets.iter().for_each(|target| examine_as(file, length, target));
}

fn examine_as(file: &str, length: usize, target: &str) {
    panics::crash_on_own(|| {
        let first = scratch::path().with_extension("parquet");
        fs::write(&first, FIRST).expect("the scratch file can be written");
        assert!(is_written(&first.display().to_string(), FIRST.len(), &scratch::path().with_extension("first.idv")));
    });
    let out = scratch::path().with_extension(format!("out.{target}"));
    if !is_written(file, length, &out) || !TYPED.contains(&target) {
        return;
    }
    let path = out.to_str().expect("the scratch file has a plain name");
    let memory = limits().memory * MORE;
    if matches!(target, "parquet" | "arrow") {
        let again = scratch::path().with_extension("again.arrows");
        let again = again.to_str().expect("the scratch file has a plain name");
        let read = tool(&["convert", "--quiet", "--force", path], again, &[], None, memory);
        let is_too_much = read.err.contains(" are needed for ");
        assert!(read.status == 0 || is_too_much, "what was written as {target} is not read: {}", read.err);
    } else {
        let checked = tool(&["check"], path, &[], None, memory);
        let is_too_much = checked.out.contains("limit-exceeded");
        assert!(checked.status == 0 || is_too_much, "what was written as {target} has errors: {}", checked.out);
    }
}

/// Converts a file and returns whether something was written.
fn is_written(file: &str, length: usize, out: &Path) -> bool {
    let _ = fs::remove_file(out);
    let out = out.to_str().expect("the scratch file has a plain name");
    // A few bytes can expand to many values, so the output is limited.
    let arguments = ["--max-output", "4M", "convert", "--quiet", "--lossy", "--force", file];
    let Ended { status, err, .. } =
        bounded("convert", length, of_tool(length), || tool(&arguments, out, &[], None, limits().memory));
    assert!(!err.contains("internal error"), "{err}");
    let is_refused = (status == 2 && err.contains("error: ")) || (status == 1 && err.starts_with("error["));
    assert!(status == 0 || is_refused, "status {status}: {err}");
    assert_eq!(Path::new(out).exists(), status == 0, "a file is there if and only if it was written");
    status == 0
}
