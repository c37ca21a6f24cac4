//! Output about many files: one line per file, and per member of an archive.

use crate::support::tool::{json_lines, run_in};
use ndbytes_testkit::project;
use ndbytes_testkit::zip::{Entry, zip};
use std::fs;

#[test]
fn a_list_has_the_verdict_of_each_file() {
    let folder = tempfile::tempdir().unwrap();
    let sample = |name: &str| fs::read(project().join("samples").join(name)).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("cut-idx3-ubyte", &sample("interrupted-idx3-ubyte"));
    write("labels-idx3-ubyte", &sample("digits-idx1-ubyte"));
    write("notes.txt", b"hello");
    write("surface.ra", &sample("surface.ra"));
    let ended = run_in(folder.path(), &["check", "--list", "."]);
    let expected = "\
error    ./cut-idx3-ubyte: idx/truncated-payload
warning  ./labels-idx3-ubyte: idx/name-mismatch
other    ./notes.txt
ok       ./surface.ra
3 files: 1 with errors, 1 with warnings, 1 ok; 1 file of other formats
";
    assert_eq!((ended.status, &*ended.stdout), (1, expected));
    let refused = run_in(folder.path(), &["check", "--list", "--format", "sarif", "."]);
    assert!(
        refused.status == 2 && refused.stderr.contains("`--list` works only with `--format text`"),
        "{}",
        refused.stderr
    );
}

#[test]
fn statistics_of_an_archive_are_those_of_its_members() {
    let folder = tempfile::tempdir().unwrap();
    let sample = fs::read(project().join("samples/surface.ra")).unwrap();
    let archive =
        zip(&[Entry::deflated("a.ra", &sample), Entry::deflated("b.ra", &sample), Entry::deflated("c.txt", b"c")]);
    fs::write(folder.path().join("x.zip"), archive).unwrap();
    let ended = run_in(folder.path(), &["stats", "--json", "x.zip"]);
    let paths: Vec<_> = json_lines(&ended.stdout).into_iter().map(|line| line["path"].clone()).collect();
    assert_eq!((ended.status, paths), (0, vec!["x.zip!a.ra".into(), "x.zip!b.ra".into()]));
}
