//! The tool's output about every file of the corpus, a test a file. `cargo insta review` shows what has changed.
//!
//! The sentences of the field reference stand in its own snapshots, those of the rules in the catalogue. In the
//! maps a mark stands in their place, so that a new wording changes one file.
//!
//! A bad file shows its findings, and the rows of the map around them.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[path = "it/support/cli.rs"]
mod cli;
#[path = "snapshots/excerpt.rs"]
mod excerpt;
#[path = "it/support/tool.rs"]
#[allow(dead_code, reason = "the tests of `it` use the rest")]
mod tool;

use libtest_mimic::{Arguments, Trial};
use ndbytes_testkit::corpus::{self, Sample};
use ndbytes_testkit::snapshot::snapshot;
use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::Arc;
use tool::plain;

fn main() -> ExitCode {
    // The names of files are those of the corpus.
    std::env::set_current_dir(corpus::root()).expect("the corpus is there");
    let sentences = Arc::new(sentences());
    let trials = corpus::everything().into_iter().map(|sample| {
        let (name, sentences) = (sample.to_string(), Arc::clone(&sentences));
        Trial::test(name, move || {
            is_shown_as_before(&sample, &sentences);
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn is_shown_as_before(sample: &Sample, sentences: &HashSet<String>) {
    let mut text = format!("{}\n", sample.recipe.title);
    for command in ["info", "explain", "cat"] {
        // An archive has no values of its own.
        if command == "cat" && (sample.folder == "bad" || sample.format.is_none()) {
            continue;
        }
        text += &match sample.folder {
            "bad" => excerpt::of_bad_file(&transcript(command, sample, sentences)),
            _ => transcript(command, sample, sentences),
        };
    }
    snapshot(&format!("{}__{}__{}", sample.kind, sample.folder, sample.name), &text);
}

/// The sentences of the field reference, each on one line: the terminal is wide enough.
fn sentences() -> HashSet<String> {
    let reference = plain(&tool::run_here(["schema"], &[], Some(1 << 16)).stdout);
    let cells = reference.lines().filter_map(last_cell).map(|(_, cell)| without_role(cell).to_owned());
    cells.filter(|cell| cell.ends_with('.')).collect()
}

/// The purpose of a field without its role: `Rows of the table.` of `Rows of the table. (fact)`.
fn without_role(cell: &str) -> &str {
    match cell.rsplit_once(" (") {
        Some((purpose, role)) if purpose.ends_with('.') && role.ends_with(')') => purpose,
        _ => cell,
    }
}

/// A line before its last cell, and this cell.
fn last_cell(line: &str) -> Option<(&str, &str)> {
    line.rsplit_once("  ")
}

/// The line of a field or of some bits, with a mark in the place of what the field reference says of them.
fn without_sentence(line: &str, sentences: &HashSet<String>) -> String {
    match last_cell(line) {
        Some((row, cell)) if sentences.contains(cell) => format!("{row}  …"),
        _ => line.to_owned(),
    }
}

/// A command as a user would type it in the corpus, with what it prints, but for the sentences of the field reference.
fn transcript(command: &str, sample: &Sample, sentences: &HashSet<String>) -> String {
    let path = sample.path.strip_prefix(corpus::root()).unwrap().to_str().unwrap().replace('\\', "/");
    let memory = sample.recipe.memory.map(|memory| memory.to_string());
    let mut arguments = vec![command];
    if let Some(memory) = &memory {
        arguments.extend(["--max-memory", memory]);
    }
    arguments.push(&path);
    let ended = tool::run_here(&arguments, &[], None);
    let typed = arguments.join(" ");
    let mut text = format!("\n$ ndbytes {typed}    [exit {}]\n", ended.status);
    for line in (ended.stdout + &ended.stderr).lines() {
        text += &without_sentence(line, sentences);
        text.push('\n');
    }
    text
}
