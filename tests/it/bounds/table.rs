//! The commands, and how each is asked about a file.

use super::kinds::{Kinds, is_table};
use crate::support::cli;
use std::collections::BTreeSet;

/// Stands for the file that is asked about, and for another one of its kind.
const FILE: &str = "{file}";
const OTHER: &str = "{other}";

/// Stands for a file to write, whose kind holds what the file holds.
const TARGET: &str = "{target}";

/// A command that reads files, with some of its options.
pub struct Question {
    pub arguments: &'static [&'static str],
}

/// All commands that read files. A command that reads them in several ways stands here once for each.
pub const QUESTIONS: [Question; 20] = [
    Question { arguments: &["info", FILE] },
    Question { arguments: &["info", "--digest", FILE] },
    Question { arguments: &["check", FILE] },
    Question { arguments: &["check", "--depth", "structure", FILE] },
    Question { arguments: &["seal", "--broken", "--out", "a.seal", FILE] },
    Question { arguments: &["explain", FILE] },
    Question { arguments: &["explain", "--html", FILE, "a.html"] },
    Question { arguments: &["cat", FILE] },
    Question { arguments: &["cat", "--all", FILE] },
    Question { arguments: &["cat", "--json", FILE] },
    Question { arguments: &["stats", FILE] },
    Question { arguments: &["fix", "--all", "--force", "--out", "fixed", FILE] },
    Question { arguments: &["diff", FILE, OTHER] },
    Question { arguments: &["diff", "--structure-only", FILE, OTHER] },
    Question { arguments: &["diff", "--values-only", FILE, OTHER] },
    Question { arguments: &["convert", "--force", "--lossy", FILE, TARGET] },
    Question { arguments: &["forge", "--mutate", "--from", FILE, "mutants"] },
    Question { arguments: &["textconv", FILE] },
    Question { arguments: &["check", "--sealed=of.seal", FILE] },
    // The last one changes the file.
    Question { arguments: &["forge", "--mutate", "--in-place", FILE] },
];

/// The commands that read no file that another person may have made, each with the reason.
const OTHERS: [(&str, &str); 7] = [
    ("rules", "it lists what is built in"),
    ("schema", "it prints what is built in"),
    ("git setup", "it reads git's configuration, which is the user's own"),
    ("git check", "it asks git, and detects the format of tracked files by their first bytes"),
    ("completions", "it prints what is built in"),
    ("man", "it prints what is built in"),
    ("help", "it prints what is built in"),
];

impl Question {
    /// The arguments about the file of a kind.
    pub fn arguments(&self, kinds: &Kinds, kind: &str) -> Vec<String> {
        let target = if is_table(kind) { "out/target.jsonl" } else { "out/target.npy" };
        self.filled(&kinds.file(kind), &kinds.other(kind), target)
    }

    /// The arguments about an array.
    pub fn about(&self, array: &str) -> Vec<String> {
        self.filled(array, array, "out/target.npy")
    }

    fn filled(&self, file: &str, other: &str, target: &str) -> Vec<String> {
        let filled = |argument: &&str| match *argument {
            FILE => file.to_owned(),
            OTHER => other.to_owned(),
            TARGET => target.to_owned(),
            other => other.to_owned(),
        };
        self.arguments.iter().map(filled).collect()
    }

    pub fn command(&self) -> &'static str {
        self.arguments[0]
    }
}

/// The commands of the tool, those of a group by both names.
fn commands(command: &clap::Command, before: &str, found: &mut BTreeSet<String>) {
    for inner in command.get_subcommands() {
        let name = format!("{before}{}", inner.get_name());
        match inner.has_subcommands() {
            true => commands(inner, &format!("{name} "), found),
            false => drop(found.insert(name)),
        }
    }
}

#[test]
fn each_command_of_the_tool_is_in_the_table() {
    let mut all = BTreeSet::new();
    commands(&cli::command_line(), "", &mut all);
    let asked = QUESTIONS.iter().map(Question::command);
    let told: BTreeSet<String> = asked.chain(OTHERS.map(|(name, _)| name)).map(str::to_owned).collect();
    all.insert("help".to_owned());
    assert_eq!(all, told);
}
