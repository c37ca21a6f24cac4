//! What the tool says of every file of the corpus. `cargo insta review` shows what has changed.
//!
//! The sentences of the field reference stand in its own snapshots, those of the rules in the catalogue. In the
//! maps a mark stands in their place, so that a new wording changes one file.

use crate::support;
use crate::support::corpus::{self, Sample};
use crate::support::tool::{self, plain};
use insta::{Settings, assert_snapshot};
use std::collections::HashSet;

#[test]
fn every_file_of_the_corpus_is_shown_as_before() {
    let sentences = sentences();
    for sample in corpus::everything() {
        let mut text = format!("{}\n", sample.recipe.title);
        for command in ["info", "explain", "cat"] {
            // An archive has no values of its own.
            if command == "cat" && (sample.folder == "bad" || sample.format.is_none()) {
                continue;
            }
            text += &transcript(command, &sample, &sentences);
        }
        snapshot(&format!("{}__{}__{}", sample.kind, sample.folder, sample.name), &text);
    }
}

#[test]
fn the_rule_catalogue_is_as_before() {
    snapshot("rules", &tool::run(&["rules"]).stdout);
}

#[test]
fn the_field_reference_is_as_before() {
    for format in ["idx", "rawarray", "idv", "b2nd", "npy", "gzip", "zip"] {
        snapshot(&format!("schema__{format}"), &tool::run(&["schema", format]).stdout);
    }
}

#[test]
fn the_help_is_as_before() {
    let mut text = tool::run(&["--help"]).stdout;
    for command in ["info", "check", "explain", "cat", "convert", "rules", "schema", "textconv", "git"] {
        text += &format!("\n$ ndbytes {command} --help\n{}", tool::run(&[command, "--help"]).stdout);
    }
    snapshot("help", &text);
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
    let ended = tool::run(&arguments);
    let typed = arguments.join(" ");
    let mut text = format!("\n$ ndbytes {typed}    [exit {}]\n", ended.status);
    for line in (ended.stdout + &ended.stderr).lines() {
        text += &without_sentence(line, sentences);
        text.push('\n');
    }
    text
}

/// Compares a text with the snapshot of this name.
pub fn snapshot(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(support::project().join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, text));
}
