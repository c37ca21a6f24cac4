//! `ndbytes completions`

use crate::context::{Context, Outcome};
use clap::Arg;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use std::io;

/// Generate a shell completion script.
#[derive(Debug, clap::Args)]
#[command(after_help = "Bash: ndbytes completions bash > ~/.local/share/bash-completion/completions/ndbytes\n\
    Zsh:  ndbytes completions zsh > DIRECTORY/_ndbytes, where DIRECTORY is in $fpath\n\
    Fish: ndbytes completions fish > ~/.config/fish/completions/ndbytes.fish")]
pub struct Arguments {
    /// The shell that the script is for.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints a completion script. `tool` is the command line of ndbytes.
pub fn run(arguments: &Arguments, tool: clap::Command, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut tool = tool.mut_subcommands(|command| command.mut_args(with_rules));
    // The generator panics if a stream fails.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut tool, "ndbytes", &mut script);
    context.out.machine().write_all(&script)?;
    Ok(Outcome::Clean)
}

/// Adds the names of all rules to an argument that accepts them. The parser works without them, so that it can report
/// unknown names better.
fn with_rules(argument: Arg) -> Arg {
    if argument.get_value_names().is_none_or(|names| names.iter().all(|name| name != "RULE")) {
        return argument;
    }
    let is_tolerance = argument.get_long() == Some("tolerate");
    let rules = ndbytes::rules().filter(|rule| rule.is_tolerable() || !is_tolerance);
    argument.value_parser(PossibleValuesParser::new(rules.map(|rule| rule.id)))
}
