//! Directories and patterns: SQL finds the same files as the tool, the library and the package, listed in `tests/walk.txt`.
#![cfg(unix)]

use crate::support::{corpus, error, project, rows, session};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Creates the listed files in a directory and returns the verdicts by path.
fn made(folder: &Path) -> BTreeMap<String, String> {
    let good = fs::read(project("samples/surface.ra")).expect("the sample is there");
    let mut broken = fs::read(project("samples/temperatures.b2nd")).expect("the sample is there");
    let middle = broken.len() / 2;
    broken[middle..middle + 64].fill(0xFF);
    let mut verdicts = BTreeMap::new();
    let list = fs::read_to_string(project("tests/walk.txt")).expect("the list is there");
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split("  ").collect();
        let [path, content, verdict, _] = columns[..] else { panic!("{line}") };
        let place = folder.join(path);
        fs::create_dir_all(place.parent().expect("it is in the folder")).expect("folders are made");
        let done = match content {
            "good" => fs::write(place, &good),
            "broken" => fs::write(place, &broken),
            link if link.starts_with("-> ") => symlink(&link[3..], place),
            text => fs::write(place, text.trim_matches('"')),
        };
        done.expect("the entry is made");
        verdicts.insert(path.to_owned(), verdict.to_owned());
    }
    verdicts
}

/// The rows that a query of `files()` must return: paths below the directory and verdicts, sorted by path.
fn those(verdicts: &BTreeMap<String, String>, is_wanted: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let those = verdicts.iter().filter(|(path, verdict)| is_wanted(path, verdict));
    those.map(|(path, verdict)| format!("{path}|{verdict}")).collect()
}

/// The rows of `files()`: paths below the directory and verdicts, sorted by path.
async fn found(folder: &Path, pattern: &str) -> Vec<String> {
    let folder = folder.to_str().expect("the path is text");
    let of = format!("{folder}{pattern}");
    // Paths are compared byte by byte, as in the list.
    let query = format!("SELECT substr(path, {}), verdict FROM files('{of}') ORDER BY 1", folder.len() + 2);
    rows(&session(2), &query).await
}

#[tokio::test]
async fn a_folder_has_the_files_and_the_verdicts_of_the_list() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let verdicts = made(folder.path());
    let path = folder.path().to_str().expect("the path is text");
    // A query covers all files of a directory, so an entry that is not a file is an error that names it.
    for unreadable in those(&verdicts, |_, verdict| verdict == "unreadable") {
        let place = folder.path().join(unreadable.strip_suffix("|unreadable").expect("it ends so"));
        for function in ["files", "findings", "columns", "idv"] {
            let said = error(&session(2), &format!("SELECT * FROM {function}('{path}')")).await;
            let expected = format!("{}: neither a file nor a directory", place.display());
            assert!(said.contains(&expected), "{function}: {said}");
        }
        fs::remove_file(place).expect("the link is removed");
    }
    let expected = those(&verdicts, |_, verdict| ["ok", "error"].contains(&verdict));
    assert!(expected.len() > 5, "{expected:?}");
    assert_eq!(found(folder.path(), "").await, expected);
}

#[tokio::test]
async fn a_pattern_has_the_files_that_fit_but_no_folders() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let verdicts = made(folder.path());
    let is_here = |path: &str| !path.contains('/');
    // Directories and links to directories also match, but are not files.
    assert!(verdicts.contains_key("linked") && verdicts.keys().any(|path| path.starts_with("out/")));
    let is_shown = |verdict: &str| ["ok", "error", "unreadable"].contains(&verdict);
    let expected = those(&verdicts, |path, verdict| is_here(path) && is_shown(verdict));
    // A pattern covers everything that matches, so a dangling link has a row.
    let unreadable: Vec<_> = expected.iter().filter_map(|row| row.strip_suffix("|unreadable")).collect();
    assert!(!unreadable.is_empty(), "{expected:?}");
    let expected: Vec<_> = expected.iter().map(|row| row.replace("|unreadable", "|error")).collect();
    assert_eq!(found(folder.path(), "/*").await, expected);
    for path in unreadable {
        let of = folder.path().join(path).display().to_string().replace(".npy", ".np[y]");
        let query = format!("SELECT rule FROM findings('{of}')");
        assert_eq!(rows(&session(2), &query).await, ["unreadable"], "{path}");
    }
    assert_eq!(found(folder.path(), "/out/*").await, ["out/b.ra|ok"]);
    let pattern = folder.path().join("rea[l]");
    let said = error(&session(2), &format!("SELECT * FROM files('{}')", pattern.display())).await;
    assert!(said.contains("no file matches"), "{said}");
}

/// The directory of a sparse frame counts as a file, in every walk and in a pattern.
#[tokio::test]
async fn a_sparse_frame_is_one_file_of_a_pattern_and_of_a_folder() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let frame = Path::new(&corpus("b2nd/ok/sparse-out-of-order.b2nd")).to_owned();
    let copy = folder.path().join("frame.b2nd");
    fs::create_dir(&copy).expect("the folder is made");
    for entry in fs::read_dir(frame).expect("the frame is there") {
        let path = entry.expect("the frame is listed").path();
        fs::copy(&path, copy.join(path.file_name().expect("it has a name"))).expect("the file is copied");
    }
    for pattern in ["", "/*", "/*.b2nd", "/frame.b2nd"] {
        assert_eq!(found(folder.path(), pattern).await, ["frame.b2nd|ok"], "{pattern}");
    }
}
