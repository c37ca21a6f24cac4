//! Tests of the memory limit. In an address space slightly above the limit, each command answers for each kind of file.

use super::kinds::{Kinds, names};
use super::table::QUESTIONS;
use crate::support::tool::PATH;
use std::path::Path;
use std::process::{Command, Output};

/// The memory limit for a file, as an argument and in KiB.
const GRANTED: &str = "16M";
const GRANTED_SPACE: u64 = 16 << 10;

/// The additional memory for the process in KiB, for threads, buffers, and the allocator's reserves.
const BESIDE: u64 = 64 << 10;

/// Runs the tool in an address space of this many KiB.
fn run_within(space: u64, folder: &Path, arguments: &[String]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v \"$0\" && exec \"$@\"", &space.to_string(), PATH, "--max-memory", GRANTED]);
    // Each thread has a stack.
    command.args(arguments).current_dir(folder).env("RAYON_NUM_THREADS", "2").output().unwrap()
}

/// The smallest address space in which the tool can print its version.
fn least() -> u64 {
    let says = |space: u64| run_within(space, Path::new("."), &["--version".to_owned()]).status.success();
    let (mut below, mut enough) = (0, 4 << 20);
    while enough - below > 1 << 10 {
        let middle = u64::midpoint(below, enough);
        *if says(middle) { &mut enough } else { &mut below } = middle;
    }
    enough
}

#[test]
fn each_command_answers_in_an_address_space_of_its_limit() {
    let kinds = Kinds::new();
    let space = least() + GRANTED_SPACE + BESIDE;
    let mut cells = Vec::new();
    for question in &QUESTIONS {
        for kind in names() {
            cells.push(kinds.arguments(question, kind));
        }
        // These files are neither kept in memory nor mapped in one piece.
        for array in kinds.large().into_iter().filter(|_| question.command() != "forge") {
            cells.push(["--max-time".to_owned(), "0.2".to_owned()].into_iter().chain(question.about(array)).collect());
        }
    }
    let mut wrong = Vec::new();
    for arguments in cells {
        let Output { status, stderr, .. } = run_within(space, kinds.folder(), &arguments);
        let stderr = String::from_utf8_lossy(&stderr);
        let is_answer = matches!(status.code(), Some(0..=2)) && !stderr.contains("panicked");
        // A failure has a reason.
        if !is_answer || status.code() == Some(2) && stderr.is_empty() {
            wrong.push(format!("{}: {status}, {stderr}", arguments.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n"));
}
