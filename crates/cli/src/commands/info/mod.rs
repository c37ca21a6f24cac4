//! `ndbytes info`: describes files without reading their payload.
//!
//! A single file is described in detail; the files of a directory and the members of an archive get one line each.

#[cfg(feature = "convert")]
mod foreign;
mod lines;

use crate::commands::check::walk::{Files, Found, Unknown, Walking, words};
use crate::context::{Context, Outcome, Paths};
use crate::report::report;
use crate::show::progress::Progress;
use crate::show::style::{FAINT, HEADING, counted, grouped};
use crate::show::text::{self, is_standard};
use crate::show::{info_text, json};
use crate::values::folder::is_walked;
use crate::values::open::Failure;
use crate::values::tolerate::print_warnings;
use lines::{Line, print_heads};
use ndbytes::archive::{self, Archive, Opened};
use ndbytes::{Error, Finding, Format, Info, Input, Limits, Result};
use ndbytes_compare::digest::{self, Digest};
use serde::Serialize;
use std::io;
use std::path::Path;

/// Show what files are: format, type and shape or columns, sizes and metadata.
///
/// Only the structure is read, so this is fast for files of any size. Directories are searched recursively, archive
/// members are listed, and each file gets one line.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
    /// Read all values, and print their digest. The same array has the same digest in every format.
    #[arg(long)]
    digest: bool,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    paths: Paths,
}

/// The JSON object for a description. `docs/src/json.md` describes it.
#[derive(Serialize)]
struct InfoObject<'a> {
    path: String,
    #[serde(flatten)]
    info: &'a Info,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

/// The output for a path that is not a file, or for a file that breaks a rule.
#[derive(Serialize)]
struct Refusal {
    path: String,
    format: Option<&'static str>,
    finding: Finding,
}

/// A described file.
struct Described {
    info: Info,
    warnings: Vec<Finding>,
    digest: Option<Digest>,
}

impl Arguments {
    /// Describes an input, with the digest of its values for `--digest`.
    fn describe(&self, input: Input<'_>, limits: Limits) -> Result<Described> {
        if !self.digest {
            let (info, warnings) = ndbytes::info_and_warnings(input, &limits)?;
            return Ok(Described { info, warnings, digest: None });
        }
        // The structure is checked before the values are read.
        let (info, warnings) = ndbytes::info_and_warnings(input.again(limits)?, &limits)?;
        // A frame in a store need not be an array.
        let has_values = info.array.is_some() || info.table.is_some();
        let digest = if has_values { Some(digest::values(&input, &limits)?) } else { None };
        Ok(Described { info, warnings, digest })
    }

    /// Describes an input that is still needed afterwards.
    fn describe_again(&self, input: &Input<'_>, limits: Limits) -> Result<Described> {
        self.describe(input.again(limits)?, limits)
    }
}

/// Describes each path: a file in detail, and the files of a directory or an archive in one line each.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    let progress = context.progress();
    for path in &arguments.paths.paths {
        let is_folder = is_walked(path);
        let ended = if is_folder {
            list_folder(path, arguments, &progress, context)?
        } else {
            tell_path(path, arguments, &progress, context)?
        };
        // Findings already end with an empty line.
        if !arguments.json && (ended == Outcome::Clean || is_folder) {
            context.out.separate();
        }
        outcome = outcome.max(ended);
    }
    Ok(outcome)
}

/// Describes a file, an archive or a store.
fn tell_path(
    path: &Path,
    arguments: &Arguments,
    progress: &Progress,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    context.begin();
    let opened = match open(path, context) {
        Ok(opened) => opened,
        Err(Failure::Error(error)) => return tell(Err(error), path, arguments, context),
        Err(failure) => return failure.refuse(path, context),
    };
    match opened {
        #[cfg(feature = "convert")]
        Entered::Foreign(foreign) => foreign::tell(&foreign, path, [arguments.json, arguments.digest], context),
        Entered::Known(Opened::File(input)) => {
            let length = input.length();
            progress.expect(length);
            let described = {
                let _at_hand = progress.begin(path, length);
                arguments.describe(input, context.limits)
            };
            progress.aside(|| {
                context.out.begin_room(length);
                let ended = tell(described, path, arguments, context)?;
                context.out.end_room()?;
                Ok(ended)
            })
        }
        Entered::Known(Opened::Archive(archive)) if arguments.json => {
            let mut worst = Outcome::Clean;
            if let Some(file) = archive.file_of_tensors() {
                let described = arguments.describe_again(file, context.limits);
                worst = worst.max(tell(described, path, arguments, context)?);
            }
            for (member, loaded) in archive.load_each() {
                let described = loaded.and_then(|input| arguments.describe(input, context.limits));
                worst = worst.max(tell(described, &archive::address(path, member.name()), arguments, context)?);
            }
            Ok(worst)
        }
        Entered::Known(Opened::Archive(archive)) => {
            context.out.begin_room(archive.length());
            let ended = print_members(path, &archive, arguments, context)?;
            context.out.end_room()?;
            Ok(ended)
        }
    }
}

/// The content of a path.
#[allow(clippy::large_enum_variant, reason = "one is made per file, and moved a few times")]
enum Entered {
    Known(Opened<'static>),
    /// A file or a store without rules.
    #[cfg(feature = "convert")]
    Foreign(crate::values::foreign::Foreign),
}

/// Opens a path, or standard input for `-`. The members of an archive are listed later.
fn open(path: &Path, context: &Context<'_>) -> std::result::Result<Entered, Failure> {
    #[cfg(feature = "convert")]
    {
        use crate::values::divide::{Divided, divide};
        match divide(path, context) {
            Ok(Divided::Foreign(foreign)) => return Ok(Entered::Foreign(foreign)),
            Ok(Divided::Input { input, slice: None, .. }) => {
                return Ok(Entered::Known(Opened::from_input(input, context.limits)?));
            }
            Err(failure @ Failure::Words(_)) => return Err(failure),
            Ok(_) | Err(Failure::Error(_)) => {}
        }
    }
    Ok(Entered::Known(match is_standard(path) {
        true => Opened::from_input(context.open(path)?, context.limits),
        false => Opened::open(path, context.limits),
    }?))
}

/// Prints the description of a single file, or why it cannot be read.
fn tell(
    described: Result<Described>,
    path: &Path,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    match described {
        Ok(Described { info, warnings, digest }) if arguments.json => {
            let digest = digest.map(|digest| digest.to_string());
            let object = InfoObject { path: path.display().to_string(), info: &info, digest };
            json::line(context.out.machine(), &object)?;
            print_warnings(path, &warnings, context)?;
        }
        Ok(Described { info, warnings, digest }) => {
            info_text::print(path, &info, digest, context.width, &mut context.out)?;
            print_warnings(path, &warnings, context)?;
        }
        Err(Error::Invalid(finding)) if arguments.json => {
            let finding = json::finding(&finding);
            json::line(context.out.machine(), &Refusal { path: path.display().to_string(), format: None, finding })?;
            return Ok(Outcome::Findings);
        }
        Err(error) => return report(&error, path, context),
    }
    Ok(Outcome::Clean)
}

/// A file in a list.
struct Listed<'a> {
    path: &'a Path,
    format: Option<Format>,
    size: u64,
    described: &'a Result<Described>,
}

/// Prints the line of a listed file.
fn print_line(listed: &Listed<'_>, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<()> {
    let format = listed.described.as_ref().map_or(listed.format, |described| Some(described.info.format));
    let (holds, digest) = match listed.described {
        Ok(Described { info, digest, .. }) => (Ok(info_text::holds(info)), *digest),
        Err(error) => (Err(error.finding().map_or("not readable", |finding| finding.rule.id)), None),
    };
    let format = format.map_or("–", Format::title);
    Line { path: listed.path, format, size: listed.size, holds, digest }.print(arguments.digest, context)
}

/// Prints a line for each member of an archive, and the findings about unreadable ones.
fn print_members(
    path: &Path,
    archive: &Archive<'_>,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let file = archive.file_of_tensors().map(|file| arguments.describe_again(file, context.limits));
    let mut refused = Vec::new();
    match file {
        Some(Ok(Described { info, .. })) => {
            info_text::print(path, &info, None, context.width, &mut context.out)?;
            writeln!(context.out)?;
        }
        other => {
            let number = counted(archive.members().len() as u64, "member");
            writeln!(context.out, "{HEADING}{}{HEADING:#}  {}  {number}\n", text::path(path), archive.kind())?;
            // The tensors can be listed although the file itself breaks a rule.
            refused.extend(other.and_then(Result::err).map(|error| (path.to_owned(), error)));
        }
    }
    print_heads(arguments.digest, context)?;
    for (member, loaded) in archive.load_each() {
        let address = archive::address(path, member.name());
        let described = loaded.and_then(|input| arguments.describe(input, context.limits));
        let (format, size) = (member.format(), member.length());
        print_line(&Listed { path: &address, format, size, described: &described }, arguments, context)?;
        match described {
            Ok(Described { warnings, .. }) => print_warnings(&address, &warnings, context)?,
            Err(error) if refused.iter().any(|(at, told)| at == path && is_same(told, &error)) => {}
            Err(error) => refused.push((address, error)),
        }
    }
    if !refused.is_empty() {
        writeln!(context.out)?;
    }
    let mut outcome = Outcome::Clean;
    for (address, error) in refused {
        outcome = outcome.max(report(&error, &address, context)?);
    }
    Ok(outcome)
}

/// Returns whether two errors are the same finding, since the error in a tensor may be the error in its file.
fn is_same(told: &Error, error: &Error) -> bool {
    let is_same = |told: &Finding, other: &Finding| {
        (told.rule.id, told.offset, &told.message) == (other.rule.id, other.offset, &other.message)
    };
    told.finding().zip(error.finding()).is_some_and(|(told, other)| is_same(told, other))
}

/// The counts of the files in a directory.
#[derive(Default)]
struct Count {
    listed: u64,
    refused: u64,
    unknown: u64,
}

/// Prints a line for each file in a directory that has a known format, and for each member of an archive.
fn list_folder(
    folder: &Path,
    arguments: &Arguments,
    progress: &Progress,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let folders = [folder.to_owned()];
    let mut files = match Files::new(&folders, &arguments.walking, context.limits, progress) {
        Ok(files) => files,
        Err(message) => {
            context.complain(&message)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let (mut outcome, mut count) = (Outcome::Clean, Count::default());
    for file in files.by_ref() {
        let ended = match file {
            Ok(file) => {
                let _at_hand = progress.begin(&file.path, file.length);
                list_file(&file, &mut count, arguments, context)?
            }
            Err(problem) => {
                progress.aside(|| context.complain(&words(&problem)))?;
                Outcome::Unreadable
            }
        };
        outcome = outcome.max(ended);
    }
    let passed = files.passed().to_string();
    progress.aside(|| sum(&count, &passed, arguments, context))?;
    match (count.listed, outcome) {
        (0, Outcome::Clean) => {
            context.complain(&format!("{}: found no file in a known format", text::path(folder)))?;
            Ok(Outcome::Unreadable)
        }
        _ => Ok(outcome),
    }
}

/// Prints how many files were listed, and what was skipped.
fn sum(count: &Count, passed: &str, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<()> {
    if arguments.json {
        return context.note_passed(passed);
    }
    let mut words = counted(count.listed, "file");
    if count.refused > 0 {
        words += &format!(", {} with errors, which `ndbytes check` reports", grouped(count.refused));
    }
    if count.unknown > 0 && arguments.walking.unknown == Unknown::Count {
        words += &format!("; {} of other formats", grouped(count.unknown));
    }
    if !passed.is_empty() {
        words += &format!("; skipped: {passed}");
    }
    writeln!(context.out, "{FAINT}{words}{FAINT:#}")
}

/// Lists a file that a walk has found, or each member of an archive.
fn list_file(file: &Found, count: &mut Count, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    context.begin();
    match Opened::open(&file.path, context.limits) {
        Ok(Opened::File(input)) => {
            let about = (ndbytes::internals::known_format(&input), input.length());
            let described = arguments.describe(input, context.limits);
            list(&file.path, about, described, count, arguments, context)
        }
        Ok(Opened::Archive(archive)) => {
            let mut worst = Outcome::Clean;
            let is_empty = archive.members().is_empty();
            if let Some(tensors) = archive.file_of_tensors() {
                let about = (ndbytes::internals::known_format(tensors), tensors.length());
                let described = arguments.describe_again(tensors, context.limits);
                // The tensors are listed instead of the file, unless it breaks a rule itself.
                if described.is_err() || arguments.json || is_empty {
                    worst = list(&file.path, about, described, count, arguments, context)?;
                }
            } else {
                // An archive without members is still a file.
                count.listed += u64::from(is_empty);
            }
            for (member, loaded) in archive.load_each() {
                let address = archive::address(&file.path, member.name());
                let described = loaded.and_then(|input| arguments.describe(input, context.limits));
                let about = (member.format(), member.length());
                worst = worst.max(list(&address, about, described, count, arguments, context)?);
            }
            Ok(worst)
        }
        Err(error) => list(&file.path, (None, 0), Err(error), count, arguments, context),
    }
}

/// Lists one file in a directory, unless its format is unknown.
fn list(
    path: &Path,
    (format, size): (Option<Format>, u64),
    described: Result<Described>,
    count: &mut Count,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let finding = described.as_ref().err().map(Error::finding);
    let is_unknown = finding.flatten().is_some_and(|finding| finding.rule == &ndbytes::UNKNOWN_FORMAT);
    if is_unknown && arguments.walking.unknown != Unknown::Error {
        count.unknown += 1;
        return Ok(Outcome::Clean);
    }
    count.listed += 1;
    // A file that cannot be opened is an I/O error, not a finding.
    if described.as_ref().is_err_and(|error| error.finding().is_none()) || arguments.json {
        return tell(described, path, arguments, context);
    }
    if count.listed == 1 {
        print_heads(arguments.digest, context)?;
    }
    count.refused += u64::from(described.is_err());
    print_line(&Listed { path, format, size, described: &described }, arguments, context)?;
    match described {
        Ok(Described { warnings, .. }) => print_warnings(path, &warnings, context).map(|()| Outcome::Clean),
        Err(_) => Ok(Outcome::Findings),
    }
}
