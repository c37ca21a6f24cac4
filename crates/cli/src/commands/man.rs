//! `ndbytes man`

use crate::commands::examples;
use crate::context::{Context, Outcome};
use crate::show::text;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;
use std::path::{Path, PathBuf};

/// The exit status of every command.
const STATUS: [(&str, &str); 3] = [
    ("0", "no errors; for diff, no differences"),
    ("1", "errors in a file; for diff, differences"),
    ("2", "wrong usage, or a path that cannot be read or written"),
];

/// The environment variables that the tool reads.
const ENVIRONMENT: [(&str, &str); 3] = [
    ("NO_COLOR", "disables colours if it is not empty and --color is auto"),
    ("TERM, KITTY_WINDOW_ID, TERM_PROGRAM", "decide which graphics protocol is used"),
    ("GITHUB_STEP_SUMMARY", "the file to which check --format github appends a table"),
];

/// Print the manual page, or write a page for each command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Write a page for ndbytes and one for each command to this directory, which is created if needed.
    #[arg(value_name = "DIRECTORY")]
    folder: Option<PathBuf>,
}

/// Prints or writes manual pages. `tool` is the command line of ndbytes.
pub fn run(arguments: &Arguments, tool: clap::Command, context: &mut Context<'_>) -> io::Result<Outcome> {
    // This gives each subcommand its full name.
    let mut tool = tool.disable_help_subcommand(true);
    tool.build();
    let Some(folder) = &arguments.folder else {
        let page = page(tool)?;
        context.out.machine().write_all(&page)?;
        return Ok(Outcome::Clean);
    };
    match write(folder, &tool) {
        Ok(()) => Ok(Outcome::Clean),
        Err(error) => {
            context.complain(&format!("{}: {error}", text::path(folder)))?;
            Ok(Outcome::Unreadable)
        }
    }
}

/// Writes the pages of the tool and its subcommands.
fn write(folder: &Path, tool: &clap::Command) -> ndbytes::Result<()> {
    if !folder.exists() {
        std::fs::create_dir(folder)?;
    }
    ndbytes::replace_file(folder.join("ndbytes.1"), &page(tool.clone())?)?;
    for command in tool.get_subcommands() {
        let name = format!("ndbytes-{}.1", command.get_name());
        ndbytes::replace_file(folder.join(name), &page(command.clone())?)?;
    }
    Ok(())
}

/// Returns the page of a command. The name section has one sentence, and the sections that are common to all commands come last.
fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let name = command.get_name().to_owned();
    let whole = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let first = whole
        .lines()
        .next()
        .unwrap_or_default()
        .split_inclusive(". ")
        .next()
        .unwrap_or_default()
        .trim_end_matches(['.', ' ', '\n'])
        .to_owned();
    let command = command.about(first).long_about(whole).after_help(None::<&str>).after_long_help(None::<&str>);
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    let mut roff = Roff::new();
    if !examples::of(&name).is_empty() {
        roff.control("SH", ["EXAMPLES"]);
    }
    for (line, what) in examples::of(&name) {
        roff.control("TP", []).text([bold(*line)]).text([roman(*what)]);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for (status, what) in STATUS {
        roff.control("TP", []).text([bold(status)]).text([roman(what)]);
    }
    roff.control("SH", ["ENVIRONMENT"]);
    for (variable, what) in ENVIRONMENT {
        roff.control("TP", []).text([bold(variable)]).text([roman(what)]);
    }
    if name != "ndbytes" {
        roff.control("SH", ["SEE ALSO"]).text([bold("ndbytes"), roman("(1)")]);
    }
    roff.to_writer(&mut page)?;
    Ok(page)
}
