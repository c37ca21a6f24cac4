//! `ndbytes stats`: statistics of the values of arrays and columns.

mod find;
#[cfg(feature = "convert")]
mod foreign;
mod tell;

use crate::commands::check::walk::{Files, Unknown, Walking, words};
use crate::context::{Context, Outcome, Paths};
use crate::report::sentence;
use crate::show::progress::Progress;
use crate::show::style::{FAINT, counted, grouped};
use crate::show::text;
use crate::show::text::is_standard;
use crate::values::folder::is_walked;
use crate::values::open::{Failure, Named, Values, named, read};
use crate::values::tolerate::{Tolerate, print_known};
use find::{Found, find};
use ndbytes::archive::Opened;
use ndbytes::{Error, UNKNOWN_FORMAT};
use std::io;
use std::path::Path;
use tell::tell;

/// Summarise values: range, mean, deviation, NaNs, zeros and a histogram.
///
/// Also counts infinities and distinct values. Tables get one line per column, and chunked arrays also get the compression ratios
/// of their chunks. Directories are searched recursively, and each member of an archive is summarised.
///
/// All values are read in one pass. A path may end with a slice in NumPy's syntax: `x.b2nd[6:12, :]`, `t.idv[10:20]`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    tolerate: Tolerate,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    paths: Paths,
}

/// Prints the statistics of all paths. A path that cannot be read does not affect the others.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut worst = Outcome::Clean;
    let paths = &arguments.paths.paths;
    let tolerate = arguments.tolerate.among(paths.len());
    let progress = context.progress();
    for (place, path) in paths.iter().enumerate() {
        let is_last = place + 1 == paths.len();
        let ended = match is_walked(path) {
            true => summarise_folder(path, arguments, &progress, context)?,
            false => {
                context.begin();
                let opened = match named(path, &tolerate, context) {
                    Ok(Named::Values(values)) => Ok(*values),
                    #[cfg(feature = "convert")]
                    Ok(Named::Foreign(foreign)) => {
                        worst = worst.max(foreign::summarise(&foreign, path, arguments.json, &progress, context)?);
                        continue;
                    }
                    Err(failure) => Err(failure),
                };
                if matches!(&opened, Err(Failure::Error(Error::Archive { members, .. })) if !members.is_empty()) {
                    worst = worst.max(summarise_members(path, arguments, &progress, context)?);
                    continue;
                }
                let found = summarised(path, opened, &progress, is_last, context);
                progress.aside(|| print(found, path, arguments, context))?
            }
        };
        worst = worst.max(ended);
    }
    Ok(worst)
}

/// Returns the values of a file, and their statistics.
fn summarised(
    path: &Path,
    opened: std::result::Result<Values, Failure>,
    progress: &Progress,
    is_last: bool,
    context: &Context<'_>,
) -> std::result::Result<(Values, Found), Failure> {
    let values = opened?;
    progress.expect(values.length);
    if is_last {
        progress.all_found();
    }
    let at_hand = progress.begin(path, values.length);
    let found = find(&values, context.limits, at_hand)?;
    Ok((values, found))
}

/// Prints the statistics of a file, or the reason why there are none.
fn print(
    found: std::result::Result<(Values, Found), Failure>,
    path: &Path,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    match found {
        Ok((values, found)) => {
            tell(found, path, arguments.json, context)?;
            print_known(path, &values.file, context)?;
            Ok(Outcome::Clean)
        }
        Err(failure) => failure.refuse(path, context),
    }
}

/// Summarises each member of a named archive.
fn summarise_members(
    path: &Path,
    arguments: &Arguments,
    progress: &Progress,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    if is_standard(path) {
        let sentence = sentence(&Error::Archive { members: Vec::new(), more: 0 }, path);
        return context.complain(&sentence).map(|()| Outcome::Unreadable);
    }
    let mut worst = Outcome::Clean;
    each(path, &arguments.tolerate.among(usize::MAX), context, &mut |path, opened, context| {
        let found = summarised(path, opened, progress, false, context);
        worst = worst.max(progress.aside(|| print(found, path, arguments, context))?);
        Ok(())
    })?;
    Ok(worst)
}

/// Summarises each file in a directory that has a known format, and each member of an archive.
fn summarise_folder(
    folder: &Path,
    arguments: &Arguments,
    progress: &Progress,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    // A tolerated rule need not apply to every file.
    let tolerate = &arguments.tolerate.among(usize::MAX);
    let folders = [folder.to_owned()];
    let mut files = match Files::new(&folders, &arguments.walking, context.limits, progress) {
        Ok(files) => files,
        Err(message) => return context.complain(&message).map(|()| Outcome::Unreadable),
    };
    let (mut worst, mut count, mut others) = (Outcome::Clean, 0, 0);
    for file in files.by_ref() {
        let file = match file {
            Ok(file) => file,
            Err(problem) => {
                progress.aside(|| context.complain(&words(&problem)))?;
                worst = Outcome::Unreadable;
                continue;
            }
        };
        each(&file.path, tolerate, context, &mut |path, opened, context| {
            let found = summarised(path, opened, progress, false, context);
            if arguments.walking.unknown != Unknown::Error && found.as_ref().is_err_and(is_foreign) {
                others += 1;
                return Ok(());
            }
            count += 1;
            worst = worst.max(progress.aside(|| print(found, path, arguments, context))?);
            Ok(())
        })?;
    }
    let passed = files.passed().to_string();
    progress.aside(|| print_sum([count, others], &passed, arguments, context))?;
    match (count, worst) {
        (0, Outcome::Clean) => {
            context.complain(&format!("{}: found no file in a known format", text::path(folder)))?;
            Ok(Outcome::Unreadable)
        }
        _ => Ok(worst),
    }
}

/// What to do with the values at a path.
type Then<'t> = &'t mut dyn FnMut(&Path, std::result::Result<Values, Failure>, &mut Context<'_>) -> io::Result<()>;

/// Opens a file that a walk has found, or each member of an archive, whose directory is read only once.
fn each(path: &Path, tolerate: &Tolerate, context: &mut Context<'_>, then: Then<'_>) -> io::Result<()> {
    context.begin();
    match Opened::open(path, context.limits) {
        Ok(Opened::Archive(archive)) => archive.load_each().try_for_each(|(member, loaded)| {
            let address = archive.address(member);
            let opened = loaded.map_err(Failure::from).and_then(|input| read(&address, input, tolerate, context));
            then(&address, opened, context)
        }),
        Ok(Opened::File(input)) => {
            let opened = read(path, input, tolerate, context);
            then(path, opened, context)
        }
        Err(error) => then(path, Err(error.into()), context),
    }
}

/// Returns whether a file has no known format.
fn is_foreign(failure: &Failure) -> bool {
    matches!(failure, Failure::Error(Error::Invalid(finding)) if finding.rule == &UNKNOWN_FORMAT)
}

/// Prints how many files in a directory were summarised, and what was skipped.
fn print_sum(
    [count, others]: [u64; 2],
    passed: &str,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<()> {
    if arguments.json {
        return context.note_passed(passed);
    }
    let mut words = counted(count, "file");
    if others > 0 && arguments.walking.unknown == Unknown::Count {
        words += &format!("; {} of other formats", grouped(others));
    }
    if !passed.is_empty() {
        words += &format!("; skipped: {passed}");
    }
    writeln!(context.out, "{FAINT}{words}{FAINT:#}")
}
