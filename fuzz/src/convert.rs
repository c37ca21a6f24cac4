//! Files of other programs, as `ndbytes convert` takes them.

use crate::bounds::limits;
use crate::tool::{Ended, tool};
use crate::{panics, scratch};
use std::fs;
use std::path::Path;

/// A file that is read by a reader of another project.
const FIRST: &[u8] = include_bytes!("../../tests/frozen/arrow/none.parquet");

/// The targets of tables and arrays: the kind is the extension.
const TABLES: &[&str] = &["idv", "parquet", "arrow", "jsonl", "csv"];
const ARRAYS: &[&str] = &["npy", "b2nd"];

/// The kinds that are read again. Text of tables has no types: it need not be read as what it was.
const TYPED: [&str; 5] = ["idv", "parquet", "arrow", "npy", "b2nd"];

/// Some more memory than was granted to the file: what was written has the same values in another order.
const MORE: u64 = 3;

/// Any bytes as a table of a kind.
pub fn examine_table(kind: &str, bytes: &[u8]) {
    examine(kind, bytes, "", TABLES);
}

/// Any bytes as an array of a kind; `member` leads into an archive.
pub fn examine_array(kind: &str, member: &str, bytes: &[u8]) {
    examine(kind, bytes, member, ARRAYS);
}

/// A file is converted or refused by a sentence. What is written has no error, and is read again.
fn examine(kind: &str, bytes: &[u8], member: &str, targets: &[&str]) {
    panics::crash_on_own(|| {
        assert!(is_written("parquet", FIRST, "", &scratch::path().with_extension("first.idv")));
    });
    let target = targets[bytes.iter().map(|&byte| usize::from(byte)).sum::<usize>() % targets.len()];
    let out = scratch::path().with_extension(format!("out.{target}"));
    if !is_written(kind, bytes, member, &out) || !TYPED.contains(&target) {
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

/// Converts a file, and returns whether something was written.
fn is_written(kind: &str, bytes: &[u8], member: &str, out: &Path) -> bool {
    let file = scratch::path().with_extension(kind);
    fs::write(&file, bytes).expect("the scratch file can be written");
    let file = format!("{}{member}", file.display());
    let _ = fs::remove_file(out);
    let out = out.to_str().expect("the scratch file has a plain name");
    // Values that are repeated by a few bytes take no more than this on the disk.
    let arguments = ["--max-output", "4M", "convert", "--quiet", "--lossy", "--force", &file];
    let Ended { status, err, .. } = tool(&arguments, out, &[], None, limits().memory);
    assert!(!err.contains("a defect was met"), "{err}");
    let is_refused = (status == 2 && err.contains("error: ")) || (status == 1 && err.starts_with("error["));
    assert!(status == 0 || is_refused, "status {status}: {err}");
    assert_eq!(Path::new(out).exists(), status == 0, "a file is there if and only if it was written");
    status == 0
}
