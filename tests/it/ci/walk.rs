//! Folders are walked as ripgrep walks them.

use super::{folder, put, run};
use crate::support::tool::json_lines;
use crate::support::{corpus, frozen};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const GOOD: &str = "idx/ok/u8-2d.idx";

/// The files that are checked, and the exit status.
fn checked(folder: &Path, arguments: &[&str]) -> (Vec<String>, i32) {
    let ended = run(folder, &[&["check", "--json"], arguments].concat(), None);
    let objects = json_lines(&String::from_utf8(ended.stdout).unwrap());
    (objects.iter().map(|object| object["path"].as_str().unwrap().to_owned()).collect(), ended.status.code().unwrap())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &target),
            false => fs::write(target, fs::read(&path).unwrap()).unwrap(),
        }
    }
}

#[test]
fn ignored_and_hidden_files_are_left_out() {
    let folder =
        folder(&[("a.idx", GOOD), (".hidden.idx", GOOD), ("out/b.idx", GOOD), (".git/c.idx", GOOD), ("d.idx", GOOD)]);
    let folder = folder.path();
    put(folder, ".gitignore", b"/out\nd.*\n!d.idx\n");
    assert_eq!(checked(folder, &["."]).0, ["./a.idx", "./d.idx"]);
    assert_eq!(checked(folder, &["--no-ignore", "."]).0, ["./a.idx", "./d.idx", "./out/b.idx"]);
    let hidden = ["./.git/c.idx", "./.hidden.idx", "./a.idx", "./d.idx"];
    assert_eq!(checked(folder, &["--hidden", "."]).0, hidden);
    // What is named is checked.
    assert_eq!(checked(folder, &["out/b.idx", ".hidden.idx", "out"]).0, ["out/b.idx", ".hidden.idx", "out/b.idx"]);
}

#[test]
fn globs_choose_files() {
    let folder = folder(&[("a.idx", GOOD), ("b.ra", GOOD), ("c/d.idx", GOOD), ("c/e.npy", GOOD)]);
    let folder = folder.path();
    assert_eq!(checked(folder, &["-g", "*.idx", "."]).0, ["./a.idx", "./c/d.idx"]);
    assert_eq!(checked(folder, &["--glob", "!*.idx", "."]).0, ["./b.ra", "./c/e.npy"]);
    assert_eq!(checked(folder, &["-g", "/c/*", "-g", "!*.npy", "."]).0, ["./c/d.idx"]);
    let ended = run(folder, &["check", "-g", "{a", "."], None);
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8(ended.stderr).unwrap().starts_with("error: the glob {a is not valid: "));
}

#[test]
fn frames_and_stores_are_found_whatever_their_names() {
    let frame = corpus::folders().into_iter().find(|sample| sample.folder == "ok").expect("a sparse frame").path;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["frame", "frame.b2nd", "deep/chunks.b2frame"] {
        copy(&frame, &folder.join(name));
    }
    copy(&frozen("b2nd/stores/tree.b2d"), &folder.join("store.b2d"));
    // Chunks are part of their frame, whatever .gitignore says of them.
    put(folder, ".gitignore", b"*.chunk\nchunks.b2frame\n!/deep/chunks.b2frame/\n");
    put(folder, ".git/HEAD", b"");
    let (paths, status) = checked(folder, &["."]);
    assert_eq!(status, 0);
    assert_eq!(paths[..3], ["./deep/chunks.b2frame", "./frame", "./frame.b2nd"]);
    assert!(paths[3..].iter().all(|path| path.starts_with("./store.b2d/")) && paths.len() > 5, "{paths:?}");
    assert_eq!(checked(folder, &["-g", "*.b2nd", "-g", "!/store.b2d", "."]).0, ["./frame.b2nd"]);
    assert_eq!(checked(folder, &["frame"]).0, ["frame"]);
}

#[test]
fn other_files_are_counted_unless_they_are_named() {
    let folder = folder(&[("a.idx", GOOD)]);
    let folder = folder.path();
    put(folder, "notes.txt", b"notes");
    put(folder, "archive.zip", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let text = |arguments: &[&str]| {
        let ended = run(folder, &[&["check"], arguments].concat(), None);
        (ended.status.code().unwrap(), String::from_utf8(ended.stdout).unwrap())
    };
    assert_eq!(text(&["."]), (0, "1 file: 1 ok; 2 files of other formats\n".into()));
    assert_eq!(text(&["--unknown", "skip", "."]), (0, "1 file: 1 ok\n".into()));
    let (status, printed) = text(&["--unknown", "error", "."]);
    assert_eq!((status, printed.matches("error[unknown-format]").count()), (1, 2));
    assert_eq!(text(&["notes.txt"]).0, 1);
}

#[test]
fn a_file_with_the_name_of_an_array_has_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
    let names = ["a.b2nd", "b.idv", "c.npy", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte.gz"];
    // Other programs have files of these names, too.
    for name in names.iter().chain(&["pack.idx", "song.ra", "x.gz"]) {
        put(folder.path(), name, pointer);
    }
    for unknown in ["count", "skip"] {
        let (paths, status) = checked(folder.path(), &["--unknown", unknown, "."]);
        assert_eq!(paths.iter().map(|path| &path[2..]).collect::<Vec<_>>(), names);
        assert_eq!(status, 1);
    }
}

#[test]
fn links_lead_to_files_and_not_to_folders() {
    let folder = folder(&[("real/a.idx", GOOD)]);
    let folder = folder.path();
    symlink("real/a.idx", folder.join("link.idx")).unwrap();
    symlink("real", folder.join("linked")).unwrap();
    symlink(".", folder.join("real/loop")).unwrap();
    assert_eq!(checked(folder, &["."]), (vec!["./link.idx".into(), "./real/a.idx".into()], 0));
    symlink("nowhere", folder.join("dangling")).unwrap();
    let ended = run(folder, &["check", "."], None);
    assert_eq!(ended.status.code(), Some(2));
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "error: ./dangling: neither a file nor a folder\n");
}

#[test]
fn a_folder_that_cannot_be_walked_is_said_in_the_words_of_the_system() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("locked/a.idx", GOOD), ("b.idx", GOOD)]);
    let locked = folder.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read_dir(&locked).is_ok();
    let ended = run(folder.path(), &["check", "."], None);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
    if is_root {
        eprintln!("skipped: nothing is locked for this user");
        return;
    }
    let message = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(message, "error: ./locked: Permission denied (os error 13)\n");
    assert_eq!(ended.status.code(), Some(2));
}

#[test]
fn a_folder_whose_ignore_file_may_never_end_is_passed_over() {
    let folder = folder(&[("a.idx", GOOD), ("b/c.idx", GOOD), ("b/d/e.idx", GOOD), ("f.idx", GOOD)]);
    let folder = folder.path();
    symlink("/dev/zero", folder.join("b/.gitignore")).unwrap();
    assert_eq!(checked(folder, &["."]), (vec!["./a.idx".to_owned(), "./f.idx".to_owned()], 2));
    for named in ["b", "b/d"] {
        assert_eq!(checked(folder, &[named]), (vec![], 2));
    }
    let ended = run(folder, &["check", "b"], None);
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(said, "error: b/.gitignore: not a file, so that its folder is passed over\n");
    assert_eq!(checked(folder, &["--no-ignore", "b"]), (vec!["b/c.idx".to_owned(), "b/d/e.idx".to_owned()], 0));
    assert_eq!(checked(folder, &["b/c.idx"]).1, 0);
}
