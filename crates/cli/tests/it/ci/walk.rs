//! Directories are always searched in the same way. Everything except `.git` is found, and skipped entries are counted.

use super::{folder, put, run};
use crate::support::tool::json_lines;
use ndbytes_testkit::{corpus, frozen};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const GOOD: &str = "idx/ok/u8-2d.idx";

/// The checked files and the exit status.
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

/// The totals at the end of the output, the text on standard error, and the exit status.
fn sum(folder: &Path, arguments: &[&str]) -> (String, String, i32) {
    let ended = run(folder, &[&["check"], arguments].concat(), None);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(ended.stdout), text(ended.stderr), ended.status.code().unwrap())
}

#[test]
fn ignored_and_hidden_files_are_checked_unless_gitignore_is_asked_for() {
    let folder =
        folder(&[("a.idx", GOOD), (".hidden.idx", GOOD), ("out/b.idx", GOOD), (".git/c.idx", GOOD), ("d.idx", GOOD)]);
    let folder = folder.path();
    put(folder, ".gitignore", b"/out\nd.*\n!d.idx\n");
    put(folder, ".ignore", b"*");
    assert_eq!(checked(folder, &["."]).0, ["./.hidden.idx", "./a.idx", "./d.idx", "./out/b.idx"]);
    let all = "4 files: 4 ok; 2 files of other formats; skipped: 1 .git\n".to_owned();
    assert_eq!(sum(folder, &["."]), (all, String::new(), 0));
    fs::remove_file(folder.join(".ignore")).unwrap();
    assert_eq!(checked(folder, &["--gitignore", "."]).0, ["./a.idx", "./d.idx"]);
    let some = "2 files: 2 ok; skipped: 1 .git, 3 by .gitignore\n".to_owned();
    assert_eq!(sum(folder, &["--gitignore", "."]), (some, String::new(), 0));
    // Named files are always checked.
    let named = ["--gitignore", "out/b.idx", ".hidden.idx", "out", ".git"];
    assert_eq!(checked(folder, &named).0, ["out/b.idx", ".hidden.idx", "out/b.idx", ".git/c.idx"]);
    // If the output has no totals, standard error reports what was skipped.
    assert_eq!(sum(folder, &["--json", "."]).1, "note: skipped: 1 .git\n");
    let summary = sum(folder, &["--json", "--summary", "."]).0;
    assert_eq!(json_lines(&summary)[0]["summary"]["passed"], serde_json::json!({ "git": 1 }));
}

#[test]
fn sum_of_a_check_without_payloads_says_so() {
    let folder = folder(&[("a.idx", GOOD)]);
    let line = |arguments: &[&str]| sum(folder.path(), arguments).0;
    assert_eq!(line(&["--depth", "structure", "a.idx"]), "1 file: 1 ok; payloads were not read\n");
    assert_eq!(line(&["a.idx"]), "1 file: 1 ok\n");
}

#[test]
fn run_that_checks_nothing_is_an_error() {
    let folder = folder(&[(".git/a.idx", GOOD)]);
    let folder = folder.path();
    fs::create_dir(folder.join("empty")).unwrap();
    put(folder, "notes.txt", b"notes");
    put(folder, "list", b"notes.txt\n");
    let said = "error: nothing was checked: found no file in a known format\n".to_owned();
    for (arguments, printed) in [
        (&["empty"][..], "0 files: 0 ok\n"),
        (&["."], "0 files: 0 ok; 2 files of other formats; skipped: 1 .git\n"),
        // Listed files may be in any format.
        (&["--files-from", "list"], "0 files: 0 ok; 1 file of other formats\n"),
        (&["-g", "*.idx", "."], "0 files: 0 ok; skipped: 1 .git, 2 by the globs\n"),
    ] {
        assert_eq!(sum(folder, arguments), (printed.to_owned(), said.clone(), 2), "{arguments:?}");
    }
    assert_eq!(sum(folder, &["-q", "empty"]), (String::new(), said, 2));
    let gone = "error: gone: No such file or directory (os error 2)\n".to_owned();
    assert_eq!(sum(folder, &["gone"]), ("1 file: 1 could not be read\n".to_owned(), gone, 2));
    let table = ["--format", "parquet", "--out", "t.parquet", "empty"];
    assert_eq!(sum(folder, &table).2, 2);
    for command in ["info", "stats", "seal"] {
        let ended = run(folder, &[command, "empty"], None);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.code() == Some(2) && said.contains("no file in a known format"), "{command}: {said}");
    }
}

#[test]
fn commands_meet_the_same_files() {
    let folder = folder(&[(".hidden.idx", GOOD), ("out/b.idx", GOOD), (".git/c.idx", GOOD)]);
    let folder = folder.path();
    put(folder, ".gitignore", b"out");
    symlink("out", folder.join("link")).unwrap();
    let met = ["./.hidden.idx", "./out/b.idx"];
    for command in ["check", "info", "stats"] {
        let ended = run(folder, &[command, "--json", "."], None);
        let objects = json_lines(&String::from_utf8(ended.stdout).unwrap());
        let paths: Vec<&str> = objects.iter().map(|object| object["path"].as_str().unwrap()).collect();
        assert_eq!(paths, met, "{command}");
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(said, "note: skipped: 1 .git, 1 link to a directory\n", "{command}");
    }
    let sealed = run(folder, &["seal", "."], None);
    let said = "./ndbytes.seal: 2 files in 4 parts; 1 file of other formats not sealed; skipped: 1 .git, 1 link to a directory\n";
    assert_eq!(String::from_utf8(sealed.stdout).unwrap(), said);
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
    assert_eq!(checked(folder, &["."]).0[..3], ["./deep/chunks.b2frame", "./frame", "./frame.b2nd"]);
    // Chunks are part of their frame, whatever .gitignore says about them.
    put(folder, ".gitignore", b"*.chunk\nchunks.b2frame\n!/deep/chunks.b2frame/\n");
    put(folder, ".git/HEAD", b"");
    let (paths, status) = checked(folder, &["--gitignore", "."]);
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
    put(folder, "archive.zip", &fs::read(corpus::root().join("zip/bad/no-member.zip")).unwrap());
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
    let names = ["a.b2nd", "c.npy", "d.npz", "e.npy.gz", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte.gz"];
    // Other programs also use these names, so the files are listed.
    for name in names.iter().chain(&["b.idv", "pack.idx", "song.ra", "x.gz"]) {
        put(folder.path(), name, pointer);
    }
    let (printed, ..) = sum(folder.path(), &["--summary", "."]);
    let listed = "6 files: 6 with errors; 6 findings not shown; 4 files of other formats\n\
                  not checked, although the names suggest a known format:\n  ./b.idv\n  ./pack.idx\n  ./song.ra\n";
    assert!(printed.starts_with("rule      ") && printed.ends_with(listed), "{printed}");
    assert!(printed.contains("misnamed           6           6"), "{printed}");
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
    assert_eq!(sum(folder, &["."]).0, "2 files: 2 ok; skipped: 2 links to directories\n");
    assert_eq!(checked(folder, &["linked"]), (vec!["linked/a.idx".into()], 0));
    symlink("nowhere", folder.join("dangling")).unwrap();
    let ended = run(folder, &["check", "."], None);
    assert_eq!(ended.status.code(), Some(2));
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "error: ./dangling: neither a file nor a directory\n");
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
    assert_eq!(checked(folder, &["--gitignore", "."]), (vec!["./a.idx".to_owned(), "./f.idx".to_owned()], 2));
    for named in ["b", "b/d"] {
        assert_eq!(checked(folder, &["--gitignore", named]), (vec![], 2));
    }
    let ended = run(folder, &["check", "--gitignore", "b"], None);
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(said, "error: b/.gitignore: not a regular file, so its directory is skipped\n");
    // Without the rules of .gitignore, the device is an entry like any other.
    assert_eq!(checked(folder, &["b"]), (vec!["b/c.idx".to_owned(), "b/d/e.idx".to_owned()], 2));
    assert_eq!(checked(folder, &["--gitignore", "b/c.idx"]).1, 0);
}

#[test]
fn folder_with_more_names_than_memory_is_told() {
    let folder = folder(&[("a/x.idx", GOOD), ("z.idx", GOOD)]);
    (0..600).for_each(|number| put(folder.path(), &format!("a/{number:0200}"), b""));
    let (printed, said, status) = sum(folder.path(), &["--max-memory", "100000", "."]);
    let why = "error: ./a: the names in the directory exceed the memory limit of 100000 bytes\n";
    assert_eq!((&*printed, &*said, status), ("2 files: 1 could not be read, 1 ok\n", why, 2));
}

#[test]
fn deep_folders_are_walked_to_the_longest_path_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let mut deep = folder.path().to_owned();
    (0..1000).for_each(|_| deep.push("d"));
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("x.idx"), fs::read(corpus::root().join(GOOD)).unwrap()).unwrap();
    assert_eq!(sum(folder.path(), &["."]), ("1 file: 1 ok\n".to_owned(), String::new(), 0));
}

#[test]
fn names_that_are_not_utf_8_are_checked_as_others() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder(&[("a.idx", GOOD)]);
    let name = std::ffi::OsStr::from_bytes(b"\xFF.npy");
    fs::write(folder.path().join(name), b"notes").unwrap();
    let (printed, _, status) = sum(folder.path(), &["."]);
    assert!(printed.ends_with("2 files: 1 with errors, 1 ok\n") && status == 1, "{printed}");
}
