//! The limits hold for each command and each kind of file. The commands come from the tool's own command line, and the
//! kinds from its conversions. A test fails if a new command or kind is missing from the tables here.

pub mod kinds;
#[cfg(target_os = "linux")]
pub mod openings;
#[cfg(target_os = "linux")]
mod space;
pub mod table;
mod time;

use crate::support::cli;
use std::collections::BTreeSet;
use table::{QUESTIONS, Question};

/// The commands that never read a file from another person, each with the reason.
const OTHERS: [(&str, &str); 8] = [
    ("rules", "it lists what is built in"),
    ("schema", "it prints what is built in"),
    ("git setup", "it reads git's configuration, which is the user's own"),
    ("git check", "it asks git, and detects the format of tracked files by their first bytes"),
    ("git textconv", "it is `textconv`, in its other spelling"),
    ("completions", "it prints what is built in"),
    ("man", "it prints what is built in"),
    ("help", "it prints what is built in"),
];

/// Collects the commands of the tool. Commands in a group have both names.
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
