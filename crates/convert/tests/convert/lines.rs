//! CSV and JSON Lines as inputs of the tool.

use crate::support::{Ended, run_in, run_with, trees};
use ndbytes::idv;
use ndbytes::{Input, Limits};
use ndbytes_arrow::{InputReader, parquet};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

/// Converts a text in a file to JSON Lines and returns the result of the tool and the JSON Lines.
fn lines_of(name: &str, text: &[u8]) -> (Ended, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let mut ended = run_in(folder.path(), &["convert", name, "-", "--to", "jsonl"]);
    let lines = String::from_utf8(std::mem::take(&mut ended.stdout)).expect("JSON is text");
    (ended, lines)
}

fn converted(folder: &Path, arguments: &[&str]) {
    let ended = run_in(folder, &[&["convert"], arguments].concat());
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{arguments:?}");
}

#[test]
fn tables_of_lines_come_back_by_way_of_idv() {
    let folder = trees();
    for kind in ["csv", "jsonl"] {
        let (first, again) = (format!("first.{kind}"), format!("again.{kind}"));
        // JSON Lines cannot hold slot names.
        converted(folder.path(), &["trees.idv", &first, "--columns", "Name,Label,Evergreen"]);
        converted(folder.path(), &[&first, "back.idv", "--force"]);
        converted(folder.path(), &["back.idv", &again]);
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read(&first), read(&again), "{kind}");
        assert_eq!(idv::open(folder.path().join("back.idv")).unwrap().rows(), 4);
    }
}

#[test]
fn rows_and_columns_of_lines_are_chosen() {
    let folder = trees();
    converted(folder.path(), &["trees.idv", "trees.csv"]);
    let ended = run_in(
        folder.path(),
        &["convert", "trees.csv[-2:]", "trees.csv[:1]", "-", "--to", "csv", "--columns", "Label,Name"],
    );
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(String::from_utf8_lossy(&ended.stdout).lines().count(), 4);
    assert!(ended.stdout.starts_with(b"Label,Name\n"), "{}", String::from_utf8_lossy(&ended.stdout));
}

#[test]
fn lines_of_standard_input_are_said_to_be_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    fs::write(&path, "a,b\n1,x\n").unwrap();
    let input = || Stdio::from(fs::File::open(&path).unwrap());
    let ended = run_with(folder.path(), &["convert", "-", "-", "--from", "csv", "--to", "jsonl"], input());
    assert_eq!((ended.status, ended.stdout.as_slice()), (0, b"{\"a\":1,\"b\":\"x\"}\n".as_slice()), "{}", ended.stderr);
    let ended = run_with(folder.path(), &["convert", "-", "-", "--from", "idx", "--to", "jsonl"], input());
    assert!(ended.status == 2 && ended.stderr.contains("only csv and jsonl can be named"), "{}", ended.stderr);
}

#[test]
fn types_of_lines_are_those_that_hold_every_value() {
    let (ended, lines) = lines_of("t.csv", b"\xef\xbb\xbfn,zip,f,d\n1,01234,1.5,2024-02-29\n-2,9,NaN,2023-01-01\n");
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let first = lines.lines().next().unwrap();
    assert_eq!(first, r#"{"n":1,"zip":"01234","f":1.5,"d":"2024-02-29"}"#);
}

#[test]
fn broken_lines_are_refused_with_their_place() {
    for (name, text, words) in [
        ("t.csv", b"".as_slice(), "is empty"),
        ("t.csv", b"a,b\n1,2\n3\n", "line 3"),
        ("t.csv", b"a,b\n1,\xff\n", "line 2 that are not UTF-8"),
        ("t.csv", b"a,a\n", "two columns named \"a\""),
        ("t.csv", b"a\n\"open\n", "line 2"),
        ("t.csv", b"\xff\xfea\0", "UTF-16"),
        ("t.jsonl", b"{\"a\":1}\n[1]\n", "line 2"),
        ("t.jsonl", b"{\"a\":1,\"a\":2}\n", "the key \"a\" twice"),
    ] {
        let (ended, lines) = lines_of(name, text);
        assert!(ended.status == 2 && lines.is_empty(), "{text:?}: {lines}");
        assert!(ended.stderr.contains(words), "{text:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(&format!("({name})")), "{}", ended.stderr);
    }
}

#[test]
fn a_header_alone_is_a_table_without_rows() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.csv"), "a,b\n").unwrap();
    converted(folder.path(), &["t.csv", "t.parquet"]);
    let ended = run_in(folder.path(), &["convert", "t.parquet", "-", "--to", "csv"]);
    assert_eq!((ended.status, ended.stdout.as_slice()), (0, b"a,b\n".as_slice()), "{}", ended.stderr);
}

#[test]
fn files_of_many_lines_or_of_one_long_line_stay_within_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let many = format!("a\n{}", "1\n".repeat(2 << 20));
    let long = format!("a\n{}", "x".repeat(12 << 20));
    for (text, rows) in [(many, 2 << 20), (long, 1)] {
        fs::write(folder.path().join("t.csv"), text).unwrap();
        converted(folder.path(), &["t.csv", "t.idv", "--force"]);
        assert_eq!(idv::open(folder.path().join("t.idv")).unwrap().rows(), rows);
        let ended = run_in(folder.path(), &["convert", "t.csv", "u.idv", "--max-memory", "1M"]);
        assert!(ended.status == 2 && ended.stderr.contains("a table of lines"), "{}", ended.stderr);
        assert!(!folder.path().join("u.idv").exists());
    }
}

#[test]
fn one_column_and_the_number_of_rows_of_parquet_are_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = |row: u32| format!("{row},{}\n", blake3::hash(&row.to_le_bytes()));
    let rows: String = (0..20_000).map(text).collect();
    fs::write(folder.path().join("t.csv"), format!("n,digest\n{rows}")).unwrap();
    converted(folder.path(), &["t.csv", "t.parquet"]);
    let input = Arc::new(Input::open(folder.path().join("t.parquet"), Limits::default()).unwrap());
    let reader = InputReader::new(Arc::clone(&input));
    assert_eq!(parquet::rows_of(reader.clone(), &Limits::default()).unwrap(), 20_000);
    let batches = parquet::read_from(reader.clone(), Some(&[0]), &Limits::default()).unwrap();
    assert_eq!(batches.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 20_000);
    assert!(reader.count() < input.length() / 4, "{} of {} bytes", reader.count(), input.length());
    let ended = run_in(folder.path(), &["convert", "t.parquet[-1:]", "-", "--to", "csv", "--columns", "n"]);
    assert_eq!((ended.status, ended.stdout.as_slice()), (0, b"n\n19999\n".as_slice()), "{}", ended.stderr);
    parquet::read_from(reader, Some(&[2]), &Limits::default()).map(drop).expect_err("there are two columns");
}
