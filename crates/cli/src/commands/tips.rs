//! Tips for words from other programs that have another name in ndbytes.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;

/// Commands that do what the user meant.
type Tips = &'static [&'static str];

/// Words that people type as a command.
static COMMANDS: [(&[&str], Tips); 4] = [
    (
        &["view", "open", "plot", "display"],
        &["`ndbytes show PATH` draws an array", "`ndbytes cat PATH` prints the values of arrays and tables"],
    ),
    (
        &["serve", "server", "browse", "html"],
        &[
            "`ndbytes explain --html=OUT PATH` writes a page for the browser, which needs no server",
            "`ndbytes diff --html=OUT A B` writes one of two files or directories",
        ],
    ),
    (&["validate", "verify", "lint"], &["`ndbytes check PATH` checks files and directories against all rules"]),
    (&["compare", "cmp"], &["`ndbytes diff A B` compares two files or directories"]),
];

/// Words that people add to a command. An empty word stands for a path.
static ARGUMENTS: [(&str, &[&str], Tips); 2] = [
    (
        "show",
        &[""],
        &["`ndbytes show PATH` draws one array", "`ndbytes diff --picture FILE A B` draws two and their difference"],
    ),
    (
        "stats",
        &["--column", "--columns"],
        &["`ndbytes stats PATH` has a line for each column", "`ndbytes cat --columns NAME PATH` prints one column"],
    ),
];

/// Adds the tips for the arguments, replacing suggestions that are merely spelled alike.
pub fn add(error: &mut Error, arguments: &[OsString]) {
    let typed = |kind| match error.get(kind) {
        Some(ContextValue::String(typed)) => typed.as_str(),
        _ => "",
    };
    let tips = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let typed = typed(ContextKind::InvalidSubcommand);
            COMMANDS.iter().find(|(words, _)| words.contains(&typed)).map(|(_, tips)| *tips)
        }
        ErrorKind::UnknownArgument => {
            let typed = typed(ContextKind::InvalidArg);
            let word = if typed.starts_with('-') { typed } else { "" };
            let is_of = |command: &str| arguments.iter().any(|argument| argument == command);
            let found = ARGUMENTS.iter().find(|(command, words, _)| words.contains(&word) && is_of(command));
            found.map(|(.., tips)| *tips)
        }
        _ => None,
    };
    let Some(tips) = tips else { return };
    for kind in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::Usage] {
        error.remove(kind);
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips.iter().map(Into::into).collect()));
}
