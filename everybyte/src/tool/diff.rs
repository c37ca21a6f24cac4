//! The command `diff`: compares two files of a format, field by field.

use super::described::Described;
use super::input::{read, shown};
use super::json;
use super::outcome::Outcome;
use crate::diff::{Options, Pattern, Side, Structure, structure};
use crate::error::amount;
use crate::escape::escape;
use crate::finding::Finding;
use crate::format::Explained;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, Write};

/// The maximum number of findings that are listed.
const MOST_FINDINGS: usize = 100;

/// The arguments of the command.
pub struct Request<'a> {
    paths: [&'a OsStr; 2],
    json: bool,
    all: bool,
    ignore: Vec<Pattern>,
}

impl<'a> Request<'a> {
    /// Parses the arguments; `None` if they do not match the command.
    pub fn new(arguments: &[&'a OsStr]) -> Result<Option<Self>, String> {
        let (mut json, mut all, mut ignore, mut paths) = (false, false, Vec::new(), Vec::new());
        let mut arguments = arguments.iter();
        while let Some(&argument) = arguments.next() {
            match argument.to_str() {
                Some("--json") => json = true,
                Some("--all") => all = true,
                Some("--ignore") => {
                    let Some(text) = arguments.next() else { return Err("--ignore needs a pattern".into()) };
                    let text = text.to_string_lossy();
                    let pattern = Pattern::new(&text);
                    ignore.push(pattern.map_err(|error| format!("--ignore {}: {error}", escape(&text)))?);
                }
                Some(option) if option.starts_with("--") => return Ok(None),
                _ => paths.push(argument),
            }
        }
        let Ok(paths) = <[&OsStr; 2]>::try_from(paths) else { return Ok(None) };
        Ok(Some(Request { paths, json, all, ignore }))
    }
}

/// Compares two files.
pub fn run(
    format: &dyn Described,
    request: &Request<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let Some(a) = read(request.paths[0], err)? else { return Ok(Outcome::Unusable) };
    let Some(b) = read(request.paths[1], err)? else { return Ok(Outcome::Unusable) };
    compare(format, request, [&a, &b], out)
}

/// Compares two versions of a file for git, which passes `/dev/null` for a missing file. A difference is not a failure
/// in that case.
pub fn git(
    format: &dyn Described,
    path: &OsStr,
    files: [&OsStr; 2],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let request = Request { paths: [path, path], json: false, all: false, ignore: Vec::new() };
    let mut sides = Vec::new();
    for file in files {
        let is_missing = file == OsStr::new("/dev/null");
        let Some(bytes) = (if is_missing { Some(Vec::new()) } else { read(file, err)? }) else {
            return Ok(Outcome::Unusable);
        };
        sides.push((bytes, is_missing));
    }
    let word = match [sides[0].1, sides[1].1] {
        [true, false] => Some(("added", &sides[1].0)),
        [false, true] => Some(("deleted", &sides[0].0)),
        _ => None,
    };
    match word {
        Some((word, bytes)) => {
            let length = amount(bytes.len() as u64);
            writeln!(out, "{}  {}  {word}: {length}", shown(path), format.name())?;
        }
        None => {
            compare(format, &request, [&sides[0].0, &sides[1].0], out)?;
        }
    }
    Ok(Outcome::Clean)
}

fn compare(
    format: &dyn Described,
    request: &Request<'_>,
    [a, b]: [&[u8]; 2],
    out: &mut dyn Write,
) -> io::Result<Outcome> {
    let is_identical = a == b;
    let (explained_a, explained_b) = (format.explain(a), format.explain(b));
    let (read_a, read_b) = (reader(a), reader(b));
    let options = Options { ignore: request.ignore.clone(), ..Options::default() };
    let sides =
        [Side { spaces: &explained_a.spaces, read: &read_a }, Side { spaces: &explained_b.spaces, read: &read_b }];
    let found = if is_identical { Structure::default() } else { structure(&sides[0], &sides[1], &options) };
    let findings = [without(&explained_a, &explained_b), without(&explained_b, &explained_a)];
    let outcome = if is_identical { Outcome::Clean } else { Outcome::Findings };
    if request.json {
        let paths = request.paths.map(|path| path.to_string_lossy());
        let files = [(&*paths[0], a.len() as u64), (&*paths[1], b.len() as u64)];
        json::print_diff(files, format.name(), &found, findings, is_identical, out)?;
        return Ok(outcome);
    }
    let names = request.paths.map(shown);
    writeln!(out, "{} → {}  {}  {} → {}", names[0], names[1], format.name(), a.len(), amount(b.len() as u64))?;
    if is_identical {
        writeln!(out, "identical")?;
        return Ok(outcome);
    }
    let lines: Vec<String> = found.lines(request.all).collect();
    section("structure", &lines, out)?;
    let [gone, new] = findings.map(|findings| {
        let left = findings.len().saturating_sub(MOST_FINDINGS);
        let mut lines: Vec<String> = findings.iter().take(MOST_FINDINGS).map(|finding| finding.to_string()).collect();
        lines.extend((left > 0).then(|| format!("… and {left} more")));
        lines
    });
    section("findings of the first file alone", &gone, out)?;
    section("findings of the second file alone", &new, out)?;
    if lines.is_empty() && gone.is_empty() && new.is_empty() {
        writeln!(out, "every field is equal, but bytes differ")?;
    }
    Ok(outcome)
}

fn section(title: &str, lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    lines.iter().try_for_each(|line| writeln!(out, "  {line}"))
}

/// Fills buffers from a file. Decompressed spaces are not available.
fn reader(file: &[u8]) -> impl Fn(u32, u64, &mut [u8]) -> bool {
    move |space, offset, buffer| {
        let rest = usize::try_from(offset).ok().filter(|_| space == 0).and_then(|offset| file.get(offset..));
        let bytes = rest.and_then(|rest| rest.get(..buffer.len()));
        bytes.map(|bytes| buffer.copy_from_slice(bytes)).is_some()
    }
}

/// Returns the findings of one file that have no counterpart with the same rule and field in the other file.
fn without<'f>(of: &'f Explained, other: &Explained) -> Vec<&'f Finding> {
    let known: HashSet<(&str, &str)> = other.findings.iter().map(|finding| (&*finding.rule, &*finding.path)).collect();
    of.findings.iter().filter(|finding| !known.contains(&(&finding.rule, &*finding.path))).collect()
}
