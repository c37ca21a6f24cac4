//! Summaries by rule, short output, and no output.

use super::{folder, put, run};
use crate::support::tool::json_lines;
use std::path::Path;

fn check(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let ended = run(folder, &[&["check"], arguments].concat(), None);
    (ended.status.code().unwrap(), String::from_utf8([ended.stdout, ended.stderr].concat()).unwrap())
}

#[test]
fn a_summary_counts_findings_and_files_of_each_rule() {
    let bad = "idx/bad/trailing-one.idx";
    let folder = folder(&[("a.idx", bad), ("b.idx", bad), ("c.idx", "idx/ok/scalar-u8.idx"), ("d.txt", "README.md")]);
    let (status, text) = check(folder.path(), &["--summary", "."]);
    assert_eq!(status, 1);
    let table = "rule                  findings       files\n\
                 idx/scalar                   1           1\n\
                 idx/trailing-bytes           2           2\n\n\
                 3 files: 2 with errors, 1 with warnings; 3 findings not shown; 1 file of other formats\n";
    assert_eq!(text, table);
    let objects = json_lines(&check(folder.path(), &["--summary", "--json", "."]).1);
    assert_eq!(objects.len(), 1);
    assert_eq!((&objects[0]["summary"]["files"], &objects[0]["summary"]["other"]), (&3.into(), &1.into()));
    assert_eq!(objects[0]["summary"]["rules"]["idx/trailing-bytes"]["findings"], 2);
    assert_eq!(check(folder.path(), &["--summary", "--format", "sarif", "."]).0, 2);
}

#[test]
fn quiet_leaves_the_exit_status() {
    let folder = folder(&[("a.idx", "idx/bad/trailing-one.idx"), ("b.idx", "idx/ok/u8-2d.idx")]);
    assert_eq!(check(folder.path(), &["-q", "."]), (1, String::new()));
    assert_eq!(check(folder.path(), &["--quiet", "b.idx"]), (0, String::new()));
    let (status, text) = check(folder.path(), &["-q", "lost"]);
    assert_eq!(status, 2);
    assert!(text.starts_with("error: lost: "), "{text}");
}

#[test]
fn findings_over_the_most_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..20 {
        put(folder.path(), &format!("{number:02}.idx"), &[0, 0, 8, 1, 0, 0, 0, 1, 1, 1]);
    }
    let (status, text) = check(folder.path(), &["--max-findings", "3", "."]);
    assert_eq!((status, text.matches("error[").count()), (1, 3));
    // This many findings are summarised by rule.
    assert!(text.contains("\nidx/trailing-bytes          20          20\n"), "{text}");
    assert!(text.ends_with("\n20 files: 20 with errors; 17 findings not shown\n"), "{text}");
    let (status, text) = check(folder.path(), &["--max-findings", "0", "--format", "sarif", "."]);
    assert_eq!((status, text.matches("\"ruleId\"").count()), (1, 0));
}
