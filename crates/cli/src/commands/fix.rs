//! `ndbytes fix`

use crate::commands::check::walk::{Files, Found, Unknown, Walking, words};
use crate::commands::out::{leads_out, within_input};
use crate::context::{Context, Outcome};
use crate::report;
use crate::show::json;
use crate::show::style::counted;
use crate::show::text::{self, Shown, is_standard, readable};
use ndbytes::everybyte::Endian;
use ndbytes::repair::{Options, Refusal, Repair, Step, repair};
use ndbytes::walk::Problem;
use ndbytes::{AtomicFile, Checker, Error, FileId, Finding, Input, Report, Result, Severity, Verdict};
use serde::Serialize;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Write repaired copies of broken files into a directory, and report what was changed and what was dropped. The files
/// themselves stay as they are. A file is written only if all of its errors can be repaired. Nothing is invented:
/// values that are lost stay lost.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder for the repaired copies. A file in a folder PATH keeps its place there; a file PATH keeps its name.
    #[arg(long, value_name = "FOLDER", required_unless_present = "dry_run")]
    out: Option<PathBuf>,
    /// Only report what would be done.
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Write files without errors too, as they are, so that the folder has all. Folders of chunks are not copied.
    #[arg(long)]
    all: bool,
    /// Drop what is in a file beyond its last partial item, where that mends it. That may be bytes after the end, a checksum that
    /// proves other bytes, or damaged entries of an archive.
    #[arg(long)]
    drop: bool,
    /// Replace files that are in the folder already.
    #[arg(long)]
    force: bool,
    /// The byte order of the elements of IDX files that seem to have the wrong one. Only such files are changed.
    #[arg(long, value_name = "ORDER", value_enum)]
    byte_order: Option<Order>,
    /// Print a JSON object for each file.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    walking: Walking,
    /// Files and folders.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Order {
    Little,
}

impl Arguments {
    /// The named paths that are in the folder for the copies. What is in other folders no copy replaces.
    fn originals(&self) -> Vec<PathBuf> {
        let Some(folder) = self.out.as_ref().and_then(|out| fs::canonicalize(out).ok()) else { return Vec::new() };
        let paths = self.paths.iter().filter_map(|path| fs::canonicalize(path).ok());
        paths.filter(|path| path.starts_with(&folder)).collect()
    }

    /// The path of a file below the folder: its place in the folder that was named, or its name.
    fn place(&self, path: &Path) -> PathBuf {
        let folders = self.paths.iter().filter_map(|start| path.strip_prefix(start).ok());
        let inside = folders.filter(|rest| !rest.as_os_str().is_empty()).min_by_key(|rest| rest.as_os_str().len());
        inside.map_or_else(|| path.file_name().map_or_else(PathBuf::new, PathBuf::from), Path::to_owned)
    }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    if arguments.paths.iter().any(|path| is_standard(path)) {
        context.complain("standard input is not repaired: a repaired copy has the name of its file")?;
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

/// The end of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum End {
    Sound,
    Mended,
    Broken,
    Foreign,
    Failed,
}

/// A file in JSON. `docs/src/json.md` describes it.
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

#[derive(Serialize)]
struct StepObject {
    rule: &'static str,
    done: String,
    given_up: Option<String>,
}

/// A step that was not taken.
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

#[derive(Default)]
struct Counts {
    sound: u64,
    mended: u64,
    broken: u64,
    other: u64,
    failed: u64,
}

impl Counts {
    fn of(&mut self, end: End) -> &mut u64 {
        match end {
            End::Sound => &mut self.sound,
            End::Mended => &mut self.mended,
            End::Broken => &mut self.broken,
            End::Foreign => &mut self.other,
            End::Failed => &mut self.failed,
        }
    }
}

struct Run<'r> {
    arguments: &'r Arguments,
    /// The files and folders to repair that are in the folder for the copies.
    originals: Vec<PathBuf>,
    /// The files in the folder that were written.
    written: HashSet<PathBuf>,
    counts: Counts,
}

impl Run<'_> {
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

    /// Counts a file that cannot be read or written. Its object says why; standard error says so besides.
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

    fn fix(&mut self, file: &Found, context: &mut Context<'_>) -> Result<io::Result<Outcome>> {
        let (path, limits) = (&file.path, context.limits.started());
        ensure_lasting(path)?;
        let report = Checker::new().limits(limits).check(path)?;
        limits.ensure_time()?;
        if file.is_passed_over(&report, self.arguments.walking.unknown) {
            return Ok(match self.arguments.walking.unknown {
                Unknown::Skip => Ok(Outcome::Clean),
                _ => self.answer(End::Foreign, path, None, &Taken::default(), &report, context),
            });
        }
        let is_sound = report.verdict() < Verdict::Error;
        // The chunks of a sparse frame are files of its folder, so that the frame alone is not the file.
        let is_folder = path.is_dir();
        let options = Options::new().limits(limits).dropping(self.arguments.drop);
        let options = match self.arguments.byte_order {
            Some(Order::Little) => options.byte_order(Endian::Little),
            None => options,
        };
        let input = Input::open(path, limits)?;
        let is_asked = !is_folder && (!is_sound || self.arguments.byte_order.is_some());
        let repair = if is_asked { Some(repair(input.bytes()?, &options)?) } else { None };
        let taken = repair.as_ref().map(Taken::of).unwrap_or_default();
        let (end, target, report) = match &repair {
            Some(repair) if !repair.steps.is_empty() && repair.is_sound() => {
                (End::Mended, self.write(path, repair.bytes())?, &repair.report)
            }
            Some(repair) if !repair.steps.is_empty() => (End::Broken, None, &repair.report),
            _ if !is_sound => (End::Broken, None, &report),
            _ if self.arguments.all && !is_folder => (End::Sound, self.write(path, input.bytes()?)?, &report),
            _ => (End::Sound, None, &report),
        };
        Ok(self.answer(end, path, target.as_deref(), &taken, report, context))
    }

    /// Counts and prints the end of a file.
    fn answer(
        &mut self,
        end: End,
        path: &Path,
        target: Option<&Path>,
        taken: &Taken<'_>,
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
                End::Mended => say_mended(path, target, taken.steps, context)?,
                End::Broken => say_broken(path, taken, report, context)?,
                End::Sound if self.arguments.all && path.is_dir() => {
                    writeln!(context.out, "{}: without errors; folders are not copied", text::path(path))?;
                }
                End::Sound | End::Foreign | End::Failed => {}
            }
        }
        Ok(if end == End::Broken { Outcome::Findings } else { Outcome::Clean })
    }

    /// Writes a file into the folder. Returns its path there, or `None` if nothing is to be written.
    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<Option<PathBuf>> {
        let Some(folder) = self.arguments.out.as_ref().filter(|_| !self.arguments.dry_run) else { return Ok(None) };
        let target = folder.join(self.arguments.place(path));
        let refused = |reason: &str| Error::Io { path: Some(target.clone()), source: io::Error::other(reason) };
        if !self.written.insert(target.clone()) {
            return Err(refused("two files would be written to this place: name one of them apart"));
        }
        if FileId::of(&target).is_ok_and(|taken| FileId::of(path).is_ok_and(|own| own == taken)) {
            return Err(refused("the folder has the file itself here, which stays as it is"));
        }
        if fs::canonicalize(&target).is_ok_and(|taken| self.originals.iter().any(|path| taken.starts_with(path))) {
            return Err(refused("it is one of the files to repair, which stay as they are"));
        }
        if let Some(refusal) = self.arguments.paths.iter().find_map(|path| within_input(&target, path, true)) {
            return Err(refused(&refusal));
        }
        if let Some(refusal) = leads_out(folder, &target) {
            return Err(refused(&refusal));
        }
        if !self.arguments.force && fs::symlink_metadata(&target).is_ok() {
            return Err(refused("it is there already: `--force` replaces it"));
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(|source| Error::Io { path: Some(parent.to_owned()), source })?;
        }
        let mut file = AtomicFile::create(&target)?;
        file.write_all(bytes).map_err(|source| Error::Io { path: Some(target.clone()), source })?;
        file.commit()?;
        Ok(Some(target))
    }

    fn end(self, outcome: Outcome, context: &mut Context<'_>) -> io::Result<Outcome> {
        let Counts { sound, mended, broken, other, failed } = self.counts;
        let all = sound + mended + broken + other + failed;
        if all == 0 {
            context.complain("nothing was repaired: there is no file")?;
            return Ok(Outcome::Unreadable);
        }
        if self.arguments.json {
            return Ok(outcome);
        }
        let parts = [
            (sound, "without errors"),
            (mended, if self.arguments.dry_run { "can be mended" } else { "mended" }),
            (broken, "cannot be mended"),
            (other, "of other formats"),
            (failed, "not read or not written"),
        ];
        let parts: Vec<String> =
            parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        writeln!(context.out, "{}: {}", counted(all, "file"), parts.join(", "))?;
        Ok(outcome)
    }
}

/// The steps of a repair, and the one that was not taken.
#[derive(Default)]
struct Taken<'r> {
    steps: &'r [Step],
    refused: Option<&'r Refusal>,
}

impl<'r> Taken<'r> {
    fn of(repair: &'r Repair<'_>) -> Self {
        Taken { steps: &repair.steps, refused: repair.refused.as_ref() }
    }
}

fn say_steps(steps: &[Step], context: &mut Context<'_>) -> io::Result<()> {
    for step in steps {
        writeln!(context.out, "  {}: {}", step.rule.id, readable(&step.done))?;
        if let Some(given_up) = &step.given_up {
            writeln!(context.out, "    dropped: {}", readable(given_up))?;
        }
    }
    Ok(())
}

fn say_mended(path: &Path, target: Option<&Path>, steps: &[Step], context: &mut Context<'_>) -> io::Result<()> {
    let path = text::path(path);
    match target {
        Some(target) => writeln!(context.out, "{path}: mended as {}", text::path(target))?,
        None => writeln!(context.out, "{path}: can be mended")?,
    }
    say_steps(steps, context)
}

fn say_broken(path: &Path, taken: &Taken<'_>, report: &Report, context: &mut Context<'_>) -> io::Result<()> {
    let can_be = taken.refused.is_some_and(|refused| refused.drops);
    let how = if can_be { "is mended with `--drop` alone" } else { "cannot be mended" };
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

/// Refuses a pipe and a device: each is read once only, and its opening may wait without end.
fn ensure_lasting(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(it) if !it.is_file() && !it.is_dir() => {
            let source = io::Error::other("it is neither a file nor a folder: a repaired copy is made of one of them");
            Err(Error::Io { path: Some(path.to_owned()), source })
        }
        _ => Ok(()),
    }
}
