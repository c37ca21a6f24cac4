//! Tests of the time limit. With a limit of zero, each command reports for each kind of file that the limit is
//! exceeded, whatever its output would be otherwise.

use super::kinds::{Kinds, names};
use super::table::{QUESTIONS, Question};
use crate::support::tool::{Ended, command_in, run_in};
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::time::Instant;

/// The message about an exceeded time limit.
const OVER: &str = "the file takes longer than the time limit of 0ns";

/// Tables that are recognised by their first bytes, which are read when the file is opened.
const SIGNED: [&str; 3] = ["parquet", "arrow", "arrows"];

/// The reasons why commands refuse files without rules.
const REASONS: [&str; 6] = [
    "ndbytes does not know its bytes",
    "ndbytes does not merge it",
    "its values have no digest of ours",
    "its parts are not known to a seal",
    "ndbytes has no rules to repair it by",
    "only arrays can be drawn, but this is a table",
];

/// The outcome for a file when no time is left.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    /// The time limit is exceeded, as reported on standard error, with status 2.
    Over,
    /// The same, but as a finding in the report.
    Finding,
    /// The same, but in place of the file's text, because git shows no diff at all if one file fails.
    Text,
    /// The same, but below a line with the path.
    Values,
    /// The command refuses the file, since its kind is recognised before any time is spent.
    Refused,
    /// The format is unknown according to the first bytes, which are read when the file is opened.
    Unknown,
    /// Nothing in the file could take time.
    Empty,
    /// It is a directory, one member of which must be named. The status is the same as for an unreadable file.
    Members(i32),
    /// It is a directory, which the command refuses.
    Folder,
}

fn said(question: &Question, kind: &str) -> Said {
    // A Zarr store is recognised by the names in its directory.
    let is_known = kind == "zarr" || SIGNED.contains(&kind);
    match question.command() {
        _ if kind == "nothing" => Said::Empty,
        // The forge reads the files of a directory, and changes one in place.
        "forge" if kind == "store" && question.arguments.contains(&"--from") => Said::Over,
        "cat" | "explain" | "show" | "convert" | "forge" | "merge" if kind == "store" => Said::Members(2),
        "textconv" if kind == "store" => Said::Members(0),
        "forge" if kind == "zarr" && question.arguments.contains(&"--in-place") => Said::Folder,
        "explain" | "merge" if is_known => Said::Refused,
        "seal" | "fix" if kind == "zarr" => Said::Refused,
        "show" if SIGNED.contains(&kind) => Said::Refused,
        "info" if SIGNED.contains(&kind) && question.arguments.contains(&"--digest") => Said::Refused,
        "check" if question.arguments[1].starts_with("--sealed") => Said::Over,
        // There is no report on a store without rules.
        "check" if kind == "zarr" => Said::Over,
        "check" => Said::Finding,
        "textconv" if is_known => Said::Values,
        "textconv" => Said::Text,
        "cat" | "show" | "stats" | "convert" | "merge" if kind == "text" => Said::Unknown,
        _ => Said::Over,
    }
}

fn is(ended: &Ended, said: &Said) -> bool {
    match said {
        Said::Over => ended.status == 2 && ended.stderr.contains(OVER),
        Said::Finding => ended.status == 1 && ended.stdout.contains(OVER) && ended.stdout.contains("limit-exceeded"),
        Said::Text => ended.status == 0 && ended.stdout == format!("text not made: {OVER}\n"),
        Said::Values => {
            let not_read = ended.stdout.split_once(":\nvalues not read: ");
            let is_over =
                |(whose, why): (&str, &str)| whose.starts_with("values of a") && why.ends_with(&format!("{OVER}\n"));
            ended.status == 0 && not_read.is_some_and(is_over)
        }
        Said::Refused => ended.status == 2 && REASONS.iter().any(|reason| ended.stderr.contains(reason)),
        Said::Unknown => ended.status == 1 && ended.stderr.contains("unknown-format"),
        Said::Folder => ended.status == 2 && ended.stderr.contains("is a directory"),
        Said::Empty => ended.status <= 2,
        Said::Members(status) => {
            ended.status == *status
                && [&ended.stdout, &ended.stderr].iter().any(|text| text.contains("one of its members"))
        }
    }
}

/// Runs the tool with a time limit in seconds.
fn ask(kinds: &Kinds, arguments: &[String], seconds: &str) -> Ended {
    let limits = ["--max-time", seconds].into_iter();
    run_in(kinds.folder(), &limits.chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>())
}

#[test]
fn time_that_is_over_is_said_by_each_command_of_each_kind() {
    let kinds = Kinds::new();
    let mut wrong = Vec::new();
    for question in &QUESTIONS {
        for kind in names() {
            let (ended, expected) = (ask(&kinds, &kinds.arguments(question, kind), "0"), said(question, kind));
            if !is(&ended, &expected) {
                let Ended { status, stdout, stderr } = ended;
                let head = |text: &str| text.chars().take(300).collect::<String>();
                let (asked, out, err) = (question.arguments.join(" "), head(&stdout), head(&stderr));
                wrong.push(format!("{asked} of {kind}: {expected:?} is expected, status {status}\n{out}{err}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n"));
}

/// Tests an idle pipe, as standard input and by name. A command that waited for it would never end.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_waited_for_no_longer_than_the_time() {
    use rustix::fs::{CWD, Mode, mkfifoat};
    let kinds = Kinds::new();
    let (array, pipe) = (kinds.file("npy"), kinds.folder().join("pipe.npy"));
    mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
    for question in &QUESTIONS {
        for file in ["-", "pipe.npy", "pipe.npy[0]"] {
            let arguments = question.filled(file, &array, "pipe.out.npy");
            let mut asked = command_in(kinds.folder(), &["--max-time", "0.05"]);
            asked.args(&arguments).stdin(Stdio::piped());
            let mut child = asked.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            // The other end of the pipe stays open while the command runs.
            let held = child.stdin.take();
            let ended = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&ended.stderr);
            assert!(matches!(ended.status.code(), Some(0..=2)), "{arguments:?}: {}: {said}", ended.status);
            assert!(!said.contains("panicked"), "{arguments:?}: {said}");
            drop(held);
        }
    }
}

/// Tests arrays of 8 GiB, for which no command has enough time, unless it does not read values.
#[test]
#[ignore = "it takes a minute, and says nothing on a machine that is busy"]
fn each_command_ends_soon_after_its_time_is_over() {
    let kinds = Kinds::new();
    let mut late = Vec::new();
    for array in kinds.large() {
        for question in QUESTIONS.iter().filter(|question| question.command() != "forge") {
            let begun = Instant::now();
            let ended = ask(&kinds, &question.about(array), "1");
            let seconds = begun.elapsed().as_secs_f64();
            println!("{} {array}: status {}, {seconds:.2} s", question.arguments.join(" "), ended.status);
            if seconds > 2.0 {
                late.push(format!("{} of {array}: {seconds:.2} s", question.arguments.join(" ")));
            }
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}
