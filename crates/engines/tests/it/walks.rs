//! Folders and patterns: SQL finds the files that tool, library and package find, those that `tests/walk.txt` lists.
#![cfg(unix)]

use crate::support::{error, project, rows, session};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Makes the folder of the list, and returns the verdicts by path.
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

/// The rows that a query of `files()` has to give: paths below the folder and verdicts, in the order of the paths.
fn those(verdicts: &BTreeMap<String, String>, is_wanted: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let those = verdicts.iter().filter(|(path, verdict)| is_wanted(path, verdict));
    those.map(|(path, verdict)| format!("{path}|{verdict}")).collect()
}

/// The rows of `files()`: paths below the folder and verdicts, in the order of the paths.
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
    // A query is about all files of a folder: what is none is an error, by its name.
    for unreadable in those(&verdicts, |_, verdict| verdict == "unreadable") {
        let place = folder.path().join(unreadable.strip_suffix("|unreadable").expect("it ends so"));
        for function in ["files", "findings", "columns", "idv"] {
            let said = error(&session(2), &format!("SELECT * FROM {function}('{path}')")).await;
            let expected = format!("{}: neither a file nor a folder", place.display());
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
    // Folders and links to folders fit, too: they are no files.
    assert!(verdicts.contains_key("linked") && verdicts.keys().any(|path| path.starts_with("out/")));
    let is_shown = |verdict: &str| ["ok", "error", "unreadable"].contains(&verdict);
    let expected = those(&verdicts, |path, verdict| is_here(path) && is_shown(verdict));
    // A pattern is about what fits: a link to nothing is a row.
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

/// The folder of a sparse frame is a file to every walk, and to a pattern.
#[tokio::test]
async fn a_sparse_frame_is_one_file_of_a_pattern_and_of_a_folder() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let frame = Path::new(&project("tests/corpus/b2nd/ok/sparse-out-of-order.b2nd")).to_owned();
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
