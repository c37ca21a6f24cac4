//! `everybyte`: explains, checks, compares and mutates files of any format that has a Kaitai Struct specification.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

use everybyte::escape;
use everybyte::tool::{Outcome, bound_time, read, run_for, status};
use everybyte_ksy::{Loader, Spec};
use everybyte_refused::{Answer, answering};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;

const HELP: &str = "\
Explain, check, compare, edit and mutate files of any format that has a Kaitai Struct specification.

Usage:
  everybyte COMMAND --spec FORMAT.ksy ARGUMENTS…
                         Run explain, check, diff, git-diff, schema, set, fix or forge;
                         `everybyte help --spec FORMAT.ksy` describes their arguments
  everybyte value --spec FORMAT.ksy FILE EXPRESSION…
                         Print the values of expressions, evaluated in the top-level type
  everybyte spec check FORMAT.ksy…
                         Load specifications, and print their names, titles and licences, or
                         their errors
  everybyte spec rust FORMAT.ksy
                         Print the specification as Rust source: #[layout] structs, or every
                         reason why it cannot be translated

Options:
  --spec-path DIRECTORY  Search this directory for absolute imports, before those in KSY_PATH;
                         may be repeated
  --overlay FILE         Add the keys in this file to fields; may be repeated.
                         FORMAT.overlay.yaml next to FORMAT.ksy is always read
  --max-memory BYTES     Maximum memory for reading and mapping a file, e.g. 64M
  --max-time SECONDS     Time limit for reading a file

Exit status: 0 no findings and no differences, 1 findings or differences,
2 wrong usage, or a specification or a file that cannot be read
";

/// The arguments for the specification, and all other arguments.
#[derive(Default)]
struct Arguments {
    spec: Option<OsString>,
    loader: Loader,
    rest: Vec<OsString>,
}

/// How the program exits if it cannot allocate memory. There is no unfinished file at that point.
const REFUSED: Answer = Answer {
    sentence: "error: out of memory; a lower `--max-memory` refuses such files early\n",
    status: Outcome::Unusable as u8,
    tidy: || {},
};

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: everybyte_refused::Noting = everybyte_refused::Noting(std::alloc::System);

fn main() -> ExitCode {
    let program = || {
        status(|out, err| match bound_time(std::env::args_os().skip(1).collect()) {
            Ok(arguments) => run(arguments, out, err),
            Err(message) => unusable(&message, err),
        })
    };
    ExitCode::from(answering(REFUSED, program))
}

/// Runs a command.
fn run(arguments: Vec<OsString>, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
    let Arguments { spec, loader, rest } = match parsed(arguments) {
        Ok(arguments) => arguments,
        Err(message) => return unusable(&message, err),
    };
    let words: Vec<&OsStr> = rest.iter().map(OsString::as_os_str).collect();
    let is = |word: &OsStr, name: &str| word == OsStr::new(name);
    match (&words[..], spec) {
        ([word, verb, path], None) if is(word, "spec") && is(verb, "rust") => source(path, &loader, out, err),
        ([word, verb, paths @ ..], None) if is(word, "spec") && is(verb, "check") && !paths.is_empty() => {
            specifications(paths, &loader, out, err)
        }
        ([word, paths @ ..], None) if is(word, "spec") && !paths.is_empty() && !is(paths[0], "rust") => {
            specifications(paths, &loader, out, err)
        }
        ([word, ..], None) if is(word, "help") || is(word, "--help") || is(word, "-h") => {
            out.write_all(HELP.as_bytes())?;
            Ok(Outcome::Clean)
        }
        ([word, ..], None) if !is(word, "spec") => {
            let word = word.to_string_lossy();
            unusable(&format!("`{}` needs --spec FORMAT.ksy", escape(&word)), err)
        }
        ([word, ..], Some(_)) if is(word, "spec") => unusable("`spec` takes specifications without --spec", err),
        ([_, ..], Some(path)) => match loader.read(&path) {
            Ok(spec) => match &words[..] {
                [word, path, expressions @ ..] if is(word, "value") && !expressions.is_empty() => {
                    values(&spec, path, expressions, out, err)
                }
                _ => run_for(&spec, &rest, out, err),
            },
            Err(error) => unusable(&error.to_string(), err),
        },
        _ => {
            err.write_all(HELP.as_bytes())?;
            Ok(Outcome::Unusable)
        }
    }
}

/// Separates the options of this program from those of the command.
fn parsed(arguments: Vec<OsString>) -> Result<Arguments, String> {
    let mut parsed = Arguments::default();
    let (mut folders, mut overlays): (Vec<OsString>, Vec<OsString>) = Default::default();
    let mut memory = None;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{} needs a value", argument.to_string_lossy()));
        match argument.to_str() {
            Some("--spec") => parsed.spec = Some(value()?),
            Some("--spec-path") => folders.push(value()?),
            Some("--overlay") => overlays.push(value()?),
            Some("--max-memory") => memory = Some(bytes(&value()?)?),
            _ => parsed.rest.push(argument),
        }
    }
    let loader = folders.into_iter().fold(Loader::new(), |loader, folder| loader.folder(folder));
    let loader = overlays.into_iter().fold(loader, |loader, path| loader.overlay(path));
    let loader = memory.into_iter().fold(loader, Loader::memory);
    parsed.loader = loader.folders_of_environment();
    Ok(parsed)
}

/// Parses a number of bytes, optionally followed by `K`, `M` or `G` for powers of 1024.
fn bytes(text: &OsStr) -> Result<u64, String> {
    let text = text.to_string_lossy();
    let (number, unit) = ["K", "M", "G"]
        .into_iter()
        .zip([10, 20, 30])
        .fold((&*text, 0), |found, (letter, shift)| text.strip_suffix(letter).map_or(found, |number| (number, shift)));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << unit));
    bytes.ok_or_else(|| format!("--max-memory takes a number of bytes, such as 1048576 or 64M, not {text:?}"))
}

/// Reports arguments that cannot be used.
fn unusable(message: &str, err: &mut dyn Write) -> io::Result<Outcome> {
    writeln!(err, "error: {message}")?;
    Ok(Outcome::Unusable)
}

/// Describes specifications, or reports their errors.
fn specifications(paths: &[&OsStr], loader: &Loader, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for path in paths {
        match loader.read(path) {
            Ok(spec) => {
                let or = |text: &str, none: &str| if text.is_empty() { none.to_owned() } else { escape(text) };
                let (title, license) = (or(spec.title(), "no title"), or(spec.license(), "no licence stated"));
                writeln!(out, "{}: {}, {title}, {license}", escape(&path.to_string_lossy()), spec.name())?;
                for further in &spec.files()[1..] {
                    let does = if further.ends_with(".ksy") { "imports" } else { "is overlaid by" };
                    writeln!(out, "  {does} {}", escape(further))?;
                }
                for warning in spec.warnings() {
                    writeln!(out, "  warning: {warning}")?;
                }
            }
            Err(error) => {
                outcome = Outcome::Unusable;
                writeln!(err, "error: {error}")?;
            }
        }
    }
    Ok(outcome)
}

/// Prints a specification as Rust, or all reasons why this is impossible.
fn source(path: &OsStr, loader: &Loader, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
    let spec = match loader.read(path) {
        Ok(spec) => spec,
        Err(error) => return unusable(&error.to_string(), err),
    };
    match spec.rust() {
        Ok(source) => out.write_all(source.as_bytes()).map(|()| Outcome::Clean),
        Err(reasons) => {
            for reason in reasons {
                writeln!(err, "error: {reason}")?;
            }
            Ok(Outcome::Unusable)
        }
    }
}

/// Prints the values of expressions, one per line.
fn values(
    spec: &Spec,
    path: &OsStr,
    expressions: &[&OsStr],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let Some(file) = read(path, err)? else { return Ok(Outcome::Unusable) };
    let texts: Vec<_> = expressions.iter().map(|text| text.to_string_lossy()).collect();
    let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
    let values = match spec.values(&file, &texts) {
        Ok(values) => values,
        Err(error) => return unusable(&error.to_string(), err),
    };
    let mut outcome = Outcome::Clean;
    for value in values {
        match value {
            Ok(value) => writeln!(out, "{value}")?,
            Err(message) => {
                outcome = Outcome::Findings;
                writeln!(err, "error: {}", escape(&message))?;
            }
        }
    }
    Ok(outcome)
}
