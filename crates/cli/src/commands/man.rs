//! `ndbytes man`

use crate::context::{Context, Outcome};
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
    ndbytes::replace_file(folder.join("ndbytes.1"), &page(tool.clone())?)?;
    for command in tool.get_subcommands() {
        let name = format!("ndbytes-{}.1", command.get_name());
        ndbytes::replace_file(folder.join(name), &page(command.clone())?)?;
    }
    Ok(())
}

fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
