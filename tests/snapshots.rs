//! The tool's output for every file of the corpus, with a test for each file and a file of snapshots for each directory.
//!
//! The sentences of the field reference are in its own snapshots, and the sentences of the rules are in the catalogue.
//! In the maps, a marker replaces them, so new wording changes only one file.
//!
//! For a broken file, the snapshot contains its findings, and the rows of the map around them.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[path = "../crates/cli/tests/it/support/cli.rs"]
mod cli;
#[path = "snapshots/excerpt.rs"]
mod excerpt;
#[path = "../crates/cli/tests/it/support/tool.rs"]
#[allow(dead_code, reason = "the tests of `it` use the rest")]
mod tool;

use libtest_mimic::{Arguments, Trial};
use ndbytes_testkit::corpus::{self, Sample};
use ndbytes_testkit::snapshot::Family;
use std::collections::{BTreeMap, HashSet};
use std::process::ExitCode;
use std::sync::Arc;
use tool::plain;

fn main() -> ExitCode {
    // File names are relative to the corpus.
    std::env::set_current_dir(corpus::root()).expect("the corpus is there");
    let sentences = Arc::new(sentences());
    let samples = corpus::everything();
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    samples.iter().for_each(|sample| names.entry(folder(sample)).or_default().push(sample.name.clone()));
    let families: BTreeMap<_, _> = names.keys().map(|name| (name.clone(), Arc::new(Family::open(name)))).collect();
    let trials = samples.into_iter().map(|sample| {
        let (family, sentences) = (Arc::clone(&families[&folder(&sample)]), Arc::clone(&sentences));
        let name = sample.to_string();
        Trial::test(name, move || family.compare(&sample.name, &shown(&sample, &sentences)).map_err(Into::into))
    });
    let ended = libtest_mimic::run(&Arguments::from_args(), trials.collect());
    for (folder, family) in families {
        family.finish(&names[&folder].iter().map(String::as_str).collect::<Vec<_>>());
    }
    ended.exit_code()
}

/// The name of a family of snapshots.
fn folder(sample: &Sample) -> String {
    format!("{}/{}", sample.kind, sample.folder)
}

/// The output of the tool about a file.
fn shown(sample: &Sample, sentences: &HashSet<String>) -> String {
    let mut text = format!("{}\n", sample.recipe.title);
    for command in ["info", "explain", "cat"] {
        // An archive does not have its own values.
        if command == "cat" && (sample.folder == "bad" || sample.format.is_none()) {
            continue;
        }
        text += &match sample.folder {
            "bad" => excerpt::of_bad_file(&transcript(command, sample, sentences)),
            _ => transcript(command, sample, sentences),
        };
    }
    text
}

/// The sentences of the field reference, each on one line, because the terminal is wide enough.
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

/// The line of a field or of some bits, with a marker in place of its sentence from the field reference.
fn without_sentence(line: &str, sentences: &HashSet<String>) -> String {
    match last_cell(line) {
        Some((row, cell)) if sentences.contains(cell) => format!("{row}  …"),
        _ => line.to_owned(),
    }
}

/// A command as a user would type it in the corpus, with its output, except for the sentences of the field reference.
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
