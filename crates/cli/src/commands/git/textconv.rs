//! `ndbytes git textconv`

use super::run::named;
use crate::context::{Context, Outcome};
use crate::report::refuse;
use crate::values::tolerate::print_warnings_of;
use ndbytes::{Error, Input};
use ndbytes_compare::snapshot;
use std::io;
#[cfg(feature = "convert")]
use std::path::Path;
use std::path::PathBuf;

/// The newest form.
const NEWEST: u32 = snapshot::FORMS[snapshot::FORMS.len() - 1];

/// Print a file as diff-friendly text.
///
/// After `ndbytes git setup`, git calls this for `git diff`. The text contains the size and digest of the file, followed by its
/// fields, findings and values. The exit status is 0 even for a broken file, because a single failure would make git show nothing.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Version of the text form. git caches texts by command, so a new form needs a new number.
    #[arg(long, default_value_t = NEWEST, value_name = "NUMBER", value_parser = parse_form)]
    form: u32,
    /// The file; `-` is standard input, unless there is a file with that name.
    path: PathBuf,
}

/// Prints the snapshot of a file. An exceeded limit is reported in the text, since a failure would hide the diff.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let tracked = named(&arguments.path);
    let path = if tracked.exists() { tracked } else { &arguments.path };
    context.begin();
    let limits = context.limits;
    let text = |input: &Input<'_>| snapshot::text(input).form(arguments.form).limits(limits).render();
    let made = context.open(path).and_then(|input| Ok((text(&input)?, input)));
    match made {
        Ok((text, input)) => {
            context.out.text(&text)?;
            #[cfg(feature = "convert")]
            if ndbytes::internals::known_format(&input).is_none() {
                print_foreign(path, arguments.form, context)?;
            }
            #[cfg(feature = "convert")]
            print_conflicts(path, context)?;
            print_warnings_of(path, &input, context)?;
        }
        Err(error) => {
            #[cfg(feature = "convert")]
            if print_foreign(path, arguments.form, context)? {
                return Ok(Outcome::Clean);
            }
            if let Error::Io { .. } = &error {
                return refuse(&error, path, context);
            }
            // The caller's limits were exceeded, but the file itself is readable.
            context.out.text(&format!("text not made: {error}\n"))?;
        }
    }
    Ok(Outcome::Clean)
}

/// Prints the values of a file or a store without rules. Returns whether it is one.
#[cfg(feature = "convert")]
fn print_foreign(path: &Path, form: u32, context: &mut Context<'_>) -> io::Result<bool> {
    use crate::values::divide::at;
    use crate::values::foreign::failure;
    let Some(Ok(foreign)) = at(path, context) else { return Ok(false) };
    let limits = context.limits;
    let made = foreign.inner.to_native(limits).map_err(failure);
    let made = made.and_then(|input| Ok(snapshot::text(&input).form(form).limits(limits).render()?));
    let text = made.unwrap_or_else(|failure| format!("values not read: {}\n", failure.reason()));
    context.out.text(&format!("values of {}:\n{text}", foreign.kind()))?;
    Ok(true)
}

/// Prints the conflicts of an unmerged file in the work tree, since `git diff` compares this text with the texts of
/// both sides. git names files in the work tree by paths relative to its root, and all others by absolute paths.
/// Without git, the text depends only on the file.
#[cfg(feature = "convert")]
fn print_conflicts(path: &Path, context: &mut Context<'_>) -> io::Result<()> {
    if path.is_absolute() || std::env::var_os("GIT_PREFIX").is_none() {
        return Ok(());
    }
    let lines = super::conflict::lines(path, context.limits);
    lines.iter().try_for_each(|line| writeln!(context.out, "conflict: {}", crate::show::text::Shown(line)))
}

/// Parses the version of the text form.
fn parse_form(text: &str) -> Result<u32, String> {
    let form = text.parse().ok().filter(|form| snapshot::FORMS.contains(form));
    form.ok_or_else(|| {
        let forms = snapshot::FORMS.map(|form| form.to_string());
        format!("this version of ndbytes has the forms {}", forms.join(" and "))
    })
}
