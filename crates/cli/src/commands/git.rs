//! `ndbytes git`

mod check;
#[cfg(feature = "convert")]
pub mod conflict;
pub mod run;
mod setup;
pub mod textconv;

use crate::context::{Context, Outcome};
use std::io;

/// Set up git to diff and merge arrays and tables.
///
/// `git diff` then shows what changed instead of "Binary files differ", and `git merge` merges rows and items. `git
/// format-patch` still creates binary patches; tools that apply the output of `git diff` need `git diff --binary
/// --no-ext-diff --no-textconv`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Setup(setup::Arguments),
    Check(check::Arguments),
    Textconv(textconv::Arguments),
}

/// Runs a subcommand.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    match &arguments.command {
        Command::Setup(arguments) => setup::run(arguments, context),
        Command::Check(arguments) => check::run(arguments, context),
        Command::Textconv(arguments) => textconv::run(arguments, context),
    }
}
