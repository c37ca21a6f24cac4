//! `ndbytes man`

use crate::context::{Context, Outcome};
use crate::run::command_line;
use crate::show::text;
use clap_mangen::Man;
use std::io;
use std::path::{Path, PathBuf};

/// Print the manual page, or write a page for each subcommand.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder that gets a page for each subcommand; without it, the page of ndbytes goes to standard output.
    folder: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let Some(folder) = &arguments.folder else {
        let page = page(tool())?;
        context.out.machine().write_all(&page)?;
        return Ok(Outcome::Clean);
    };
    match write(folder) {
        Ok(()) => Ok(Outcome::Clean),
        Err(error) => {
            context.complain(&format!("{}: {error}", text::path(folder)))?;
            Ok(Outcome::Unreadable)
        }
    }
}

/// Writes the page of the tool and those of its subcommands.
fn write(folder: &Path) -> ndbytes::Result<()> {
    let tool = tool();
    ndbytes::replace_file(folder.join("ndbytes.1"), &page(tool.clone())?)?;
    for command in tool.get_subcommands() {
        let name = format!("ndbytes-{}.1", command.get_name());
        ndbytes::replace_file(folder.join(name), &page(command.clone())?)?;
    }
    Ok(())
}

/// The command line, in which each subcommand knows its full name.
fn tool() -> clap::Command {
    let mut tool = command_line().disable_help_subcommand(true);
    tool.build();
    tool
}

fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
