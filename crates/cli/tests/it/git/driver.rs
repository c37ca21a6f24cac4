//! External drivers and difftools: how git calls them.

use super::{array, b2nd_of, repository, repository_of_texts};
use ndarray::{Axis, s};
use ndbytes::b2nd::Codec;

const NAME: &str = "field.b2nd";

#[test]
fn external_drivers_get_seven_arguments_and_nine_for_a_rename() {
    let repository = repository();
    let driver = repository.script("driver", "echo \"$# $1 $2 $5 $8\" >>\"$log\"");
    repository.git(&["config", "diff.ndbytes.command", &driver]);
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    repository.commit_file(NAME, b2nd_of(&array(Some((0, 9.0))), Codec::ZSTD));
    repository.git(&["diff", "HEAD~2", "HEAD~"]);
    let added = repository.take_log();
    assert_eq!(added.len(), 1);
    assert!(added[0].starts_with(&format!("7 {NAME} /dev/null ")), "{added:?}");
    repository.git(&["diff", "HEAD~", "HEAD~2"]);
    assert!(repository.take_log()[0].ends_with(" /dev/null "), "the file is deleted");

    repository.git(&["mv", NAME, "renamed.b2nd"]);
    repository.write("renamed.b2nd", b2nd_of(&array(Some((1, 8.0))), Codec::ZSTD));
    repository.commit("Rename");
    repository.git(&["diff", "-M20%", "HEAD~", "HEAD"]);
    let renamed = repository.take_log();
    assert!(renamed[0].starts_with(&format!("9 {NAME} ")) && renamed[0].ends_with(" renamed.b2nd"), "{renamed:?}");

    // Commands that walk the history do so only on request.
    repository.git(&["log", "-p", "-1"]);
    repository.git(&["show"]);
    assert_eq!(repository.take_log(), Vec::<String>::new());
    repository.git(&["log", "-p", "-1", "--ext-diff"]);
    repository.git(&["show", "--ext-diff"]);
    assert_eq!(repository.take_log().len(), 2);
}

#[test]
fn external_drivers_that_exit_with_1_end_git_unless_it_trusts_them() {
    let repository = repository();
    let driver = repository.script("driver", "exit 1");
    repository.git(&["config", "diff.ndbytes.command", &driver]);
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    repository.write(NAME, b2nd_of(&array(Some((0, 9.0))), Codec::ZSTD));
    let died = repository.try_git(&["diff"]);
    assert_eq!(died.status, 128);
    assert!(died.err.contains("fatal: external diff died"), "{}", died.err);
    if repository.version() < (2, 47) {
        println!("skipped: diff.<driver>.trustExitCode needs git 2.47");
        return;
    }
    repository.git(&["config", "diff.ndbytes.trustExitCode", "true"]);
    assert_eq!(repository.try_git(&["diff"]).status, 0);
    assert_eq!(repository.try_git(&["diff", "--quiet", "--ext-diff"]).status, 1);
}

/// If a driver is set up, git calls it instead.
#[test]
fn difftools_are_called_once_a_file() {
    let repository = repository_of_texts();
    let tool = repository.script("difftool", "echo \"$1 $2\" >>\"$log\"; exit 1");
    repository.git(&["config", "difftool.ndbytes.cmd", &format!("{tool} \"$LOCAL\" \"$REMOTE\"")]);
    for name in ["a.b2nd", "b.b2nd"] {
        repository.commit_file(name, b2nd_of(&array(None), Codec::ZSTD));
        repository.write(name, b2nd_of(&array(Some((0, 9.0))), Codec::ZSTD));
    }
    repository.commit_file("b.b2nd", b2nd_of(&array(Some((0, 9.0))), Codec::ZSTD));
    repository.git(&["difftool", "-y", "-t", "ndbytes", "HEAD~2", "HEAD"]);
    assert_eq!(repository.take_log().len(), 2);
    // With the discouraged setting, the first difference ends the run.
    let stopped = repository.try_git(&["difftool", "-y", "-t", "ndbytes", "--trust-exit-code", "HEAD~2", "HEAD"]);
    assert_eq!((stopped.status, repository.take_log().len()), (128, 1));
}

#[test]
fn the_driver_of_setup_shows_what_differs_and_never_ends_git() {
    let repository = repository();
    let first = repository.git(&["rev-parse", "HEAD"]).out.trim().to_owned();
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    repository.commit_file(NAME, b2nd_of(&array(Some((602, -1.5))), Codec::ZSTD));
    let shown = repository.git(&["diff", "HEAD~", "HEAD"]).out;
    assert!(shown.contains(NAME) && shown.contains("[100, 2]  150.5 → -1.5"), "{shown}");
    assert!(!shown.contains("git-blob"), "{shown}");
    for (a, b) in [(first.as_str(), "HEAD"), ("HEAD", first.as_str())] {
        let shown = repository.git(&["diff", a, b]).out;
        assert!(shown.contains(NAME), "{shown}");
    }
    repository.git(&["mv", NAME, "renamed.b2nd"]);
    repository.write("renamed.b2nd", b2nd_of(&array(Some((1, 8.0))), Codec::ZSTD));
    repository.commit("Rename");
    let shown = repository.git(&["diff", "-M20%", "HEAD~", "HEAD"]).out;
    assert!(shown.contains("renamed.b2nd") && shown.contains(" → 8.0"), "{shown}");
    // A broken file, and one in an unknown format.
    repository.commit_file("renamed.b2nd", "not an array");
    assert!(repository.git(&["diff", "HEAD~", "HEAD"]).out.contains("renamed.b2nd"));
    // An invalid contract is reported, and the files are compared without it.
    repository.write(".ndbytes.toml", "x = 1");
    let ended = repository.git(&["diff", "HEAD~", "HEAD"]);
    assert!(ended.err.contains("unknown field `x`") && ended.out.contains("renamed.b2nd"), "{}", ended.err);
    // A version that exceeds a limit is also reported.
    repository.git(&["config", "diff.ndbytes.command", "ndbytes --max-time 0 diff --git-driver --"]);
    let ended = repository.git(&["diff", "HEAD~", "HEAD"]);
    assert!(ended.err.contains("time limit"), "{}", ended.err);
}

#[test]
fn an_inserted_row_is_three_lines() {
    let repository = repository();
    let inserted = ndarray::concatenate![Axis(0), array(None).slice(s![1..2, ..]), array(None)];
    repository.commit_file("field.npy", ndbytes::npy::Writer::new().to_vec(&array(None)).unwrap());
    repository.write("field.npy", ndbytes::npy::Writer::new().to_vec(&inserted).unwrap());
    let shown = repository.git(&["diff"]).out;
    let values = shown.split("\nstructure").next().unwrap();
    let expected = "field.npy → field.npy  .npy  4,160 → 4,184 bytes\n\
        values differ: rows 168 → 169: 1 inserted, 0 deleted, 0 changed\n\n  \
        + row 0: [1.5, 1.75, 2.0, 2.25, 2.5, 2.75]";
    assert_eq!(values.trim_end(), expected);
}

#[test]
fn the_difftool_of_setup_shows_the_changed_item() {
    let repository = repository();
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    repository.commit_file(NAME, b2nd_of(&array(Some((602, -1.5))), Codec::ZSTD));
    let shown = repository.git(&["difftool", "-y", "-t", "ndbytes", "HEAD~", "HEAD"]).out;
    assert!(shown.contains("[100, 2]  150.5 → -1.5"), "{shown}");
}
