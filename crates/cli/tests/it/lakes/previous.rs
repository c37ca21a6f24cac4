//! Files after `--since` that are not tables from an earlier run, or that need too much memory.

use super::support::{age, check};
use crate::support::tool::run_in;
use std::fs;

#[test]
fn a_file_that_does_not_serve_ends_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.idx"), [0, 0, 8, 1, 0, 0, 0, 1, 5]).unwrap();
    let kinds = [
        ("empty", &b""[..], "it is neither a Parquet file nor an Arrow file or stream"),
        ("text", b"path,verdict\n", "it is neither a Parquet file nor an Arrow file or stream"),
        ("long", b"\xff\xff\xff\xff\xff\xff\xff\x7f", "it is neither a Parquet file nor an Arrow file or stream"),
        ("cut", b"PAR1abc", "it does not end like a Parquet file: it may be truncated"),
        ("claim", b"PAR1\xff\xff\xff\xffPAR1", "it does not end like a Parquet file: it may be truncated"),
    ];
    for (name, bytes, words) in kinds {
        fs::write(folder.path().join(name), bytes).unwrap();
        let written = check(folder.path(), b"", &["--since", name, "a.idx"]);
        assert_eq!(written.stderr, format!("error: `--since {name}` cannot be used: {words}\n"));
        assert_eq!((written.status, written.bytes.len()), (2, 0));
    }
    let written = check(folder.path(), b"", &["--since", ".", "a.idx"]);
    assert_eq!(written.stderr, "error: `--since .` cannot be used: it is not a regular file\n");
}

#[test]
fn an_earlier_run_stays_within_the_memory_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.idx");
    fs::write(&path, [0, 0, 8, 1, 0, 0, 0, 1, 5]).unwrap();
    age(&path, 3600);
    fs::write(folder.path().join("list"), "a.idx\n".repeat(20_000)).unwrap();
    for (form, words) in [
        ("parquet", "its rows take more than the 1048576 bytes that the memory limit allows"),
        ("arrow", "but the memory limit allows 1048576"),
    ] {
        let arguments = ["check", "--files-from", "list", "--table", "files", "--format", form, "--out", form];
        assert_eq!(run_in(folder.path(), &arguments).status, 0);
        let arguments = ["--max-memory", "1MiB", "--since", form, "a.idx"];
        let written = check(folder.path(), b"", &arguments);
        assert_eq!((written.status, written.bytes.len()), (2, 0));
        assert!(written.stderr.contains(words), "{}", written.stderr);
        assert_eq!(check(folder.path(), b"", &["--since", form, "a.idx"]).status, 0);
    }
}
