//! A command-line tool for one format. Requires the feature `tool`.
//!
//! ```no_run
//! use everybyte::{Format, bytes::Region, layout, tool};
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

mod check;
mod described;
mod diff;
#[cfg(feature = "forge")]
mod forge;
mod input;
mod json;
mod limits;
mod outcome;
#[cfg(feature = "page")]
mod page;
mod reference;
mod time;
#[cfg(any(feature = "forge", feature = "page"))]
mod whole;

pub use described::{Declared, Described, Language};
pub use json::to_json;
pub use outcome::Outcome;
pub use time::bound_time;

use crate::error::amount;
use crate::format::Format;
pub use input::read;
use input::shown;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

/// Runs the tool of a format with the arguments of this process: `explain`, `check`, `diff`, `git-diff` or `schema`. The feature `forge`
/// adds the commands `forge`, `set` and `fix`.
pub fn main<F: Format>() -> ExitCode {
    exit(|out, err| match bound_time(std::env::args_os().skip(1).collect()) {
        Ok(arguments) => run::<F>(&arguments, out, err),
        Err(message) => wrong(&message, err),
    })
}

/// Runs a function that writes to standard output and standard error; returns its exit status.
pub fn exit(run: impl FnOnce(&mut dyn Write, &mut dyn Write) -> io::Result<Outcome>) -> ExitCode {
    ExitCode::from(status(run))
}

/// Like `exit`, but returns the status as a number.
pub fn status(run: impl FnOnce(&mut dyn Write, &mut dyn Write) -> io::Result<Outcome>) -> u8 {
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = run(&mut out, &mut io::stderr()).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match outcome {
        Ok(outcome) => outcome as u8,
        // The reader of the output has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Outcome::Clean as u8,
        Err(error) => {
            eprintln!("error: the output cannot be written: {error}");
            Outcome::Unusable as u8
        }
    }
}

/// Runs the tool of a format with these arguments, which do not include the name of the program.
///
/// # Errors
/// Fails if the output cannot be written.
pub fn run<F: Format>(arguments: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
    match limits::take(arguments, F::limits()) {
        Ok((limits, others)) => run_for(&Declared::<F>::within(limits), &others, out, err),
        Err(message) => wrong(&message, err),
    }
}

/// Runs the tool of a format, regardless of how the format is described.
///
/// # Errors
/// Fails if the output cannot be written.
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
        [word, arguments @ ..] if is(word, "explain") => explain(format, arguments, out, err),
        [word, paths @ ..] if is(word, "check") && !paths.is_empty() => check::run(format, paths, out, err),
        [word, arguments @ ..] if is(word, "diff") => match diff::Request::new(arguments) {
            Ok(Some(request)) => diff::run(format, &request, out, err),
            Ok(None) => unusable(format, err),
            Err(message) => wrong(&message, err),
        },
        // The arguments of a command that git runs for a file are the path, and the file, hash and mode of both sides.
        [word, path, old, _, _, new, ..] if is(word, "git-diff") => diff::git(format, path, [old, new], out, err),
        #[cfg(feature = "forge")]
        [word, arguments @ ..] if ["forge", "set", "fix"].iter().any(|name| is(word, name)) => {
            match forge::Request::of(word, arguments) {
                Ok(Some(request)) => forge::run(format, &request, out, err),
                Ok(None) => unusable(format, err),
                Err(message) => wrong(&message, err),
            }
        }
        _ => unusable(format, err),
    }
}

/// The options of the command `explain`.
const EXPLAIN: &str =
    if cfg!(feature = "page") { "explain [--json | --html=OUT] FILE" } else { "explain [--json] FILE" };

/// The help text about its page.
const HTML: &str = if cfg!(feature = "page") {
    ".\n                         --html writes a page for the browser; `-` is standard output"
} else {
    ""
};

/// Explains a file in the form that the options select.
fn explain(
    format: &dyn Described,
    arguments: &[&OsStr],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    #[cfg(feature = "page")]
    if let Some(asked) = page::asked(arguments) {
        return page::run(format, asked, out, err);
    }
    match *arguments {
        [option, path] if option == "--json" => explain_file(format, path, true, out, err),
        [path] if !path.as_encoded_bytes().starts_with(b"--") => explain_file(format, path, false, out, err),
        _ => unusable(format, err),
    }
}

fn unusable(format: &dyn Described, err: &mut dyn Write) -> io::Result<Outcome> {
    err.write_all(help(format).as_bytes())?;
    Ok(Outcome::Unusable)
}

fn wrong(message: &str, err: &mut dyn Write) -> io::Result<Outcome> {
    writeln!(err, "error: {message}")?;
    Ok(Outcome::Unusable)
}

/// The usage of the commands that make files.
#[cfg(feature = "forge")]
const FORGE: &str = "  \
    set FILE PATH=VALUE… --out TARGET\n                         \
    Write a copy with new values, and with matching lengths, counts, offsets, padding and checksums\n  \
    fix FILE --out TARGET  Write a copy with correct lengths, counts and checksums\n  \
    forge [--seed N] [--count N] [--size BYTES] [--only PATTERN] [--repair WHAT] FILE DIRECTORY\n                         \
    Make mutants of a file, field by field, with recipes. WHAT to recompute:\n                         \
    everything, nothing, all-but N, or roles such as checksum\n  \
    forge --replay RECIPE FILE OUT\n                         \
    Recreate the mutant that RECIPE describes\n";
#[cfg(not(feature = "forge"))]
const FORGE: &str = "";

fn help(described: &dyn Described) -> String {
    format!(
        "Explain, check, compare, edit and mutate {} files.\n\n\
         Usage:\n  \
         {EXPLAIN}\n                         \
         Explain every byte of a file: its field, value and meaning{HTML}\n  \
         check FILE…            Check files, and list their problems\n  \
         diff [--json] [--all] [--ignore PATTERN]… FILE FILE\n                         \
         Compare two files field by field\n  \
         git-diff …             Act as git's external diff driver: git config diff.NAME.command\n  \
         schema [--ksy | --hexpat]\n                         \
         Print the field reference, or a definition for Kaitai Struct or ImHex\n{FORGE}{}\n\
         Exit status: 0 no findings and no differences, 1 findings or differences,\n\
         2 wrong usage or a file that cannot be read\n",
        described.name(),
        described.options()
    )
}

fn explain_file(
    format: &dyn Described,
    path: &OsStr,
    is_json: bool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let Some(file) = read(path, err)? else { return Ok(Outcome::Unusable) };
    let explained = format.explain(&file);
    match is_json {
        false => write!(out, "{}  {}  {}\n\n{explained}", shown(path), format.name(), amount(file.len() as u64))?,
        true => json::print(&explained, &path.to_string_lossy(), file.len() as u64, out)?,
    }
    Ok(if explained.findings.is_empty() { Outcome::Clean } else { Outcome::Findings })
}
