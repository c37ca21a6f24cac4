//! Errors as messages, and the outcome of a failed subcommand.
//!
//! A finding is an answer about a file, and goes to the command's output. Anything else, such as a missing file, is a
//! complaint, and goes to standard error. The exit status is 1 for findings, and 2 for paths that could not be read.

use crate::context::{Context, Outcome};
use crate::show::diagnostic;
use crate::show::printer::Printer;
use crate::show::text::{self, Shown, is_standard};
use crate::values::open::Failure;
use crate::values::slice::before_slice;
use ndbytes::{Error, Result};
use std::io;
use std::path::{Path, PathBuf};

/// Reports an error of a subcommand: a finding goes to the output, any other error to standard error.
pub fn report(error: &Error, path: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    match error.finding() {
        Some(finding) => {
            diagnostic::print_all(std::slice::from_ref(finding), path, None, context.limits, &mut context.out)?;
            Ok(Outcome::Findings)
        }
        None => complain_about(error, path, context),
    }
}

/// Reports an error of a subcommand that prints or writes values to standard error.
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

/// Returns why a path cannot be read or written.
pub fn sentence(error: &Error, path: &Path) -> String {
    let shown = text::path(path);
    match error {
        Error::Archive { .. } if is_standard(path) => {
            "standard input is an archive: save it to a file, and name one of its members".into()
        }
        Error::Archive { .. } => format!("{shown} is an archive: name one of its members"),
        Error::NoEntry { entry, .. } => format!("{shown}: there is no entry \"{}\"", Shown(entry)),
        Error::Io { path: Some(path), source } => format!("{}: {source}", text::path(path)),
        _ => format!("{shown}: {error}"),
    }
}

/// Prints the reason why a path cannot be read or written.
fn complain_about(error: &Error, path: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    let shown = text::path(path);
    // Commands that accept slices have already removed them.
    if before_slice(path, error).is_some_and(|(file, _)| context.open(file).is_ok()) {
        context.complain(&format!(
            "{shown}: this command does not accept slices; `ndbytes convert` writes a slice to a file"
        ))?;
        return Ok(Outcome::Unreadable);
    }
    context.complain(&sentence(error, path))?;
    if let Error::Archive { members, more } | Error::NoEntry { members, more, .. } = error {
        list(members, *more, &mut context.err)?;
    }
    Ok(Outcome::Unreadable)
}

/// Lists members of an archive.
fn list(members: &[PathBuf], more: usize, err: &mut Printer<'_>) -> io::Result<()> {
    for address in members {
        writeln!(err, "  {}", text::address(address))?;
    }
    match (members.len(), more) {
        (0, _) => writeln!(err, "  it contains no array and no table"),
        (_, 0) => Ok(()),
        (_, more) => writeln!(err, "  and {more} more, which `ndbytes info` lists"),
    }
}

/// Reports whether writing the result for `path` succeeded. `run` handles errors of standard output. Errors about
/// another file name that file.
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
                // Errors of table readers already name the file.
                let head = format!("{}: ", text::path(path));
                context.complain(&format!("{head}{}", words.strip_prefix(&*head).unwrap_or(&words)))?;
                Ok(Outcome::Unreadable)
            }
        }
    }
}
