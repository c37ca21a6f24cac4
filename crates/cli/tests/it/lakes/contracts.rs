//! Contracts in tables: their findings, and which rows of an earlier run can be reused.

use super::support::{age, check, replace_unseen};
use crate::support::tool::run_in;
use std::fs;
use std::path::Path;

/// Labels as an IDX file, one byte each.
fn labels(items: &[u8]) -> Vec<u8> {
    [&[0, 0, 8, 1], &(items.len() as u32).to_be_bytes()[..], items].concat()
}

/// Files from an hour ago, and a contract.
fn folder(contract: &str, files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".ndbytes.toml"), contract).unwrap();
    for (name, items) in files {
        fs::write(folder.path().join(name), labels(items)).unwrap();
        age(&folder.path().join(name), 3600);
    }
    folder
}

/// Path and rule of each row in the table of findings.
fn findings(folder: &Path, arguments: &[&str]) -> Vec<(String, String)> {
    let written = check(folder, b"", arguments);
    assert!(written.status < 2, "{}", written.stderr);
    let text = |row: &super::support::Row, key| row[key].as_str().unwrap().to_owned();
    written.rows().iter().map(|row| (text(row, "path"), text(row, "rule"))).collect()
}

/// Path and verdict of each row in the table of files, which is written to `out`.
fn verdicts(folder: &Path, out: &str, arguments: &[&str]) -> Vec<(String, String)> {
    let written = check(folder, b"", &[&["--table", "files", "."], arguments].concat());
    assert!(written.status < 2, "{}", written.stderr);
    fs::write(folder.join(out), &written.bytes).unwrap();
    let text = |row: &super::support::Row, key| row[key].as_str().unwrap().to_owned();
    written.rows().iter().map(|row| (text(row, "path"), text(row, "verdict"))).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(one, other)| (one.to_string(), other.to_string())).collect()
}

const DIGITS: &str = "[files.\"*-idx1-ubyte\"]\nrange = [0, 9]\n";

#[test]
fn tables_have_the_findings_of_the_contract_that_check_has() {
    let folder = folder(DIGITS, &[("a-idx1-ubyte", &[3]), ("b-idx1-ubyte", &[10])]);
    let found = findings(folder.path(), &["."]);
    assert_eq!(found, pairs(&[("./b-idx1-ubyte", "contract/range")]));
    assert_eq!(findings(folder.path(), &["--no-config", "."]), []);
    fs::write(folder.path().join("other.toml"), "[files.\"*\"]\ntype = \"f4\"\n").unwrap();
    let found = findings(folder.path(), &["--config", "other.toml", "a-idx1-ubyte"]);
    assert_eq!(found, pairs(&[("a-idx1-ubyte", "contract/type")]));
    // The status is the same as from `check`.
    assert_eq!(check(folder.path(), b"", &["."]).status, run_in(folder.path(), &["check", "."]).status);
}

#[test]
fn a_file_of_no_known_format_that_a_contract_names_has_a_row() {
    let folder = folder("[files.\"*.bin\"]\ntype = \"u1\"\n", &[("a", &[1])]);
    fs::write(folder.path().join("x.bin"), "text").unwrap();
    let found = findings(folder.path(), &["."]);
    assert_eq!(found, pairs(&[("./x.bin", "unknown-format")]));
    assert_eq!(findings(folder.path(), &["--no-config", "."]), []);
}

#[test]
fn a_contract_that_is_not_valid_ends_the_run() {
    let folder = folder("[files.a]\nkind = 1\n", &[("a", &[1])]);
    let written = check(folder.path(), b"", &["."]);
    assert_eq!((written.status, written.bytes.len()), (2, 0));
    assert!(written.stderr.contains(".ndbytes.toml: line 2: unknown field `kind`"), "{}", written.stderr);
}

#[test]
fn an_earlier_run_serves_under_the_same_contract_alone() {
    let folder = folder(DIGITS, &[("a-idx1-ubyte", &[3]), ("b-idx1-ubyte", &[4])]);
    let since = ["-g", "*-ubyte", "--since", "monday"];
    verdicts(folder.path(), "monday", &["-g", "*-ubyte"]);
    replace_unseen(&folder.path().join("a-idx1-ubyte"), &labels(&[77]));
    let found = verdicts(folder.path(), "tuesday", &since);
    assert_eq!(found, pairs(&[("./a-idx1-ubyte", "ok"), ("./b-idx1-ubyte", "ok")]), "the row is the earlier one");
    for arguments in [&[&since[..], &["--no-config"]].concat(), &since.to_vec()] {
        fs::write(folder.path().join(".ndbytes.toml"), format!("{DIGITS}# another one\n")).unwrap();
        let written = check(folder.path(), b"", &[&["--table", "files", "."], &arguments[..]].concat());
        assert_eq!(written.status, 2);
        assert!(written.stderr.contains("its ndbytes.lake.demands is "), "{}", written.stderr);
    }
}

#[test]
fn a_file_with_a_partner_is_judged_in_every_run() {
    let contract = "[files.\"*-x\"]\npair = \"*-y\"\n";
    let files: &[(&str, &[u8])] =
        &[("a-x", &[1, 2]), ("a-y", &[1, 2]), ("t-images-idx3-ubyte", &[]), ("t-labels-idx1-ubyte", &[5])];
    let folder = folder(contract, files);
    let image = [&[0, 0, 8, 3], &[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1][..], &[9]].concat();
    fs::write(folder.path().join("t-images-idx3-ubyte"), image).unwrap();
    age(&folder.path().join("t-images-idx3-ubyte"), 3600);
    let globs = ["-g", "*-x", "-g", "*images*"];
    let found = verdicts(folder.path(), "monday", &globs);
    assert_eq!(found, pairs(&[("./a-x", "ok"), ("./t-images-idx3-ubyte", "ok")]));
    fs::write(folder.path().join("a-y"), labels(&[1, 2, 3])).unwrap();
    fs::write(folder.path().join("t-labels-idx1-ubyte"), labels(&[5, 6])).unwrap();
    let found = verdicts(folder.path(), "tuesday", &[&globs[..], &["--since", "monday"]].concat());
    assert_eq!(found, pairs(&[("./a-x", "error"), ("./t-images-idx3-ubyte", "warning")]));
}
