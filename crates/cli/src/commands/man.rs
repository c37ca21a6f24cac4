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
    ("0", "no errors; of diff, no differences"),
    ("1", "errors in a file; of diff, differences"),
    ("2", "wrong usage, or a path that cannot be read or written"),
];

/// The variables that the tool reads.
const ENVIRONMENT: [(&str, &str); 3] = [
    ("NO_COLOR", "turns colours off, if it is not empty and --color is auto"),
    ("TERM, KITTY_WINDOW_ID, TERM_PROGRAM", "say which pictures the terminal shows"),
    ("GITHUB_STEP_SUMMARY", "names the file to which check --format github appends a table"),
];

/// Print the manual page, or write a page for each subcommand.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder that gets a page for each subcommand, which may be new; without it, the page of ndbytes goes to standard output.
    folder: Option<PathBuf>,
}

/// `tool` is the command line of ndbytes.
pub fn run(arguments: &Arguments, tool: clap::Command, context: &mut Context<'_>) -> io::Result<Outcome> {
    // Each subcommand knows its full name.
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

/// Writes the page of the tool and those of its subcommands.
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

/// The page of a command. Its name has one sentence, and what every command shares comes at the end.
fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let name = command.get_name().to_owned();
    let whole = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let first = whole.split_inclusive(". ").next().unwrap_or_default().trim_end_matches(['.', ' ', '\n']).to_owned();
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
