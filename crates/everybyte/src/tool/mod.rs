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

mod described;
mod diff;
#[cfg(feature = "forge")]
mod forge;
mod input;
mod json;
mod limits;
mod outcome;
mod reference;

pub use described::{Declared, Described, Language};
pub use json::to_json;
pub use outcome::Outcome;

use crate::error::amount;
use crate::format::Format;
pub use input::read;
use input::shown;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, ErrorKind, Write};
#[cfg(feature = "page")]
use std::path::Path;
use std::process::ExitCode;

/// Runs the tool of a format with the arguments of this process: `explain`, `check`, `diff`, `git-diff` or `schema`. With
/// the feature of its name, `forge` is a command too.
pub fn main<F: Format>() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    exit(|out, err| run::<F>(&arguments, out, err))
}

/// Runs what writes to standard output and standard error; returns its exit status.
pub fn exit(run: impl FnOnce(&mut dyn Write, &mut dyn Write) -> io::Result<Outcome>) -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = run(&mut out, &mut io::stderr()).and_then(|outcome| {
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

/// Runs the tool of a format with these arguments, without the name of the program.
///
/// # Errors
/// If the output cannot be written.
pub fn run<F: Format>(arguments: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
    match limits::take(arguments, F::limits()) {
        Ok((limits, others)) => run_for(&Declared::<F>::within(limits), &others, out, err),
        Err(message) => wrong(&message, err),
    }
}

/// Runs the tool of a format that need not be declared with everybyte.
///
/// # Errors
/// If the output cannot be written.
pub fn run_for(
    format: &dyn Described,
    arguments: &[OsString],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let words: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).collect();
    let is = |word: &OsStr, name: &str| word == OsStr::new(name);
    match words.as_slice() {
        [word, ..] if is(word, "--help") || is(word, "-h") || is(word, "help") => {
            out.write_all(help(format).as_bytes())?;
            Ok(Outcome::Clean)
        }
        [word] if is(word, "schema") => {
            reference::print(&format.book(), out)?;
            Ok(Outcome::Clean)
        }
        [word, language] if is(word, "schema") && (is(language, "--ksy") || is(language, "--hexpat")) => {
            let language = if is(language, "--ksy") { Language::Kaitai } else { Language::ImHex };
            match format.definition(language) {
                Some(definition) => {
                    out.write_all(definition.as_bytes())?;
                    Ok(Outcome::Clean)
                }
                None => wrong(&format!("{} has no definition in this language", format.name()), err),
            }
        }
        [word, path] if is(word, "explain") && Form::of(path).is_none() => {
            explain_file(format, path, Form::Text, out, err)
        }
        [word, option, path] if is(word, "explain") => match Form::of(option) {
            Some(form) => explain_file(format, path, form, out, err),
            None => unusable(format, err),
        },
        [word, paths @ ..] if is(word, "check") && !paths.is_empty() => check_files(format, paths, out, err),
        [word, arguments @ ..] if is(word, "diff") => match diff::Request::new(arguments) {
            Ok(Some(request)) => diff::run(format, &request, out, err),
            Ok(None) => unusable(format, err),
            Err(message) => wrong(&message, err),
        },
        // The arguments of a command that git runs for a file: the path, and file, hash and mode of both sides.
        [word, path, old, _, _, new, ..] if is(word, "git-diff") => diff::git(format, path, [old, new], out, err),
        #[cfg(feature = "forge")]
        [word, arguments @ ..] if is(word, "forge") => match forge::Request::new(arguments) {
            Ok(Some(request)) => forge::run(format, &request, out, err),
            Ok(None) => unusable(format, err),
            Err(message) => wrong(&message, err),
        },
        _ => unusable(format, err),
    }
}

/// The form in which a file is explained.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Json,
    #[cfg(feature = "page")]
    Page,
}

impl Form {
    /// The form that an option asks for; `None` if it is no such option.
    fn of(option: &OsStr) -> Option<Self> {
        match option.to_str()? {
            "--json" => Some(Form::Json),
            #[cfg(feature = "page")]
            "--html" => Some(Form::Page),
            _ => None,
        }
    }
}

/// The options of the command `explain`.
const EXPLAIN: &str = if cfg!(feature = "page") { "explain [--json | --html] FILE" } else { "explain [--json] FILE" };

fn unusable(format: &dyn Described, err: &mut dyn Write) -> io::Result<Outcome> {
    err.write_all(help(format).as_bytes())?;
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

fn help(described: &dyn Described) -> String {
    format!(
        "Explains, checks and compares {} files.\n\n\
         Usage:\n  \
         {EXPLAIN}\n                         \
         Every byte of a file: its field, its value, its meaning\n  \
         check FILE…            What is wrong with files\n  \
         diff [--json] [--all] [--ignore PATTERN]… FILE FILE\n                         \
         What differs, field by field\n  \
         git-diff …             The same, as git asks for it: git config diff.NAME.command\n  \
         schema [--ksy | --hexpat]\n                         \
         The field reference, or a definition for Kaitai Struct or ImHex\n{FORGE}{}\n\
         Exit status: 0 no finding and no difference, 1 a finding or a difference,\n\
         2 wrong usage or a file that cannot be read\n",
        described.name(),
        described.options()
    )
}

fn explain_file(
    format: &dyn Described,
    path: &OsStr,
    form: Form,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let Some(file) = read(path, err)? else { return Ok(Outcome::Unusable) };
    let explained = format.explain(&file);
    match form {
        Form::Text => write!(out, "{}  {}  {}\n\n{explained}", shown(path), format.name(), amount(file.len() as u64))?,
        Form::Json => json::print(&explained, &path.to_string_lossy(), file.len() as u64, out)?,
        #[cfg(feature = "page")]
        Form::Page => {
            let title = Path::new(path).file_name().unwrap_or(path).to_string_lossy();
            out.write_all(crate::page::page(&explained, &file, &title, "everybyte").as_bytes())?;
        }
    }
    Ok(if explained.findings.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

fn check_files(
    format: &dyn Described,
    paths: &[&OsStr],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for path in paths {
        let Some(file) = read(path, err)? else {
            outcome = Outcome::Unusable;
            continue;
        };
        let (findings, unclaimed) = format.check(&file);
        for finding in &findings {
            writeln!(out, "{}: {finding}", shown(path))?;
        }
        if findings.is_empty() {
            match unclaimed {
                0 => writeln!(out, "{}: every byte accounted for", shown(path))?,
                _ => writeln!(out, "{}: nothing is wrong; no field claims {}", shown(path), amount(unclaimed))?,
            }
        } else if outcome == Outcome::Clean {
            outcome = Outcome::Findings;
        }
    }
    Ok(outcome)
}
