//! The limits hold for each command and each kind of file. The commands are those of the tool's own command line, and
//! the kinds those that it converts. A command or a kind that is new and not in the tables here fails a test.

pub mod kinds;
#[cfg(target_os = "linux")]
mod space;
pub mod table;
mod time;

use crate::support::cli;
use std::collections::BTreeSet;
use table::{QUESTIONS, Question};

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
