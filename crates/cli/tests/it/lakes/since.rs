//! Rows of an earlier run. Files are changed here without a new modification time, so a row shows whether its file was
//! checked again.

use super::support::{Row, age, check, replace_unseen};
use crate::support::tool::{self, run_in};
use ndbytes_testkit::corpus;
use serde_json::json;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Two IDX files of the same size, a valid one and an invalid one.
const GOOD: [u8; 9] = [0, 0, 8, 1, 0, 0, 0, 1, 5];
const BAD: [u8; 9] = [0, 0, 8, 1, 0, 0, 0, 2, 5];

/// Files from an hour ago.
fn lake(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        fs::write(folder.path().join(name), GOOD).unwrap();
        age(&folder.path().join(name), 3600);
    }
    folder
}

/// Runs the tool on a list, writes the table `files` to `out`, and returns the paths with their verdicts.
fn files(folder: &Path, list: &str, out: &str, arguments: &[&str]) -> Vec<(String, String)> {
    let written = check(folder, list.as_bytes(), &[&["--files-from", "-", "--table", "files"], arguments].concat());
    assert!(written.status < 2, "{}", written.stderr);
    fs::write(folder.join(out), &written.bytes).unwrap();
    verdicts(&written.rows())
}

fn verdicts(rows: &[Row]) -> Vec<(String, String)> {
    let text = |row: &Row, key| row[key].as_str().unwrap().to_owned();
    rows.iter().map(|row| (text(row, "path"), text(row, "verdict"))).collect()
}

fn pairs<'p>(pairs: &[(&'p str, &'p str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(path, verdict)| (path.to_string(), verdict.to_string())).collect()
}

#[test]
fn a_file_is_checked_again_if_its_size_or_its_time_changed() {
    let folder = lake(&["a", "b", "c", "gone"]);
    let (path, since) = (|name: &str| folder.path().join(name), ["--since", "monday"]);
    files(folder.path(), "a\nb\nc\ngone\n", "monday", &[]);
    replace_unseen(&path("a"), &BAD);
    fs::write(path("b"), BAD).unwrap();
    fs::write(path("c"), [&GOOD[..], &[0]].concat()).unwrap();
    age(&path("c"), 3600);
    fs::remove_file(path("gone")).unwrap();
    fs::write(path("new"), BAD).unwrap();
    let found = files(folder.path(), "new\na\nb\nc\n", "tuesday", &since);
    assert_eq!(found, pairs(&[("new", "error"), ("a", "ok"), ("b", "error"), ("c", "error")]));
    // Without the earlier run, the same file is checked.
    assert_eq!(files(folder.path(), "a\n", "wednesday", &[]), pairs(&[("a", "error")]));
    // The last of several runs decides.
    let found = files(folder.path(), "a\nb\n", "thursday", &["--since", "monday", "--since", "wednesday"]);
    assert_eq!(found, pairs(&[("a", "error"), ("b", "error")]));
}

#[test]
fn a_file_of_the_same_moment_is_checked_again() {
    let folder = lake(&["a"]);
    age(&folder.path().join("a"), 1);
    files(folder.path(), "a\n", "monday", &[]);
    replace_unseen(&folder.path().join("a"), &BAD);
    assert_eq!(files(folder.path(), "a\n", "tuesday", &["--since", "monday"]), pairs(&[("a", "error")]));
}

#[test]
fn digests_decide_if_both_runs_have_them() {
    let folder = lake(&["a", "b"]);
    let path = |name: &str| folder.path().join(name);
    files(folder.path(), "a\nb\n", "monday", &["--digest"]);
    files(folder.path(), "a\nb\n", "plain", &[]);
    replace_unseen(&path("a"), &BAD);
    age(&path("b"), 60);
    let list = "a\nb\n";
    let written = check(
        folder.path(),
        list.as_bytes(),
        &["--files-from", "-", "--table", "files", "--digest", "--since", "monday"],
    );
    let (rows, full) = (written.rows(), check(folder.path(), b"", &["--table", "files", "--digest", "a", "b"]).rows());
    assert_eq!(rows, full, "times and digests are those of now");
    assert_eq!(verdicts(&rows), pairs(&[("a", "error"), ("b", "ok")]));
    // Runs with and without digests cannot use each other's rows, so every file is checked.
    for (since, digest) in [("plain", &["--digest"][..]), ("monday", &[])] {
        let found = files(folder.path(), list, "out", &[&["--since", since], digest].concat());
        assert_eq!(found, pairs(&[("a", "error"), ("b", "ok")]), "{since}");
    }
}

/// The corpus as files from an hour ago, and a list of them.
fn corpus_in(folder: &Path) -> String {
    let mut list = String::new();
    for sample in corpus::samples() {
        let name = format!("{}-{}", sample.kind, sample.path.file_name().unwrap().to_str().unwrap());
        fs::write(folder.join(&name), &sample.bytes).unwrap();
        age(&folder.join(&name), 3600);
        list += &format!("{name}\n");
    }
    fs::write(folder.join("list"), &list).unwrap();
    list
}

#[test]
fn all_tables_are_made_from_the_earlier_run() {
    let folder = tempfile::tempdir().unwrap();
    corpus_in(folder.path());
    for digest in [&[][..], &["--digest"]] {
        for (form, earlier) in [("arrow", "monday.arrow"), ("parquet", "monday.parquet")] {
            let common = ["check", "--files-from", "list", "--table", "files", "--format", form, "--out", earlier];
            assert_eq!(run_in(folder.path(), &[&common[..], digest, &["--force"]].concat()).status, 1);
            for table in ["findings", "files", "columns"] {
                let full = [&["--files-from", "list", "--table", table], digest].concat();
                let again = check(folder.path(), b"", &[&full[..], &["--since", earlier]].concat());
                assert_eq!(again.rows(), check(folder.path(), b"", &full).rows(), "{table} after {earlier}");
            }
        }
    }
}

#[test]
fn files_are_checked_again_if_they_exceeded_a_limit_alone() {
    let folder = tempfile::tempdir().unwrap();
    let list = corpus_in(folder.path());
    files(folder.path(), &list, "monday", &[]);
    let full = check(folder.path(), b"", &["--files-from", "list"]).rows();
    for name in list.lines() {
        let length = fs::metadata(folder.path().join(name)).unwrap().len() as usize;
        replace_unseen(&folder.path().join(name), &vec![0xab; length]);
    }
    let again = check(folder.path(), b"", &["--files-from", "list", "--since", "monday"]).rows();
    let file = |row: &Row| row["path"].as_str().unwrap().split('!').next().unwrap().to_owned();
    let limited: HashSet<_> = full.iter().filter(|row| row["rule"] == "limit-exceeded").map(file).collect();
    let rest = |rows: Vec<Row>| rows.into_iter().filter(|row| !limited.contains(&file(row))).collect::<Vec<_>>();
    let seen: HashSet<_> = again.iter().filter(|row| row["rule"] == "misnamed").map(file).collect();
    assert!(!limited.is_empty() && limited.is_subset(&seen), "{limited:?}");
    assert_eq!(rest(again), rest(full));
}

#[test]
fn members_come_with_their_archive() {
    let folder = tempfile::tempdir().unwrap();
    let sample = corpus::samples().into_iter().find(|it| it.kind == "zip" && it.folder == "ok").unwrap();
    let path = folder.path().join("a.zip");
    fs::write(&path, &sample.bytes).unwrap();
    age(&path, 3600);
    let first = files(folder.path(), "a.zip\n", "monday", &[]);
    assert!(first.len() > 1 && first.iter().all(|(path, _)| path.starts_with("a.zip")), "{first:?}");
    replace_unseen(&path, &vec![0; sample.bytes.len()]);
    assert_eq!(files(folder.path(), "a.zip\n", "tuesday", &["--since", "monday"]), first);
    // The address of a member is not a file, so the member is checked.
    let member = format!("{}\n", first[0].0);
    let written = check(folder.path(), member.as_bytes(), &["--files-from", "-", "--since", "monday"]);
    assert_eq!((written.status, &written.rows()[0]["rule"]), (2, &json!("unreadable")));
}

#[test]
fn files_that_could_not_be_read_are_checked_again() {
    let folder = lake(&["a"]);
    let list = "a\nlate\n";
    let written = check(folder.path(), list.as_bytes(), &["--files-from", "-", "--table", "files"]);
    assert_eq!(written.status, 2);
    fs::write(folder.path().join("monday"), &written.bytes).unwrap();
    fs::write(folder.path().join("late"), GOOD).unwrap();
    let found = files(folder.path(), list, "tuesday", &["--since", "monday"]);
    assert_eq!(found, pairs(&[("a", "ok"), ("late", "ok")]));
}

#[test]
fn a_run_that_was_killed_is_taken_up() {
    const FILES: usize = 9000;
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<_> = (0..FILES).map(|number| format!("{number:04}")).collect();
    for name in &names {
        fs::write(folder.path().join(name), GOOD).unwrap();
        age(&folder.path().join(name), 3600);
    }
    fs::write(folder.path().join("list"), names.join("\n")).unwrap();
    let arguments = ["check", "--files-from", "list", "--format", "arrow", "--table", "files"];
    let mut command = Command::new(tool::PATH);
    let mut child = command.args(arguments).current_dir(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    // The first batch has the rows of most files, and the second does not fit into the pipe.
    let (mut begun, mut some) = (Vec::new(), [0; 1 << 14]);
    let mut stdout = child.stdout.take().unwrap();
    let rows = |bytes: &[u8]| {
        let stream = ndbytes_arrow::ipc::read_stream(bytes);
        stream.map_or(0, |batches| batches.map_while(Result::ok).map(|batch| batch.num_rows()).sum())
    };
    let mut is_enough = false;
    while !is_enough {
        is_enough = rows(&begun) > 0;
        let count = stdout.read(&mut some).unwrap();
        assert_ne!(count, 0);
        begun.extend(&some[..count]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let taken: usize = rows(&begun);
    assert!((1..FILES).contains(&taken), "{taken}");
    File::create(folder.path().join("begun.arrow")).unwrap().write_all(&begun).unwrap();
    for name in &names {
        replace_unseen(&folder.path().join(name), &BAD);
    }
    let written = check(folder.path(), b"", &["--files-from", "list", "--table", "files", "--since", "begun.arrow"]);
    assert_eq!(
        (written.status, written.stderr.as_str()),
        (1, "note: begun.arrow is truncated; its complete rows are used\n")
    );
    let rows = written.rows();
    assert_eq!(rows.iter().filter(|row| row["verdict"] == "ok").count(), taken);
    assert!(rows.iter().map(|row| &row["path"]).eq(&names.iter().map(|name| json!(name)).collect::<Vec<_>>()));
}

#[test]
fn another_profile_or_depth_is_refused_by_name() {
    let folder = lake(&["a"]);
    files(folder.path(), "a\n", "monday", &[]);
    for (option, value, found) in [("profile", "reference", "strict"), ("depth", "structure", "payload")] {
        let written = check(folder.path(), b"", &[&format!("--{option}"), value, "--since", "monday", "a"]);
        let words = format!(
            "error: `--since monday` cannot be used: its ndbytes.lake.{option} is {found}, but {value} is needed\n"
        );
        assert_eq!((written.status, written.bytes.len(), written.stderr), (2, 0, words));
    }
}
