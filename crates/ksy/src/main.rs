//! `everybyte`: explains, checks, compares and mutates files of any format that has a Kaitai Struct specification.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

use everybyte::escape;
use everybyte::tool::{Outcome, exit, read, run_for};
use everybyte_ksy::{Loader, Spec};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

const HELP: &str = "\
Explains, checks, compares and mutates files of any format that has a Kaitai Struct specification.

Usage:
  everybyte COMMAND --spec FORMAT.ksy [--spec-path FOLDER]… [--overlay FILE]… …
                         A command of the format: explain, check, diff, git-diff, schema, forge;
                         `everybyte help --spec FORMAT.ksy` lists their arguments
  everybyte value --spec FORMAT.ksy [--spec-path FOLDER]… FILE EXPRESSION…
                         The values of expressions, as the outermost structure sees them
  everybyte spec check FORMAT.ksy… [--spec-path FOLDER]…
                         Loads specifications: their names, titles and licences, or what is wrong
  everybyte spec rust FORMAT.ksy [--spec-path FOLDER]…
                         The specification as Rust: source of #[layout] structures, or all reasons
                         why a layout cannot say it

--max-memory BYTES, such as 64M, bounds the memory of reading a file and of its map, and
--max-time SECONDS the time of reading it by the specification.
--spec-path, and the folders of the variable KSY_PATH, are searched for absolute imports.
--overlay adds keys to fields; FORMAT.overlay.yaml beside FORMAT.ksy is read in any case.

Exit status: 0 no finding and no difference, 1 a finding or a difference,
2 wrong usage, a specification or a file that cannot be read
";

/// The arguments that are about the specification, and the others.
#[derive(Default)]
struct Arguments {
    spec: Option<OsString>,
    loader: Loader,
    rest: Vec<OsString>,
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    exit(|out, err| run(arguments, out, err))
}

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

fn parsed(arguments: Vec<OsString>) -> Result<Arguments, String> {
    let mut parsed = Arguments::default();
    let (mut folders, mut overlays): (Vec<OsString>, Vec<OsString>) = Default::default();
    let (mut memory, mut time) = (None, None);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{} needs a value", argument.to_string_lossy()));
        match argument.to_str() {
            Some("--spec") => parsed.spec = Some(value()?),
            Some("--spec-path") => folders.push(value()?),
            Some("--overlay") => overlays.push(value()?),
            Some("--max-memory") => memory = Some(bytes(&value()?)?),
            Some("--max-time") => time = Some(seconds(&value()?)?),
            _ => parsed.rest.push(argument),
        }
    }
    let loader = folders.into_iter().fold(Loader::new(), |loader, folder| loader.folder(folder));
    let loader = overlays.into_iter().fold(loader, |loader, path| loader.overlay(path));
    let loader = memory.into_iter().fold(loader, Loader::memory);
    let loader = time.into_iter().fold(loader, Loader::time);
    parsed.loader = loader.folders_of_environment();
    Ok(parsed)
}

/// A number of bytes, perhaps with `K`, `M` or `G` for powers of 1024.
fn bytes(text: &OsStr) -> Result<u64, String> {
    let text = text.to_string_lossy();
    let (number, unit) = ["K", "M", "G"]
        .into_iter()
        .zip([10, 20, 30])
        .fold((&*text, 0), |found, (letter, shift)| text.strip_suffix(letter).map_or(found, |number| (number, shift)));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << unit));
    bytes.ok_or_else(|| format!("--max-memory takes a number of bytes, such as 1048576 or 64M, not {text:?}"))
}

fn seconds(text: &OsStr) -> Result<Duration, String> {
    let text = text.to_string_lossy();
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| format!("--max-time takes a number of seconds, such as 10 or 0.5, not {text:?}"))
}

fn unusable(message: &str, err: &mut dyn Write) -> io::Result<Outcome> {
    writeln!(err, "error: {message}")?;
    Ok(Outcome::Unusable)
}

/// Says what specifications are, or what is wrong with them.
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

/// Prints a specification as Rust, or all reasons why there is none.
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

/// Prints the values of expressions, one on a line.
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
