//! `ndbytes fix`: which copies it writes, and which files it never touches.

use crate::support::tool::{Ended, command_in, json_lines};
use ndbytes_testkit::corpus;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A directory with four files: a repairable one, an irreparable one, one without errors, and one in another format.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("in/deep")).unwrap();
    for (name, file) in [
        ("in/deep/a.idx", "idx/bad/short-by-one.idx"),
        ("in/b.idx", "idx/bad/type-0a.idx"),
        ("in/c.idx", "idx/ok/u8-2d.idx"),
    ] {
        fs::copy(corpus::root().join(file), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("in/d.txt"), "a text\n").unwrap();
    folder
}

fn fix(folder: &Path, arguments: &[&str]) -> Ended {
    let output = command_in(folder, &[&["fix"], arguments].concat()).output().unwrap();
    Ended {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The names of all files below a directory.
fn files(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let names = files.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    names.chain(folders.iter().flat_map(|folder| self::files(folder))).collect()
}

#[test]
fn mended_files_keep_their_place_and_others_are_named() {
    let folder = folder();
    let before = fs::read(folder.path().join("in/deep/a.idx")).unwrap();
    let ended = fix(folder.path(), &["in", "--out", "out"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (1, ""));
    let said = "in/b.idx: cannot be repaired\n  error[idx/unknown-type]: 0x0A is not an element type (element_type, byte 2); \
                expected one of 08 09 0B 0C 0D 0E; found 0A\nin/deep/a.idx: repaired as out/deep/a.idx\n  idx/truncated-payload: \
                the first dimension is 1 instead of 2\n    dropped: 1 item of 2, which the file does not have completely, 2 bytes \
                of one among them\n4 files: 1 without errors, 1 repaired, 1 cannot be repaired, \
                1 of other formats\n";
    assert_eq!(ended.stdout, said);
    assert_eq!(files(&folder.path().join("out")), BTreeSet::from(["a.idx".to_owned()]));
    assert_eq!(fs::read(folder.path().join("in/deep/a.idx")).unwrap(), before);
    let mended = fs::read(folder.path().join("out/deep/a.idx")).unwrap();
    assert!(mended.len() < before.len() && before.ends_with(&before[mended.len()..]));
}

#[test]
fn bytes_of_the_file_are_dropped_on_request_alone() {
    let folder = folder();
    let file = "in/trailing.idx";
    fs::copy(corpus::root().join("idx/bad/trailing-one.idx"), folder.path().join(file)).unwrap();
    assert_eq!(advised(folder.path(), &[file]).as_deref(), Some("ndbytes fix --drop in/trailing.idx --out DIRECTORY"));
    let ended = fix(folder.path(), &[file, "--out", "out"]);
    assert_eq!(ended.status, 1);
    let refused = "in/trailing.idx: can be repaired only with `--drop`\n  refused: idx/trailing-bytes: what follows the payload is removed, \
                   which drops 1 byte\n";
    assert!(ended.stdout.starts_with(refused), "{}", ended.stdout);
    assert!(!folder.path().join("out").exists());
    let objects = json_lines(&fix(folder.path(), &["--json", file, "--out", "out"]).stdout);
    assert_eq!((&objects[0]["outcome"], &objects[0]["refused"]["drops"]), (&"broken".into(), &true.into()));
    assert_eq!(fix(folder.path(), &["--drop", file, "--out", "out"]).status, 0);
    let before = fs::read(folder.path().join(file)).unwrap();
    assert_eq!(fs::read(folder.path().join("out/trailing.idx")).unwrap(), before[..before.len() - 1]);
}

#[test]
fn check_advises_no_repair_that_would_be_refused() {
    let folder = folder();
    let path = folder.path().join("cut.npz");
    // The directory is missing, and no entry is complete.
    let whole = fs::read(corpus::root().join("zip/ok/duplicate-name.zip")).unwrap();
    fs::write(&path, &whole[..40]).unwrap();
    assert_eq!(advised(folder.path(), &["cut.npz"]), None);
    assert_eq!(fix(folder.path(), &["cut.npz", "--out", "out"]).status, 1);
}

#[test]
fn files_without_errors_are_copied_on_request() {
    let folder = folder();
    fix(folder.path(), &["in", "--out", "out", "--all"]);
    assert_eq!(files(&folder.path().join("out")), BTreeSet::from(["a.idx", "c.idx"].map(String::from)));
    assert_eq!(fs::read(folder.path().join("in/c.idx")).unwrap(), fs::read(folder.path().join("out/c.idx")).unwrap());
}

#[test]
fn dry_run_writes_nothing() {
    let folder = folder();
    let ended = fix(folder.path(), &["--dry-run", "in/deep/a.idx", "--out", "out"]);
    assert_eq!(ended.status, 0);
    assert!(ended.stdout.starts_with("in/deep/a.idx: can be repaired\n  idx/truncated-payload: "), "{}", ended.stdout);
    assert!(!folder.path().join("out").exists());
}

#[test]
fn files_that_are_there_are_replaced_on_request_alone() {
    let folder = folder();
    assert_eq!(fix(folder.path(), &["in/deep/a.idx", "--out", "out"]).status, 0);
    let again = fix(folder.path(), &["in/deep/a.idx", "--out", "out"]);
    assert_eq!(again.status, 2);
    assert!(again.stderr.contains("it exists already: `--force` replaces it"), "{}", again.stderr);
    assert_eq!(fix(folder.path(), &["in/deep/a.idx", "--out", "out", "--force"]).status, 0);
}

#[test]
fn original_is_never_replaced() {
    let folder = folder();
    let before = fs::read(folder.path().join("in/deep/a.idx")).unwrap();
    let ended = fix(folder.path(), &["in", "--out", "in", "--force"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("the copy would replace the file itself"), "{}", ended.stderr);
    assert_eq!(fs::read(folder.path().join("in/deep/a.idx")).unwrap(), before);
}

#[test]
fn another_file_to_repair_is_never_replaced() {
    let folder = folder();
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::copy(corpus::root().join("idx/bad/short-by-one.idx"), folder.path().join("other/c.idx")).unwrap();
    let before = fs::read(folder.path().join("in/c.idx")).unwrap();
    let ended = fix(folder.path(), &["other", "in", "--out", "in", "--force"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("the copy would replace one of the files to repair"), "{}", ended.stderr);
    assert_eq!(fs::read(folder.path().join("in/c.idx")).unwrap(), before);
}

#[test]
fn folders_of_chunks_have_the_verdict_of_check() {
    let sound = "b2nd/ok/sparse-cbytes.b2nd";
    let said = |arguments: &[&str]| {
        let ended = fix(&corpus::root(), &[&["--dry-run"], arguments].concat());
        (ended.status, ended.stdout)
    };
    assert_eq!(said(&[sound]), (0, "1 file: 1 without errors\n".to_owned()));
    let all = format!("{sound}: without errors; folders are not copied\n1 file: 1 without errors\n");
    assert_eq!(said(&["--all", sound]), (0, all));
}

#[test]
fn two_files_of_one_place_are_refused() {
    let folder = folder();
    fs::copy(folder.path().join("in/deep/a.idx"), folder.path().join("a.idx")).unwrap();
    let ended = fix(folder.path(), &["in/deep/a.idx", "a.idx", "--out", "out"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("two files would be written to this path"), "{}", ended.stderr);
}

#[test]
fn nothing_to_repair_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let ended = fix(folder.path(), &[".", "--out", "out"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (2, "error: nothing was repaired: no file was found\n"));
}

/// The command after the findings of `check`; `None` if there is none.
fn advised(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = command_in(folder, &[&["check"], arguments].concat()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("to repair it, run: "));
    let advised = lines.next().map(str::to_owned);
    assert_eq!(lines.next(), None, "it is said once");
    advised
}

#[test]
fn check_says_the_command_that_mends_a_file() {
    let folder = folder();
    let advice = |path: &str| advised(folder.path(), &[path]);
    assert_eq!(advice("in/deep/a.idx").as_deref(), Some("ndbytes fix in/deep/a.idx --out DIRECTORY"));
    assert_eq!(advice("in/c.idx"), None);
    assert_eq!(advice("in/b.idx"), None);
}

#[cfg(unix)]
#[test]
fn check_says_names_as_a_shell_takes_them() {
    let folder = folder();
    let root = folder.path();
    let bytes = fs::read(root.join("in/deep/a.idx")).unwrap();
    for name in ["it's $HOME.idx", "-n.idx", "a;b.idx", "line\n.idx", "\u{1b}[2J.idx"] {
        fs::write(root.join(name), &bytes).unwrap();
    }
    let command = |name: &str| advised(root, &["--", name]);
    assert_eq!(command("it's $HOME.idx").as_deref(), Some("ndbytes fix 'it'\\''s $HOME.idx' --out DIRECTORY"));
    assert_eq!(command("-n.idx").as_deref(), Some("ndbytes fix ./-n.idx --out DIRECTORY"));
    assert_eq!(command("a;b.idx").as_deref(), Some("ndbytes fix 'a;b.idx' --out DIRECTORY"));
    // These names cannot be copied from a terminal.
    assert_eq!([command("line\n.idx"), command("\u{1b}[2J.idx")], [None, None]);
    // A shell executes the printed command.
    for name in ["it's $HOME.idx", "-n.idx", "a;b.idx"] {
        let words = command(name).unwrap();
        let script = words.replacen("ndbytes", "printf '%s\\n'", 1);
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let path = Path::new(".").join(name);
        let expected = if name.starts_with('-') { path.to_str().unwrap() } else { name };
        assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("fix\n{expected}\n--out\nDIRECTORY\n"));
    }
}

#[test]
fn json_says_outcome_target_and_steps() {
    let folder = folder();
    let ended = fix(folder.path(), &["--json", "in", "--out", "out"]);
    assert_eq!(ended.status, 1);
    let objects = json_lines(&ended.stdout);
    let said: Vec<_> =
        objects.iter().map(|file| (file["path"].as_str().unwrap(), file["outcome"].as_str().unwrap())).collect();
    let expected = [("in/b.idx", "broken"), ("in/c.idx", "ok"), ("in/d.txt", "foreign"), ("in/deep/a.idx", "repaired")];
    assert_eq!(BTreeSet::from_iter(said), BTreeSet::from(expected));
    let mended = objects.iter().find(|file| file["outcome"] == "repaired").unwrap();
    assert_eq!(mended["target"], "out/deep/a.idx");
    let step = serde_json::json!({
        "rule": "idx/truncated-payload", "done": "the first dimension is 1 instead of 2",
        "given_up": "1 item of 2, which the file does not have completely, 2 bytes of one among them",
    });
    assert_eq!(mended["steps"], serde_json::json!([step]));
}

#[test]
fn json_names_files_that_cannot_be_read_or_written_and_others_are_mended() {
    let folder = folder();
    let ended = fix(folder.path(), &["--json", "missing.idx", "in/deep/a.idx", "--out", "out"]);
    assert_eq!(ended.status, 2);
    let objects = json_lines(&ended.stdout);
    let said: Vec<_> = objects.iter().map(|file| (&file["path"], &file["outcome"])).collect();
    let json = |path, outcome| (serde_json::json!(path), serde_json::json!(outcome));
    let expected = [json("missing.idx", "failed"), json("in/deep/a.idx", "repaired")];
    assert_eq!(said, expected.each_ref().map(|(path, outcome)| (path, outcome)));
    assert_eq!(ended.stderr, format!("error: {}\n", objects[0]["error"].as_str().unwrap()));
    assert_eq!(objects[1]["error"], serde_json::Value::Null);
    let again = fix(folder.path(), &["--json", "in/deep/a.idx", "--out", "out"]);
    let objects = json_lines(&again.stdout);
    assert_eq!((again.status, &objects[0]["outcome"]), (2, &serde_json::json!("failed")));
    assert!(objects[0]["error"].as_str().unwrap().contains("out/a.idx: it exists already"), "{objects:?}");
    assert_eq!(again.stderr, format!("error: {}\n", objects[0]["error"].as_str().unwrap()));
}

#[cfg(unix)]
#[test]
fn pipes_are_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("pipe.idx")).status().unwrap().success());
    let ended = fix(folder.path(), &["pipe.idx", "--out", "out"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("it is neither a file nor a directory"), "{}", ended.stderr);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_folder_of_copies_is_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["in/sub", "out", "elsewhere"] {
        fs::create_dir_all(path(name)).unwrap();
    }
    let array = [0, 0, 8, 1, 0, 0, 0, 1, 7];
    for name in ["in/a.idx", "in/b.idx", "in/sub/c.idx"] {
        fs::write(path(name), array).unwrap();
    }
    fs::write(path("elsewhere/a.idx"), "mine").unwrap();
    symlink(path("elsewhere/a.idx"), path("out/a.idx")).unwrap();
    symlink(path("elsewhere/b.idx"), path("out/b.idx")).unwrap();
    symlink(path("elsewhere"), path("out/sub")).unwrap();
    for arguments in [
        &["fix", "--all", "--force", "in", "--out", "out"][..],
        &["convert", "--force", "--to", "idx", "--out-dir", "out", "in"],
    ] {
        let ended = crate::support::tool::run_in(folder.path(), arguments);
        assert_eq!(ended.status, 2, "{arguments:?}: {}", ended.stderr);
        assert_eq!(ended.stderr.matches("is a symbolic link, which is not followed").count(), 2, "{}", ended.stderr);
        assert!(ended.stderr.contains("a link leads out of it"), "{}", ended.stderr);
        assert_eq!(fs::read_to_string(path("elsewhere/a.idx")).unwrap(), "mine");
        assert_eq!(fs::read_dir(path("elsewhere")).unwrap().count(), 1);
    }
}
