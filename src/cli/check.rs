//! `ndbytes check`

use super::style::{ERROR, OK, WARNING, counted, grouped};
use super::{Context, DepthArgument, Outcome, Paths, complain, diagnostic, json, report};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ndbytes::{Checked, Checker, Profile, Report, Result, Verdict, b2nd};
use rayon::prelude::*;
use serde::Serialize;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Files that are checked before their findings are printed.
const BATCH: usize = 4096;

/// Check files against all rules of their format. Folders are walked; of a zip archive, the IDV streams are checked.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Whose judgement counts.
    #[arg(long, value_enum, default_value_t)]
    profile: ProfileArgument,
    /// How much of each file is looked at.
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
struct ReportObject<'a> {
    path: String,
    format: Option<ndbytes::Format>,
    verdict: String,
    findings: Vec<json::FindingObject<'a>>,
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
    let progress = progress();
    let mut files = arguments.paths.paths.iter().flat_map(|path| walk(path));
    let check = |file: Result<PathBuf, String>| {
        let file = file.map(|path| (check_one(&checker, &path), path));
        progress.inc(1);
        file
    };
    let mut batch: Vec<Result<PathBuf, String>> = files.by_ref().take(BATCH).collect();
    while !batch.is_empty() {
        let mut next = || files.by_ref().take(BATCH).collect();
        let (checked, following): (Vec<_>, _) = match batch.len() {
            // A single file keeps the threads for itself.
            1 => (batch.into_iter().map(check).collect(), next()),
            // While these are checked, the next ones are looked for.
            _ => rayon::join(|| batch.into_par_iter().map(check).collect(), next),
        };
        batch = following;
        for checked in checked {
            let ended = match checked {
                Ok((Ok(Checked::File(report)), path)) => print(&report, &path, arguments, &mut totals, context)?,
                Ok((Ok(Checked::Archive(streams)), _)) => {
                    let mut worst = Outcome::Clean;
                    for (address, checked) in streams {
                        worst = worst.max(match checked {
                            Ok(report) => print(&report, &address, arguments, &mut totals, context)?,
                            Err(error) => report(&error, &address, context)?,
                        });
                    }
                    worst
                }
                Ok((Err(error), path)) => report(&error, &path, context)?,
                Err(problem) => {
                    complain(&problem);
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

fn check_one(checker: &Checker, path: &Path) -> Result<Checked> {
    if path.as_os_str() == "-" {
        return checker.check_reader(io::stdin().lock()).map(Checked::File);
    }
    checker.check_path(path)
}

/// The files below a path, in order of their names; the folder of a sparse frame is one of them. Links to files are
/// followed, links to folders are not.
fn walk(path: &Path) -> Box<dyn Iterator<Item = Result<PathBuf, String>> + Send + '_> {
    if !path.is_dir() {
        return Box::new(std::iter::once(Ok(path.to_owned())));
    }
    // The paths of one folder differ in their last part only; to single that out for each comparison would take longer.
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
                Ok(entry) => Err(format!("{}: neither a file nor a folder", entry.path().display())),
            });
        }
    }))
}

fn print(
    report: &Report,
    path: &Path,
    arguments: &Arguments,
    totals: &mut Totals,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    totals.files += 1;
    match report.verdict() {
        Verdict::Ok => {}
        Verdict::Warning => totals.warned += 1,
        Verdict::Error => totals.failed += 1,
    }
    if arguments.json {
        let findings = report.findings().iter().map(Into::into).collect();
        let verdict = report.verdict().to_string();
        let object = ReportObject { path: path.display().to_string(), format: report.format, verdict, findings };
        json::line(context.out, &object)?;
    } else {
        diagnostic::print_all(report.findings(), path, report.format, context)?;
    }
    let limit = if arguments.deny_warnings { Verdict::Warning } else { Verdict::Error };
    Ok(if report.verdict() >= limit { Outcome::Findings } else { Outcome::Clean })
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

/// Shown on a terminal only, and only if there is something to wait for.
fn progress() -> ProgressBar {
    let target =
        if io::stderr().is_terminal() { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{spinner} {human_pos} files, {per_sec}").expect("the template is valid");
    ProgressBar::with_draw_target(None, target).with_style(style)
}
