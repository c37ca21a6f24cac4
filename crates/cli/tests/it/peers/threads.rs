//! If threads cannot be created, as in a container with a process limit, each command works on one thread.

use crate::bounds::kinds::{Kinds, names};
use crate::bounds::table::QUESTIONS;
use crate::support::tool::PATH;
use std::fs;
use std::process::{Command, Output};

/// Runs the tool under `strace`, so that the system refuses threads.
fn run_alone(kinds: &Kinds, arguments: &[String], refused: &str) -> Output {
    // The forge needs a new directory.
    let _ = fs::remove_dir_all(kinds.folder().join("mutants"));
    let inject = format!("inject=clone,clone3:error=EAGAIN{refused}");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=clone,clone3", "-e", &inject, PATH]).args(arguments);
    command.current_dir(kinds.folder()).env("RAYON_NUM_THREADS", "3").output().expect("`strace` is installed")
}

#[test]
#[ignore = "it needs strace"]
fn each_command_does_without_threads() {
    let kinds = Kinds::new();
    let mut wrong = Vec::new();
    for question in &QUESTIONS {
        for kind in names() {
            let arguments = kinds.arguments(question, kind);
            let alone = run_alone(&kinds, &arguments, "");
            let _ = fs::remove_dir_all(kinds.folder().join("mutants"));
            let mut tool = Command::new(PATH);
            let both =
                tool.args(&arguments).current_dir(kinds.folder()).env("RAYON_NUM_THREADS", "1").output().unwrap();
            if alone != both {
                let Output { status, stderr, .. } = alone;
                wrong.push(format!("{}: {status}, {}", arguments.join(" "), String::from_utf8_lossy(&stderr)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
#[ignore = "it needs strace"]
fn as_many_threads_as_there_are_share_the_work() {
    let kinds = Kinds::new();
    let arguments = ["check".to_owned(), kinds.file("npy"), kinds.file("b2nd"), kinds.file("idv")];
    // The first thread waits for signals.
    for first in 1..=4 {
        let ended = run_alone(&kinds, &arguments, &format!(":when={first}+"));
        assert!(ended.status.success(), "from thread {first} on: {}", String::from_utf8_lossy(&ended.stderr));
    }
}
