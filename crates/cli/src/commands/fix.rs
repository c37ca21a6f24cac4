//! `ndbytes fix`
//!
//! Originals are never changed, and never overwritten by a copy, even if the output directory contains the input or is
//! reached through a link. Each copy is written atomically. A file whose errors cannot all be repaired gets no copy,
//! because a half-repaired file looks like a good one.

use crate::commands::check::walk::{Files, Found, Unknown, Walking, words};
use crate::commands::out::{leads_out, within_input};
use crate::context::{Context, Outcome};
use crate::report;
use crate::show::json;
use crate::show::style::counted;
use crate::show::text::{self, Shown, is_standard, readable};
use crate::values::without_rules;
use ndbytes::everybyte::Endian;
use ndbytes::repair::{Options, Refusal, Repair, Step, repair};
use ndbytes::walk::Problem;
use ndbytes::{AtomicFile, Checker, Error, FileId, Finding, Input, Report, Result, Severity, Verdict};
use serde::Serialize;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Why a file or store without rules is not repaired.
const NO_RULES: &str = "ndbytes has no rules to repair it by";

/// Write repaired copies of broken files.
///
/// The report lists what was changed and what was dropped. The originals are never changed. A file is copied only if
/// all of its errors can be repaired. Lost values are never invented.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Write the copies to this directory. Files keep their names and, if PATH is a directory, their relative paths below it.
    #[arg(long, value_name = "DIRECTORY", required_unless_present = "dry_run")]
    out: Option<PathBuf>,
    /// Report what would be done, without writing anything.
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Also copy files without errors, unchanged. Sparse b2nd directories are not copied.
    #[arg(long)]
    all: bool,
    /// Also drop data if that repairs the file: trailing bytes, a checksum that does not match, or damaged archive
    /// entries.
    #[arg(long)]
    drop: bool,
    /// Replace existing files in the output directory.
    #[arg(long)]
    force: bool,
    /// Convert IDX elements that seem to be in this byte order to big-endian. Other files keep their byte order.
    #[arg(long, value_name = "ORDER", value_enum)]
    byte_order: Option<Order>,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    walking: Walking,
    /// Files and directories to repair.
    #[arg(help_heading = None::<&str>, required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// The byte order that `--byte-order` accepts. IDX is big-endian by definition, so only the other order can be
/// repaired.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Order {
    Little,
}

impl Arguments {
    /// Returns the input paths that are inside the output directory. A copy cannot replace a file in any other
    /// directory.
    fn originals(&self) -> Vec<PathBuf> {
        let Some(folder) = self.out.as_ref().and_then(|out| fs::canonicalize(out).ok()) else { return Vec::new() };
        let paths = self.paths.iter().filter_map(|path| fs::canonicalize(path).ok());
        paths.filter(|path| path.starts_with(&folder)).collect()
    }

    /// Returns the path of a file in the output directory: its path relative to the input directory, or its name.
    fn place(&self, path: &Path) -> PathBuf {
        let folders = self.paths.iter().filter_map(|start| path.strip_prefix(start).ok());
        let inside = folders.filter(|rest| !rest.as_os_str().is_empty()).min_by_key(|rest| rest.as_os_str().len());
        inside.map_or_else(|| path.file_name().map_or_else(PathBuf::new, PathBuf::from), Path::to_owned)
    }
}

/// Repairs all files at the paths. A file that cannot be repaired does not affect the others.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    if arguments.paths.iter().any(|path| is_standard(path)) {
        context.complain("standard input cannot be repaired: the copy needs a name")?;
        return Ok(Outcome::Unreadable);
    }
    if let Some(refusal) = without_rules::store_refusal(&arguments.paths, NO_RULES, context) {
        context.complain(&refusal)?;
        return Ok(Outcome::Unreadable);
    }
    let progress = &context.progress();
    let mut files = match Files::new(&arguments.paths, &arguments.walking, context.limits, progress) {
        Ok(files) => files,
        Err(problem) => {
            context.complain(&problem)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let mut run =
        Run { arguments, originals: arguments.originals(), written: HashSet::new(), counts: Counts::default() };
    let mut outcome = Outcome::Clean;
    for file in files.by_ref() {
        let _at_hand = file.as_ref().ok().map(|file| progress.begin(&file.path, file.length));
        outcome = outcome.max(progress.aside(|| run.take(file, context))?);
    }
    context.note_passed(&files.passed().to_string())?;
    drop(files);
    run.end(outcome, context)
}

/// The outcome for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum End {
    #[serde(rename = "ok")]
    Sound,
    Repaired,
    Broken,
    Foreign,
    Failed,
}

/// The JSON object for a file. `docs/src/json.md` describes it.
#[derive(Serialize)]
struct Object {
    path: String,
    outcome: End,
    target: Option<String>,
    steps: Vec<StepObject>,
    refused: Option<RefusalObject>,
    findings: Vec<Finding>,
    error: Option<String>,
}

/// The JSON object for a step of a repair.
#[derive(Serialize)]
struct StepObject {
    rule: &'static str,
    done: String,
    given_up: Option<String>,
}

/// A step that was refused.
#[derive(Serialize)]
struct RefusalObject {
    rule: &'static str,
    reason: String,
    drops: bool,
}

impl From<&Refusal> for RefusalObject {
    fn from(refusal: &Refusal) -> Self {
        RefusalObject { rule: refusal.rule.id, reason: refusal.reason.clone(), drops: refusal.drops }
    }
}

impl From<&Step> for StepObject {
    fn from(step: &Step) -> Self {
        StepObject { rule: step.rule.id, done: step.done.clone(), given_up: step.given_up.clone() }
    }
}

/// The number of files by outcome, for the summary line.
#[derive(Default)]
struct Counts {
    sound: u64,
    repaired: u64,
    broken: u64,
    other: u64,
    failed: u64,
}

impl Counts {
    /// Returns the counter for an outcome.
    fn of(&mut self, end: End) -> &mut u64 {
        match end {
            End::Sound => &mut self.sound,
            End::Repaired => &mut self.repaired,
            End::Broken => &mut self.broken,
            End::Foreign => &mut self.other,
            End::Failed => &mut self.failed,
        }
    }
}

/// A run over all files.
struct Run<'r> {
    arguments: &'r Arguments,
    /// The input files and directories that are inside the output directory.
    originals: Vec<PathBuf>,
    /// The files that were written to the directory.
    written: HashSet<PathBuf>,
    counts: Counts,
}

impl Run<'_> {
    /// Repairs a file that the walk found, or reports why this is impossible.
    fn take(&mut self, file: Result<Found, Problem>, context: &mut Context<'_>) -> io::Result<Outcome> {
        let file = match file {
            Ok(file) => file,
            Err(problem) => {
                let (path, sentence) = (problem.path.clone().unwrap_or_default(), words(&problem));
                self.fail(&path, sentence.clone(), &[], context)?;
                context.complain(&sentence)?;
                return Ok(Outcome::Unreadable);
            }
        };
        let ended = self.fix(&file, context);
        match ended {
            Ok(outcome) => outcome,
            Err(error) => {
                let finding = error.finding().map(std::slice::from_ref).unwrap_or_default();
                self.fail(&file.path, report::sentence(&error, &file.path), finding, context)?;
                report::refuse(&error, &file.path, context)
            }
        }
    }

    /// Counts a file that cannot be read or written. Its JSON object contains the reason, which is also reported on
    /// standard error.
    fn fail(
        &mut self,
        path: &Path,
        sentence: String,
        findings: &[ndbytes::Finding],
        context: &mut Context<'_>,
    ) -> io::Result<()> {
        *self.counts.of(End::Failed) += 1;
        if !self.arguments.json {
            return Ok(());
        }
        let object = Object {
            path: path.display().to_string(),
            outcome: End::Failed,
            target: None,
            steps: Vec::new(),
            refused: None,
            findings: findings.iter().map(json::finding).collect(),
            error: Some(sentence),
        };
        json::line(context.out.machine(), &object)
    }

    /// Checks a file, plans its repair, and writes the copy if no error is left. The outer error is about reading the
    /// file or writing its copy; the inner one is about the output.
    fn fix(&mut self, file: &Found, context: &mut Context<'_>) -> Result<io::Result<Outcome>> {
        let (path, limits) = (&file.path, context.limits.started());
        ensure_lasting(path)?;
        let report = Checker::new().limits(limits).check(path)?;
        limits.ensure_time()?;
        if file.is_passed_over(&report, self.arguments.walking.unknown) {
            return Ok(match self.arguments.walking.unknown {
                Unknown::Skip => Ok(Outcome::Clean),
                _ => self.answer(End::Foreign, path, None, &TakenSteps::default(), &report, context),
            });
        }
        let is_sound = report.verdict() < Verdict::Error;
        // The chunks of a sparse frame are files in its directory, so a copy of the frame file would be incomplete.
        let is_folder = path.is_dir();
        let options = Options::new().limits(limits).dropping(self.arguments.drop);
        let options = match self.arguments.byte_order {
            Some(Order::Little) => options.byte_order(Endian::Little),
            None => options,
        };
        let input = Input::open(path, limits)?;
        let is_asked = !is_folder && (!is_sound || self.arguments.byte_order.is_some());
        let repair = if is_asked { Some(repair(input.bytes()?, &options)?) } else { None };
        let taken = repair.as_ref().map(TakenSteps::of).unwrap_or_default();
        if report.is_foreign()
            && taken.steps.is_empty()
            && let Some(failure) = without_rules::refusal(path, NO_RULES, context)
        {
            return Ok(self.fail(path, failure.reason(), &[], context).and_then(|()| failure.refuse(path, context)));
        }
        let (end, target, report) = match &repair {
            Some(repair) if !repair.steps.is_empty() && repair.is_sound() => {
                (End::Repaired, self.write(path, repair.bytes())?, &repair.report)
            }
            Some(repair) if !repair.steps.is_empty() => (End::Broken, None, &repair.report),
            _ if !is_sound => (End::Broken, None, &report),
            _ if self.arguments.all && !is_folder => (End::Sound, self.write(path, input.bytes()?)?, &report),
            _ => (End::Sound, None, &report),
        };
        Ok(self.answer(end, path, target.as_deref(), &taken, report, context))
    }

    /// Counts and prints the outcome for a file.
    fn answer(
        &mut self,
        end: End,
        path: &Path,
        target: Option<&Path>,
        taken: &TakenSteps<'_>,
        report: &Report,
        context: &mut Context<'_>,
    ) -> io::Result<Outcome> {
        *self.counts.of(end) += 1;
        if self.arguments.json {
            let object = Object {
                path: path.display().to_string(),
                outcome: end,
                target: target.map(|target| target.display().to_string()),
                steps: taken.steps.iter().map(StepObject::from).collect(),
                refused: taken.refused.map(RefusalObject::from),
                findings: if end == End::Foreign {
                    Vec::new()
                } else {
                    report.findings().iter().map(json::finding).collect()
                },
                error: None,
            };
            json::line(context.out.machine(), &object)?;
        } else {
            match end {
                End::Repaired => say_repaired(path, target, taken.steps, context)?,
                End::Broken => say_broken(path, taken, report, context)?,
                End::Sound if self.arguments.all && path.is_dir() => {
                    writeln!(context.out, "{}: without errors; folders are not copied", text::path(path))?;
                }
                End::Sound | End::Foreign | End::Failed => {}
            }
        }
        Ok(if end == End::Broken { Outcome::Findings } else { Outcome::Clean })
    }

    /// Writes a file into the directory. Returns its path there, or `None` if there is nothing to write.
    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<Option<PathBuf>> {
        let Some(folder) = self.arguments.out.as_ref().filter(|_| !self.arguments.dry_run) else { return Ok(None) };
        let target = folder.join(self.arguments.place(path));
        let refused = |reason: &str| Error::Io { path: Some(target.clone()), source: io::Error::other(reason) };
        if !self.written.insert(target.clone()) {
            return Err(refused("two files would be written to this path: repair one of them separately"));
        }
        if FileId::of(&target).is_ok_and(|taken| FileId::of(path).is_ok_and(|own| own == taken)) {
            return Err(refused("the copy would replace the file itself"));
        }
        if fs::canonicalize(&target).is_ok_and(|taken| self.originals.iter().any(|path| taken.starts_with(path))) {
            return Err(refused("the copy would replace one of the files to repair"));
        }
        if let Some(refusal) = self.arguments.paths.iter().find_map(|path| within_input(&target, path, true)) {
            return Err(refused(&refusal));
        }
        if let Some(refusal) = leads_out(folder, &target) {
            return Err(refused(&refusal));
        }
        if !self.arguments.force && fs::symlink_metadata(&target).is_ok() {
            return Err(refused("it exists already: `--force` replaces it"));
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(|source| Error::Io { path: Some(parent.to_owned()), source })?;
        }
        let mut file = AtomicFile::create(&target)?;
        file.write_all(bytes).map_err(|source| Error::Io { path: Some(target.clone()), source })?;
        file.commit()?;
        Ok(Some(target))
    }

    /// Prints the totals. A run without any files is an error, since the path is probably wrong.
    fn end(self, outcome: Outcome, context: &mut Context<'_>) -> io::Result<Outcome> {
        let Counts { sound, repaired, broken, other, failed } = self.counts;
        let all = sound + repaired + broken + other + failed;
        if all == 0 {
            context.complain("nothing was repaired: no file was found")?;
            return Ok(Outcome::Unreadable);
        }
        if self.arguments.json {
            return Ok(outcome);
        }
        let parts = [
            (sound, "without errors"),
            (repaired, if self.arguments.dry_run { "can be repaired" } else { "repaired" }),
            (broken, "cannot be repaired"),
            (other, "of other formats"),
            (failed, "not read or not written"),
        ];
        let parts: Vec<String> =
            parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        writeln!(context.out, "{}: {}", counted(all, "file"), parts.join(", "))?;
        Ok(outcome)
    }
}

/// The possible steps of a repair, and the step that was refused.
#[derive(Default)]
struct TakenSteps<'r> {
    steps: &'r [Step],
    refused: Option<&'r Refusal>,
}

impl<'r> TakenSteps<'r> {
    /// Returns the steps of a planned repair.
    fn of(repair: &'r Repair<'_>) -> Self {
        TakenSteps { steps: &repair.steps, refused: repair.refused.as_ref() }
    }
}

/// Prints the steps, and what each of them drops.
fn say_steps(steps: &[Step], context: &mut Context<'_>) -> io::Result<()> {
    for step in steps {
        writeln!(context.out, "  {}: {}", step.rule.id, readable(&step.done))?;
        if let Some(given_up) = &step.given_up {
            writeln!(context.out, "    dropped: {}", readable(given_up))?;
        }
    }
    Ok(())
}

/// Prints that a file was repaired or, with `--dry-run`, that it can be.
fn say_repaired(path: &Path, target: Option<&Path>, steps: &[Step], context: &mut Context<'_>) -> io::Result<()> {
    let path = text::path(path);
    match target {
        Some(target) => writeln!(context.out, "{path}: repaired as {}", text::path(target))?,
        None => writeln!(context.out, "{path}: can be repaired")?,
    }
    say_steps(steps, context)
}

/// Prints why a file was not repaired: the possible steps, the refused step, and the remaining errors.
fn say_broken(path: &Path, taken: &TakenSteps<'_>, report: &Report, context: &mut Context<'_>) -> io::Result<()> {
    let can_be = taken.refused.is_some_and(|refused| refused.drops);
    let how = if can_be { "can be repaired only with `--drop`" } else { "cannot be repaired" };
    writeln!(context.out, "{}: {how}", text::path(path))?;
    say_steps(taken.steps, context)?;
    if let Some(refused) = taken.refused {
        writeln!(context.out, "  refused: {}: {}", refused.rule.id, readable(&refused.reason))?;
    }
    for finding in report.findings().iter().filter(|finding| finding.severity == Severity::Error) {
        writeln!(context.out, "  {}", Shown(&finding.to_string()))?;
        if let Some(help) = &finding.help {
            writeln!(context.out, "    help: {}", Shown(help))?;
        }
    }
    Ok(())
}

/// Refuses pipes and devices, which can be read only once, and which may block forever when opened.
fn ensure_lasting(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(it) if !it.is_file() && !it.is_dir() => {
            let source = io::Error::other("it is neither a file nor a directory");
            Err(Error::Io { path: Some(path.to_owned()), source })
        }
        _ => Ok(()),
    }
}
