//! Lists of paths.

use super::support::check;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// An IDX array with one trailing byte.
const FILE: [u8; 10] = [0, 0, 8, 1, 0, 0, 0, 1, 5, 6];

fn paths(folder: &Path, list: &[u8], arguments: &[&str]) -> Vec<Value> {
    let written = check(folder, list, &[&["--table", "files"], arguments].concat());
    written.rows().into_iter().map(|mut row| row["path"].take()).collect()
}

fn folder(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    names.iter().for_each(|name| fs::write(folder.path().join(name), FILE).unwrap());
    folder
}

#[test]
fn a_list_comes_from_a_file_or_from_standard_input() {
    let folder = folder(&["a.idx", "b.idx", "c.idx"]);
    let (lines, nulls) = (b"c.idx\n\na.idx\r\nb.idx", b"c.idx\0\0a.idx\0b.idx");
    fs::write(folder.path().join("list"), lines).unwrap();
    let expected = [json!("c.idx"), json!("a.idx"), json!("b.idx")];
    assert_eq!(paths(folder.path(), b"", &["--files-from", "list"]), expected);
    assert_eq!(paths(folder.path(), lines, &["--files-from", "-"]), expected);
    assert_eq!(paths(folder.path(), nulls, &["-0", "--files-from", "-"]), expected);
    assert_eq!(paths(folder.path(), nulls, &["--null", "--files-from", "-", "b.idx"])[0], "b.idx");
    assert_eq!(paths(folder.path(), b"", &["--files-from", "-"]), [] as [Value; 0]);
    let twice = paths(folder.path(), b"a.idx\na.idx\n", &["--files-from", "-"]);
    assert_eq!(twice, ["a.idx", "a.idx"]);
}

#[test]
#[cfg(unix)]
fn names_may_be_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder(&["line\nbreak.idx", "tab\t.idx", "cr\r"]);
    let list = b"line\nbreak.idx\0tab\t.idx\0cr\r\0";
    let found = paths(folder.path(), list, &["-0", "--files-from", "-"]);
    assert_eq!(found, ["line\nbreak.idx", "tab\t.idx", "cr\r"]);
    // Some file systems do not allow such a name.
    if fs::write(folder.path().join(OsStr::from_bytes(b"\xff.idx")), FILE).is_ok() {
        let written = check(folder.path(), b"\xff.idx\0", &["-0", "--files-from", "-"]);
        assert_eq!((written.status, written.stderr.as_str()), (1, ""));
        let rows = written.rows();
        assert_eq!((&rows[0]["path"], &rows[0]["rule"]), (&json!("\u{fffd}.idx"), &json!("idx/trailing-bytes")));
    }
}

#[test]
fn what_is_no_file_is_a_row() {
    let folder = folder(&["a.idx"]);
    let long = "x".repeat(1 << 16);
    let written = check(folder.path(), format!("none\n-\na.idx\n{long}\na.idx").as_bytes(), &["--files-from", "-"]);
    assert_eq!(written.status, 2);
    let rules = |rows: &[super::support::Row]| rows.iter().map(|row| row["rule"].clone()).collect::<Vec<_>>();
    let rows = written.rows();
    assert_eq!(rules(&rows), ["unreadable", "unreadable", "idx/trailing-bytes", "unreadable"]);
    assert_eq!(rows[1]["message"], "the list standard input names `-`; `./-` is the file of that name");
    let words = "the list standard input has a path of more than 65536 bytes; the rest of the list is ignored";
    assert_eq!(rows[3]["message"], words);
    assert_eq!(written.stderr.lines().count(), 3, "{}", written.stderr);
}

#[test]
fn a_folder_in_the_list_is_walked() {
    let folder = folder(&["b.idx", "text"]);
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/a.idx"), FILE).unwrap();
    assert_eq!(paths(folder.path(), b"in\nb.idx", &["--files-from", "-"]), ["in/a.idx", "b.idx"]);
    fs::write(folder.path().join("in/notes"), "some text that is of no format").unwrap();
    assert_eq!(paths(folder.path(), b"in\n", &["--files-from", "-"]), ["in/a.idx"]);
    let found = paths(folder.path(), b"in\n", &["--files-from", "-", "--unknown", "error"]);
    assert_eq!(found, ["in/a.idx", "in/notes"]);
}

#[test]
fn a_list_that_is_not_there_is_named() {
    let folder = folder(&[]);
    let written = check(folder.path(), b"", &["--files-from", "none"]);
    assert_eq!((written.status, written.bytes.len()), (2, 0));
    assert!(written.stderr.starts_with("error: none: "), "{}", written.stderr);
}
