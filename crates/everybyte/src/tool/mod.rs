//! A command line tool for one format. Feature `tool`.
//!
//! ```no_run
//! use everybyte::{Format, Region, layout, tool};
//!
//! /// A counted text.
//! #[layout]
//! #[brw(little)]
//! struct Note {
//!     /// Bytes of the text.
//!     length: u16,
//!     /// The text.
//!     #[br(args { length: length.into() })]
//!     text: Region,
//! }
//!
//! impl Format for Note {
//!     const NAME: &'static str = "note";
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     tool::main::<Note>()
//! }
//! ```

mod diff;
#[cfg(feature = "forge")]
mod forge;
mod input;
mod json;
mod outcome;
mod reference;

pub use outcome::Outcome;

use crate::error::amount;
use crate::format::{Format, check, explain};
use input::{read, shown};
use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

/// Runs the tool with the arguments of this process: `explain`, `check`, `diff` or `schema`, and `forge` with the feature
/// of this name.
pub fn main<F: Format>() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = run::<F>(&arguments, &mut out, &mut io::stderr()).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match outcome {
        Ok(outcome) => ExitCode::from(outcome as u8),
        // Nobody reads any further.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: the output cannot be written: {error}");
            ExitCode::from(Outcome::Unusable as u8)
        }
    }
}

/// Runs the tool with these arguments, without the name of the program.
///
/// # Errors
/// If the output cannot be written.
pub fn run<F: Format>(arguments: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
    let words: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).collect();
    let is = |word: &OsStr, name: &str| word == OsStr::new(name);
    match words.as_slice() {
        [word, ..] if is(word, "--help") || is(word, "-h") || is(word, "help") => {
            out.write_all(help::<F>().as_bytes())?;
            Ok(Outcome::Clean)
        }
        [word] if is(word, "schema") => {
            reference::print(&F::book(), out)?;
            Ok(Outcome::Clean)
        }
        [word, language] if is(word, "schema") && (is(language, "--ksy") || is(language, "--hexpat")) => {
            reference::define::<F>(is(language, "--ksy"), out)?;
            Ok(Outcome::Clean)
        }
        [word, json, path] if is(word, "explain") && is(json, "--json") => explain_file::<F>(path, true, out, err),
        [word, path] if is(word, "explain") && !is(path, "--json") => explain_file::<F>(path, false, out, err),
        [word, paths @ ..] if is(word, "check") && !paths.is_empty() => check_files::<F>(paths, out, err),
        [word, arguments @ ..] if is(word, "diff") => match diff::Request::new(arguments) {
            Ok(Some(request)) => diff::run::<F>(&request, out, err),
            Ok(None) => unusable::<F>(err),
            Err(message) => wrong(&message, err),
        },
        #[cfg(feature = "forge")]
        [word, arguments @ ..] if is(word, "forge") => match forge::Request::new(arguments) {
            Ok(Some(request)) => forge::run::<F>(&request, out, err),
            Ok(None) => unusable::<F>(err),
            Err(message) => wrong(&message, err),
        },
        _ => unusable::<F>(err),
    }
}

fn unusable<F: Format>(err: &mut dyn Write) -> io::Result<Outcome> {
    err.write_all(help::<F>().as_bytes())?;
    Ok(Outcome::Unusable)
}

fn wrong(message: &str, err: &mut dyn Write) -> io::Result<Outcome> {
    writeln!(err, "error: {message}")?;
    Ok(Outcome::Unusable)
}

/// The usage of the command `forge`.
#[cfg(feature = "forge")]
const FORGE: &str = "  \
    forge [--seed N] [--count N] [--size MOST] [--only PATTERN] [--repair WHAT] FILE FOLDER\n                         \
    Mutants of a file along its fields, with recipes; WHAT: everything, nothing,\n                         \
    all-but N, or roles\n  \
    forge --replay RECIPE FILE OUT\n                         \
    A recipe, performed on a file\n";
#[cfg(not(feature = "forge"))]
const FORGE: &str = "";

fn help<F: Format>() -> String {
    format!(
        "Explains, checks and compares {} files.\n\n\
         Usage:\n  \
         explain [--json] FILE  Every byte of a file: its field, its value, its meaning\n  \
         check FILE…            What is wrong with files\n  \
         diff [--json] [--all] [--ignore PATTERN]… FILE FILE\n                         \
         What differs, field by field\n  \
         schema [--ksy | --hexpat]\n                         \
         The field reference, or a definition for Kaitai Struct or ImHex\n{FORGE}\n\
         Exit status: 0 no finding and no difference, 1 a finding or a difference,\n\
         2 wrong usage or a file that cannot be read\n",
        F::NAME
    )
}

fn explain_file<F: Format>(path: &OsStr, json: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
    let Some(file) = read(path, err)? else { return Ok(Outcome::Unusable) };
    let explained = explain::<F>(&file);
    if json {
        json::print(&explained, &path.to_string_lossy(), file.len() as u64, out)?;
    } else {
        write!(out, "{}  {}  {}\n\n{explained}", shown(path), F::NAME, amount(file.len() as u64))?;
    }
    Ok(if explained.findings.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

fn check_files<F: Format>(paths: &[&OsStr], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for path in paths {
        let Some(file) = read(path, err)? else {
            outcome = Outcome::Unusable;
            continue;
        };
        let findings = check::<F>(&file);
        for finding in &findings {
            writeln!(out, "{}: {finding}", shown(path))?;
        }
        if findings.is_empty() {
            writeln!(out, "{}: every byte accounted for", shown(path))?;
        } else if outcome == Outcome::Clean {
            outcome = Outcome::Findings;
        }
    }
    Ok(outcome)
}
