//! Baselines: known findings are quiet, new ones cause a failure, and fixed ones are reported.

use super::{folder, put, run};
use crate::support::tool::json_lines;
use ndbytes_testkit::corpus;
use serde_json::json;
use std::fs;
use std::path::Path;

const BAD: &str = "idx/bad/trailing-one.idx";

fn check(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let ended = run(folder, &[&["check", "--baseline", "known"], arguments].concat(), None);
    (ended.status.code().unwrap(), String::from_utf8([ended.stdout, ended.stderr].concat()).unwrap())
}

fn fix(folder: &Path, name: &str) {
    put(folder, name, &fs::read(corpus::root().join("idx/ok/u8-2d.idx")).unwrap());
}

#[test]
fn known_findings_are_quiet_and_new_ones_fail() {
    let folder = folder(&[("a/x.idx", BAD), ("a/y.idx", BAD)]);
    let folder = folder.path();
    assert_eq!(check(folder, &["."]).0, 2, "a baseline that is not there");
    let (status, text) = check(folder, &["--update-baseline", "."]);
    assert_eq!(
        (status, &*text),
        (
            0,
            "2 files: 2 ok; 2 findings in the baseline
"
        )
    );
    let known = fs::read_to_string(folder.join("known")).unwrap();
    let line = |file: &str| json!({ "path": file, "rule": "idx/trailing-bytes", "field": "" });
    assert_eq!(json_lines(&known), [line("a/x.idx"), line("a/y.idx")]);
    // The same paths, but written differently.
    let whole = folder.join("a");
    assert_eq!(check(folder, &[whole.to_str().unwrap()]).0, 0);
    put(folder, "a/z.idx", &fs::read(corpus::root().join(BAD)).unwrap());
    let (status, text) = check(folder, &["a"]);
    assert_eq!(status, 1);
    assert_eq!(text.matches("error[idx/trailing-bytes]").count(), 1, "{text}");
    assert!(
        text.contains("--> a/z.idx") && text.contains("\n3 files: 1 with errors, 2 ok; 2 findings in the baseline\n"),
        "{text}"
    );
}

#[test]
fn a_second_finding_of_the_same_place_is_new() {
    let folder = folder(&[("x.idx", BAD)]);
    let folder = folder.path();
    let line = json!({ "path": "x.idx", "rule": "idx/trailing-bytes", "field": "" });
    put(folder, "known", format!("{line}\n").as_bytes());
    assert_eq!(check(folder, &["x.idx"]).0, 0);
    assert_eq!(check(folder, &["x.idx", "x.idx"]).0, 1);
}

#[test]
fn fixed_findings_are_listed_and_then_dropped() {
    let folder = folder(&[("a.idx", BAD), ("b.idx", BAD), ("c.idx", BAD)]);
    let folder = folder.path();
    check(folder, &["--update-baseline", "."]);
    fix(folder, "a.idx");
    fs::remove_file(folder.join("b.idx")).unwrap();
    let (status, text) = check(folder, &["."]);
    assert_eq!(status, 0);
    let fixed =
        "fixed: 2 findings of the baseline are gone\n  idx/trailing-bytes  a.idx\n  idx/trailing-bytes  b.idx\n";
    assert!(text.starts_with(fixed), "{text}");
    let objects = json_lines(&check(folder, &["--json", "."]).1);
    let object = |path: &str| json!({ "path": path, "rule": "idx/trailing-bytes", "field": "" });
    assert_eq!(objects.last().unwrap(), &json!({ "fixed": [object("a.idx"), object("b.idx")] }));
    assert_eq!(check(folder, &["--update-baseline", "."]).0, 0);
    assert_eq!(json_lines(&fs::read_to_string(folder.join("known")).unwrap()), [object("c.idx")]);
}

#[test]
fn files_that_are_not_checked_keep_their_lines() {
    let folder = folder(&[("a.idx", BAD), ("b.idx", BAD)]);
    let folder = folder.path();
    check(folder, &["--update-baseline", "."]);
    fix(folder, "a.idx");
    fix(folder, "b.idx");
    assert_eq!(check(folder, &["--update-baseline", "a.idx"]).0, 0);
    let known = json_lines(&fs::read_to_string(folder.join("known")).unwrap());
    assert_eq!(known.iter().map(|line| &line["path"]).collect::<Vec<_>>(), ["b.idx"]);
}

#[test]
fn a_baseline_names_columns_and_not_their_places() {
    let folder = folder(&[("t.idv", "idv/ok/unknown-codec.idv")]);
    check(folder.path(), &["--update-baseline", "t.idv"]);
    let known = json_lines(&fs::read_to_string(folder.path().join("known")).unwrap());
    assert_eq!(known[0]["rule"], "idv/unknown-codec");
    assert!(known[0]["field"].as_str().unwrap().starts_with("columns[\"b\"]"), "{known:?}");
}

#[test]
fn a_file_that_is_no_baseline_is_never_replaced() {
    let folder = folder(&[("a.idx", BAD), ("known", "idx/ok/u8-2d.idx")]);
    let before = fs::read(folder.path().join("known")).unwrap();
    let (status, text) = check(folder.path(), &["--update-baseline", "a.idx"]);
    assert_eq!(status, 2);
    assert!(text.starts_with("error: known is not a baseline: line 1: "), "{text}");
    assert_eq!(fs::read(folder.path().join("known")).unwrap(), before);
}

#[test]
fn a_baseline_that_has_no_room_in_the_memory_is_refused() {
    let folder = folder(&[("x.idx", BAD)]);
    let folder = folder.path();
    let line = |number: u32| json!({ "path": format!("{number}"), "rule": "idx/trailing-bytes", "field": "" });
    let lines: String = (0..10_000).map(|number| format!("{}\n", line(number))).collect();
    put(folder, "known", lines.as_bytes());
    let (status, text) = check(folder, &["--max-memory", "1M", "x.idx"]);
    assert_eq!(status, 2);
    let (first, rest) = text.split_once("at line ").unwrap();
    assert_eq!(first, "error: known: the memory limit is reached ");
    let number: u32 = rest.strip_suffix(": `--max-memory` grants more\n").unwrap().parse().unwrap();
    assert!((1000..10_000).contains(&number), "{number}");
    assert_eq!(check(folder, &["--max-memory", "8M", "x.idx"]).0, 1);
}

#[test]
fn a_path_of_many_exclamation_marks_costs_no_time() {
    let folder = folder(&[("x.idx", BAD)]);
    let folder = folder.path();
    let line = json!({ "path": "!".repeat(200_000), "rule": "idx/trailing-bytes", "field": "" });
    put(folder, "known", format!("{line}\n").as_bytes());
    let (status, text) = check(folder, &["--update-baseline", "x.idx"]);
    assert_eq!(status, 0, "{text}");
    let known = fs::read_to_string(folder.join("known")).unwrap();
    assert_eq!(json_lines(&known), [json!({ "path": "x.idx", "rule": "idx/trailing-bytes", "field": "" })]);
}
