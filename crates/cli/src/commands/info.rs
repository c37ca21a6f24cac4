//! `ndbytes info`

use crate::commands::check::walk::{Files, Found, Unknown, Walking, words};
use crate::context::{Context, Outcome, Paths};
use crate::report::report;
use crate::show::progress::Progress;
use crate::show::style::{ERROR, FAINT, HEADING, counted, grouped};
use crate::show::text::{self, is_standard};
use crate::show::{info_text, json};
use crate::values::tolerate::print_warnings;
use ndbytes::archive::{self, Archive, Opened};
use ndbytes::{Error, Finding, Format, Info, Input, Limits, Result, b2nd, stores};
use ndbytes_compare::digest::{self, Digest};
use serde::Serialize;
use std::io;
use std::path::Path;

/// The widest description of a member that is not cut.
const WIDEST: usize = 40;

/// Describe files: format, element type and shape, or columns, sizes, compression, attributes. The payload is not read.
///
/// Folders are walked, and the members of zip archives and stores are listed: a line a file.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Print the digest of the values, for which all of them are read. It is the same for the same array in any format.
    #[arg(long)]
    digest: bool,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    paths: Paths,
}

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

/// A file as it is described.
struct Described {
    info: Info,
    warnings: Vec<Finding>,
    digest: Option<Digest>,
}

impl Arguments {
    fn describe(&self, input: Input<'_>, limits: Limits) -> Result<Described> {
        if !self.digest {
            let (info, warnings) = ndbytes::info_and_warnings(input, &limits)?;
            return Ok(Described { info, warnings, digest: None });
        }
        // The structure is judged before the values are read.
        let (info, warnings) = ndbytes::info_and_warnings(input.again(limits)?, &limits)?;
        // A frame in a store need not be an array.
        let has_values = info.array.is_some() || info.table.is_some();
        let digest = if has_values { Some(digest::values(&input, &limits)?) } else { None };
        Ok(Described { info, warnings, digest })
    }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    let progress = context.progress();
    for path in &arguments.paths.paths {
        let is_folder = stores::names_several(path)
            || !is_standard(path) && path.is_dir() && !b2nd::is_sparse_frame(path) && !archive::is_store(path);
        let ended = if is_folder {
            list_folder(path, arguments, &progress, context)?
        } else {
            tell_path(path, arguments, &progress, context)?
        };
        // Findings end with an empty line of their own.
        if !arguments.json && (ended == Outcome::Clean || is_folder) {
            context.out.separate();
        }
        outcome = outcome.max(ended);
    }
    Ok(outcome)
}

/// Describes what a path leads to: a file, an archive or a store.
fn tell_path(
    path: &Path,
    arguments: &Arguments,
    progress: &Progress,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    context.begin();
    match open(path, context) {
        Ok(Opened::File(input)) => {
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
        Ok(Opened::Archive(archive)) if arguments.json => {
            let mut worst = Outcome::Clean;
            for (member, loaded) in archive.load_each() {
                let described = loaded.and_then(|input| arguments.describe(input, context.limits));
                worst = worst.max(tell(described, &archive::address(path, member.name()), arguments, context)?);
            }
            Ok(worst)
        }
        Ok(Opened::Archive(archive)) => {
            context.out.begin_room(archive.length());
            let ended = print_members(path, &archive, arguments, context)?;
            context.out.end_room()?;
            Ok(ended)
        }
        Err(error) => tell(Err(error), path, arguments, context),
    }
}

/// Opens a path, or standard input for `-`. The members of an archive are listed later.
fn open(path: &Path, context: &Context<'_>) -> Result<Opened<'static>> {
    match is_standard(path) {
        true => Opened::from_input(context.open(path)?, context.limits),
        false => Opened::open(path, context.limits),
    }
}

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

/// Prints the names of the columns of a list.
fn print_heads(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<()> {
    let digest = if arguments.digest { format!("{:<32}  ", "digest") } else { String::new() };
    writeln!(context.out, "{FAINT}{:<8}  {:<WIDEST$}  {:>12}  {digest}address{FAINT:#}", "format", "holds", "bytes")
}

/// A file in a list.
struct Listed<'a> {
    path: &'a Path,
    format: Option<Format>,
    size: u64,
    described: &'a Result<Described>,
}

fn print_line(listed: &Listed<'_>, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<()> {
    let (name, size) = (text::address(listed.path), grouped(listed.size));
    let format = listed.described.as_ref().map_or(listed.format, |described| Some(described.info.format));
    let format = format.map_or("–", Format::title);
    let (style, holds, digest) = match listed.described {
        Ok(Described { info, digest, .. }) => (None, info_text::holds(info), *digest),
        Err(error) => {
            let rule = error.finding().map_or("not readable", |finding| finding.rule.id);
            (Some(ERROR), format!("✗ {rule}"), None)
        }
    };
    let holds = text::cut(&holds, WIDEST);
    let padding = WIDEST - text::width(&holds);
    let style = style.unwrap_or_default();
    let digest = digest.map_or_else(|| "–".to_owned(), |digest| digest.to_string());
    let digest = if arguments.digest { format!("{digest:<32}  ") } else { String::new() };
    writeln!(context.out, "{format:<8}  {style}{holds}{style:#}{:padding$}  {size:>12}  {digest}{name}", "")
}

/// Prints a line for each member of an archive, and the findings about those that cannot be read.
fn print_members(
    path: &Path,
    archive: &Archive<'_>,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let what = if path.is_dir() { "store" } else { "zip archive" };
    let number = counted(archive.members().len() as u64, "member");
    writeln!(context.out, "{HEADING}{}{HEADING:#}  {what}  {number}\n", text::path(path))?;
    print_heads(arguments, context)?;
    let mut refused = Vec::new();
    for (member, loaded) in archive.load_each() {
        let address = archive::address(path, member.name());
        let described = loaded.and_then(|input| arguments.describe(input, context.limits));
        let (format, size) = (member.format(), member.length());
        print_line(&Listed { path: &address, format, size, described: &described }, arguments, context)?;
        match described {
            Ok(Described { warnings, .. }) => print_warnings(&address, &warnings, context)?,
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

/// The files of a folder that were listed.
#[derive(Default)]
struct Count {
    listed: u64,
    refused: u64,
    unknown: u64,
}

/// Prints a line for each file in a folder that has a known format, and for each member of an archive.
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
            context.complain(&format!("{}: no file of a known format was found", text::path(folder)))?;
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
            let about = (ndbytes::detect(input.head(), input.length()), input.length());
            let described = arguments.describe(input, context.limits);
            list(&file.path, about, described, count, arguments, context)
        }
        Ok(Opened::Archive(archive)) => {
            // An archive without members is a file all the same.
            count.listed += u64::from(archive.members().is_empty());
            let mut worst = Outcome::Clean;
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

/// Lists one file of a folder, unless it has no known format.
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
    // A file that cannot be opened is no finding.
    if described.as_ref().is_err_and(|error| error.finding().is_none()) || arguments.json {
        return tell(described, path, arguments, context);
    }
    if count.listed == 1 {
        print_heads(arguments, context)?;
    }
    count.refused += u64::from(described.is_err());
    print_line(&Listed { path, format, size, described: &described }, arguments, context)?;
    match described {
        Ok(Described { warnings, .. }) => print_warnings(path, &warnings, context).map(|()| Outcome::Clean),
        Err(_) => Ok(Outcome::Findings),
    }
}
