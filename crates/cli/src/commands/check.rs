//! `ndbytes check`

use crate::commands::report::report;
use crate::context::{Context, DepthArgument, Outcome, Paths, StandardInput, lock};
use crate::show::style::{ERROR, OK, WARNING, counted, grouped};
use crate::show::text::{self, is_standard};
use crate::show::{diagnostic, json};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ndbytes::{Checker, Finding, Part, Profile, Report, Result, Verdict, archive, b2nd};
use rayon::prelude::*;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::{io, mem};
use walkdir::{DirEntry, WalkDir};

/// Files that are checked before their findings are printed.
const BATCH: usize = 4096;

/// Check files against all rules of their format. Folders are walked; the members of a zip archive
/// that have a known format are checked.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// The profile that findings are weighed by.
    #[arg(long, value_enum, default_value_t)]
    profile: ProfileArgument,
    /// The extent of the check of each file.
    #[arg(long, value_enum, default_value_t)]
    depth: DepthArgument,
    /// Fail on warnings too.
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    paths: Paths,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum ProfileArgument {
    /// The specification's.
    #[default]
    Strict,
    /// The reference reader's: what it refuses is an error, what it accepts is at most a warning.
    Reference,
}

impl From<ProfileArgument> for Profile {
    fn from(profile: ProfileArgument) -> Self {
        match profile {
            ProfileArgument::Strict => Profile::Strict,
            ProfileArgument::Reference => Profile::Reference,
        }
    }
}

#[derive(Serialize)]
struct ReportObject {
    path: String,
    format: Option<ndbytes::Format>,
    verdict: Verdict,
    findings: Vec<Finding>,
}

#[derive(Default)]
struct Totals {
    files: u64,
    warned: u64,
    failed: u64,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let checker = Checker::new().profile(arguments.profile.into()).depth(arguments.depth.into()).limits(context.limits);
    let (mut outcome, mut totals) = (Outcome::Clean, Totals::default());
    let progress = progress(mem::replace(&mut context.progress, ProgressDrawTarget::hidden()));
    let input = context.input;
    let mut files = arguments.paths.paths.iter().flat_map(|path| walk(path));
    let check = |file: Result<PathBuf, String>| {
        let file = file.map(|path| (check_one(&checker, &path, input), path));
        progress.inc(1);
        file
    };
    let mut batch: Vec<Result<PathBuf, String>> = files.by_ref().take(BATCH).collect();
    while !batch.is_empty() {
        let mut next = || files.by_ref().take(BATCH).collect();
        let (checked, following): (Vec<_>, _) = match batch.len() {
            // A single file keeps the threads for itself.
            1 => (batch.into_iter().map(check).collect(), next()),
            // While these are checked, the next ones are searched for.
            _ => rayon::join(|| batch.into_par_iter().map(check).collect(), next),
        };
        batch = following;
        for checked in checked {
            let ended = match checked {
                Ok((Ok(report), path)) => {
                    let mut worst = Outcome::Clean;
                    for part in report.parts() {
                        let address = part.member.map_or_else(|| path.clone(), |name| archive::address(&path, name));
                        worst = worst.max(print(&part, &address, arguments, &mut totals, context)?);
                    }
                    worst
                }
                Ok((Err(error), path)) => report(&error, &path, context)?,
                Err(problem) => {
                    context.complain(&problem)?;
                    Outcome::Unreadable
                }
            };
            outcome = outcome.max(ended);
        }
    }
    progress.finish_and_clear();
    if !arguments.json {
        summarise(&totals, context)?;
    }
    Ok(outcome)
}

fn check_one(checker: &Checker, path: &Path, input: &StandardInput<'_>) -> Result<Report> {
    if is_standard(path) { checker.check_reader(&mut *lock(input)) } else { checker.check(path) }
}

/// The files below a path, in order of their names; the folder of a sparse frame is one of them. Links to files are
/// followed, links to folders are not.
fn walk(path: &Path) -> Box<dyn Iterator<Item = Result<PathBuf, String>> + Send + '_> {
    if !path.is_dir() {
        return Box::new(std::iter::once(Ok(path.to_owned())));
    }
    // The paths of one folder differ only in their last part; extracting it for each comparison would take longer.
    let by_name = |one: &DirEntry, other: &DirEntry| one.path().as_os_str().cmp(other.path().as_os_str());
    let mut entries = WalkDir::new(path).sort_by(by_name).into_iter();
    Box::new(std::iter::from_fn(move || {
        loop {
            return Some(match entries.next()? {
                Err(error) => Err(error.to_string()),
                Ok(entry) if entry.file_type().is_dir() => {
                    if !b2nd::is_sparse_frame(entry.path()) {
                        continue;
                    }
                    entries.skip_current_dir();
                    Ok(entry.into_path())
                }
                Ok(entry) if entry.file_type().is_file() || entry.path().is_file() => Ok(entry.into_path()),
                Ok(entry) if entry.path().is_dir() => continue,
                Ok(entry) => Err(format!("{}: neither a file nor a folder", text::path(entry.path()))),
            });
        }
    }))
}

fn print(
    part: &Part<'_>,
    path: &Path,
    arguments: &Arguments,
    totals: &mut Totals,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    totals.files += 1;
    match part.verdict() {
        Verdict::Ok => {}
        Verdict::Warning => totals.warned += 1,
        Verdict::Error => totals.failed += 1,
    }
    if arguments.json {
        let findings = part.findings.iter().map(json::finding).collect();
        let (path, verdict) = (path.display().to_string(), part.verdict());
        let object = ReportObject { path, format: part.format, verdict, findings };
        json::line(context.out.machine(), &object)?;
    } else {
        diagnostic::print_all(part.findings, path, part.format, context.limits, &mut context.out)?;
    }
    let limit = if arguments.deny_warnings { Verdict::Warning } else { Verdict::Error };
    Ok(if part.verdict() >= limit { Outcome::Findings } else { Outcome::Clean })
}

fn summarise(totals: &Totals, context: &mut Context<'_>) -> io::Result<()> {
    let Totals { files, warned, failed } = *totals;
    let mut parts = Vec::new();
    if failed > 0 {
        parts.push(format!("{ERROR}{} with errors{ERROR:#}", grouped(failed)));
    }
    if warned > 0 {
        parts.push(format!("{WARNING}{} with warnings{WARNING:#}", grouped(warned)));
    }
    let fine = files - failed - warned;
    if fine > 0 || parts.is_empty() {
        parts.push(format!("{OK}{} ok{OK:#}", grouped(fine)));
    }
    writeln!(context.out, "{}: {}", counted(files, "file"), parts.join(", "))
}

/// A progress bar, which is shown only if the check takes long.
fn progress(target: ProgressDrawTarget) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {human_pos} files, {per_sec}").expect("the template is valid");
    ProgressBar::with_draw_target(None, target).with_style(style)
}
