//! `ndbytes completions`

use crate::context::{Context, Outcome};
use clap::Arg;
use clap::builder::PossibleValuesParser;
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
pub fn run(arguments: &Arguments, tool: clap::Command, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut tool = tool.mut_subcommands(|command| command.mut_args(with_rules));
    // The generator does not survive a stream that fails.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut tool, "ndbytes", &mut script);
    context.out.machine().write_all(&script)?;
    Ok(Outcome::Clean)
}

/// An argument that names rules, with all of their names. The parser says more about a name that is none, and does without.
fn with_rules(argument: Arg) -> Arg {
    if argument.get_value_names().is_none_or(|names| names.iter().all(|name| name != "RULE")) {
        return argument;
    }
    let is_tolerance = argument.get_long() == Some("tolerate");
    let rules = ndbytes::rules().filter(|rule| rule.is_tolerable() || !is_tolerance);
    argument.value_parser(PossibleValuesParser::new(rules.map(|rule| rule.id)))
}
