//! Time. With none at all, each command on each kind of file says that its time is over, whatever it would have said else.

use super::kinds::{FOREIGN, Kinds, names};
use super::table::{QUESTIONS, Question};
use crate::support::tool::{Ended, command_in, run_in};
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::time::Instant;

/// The words about time that is over.
const OVER: &str = "the work on the file takes longer than the 0ns that are granted";

/// The outcome for a file when no time is left.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    /// Its time is over: on standard error, with status 2.
    Over,
    /// The same, as a finding of the report.
    Finding,
    /// The same, as the text that stands for the file. git shows nothing of a diff if one file fails.
    Text,
    /// Its format is unknown: its first bytes tell, and they were read when it was opened.
    Unknown,
    /// There is nothing in it that could take time.
    Empty,
    /// It is a folder, of which one member has to be named. The status is that of a file that cannot be read.
    Members(i32),
    /// It is a folder, which the command does not take, or in which it finds no file of a known format.
    Folder,
}

fn said(question: &Question, kind: &str) -> Said {
    // The directory of an archive is read before its content is known.
    let is_unknown = FOREIGN.contains(&kind) && kind != "zarr.zip" || kind == "text";
    match question.command() {
        _ if kind == "nothing" => Said::Empty,
        // The forge takes the files of a folder, and changes one in place.
        "forge" if kind == "store" && question.arguments.contains(&"--from") => Said::Over,
        "cat" | "explain" | "show" | "convert" | "forge" | "merge" if kind == "store" => Said::Members(2),
        "textconv" if kind == "store" => Said::Members(0),
        "explain" | "cat" | "show" | "stats" | "merge" | "textconv" if kind == "zarr" => Said::Folder,
        "forge" if kind == "zarr" && question.arguments.contains(&"--in-place") => Said::Folder,
        "check" if question.arguments[1].starts_with("--sealed") => Said::Over,
        "check" => Said::Finding,
        "textconv" => Said::Text,
        "cat" | "show" | "stats" if is_unknown => Said::Unknown,
        "convert" | "merge" if kind == "text" => Said::Unknown,
        _ => Said::Over,
    }
}

fn is(ended: &Ended, said: &Said) -> bool {
    match said {
        Said::Over => ended.status == 2 && ended.stderr.contains(OVER),
        Said::Finding => ended.status == 1 && ended.stdout.contains(OVER) && ended.stdout.contains("limit-exceeded"),
        Said::Text => ended.status == 0 && ended.stdout == format!("text not made: {OVER}\n"),
        Said::Unknown => ended.status == 1 && ended.stderr.contains("unknown-format"),
        Said::Folder => {
            let words = ["is a directory", "no file of a known format was found"];
            ended.status == 2 && words.iter().any(|words| ended.stderr.contains(words))
        }
        Said::Empty => ended.status <= 2,
        Said::Members(status) => {
            ended.status == *status
                && [&ended.stdout, &ended.stderr].iter().any(|text| text.contains("one of its members"))
        }
    }
}

/// Asks the tool a question, for which it has some seconds.
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

/// A pipe in which nothing comes, as standard input and by its name: a command that waits for it never ends.
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
            // The other end of the pipe stays open as long as the command runs.
            let held = child.stdin.take();
            let ended = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&ended.stderr);
            assert!(matches!(ended.status.code(), Some(0..=2)), "{arguments:?}: {}: {said}", ended.status);
            assert!(!said.contains("panicked"), "{arguments:?}: {said}");
            drop(held);
        }
    }
}

/// Arrays of 8 GiB, for which no command has time enough. What does not read values is done before.
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
