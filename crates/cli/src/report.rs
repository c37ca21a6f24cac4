//! The end of a subcommand that could not do its work.

use crate::context::{Context, Outcome};
use crate::show::diagnostic;
use crate::show::printer::Printer;
use crate::show::text::{self, Shown, is_standard};
use crate::values::open::Failure;
use crate::values::slice::before_slice;
use ndbytes::{Error, Result};
use std::io;
use std::path::{Path, PathBuf};

/// Reports an error of a subcommand: a finding goes with the output, any other error to standard error.
pub fn report(error: &Error, path: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    match error.finding() {
        Some(finding) => {
            diagnostic::print_all(std::slice::from_ref(finding), path, None, context.limits, &mut context.out)?;
            Ok(Outcome::Findings)
        }
        None => complain_about(error, path, context),
    }
}

/// Reports an error of a subcommand that prints or writes values: it goes to standard error.
pub fn refuse(error: &Error, path: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    match error.finding() {
        Some(finding) => {
            context.out.flush()?;
            diagnostic::print_all(std::slice::from_ref(finding), path, None, context.limits, &mut context.err)?;
            context.err.flush()?;
            Ok(Outcome::Findings)
        }
        None => complain_about(error, path, context),
    }
}

/// The reason why a path cannot be read or written.
pub fn sentence(error: &Error, path: &Path) -> String {
    let shown = text::path(path);
    match error {
        Error::Archive { .. } if is_standard(path) => {
            "standard input is an archive: save it, and name one of its members".into()
        }
        Error::Archive { .. } => format!("{shown} is an archive: name one of its members"),
        Error::NoEntry { entry, .. } => format!("{shown}: the archive has no entry \"{}\"", Shown(entry)),
        Error::Io { path: Some(path), source } => format!("{}: {source}", text::path(path)),
        _ => format!("{shown}: {error}"),
    }
}

/// Prints the reason why a path cannot be read or written.
fn complain_about(error: &Error, path: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    let shown = text::path(path);
    // Those that take slices do not come here with one.
    if before_slice(path, error).is_some_and(|(file, _)| context.open(file).is_ok()) {
        context
            .complain(&format!("{shown}: this command takes whole files; `ndbytes convert` makes a file of a slice"))?;
        return Ok(Outcome::Unreadable);
    }
    context.complain(&sentence(error, path))?;
    if let Error::Archive { members, more } | Error::NoEntry { members, more, .. } = error {
        list(members, *more, &mut context.err)?;
    }
    Ok(Outcome::Unreadable)
}

/// Lists the members of an archive.
fn list(members: &[PathBuf], more: usize, err: &mut Printer<'_>) -> io::Result<()> {
    for address in members {
        writeln!(err, "  {}", text::address(address))?;
    }
    match (members.len(), more) {
        (0, _) => writeln!(err, "  it holds no array and no table"),
        (_, 0) => Ok(()),
        (_, more) => writeln!(err, "  and {more} more, which `ndbytes info` lists"),
    }
}

/// Reports how writing the product of `path` ended. Errors of standard output are handled by `run`. Errors of another
/// file name that file.
pub fn written(result: Result<()>, path: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    match result {
        Ok(()) => Ok(Outcome::Clean),
        Err(Error::Io { path: None, source }) => Err(source),
        Err(error) => refuse(&error, path, context),
    }
}

impl Failure {
    /// Reports the failure on standard error.
    pub fn refuse(self, path: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
        match self {
            Failure::Error(error) => refuse(&error, path, context),
            Failure::Words(words) => {
                context.complain(&format!("{}: {words}", text::path(path)))?;
                Ok(Outcome::Unreadable)
            }
        }
    }
}
