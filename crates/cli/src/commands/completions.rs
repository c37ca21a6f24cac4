//! `ndbytes completions`

use crate::context::{Context, Outcome};
use clap_complete::Shell;
use std::io;

/// Print a script that completes the arguments of ndbytes in a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Bash: ndbytes completions bash > ~/.local/share/bash-completion/completions/ndbytes\n\
    Zsh:  ndbytes completions zsh > a file `_ndbytes` in a folder of $fpath\n\
    Fish: ndbytes completions fish > ~/.config/fish/completions/ndbytes.fish")]
pub struct Arguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// `tool` is the command line of ndbytes.
pub fn run(arguments: &Arguments, mut tool: clap::Command, context: &mut Context<'_>) -> io::Result<Outcome> {
    // The generator does not survive a stream that fails.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut tool, "ndbytes", &mut script);
    context.out.machine().write_all(&script)?;
    Ok(Outcome::Clean)
}
