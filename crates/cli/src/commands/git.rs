//! `ndbytes git`

mod check;
pub mod run;
mod setup;

use crate::context::{Context, Outcome};
use std::io;

/// Show files of arrays and tables in git: what changed in them instead of "Binary files differ".
///
/// `setup` writes the configuration, and the patterns into .gitattributes. `check` says which driver git uses for each tracked
/// file. Tools that apply what `git diff` prints need `--no-textconv`; `git format-patch` does not use it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Setup(setup::Arguments),
    Check(check::Arguments),
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    match &arguments.command {
        Command::Setup(arguments) => setup::run(arguments, context),
        Command::Check(arguments) => check::run(arguments, context),
    }
}
