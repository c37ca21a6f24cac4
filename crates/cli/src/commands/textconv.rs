//! `ndbytes textconv`

use crate::commands::git::run::named;
use crate::context::{Context, Outcome};
use crate::report::refuse;
use crate::values::tolerate::print_warnings_of;
use ndbytes::Error;
use ndbytes_compare::snapshot;
use std::io;
use std::path::PathBuf;

/// Print a file as text that diffs, for git: `git config diff.ndbytes.textconv 'ndbytes textconv --form 1 --'`.
///
/// The text begins with the size and the digest of all bytes. Fields, findings and values follow. Any readable file has a
/// text, and the exit status is 0: git shows nothing at all of a diff in which one file fails. `ndbytes git setup` configures git
/// accordingly.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The form of the text. git keeps texts by the command that made them, so that a new form needs a new number.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = parse_form)]
    form: u32,
    /// The file; `-` is standard input, unless a file has this name: git names it so.
    path: PathBuf,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let tracked = named(&arguments.path);
    let path = if tracked.exists() { tracked } else { &arguments.path };
    context.begin();
    let limits = context.limits;
    let made = context.open(path).and_then(|input| Ok((snapshot::text(&input).limits(limits).render()?, input)));
    match made {
        Ok((text, input)) => {
            context.out.text(&text)?;
            print_warnings_of(path, &input, context)?;
        }
        Err(error @ Error::Io { .. }) => return refuse(&error, path, context),
        // The limits are those of the caller: the file can be read.
        Err(error) => context.out.text(&format!("text not made: {error}\n"))?,
    }
    Ok(Outcome::Clean)
}

fn parse_form(text: &str) -> Result<u32, String> {
    let form = text.parse().ok().filter(|form| snapshot::FORMS.contains(form));
    form.ok_or_else(|| "this version makes form 1".into())
}
