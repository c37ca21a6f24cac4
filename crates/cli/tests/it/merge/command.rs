//! `ndbytes merge`: its files, its output, and files that it never touches.

use crate::support::tool::{Ended, command_in, run_in, run_in_with_input};
use ndarray::arr1;
use ndbytes::npy;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

fn file(items: [i16; 4]) -> Vec<u8> {
    npy::Writer::new().to_vec(&arr1(&items)).unwrap()
}

/// A directory with three versions of an array. Ours and theirs have a conflict at item 3.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, items) in
        [("base", [1, 2, 3, 4]), ("ours", [9, 2, 3, 5]), ("theirs", [1, 2, 8, 6]), ("apart", [1, 7, 3, 4])]
    {
        fs::write(folder.path().join(format!("{name}.npy")), file(items)).unwrap();
    }
    folder
}

fn answered(folder: &Path, answers: &str) -> Ended {
    let arguments = ["merge", "base.npy", "ours.npy", "theirs.npy", "-o", "out.npy", "--conflicts", "ask"];
    run_in_with_input(folder, &arguments, answers.as_bytes())
}

const QUESTION: &str =
    "item [3]: 4 became 5 in ours, 6 in theirs\n(o)urs, (t)heirs, (b)ase, (O)urs for all, (T)heirs for all? ";

#[test]
fn changes_that_do_not_overlap_are_written() {
    let folder = folder();
    let ended = run_in(folder.path(), &["merge", "base.npy", "ours.npy", "apart.npy", "--out", "out.npy"]);
    assert_eq!(ended.stdout, "out.npy: merged, changed items or rows: 2 from ours, 1 from theirs\n");
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(fs::read(folder.path().join("out.npy")).unwrap(), file([9, 7, 3, 5]));
}

#[test]
fn conflicts_are_listed_and_nothing_is_written() {
    let folder = folder();
    let ended = run_in(folder.path(), &["merge", "base.npy", "ours.npy", "theirs.npy", "--out", "out.npy"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""));
    let said = "out.npy: 1 conflict, nothing is written\n  item [3]: 4 became 5 in ours, 6 in theirs\n\
                `--conflicts` decides them: `ours`, `theirs`, `base` or `ask`\n";
    assert_eq!(ended.stderr, said);
    assert!(!folder.path().join("out.npy").exists());
}

#[test]
fn conflicts_are_decided_on_request() {
    for (how, item) in [("ours", 5), ("theirs", 6), ("base", 4)] {
        let folder = folder();
        let arguments = ["merge", "base.npy", "ours.npy", "theirs.npy", "-o", "out.npy", "--conflicts", how];
        let ended = run_in(folder.path(), &arguments);
        assert!(ended.stdout.ends_with(", 1 conflict decided\n"), "{}", ended.stdout);
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{how}");
        assert_eq!(fs::read(folder.path().join("out.npy")).unwrap(), file([9, 2, 8, item]), "{how}");
    }
}

#[test]
fn answers_decide_conflicts_and_other_words_are_asked_again() {
    let folder = folder();
    let ended = answered(folder.path(), "what\nt\n");
    assert_eq!((ended.status, ended.stderr), (0, format!("{QUESTION}{QUESTION}")));
    assert_eq!(fs::read(folder.path().join("out.npy")).unwrap(), file([9, 2, 8, 6]));
    fs::remove_file(folder.path().join("out.npy")).unwrap();
    let ended = answered(folder.path(), "");
    assert_eq!(ended.status, 1);
    assert!(
        ended.stderr.starts_with(&format!("{QUESTION}\nout.npy: 1 conflict, nothing is written\n")),
        "{}",
        ended.stderr
    );
    assert!(!folder.path().join("out.npy").exists());
}

#[test]
fn one_of_the_files_is_standard_input_and_the_merged_one_standard_output() {
    let folder = folder();
    let mut command = command_in(folder.path(), &["merge", "base.npy", "ours.npy", "-", "-o", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&file([1, 7, 3, 4])).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout), (Some(0), file([9, 7, 3, 5])));
    let ended = run_in(folder.path(), &["merge", "-", "ours.npy", "-", "-o", "-"]);
    assert_eq!(ended.status, 2);
    assert_eq!(
        ended.stderr,
        "error: standard input can be read only once: for one of the three files, or for answers\n"
    );
}

#[test]
fn files_of_the_user_are_not_replaced() {
    let folder = folder();
    for (out, force, said) in [
        ("ours.npy", true, "ours.npy is the input file, which is never replaced"),
        ("theirs.npy", true, "theirs.npy is the input file, which is never replaced"),
        ("taken.npy", false, "taken.npy exists and is of the format .npy; `--force` replaces it"),
    ] {
        fs::write(folder.path().join("taken.npy"), file([0; 4])).unwrap();
        let before = fs::read(folder.path().join(out)).unwrap();
        let arguments = ["merge", "base.npy", "ours.npy", "theirs.npy", "-o", out, "--conflicts=ours"];
        let ended = run_in(folder.path(), &[&arguments[..], if force { &["--force"] } else { &[] }].concat());
        assert_eq!((ended.status, ended.stderr), (2, format!("error: {said}\n")));
        assert_eq!(fs::read(folder.path().join(out)).unwrap(), before);
    }
}

#[test]
fn files_that_cannot_be_merged_are_refused_by_name() {
    let folder = folder();
    fs::write(folder.path().join("empty"), []).unwrap();
    fs::write(folder.path().join("cut.npy"), &file([1, 2, 3, 4])[..100]).unwrap();
    fs::write(folder.path().join("trees.idv"), ndbytes_testkit::tables::made::trees(&["oak"])).unwrap();
    for (paths, said) in [
        (
            ["empty", "ours.npy", "theirs.npy"],
            "error: out: both sides added the file, so there is no common base to merge with\n",
        ),
        (["base.npy", "trees.idv", "theirs.npy"], "error: out: an array and a table cannot be merged\n"),
        (["base.npy", "none.npy", "theirs.npy"], "error: none.npy: No such file or directory (os error 2)\n"),
    ] {
        let ended = run_in(folder.path(), &[&["merge", "-o", "out"], &paths[..]].concat());
        assert_eq!((ended.status, ended.stderr.as_str()), (2, said), "{paths:?}");
    }
    let ended = run_in(folder.path(), &["merge", "-o", "out", "base.npy", "cut.npy", "theirs.npy"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("--> cut.npy"), "{}", ended.stderr);
    assert!(!folder.path().join("out").exists());
}
