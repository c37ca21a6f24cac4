//! `ndbytes seal`
//!
//! Files are checked before they are sealed, because a seal of a broken file would certify the damage. Files are hashed
//! in parallel, in batches of 512 files or about 1 GiB, and entries are written in name order, as the format requires.
//! So sealing a million files needs no more memory than sealing a thousand.

use crate::commands::check::walk::{Files, Found, Unknown, Walking, words};
use crate::commands::out::within_input;
use crate::context::{Context, DepthArgument, Outcome};
use crate::report;
use crate::show::diagnostic;
use crate::show::style::counted;
use crate::show::text::{self, is_standard};
use crate::values::without_rules;
use ndbytes::threads;
use ndbytes::walk::Problem;
use ndbytes::{AtomicFile, Checker, Error, Input, Limits, Report, Result, Verdict, archive};
use ndbytes_compare::seal::{self, Base, HEAD, Name, is_seal};
use rayon::prelude::*;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The number of files that are hashed in parallel before their entries are written.
const BATCH: usize = 512;
/// The approximate total number of bytes in a batch.
const BATCH_BYTES: u64 = 1 << 30;

/// Why a file or store without rules is not sealed.
const NO_PARTS: &str = "its parts are not known to a seal";

/// Write digests of files, so that `check --sealed` can detect changes.
///
/// The seal contains digests of each file and of its parts, so `check --sealed` can report which part has changed.
/// Directories are searched as `check` searches them. Files with errors are refused.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Write the seal to this file, which must be in a directory that contains every PATH.
    ///
    /// The default is `PATH/ndbytes.seal` for a directory and `PATH.seal` for a file.
    #[arg(long, value_name = "SEAL")]
    out: Option<PathBuf>,
    /// Also seal files with errors.
    #[arg(long)]
    broken: bool,
    /// How much of each file to check before sealing it.
    #[arg(long, value_enum, default_value_t)]
    depth: DepthArgument,
    #[command(flatten)]
    walking: Walking,
    /// Files and directories to seal.
    #[arg(help_heading = None::<&str>, required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Arguments {
    /// Returns the path of the seal.
    fn out(&self) -> Result<PathBuf, String> {
        if self.paths.iter().any(|path| is_standard(path)) {
            return Err("standard input cannot be sealed: a seal states the paths of files".to_owned());
        }
        match (&self.out, &self.paths[..]) {
            (Some(out), _) if is_standard(out) => {
                Err("a seal cannot be written to standard output: name a file".to_owned())
            }
            (Some(out), _) => Ok(out.clone()),
            (None, [path]) => Ok(seal::beside(path)),
            (None, _) => Err("name the seal of several paths: `--out SEAL`".to_owned()),
        }
    }

    /// Returns the paths in name order, which is the order of a seal.
    fn in_order(&self, base: &Base, out: &Path) -> Result<Vec<PathBuf>, String> {
        let mut named: Vec<(Name, &PathBuf)> = Vec::new();
        for path in &self.paths {
            let name = if path.is_dir() { base.name_of_folder(path) } else { base.name(path) };
            let outside = || format!("{} is outside the directory of the seal {}", text::path(path), text::path(out));
            named.push((name.ok_or_else(outside)?, path));
        }
        named.sort_by(|one, other| one.0.cmp(&other.0));
        match named.windows(2).find(|pair| pair[1].0.is_within(&pair[0].0)) {
            Some(pair) => {
                let [outer, inner] = [pair[0].1, pair[1].1].map(|path| text::path(path));
                Err(format!("{inner} would be sealed twice: it is inside {outer}, which is also named"))
            }
            None => Ok(named.into_iter().map(|(_, path)| path.clone()).collect()),
        }
    }
}

/// Seals files. The seal must not be inside an input that it would cover, and files with errors are refused.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let begun = arguments.out().and_then(|out| {
        let base = Base::of(&out).map_err(|error| error.to_string())?;
        let paths = arguments.in_order(&base, &out)?;
        paths.iter().find_map(|path| within_input(&out, path, true)).map_or(Ok(()), Err)?;
        without_rules::store_refusal(&paths, NO_PARTS, context).map_or(Ok(()), Err)?;
        if let Some((path, file)) = paths.iter().find_map(|path| Some((path, archive::file_of(path)?))) {
            return Err(format!("{}: a seal covers complete files: seal {}", text::path(path), text::path(file)));
        }
        ensure_replaceable(&out, context.limits)?;
        let mut file = AtomicFile::create(&out).map_err(|error| error.to_string())?;
        file.write_all(HEAD.as_bytes()).map_err(|error| format!("{}: {error}", text::path(&out)))?;
        Ok((Run { out, base, arguments, limits: context.limits, file, counts: Counts::default() }, paths))
    });
    let ended = match begun {
        Ok((run, paths)) => run.seal(&paths, context)?,
        Err(problem) => Err(problem),
    };
    match ended {
        Ok(outcome) => Ok(outcome),
        Err(problem) => context.complain(&problem).map(|()| Outcome::Unreadable),
    }
}

/// Refuses to replace a file that is not a seal.
fn ensure_replaceable(out: &Path, limits: Limits) -> Result<(), String> {
    // Writing to anything other than a regular file will be refused.
    if !fs::metadata(out).is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    match Input::open(out, limits) {
        Ok(input) if is_seal(input.head()) => Ok(()),
        _ => Err(format!("{} exists and is not a seal, so it is not replaced", text::path(out))),
    }
}

/// The outcome for a file.
enum Done {
    /// It was sealed with these lines.
    Sealed(String),
    /// It was found in a directory, and its format is unknown.
    Other,
    /// It is the seal that is being written.
    Own,
    Broken(Report),
    Failed(Error),
}

/// The totals for the last line.
#[derive(Default)]
struct Counts {
    files: u64,
    parts: u64,
    other: u64,
    broken: u64,
    written: u64,
}

/// A seal that is being written.
struct Run<'r> {
    out: PathBuf,
    base: Base,
    arguments: &'r Arguments,
    limits: Limits,
    file: AtomicFile,
    counts: Counts,
}

impl Run<'_> {
    /// Seals all files, or none.
    fn seal(mut self, paths: &[PathBuf], context: &mut Context<'_>) -> io::Result<Result<Outcome, String>> {
        let progress = &context.progress();
        let mut files = match Files::new(paths, &self.arguments.walking, self.limits, progress) {
            Ok(files) => files,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut outcome = Outcome::Clean;
        let mut batch = next(&mut files);
        while !batch.is_empty() {
            let this = &self;
            let seal = |file: Result<Found, Problem>| {
                file.map(|file| {
                    let _at_hand = progress.begin(&file.path, file.length);
                    (this.seal_one(&file), file)
                })
            };
            // The walk searches for the next files while these are being sealed.
            threads::ready();
            let (done, following): (Vec<_>, _) =
                rayon::join(|| batch.into_par_iter().map(seal).collect(), || next(&mut files));
            batch = following;
            for done in done {
                let ended = progress.aside(|| self.take(done, context))?;
                match ended {
                    Ok(ended) => outcome = outcome.max(ended),
                    Err(problem) => return Ok(Err(problem)),
                }
            }
        }
        let passed = files.passed().to_string();
        drop(files);
        self.end(outcome, &passed, context)
    }

    /// Computes the entry of a file. The seal itself is skipped if the walk finds it.
    fn seal_one(&self, file: &Found) -> Done {
        let Some(name) = self.base.name(&file.path) else {
            let reason = io::Error::other("a seal cannot state this path");
            return Done::Failed(Error::Io { path: Some(file.path.clone()), source: reason });
        };
        if self.base.name(&self.out).as_ref() == Some(&name) {
            return Done::Other;
        }
        if self.base.name(self.file.unfinished()).as_ref() == Some(&name) {
            return Done::Own;
        }
        let checker = Checker::new().depth(self.arguments.depth.into()).limits(self.limits);
        let report = match checker.check(&file.path) {
            Ok(report) => report,
            Err(error) => return Done::Failed(error),
        };
        if file.is_passed_over(&report, self.arguments.walking.unknown) {
            return Done::Other;
        }
        if report.verdict() == Verdict::Error && !self.arguments.broken {
            return Done::Broken(report);
        }
        seal::describe(&file.path, &name, &self.limits).map_or_else(Done::Failed, Done::Sealed)
    }

    /// Writes the entry of a file, or reports why there is none.
    fn take(
        &mut self,
        done: Result<(Done, Found), Problem>,
        context: &mut Context<'_>,
    ) -> io::Result<Result<Outcome, String>> {
        let ended = match done {
            Err(problem) => {
                context.complain(&words(&problem))?;
                Outcome::Unreadable
            }
            Ok((Done::Failed(error), file)) => report::refuse(&error, &file.path, context)?,
            Ok((Done::Own, _)) => Outcome::Clean,
            Ok((Done::Other, _)) => {
                self.counts.other += u64::from(self.arguments.walking.unknown != Unknown::Skip);
                Outcome::Clean
            }
            Ok((Done::Broken(report), file)) => {
                self.counts.broken += 1;
                let refusal = || without_rules::refusal(&file.path, NO_PARTS, context);
                if let Some(failure) = report.is_foreign().then(refusal).flatten() {
                    return Ok(Ok(failure.refuse(&file.path, context)?));
                }
                for part in report.parts() {
                    let address = part.member.map_or_else(|| file.path.clone(), |it| archive::address(&file.path, it));
                    diagnostic::print_all(part.findings, &address, part.format, context.limits, &mut context.out)?;
                }
                Outcome::Findings
            }
            Ok((Done::Sealed(lines), _)) => return Ok(self.write(&lines).map(|()| Outcome::Clean)),
        };
        Ok(Ok(ended))
    }

    /// Writes lines of the seal, within the limit on output.
    fn write(&mut self, lines: &str) -> Result<(), String> {
        let Counts { files, parts, written, .. } = &mut self.counts;
        *written += lines.len() as u64;
        if *written > self.limits.output {
            return Err(format!("the seal takes more than {} bytes: `--max-output` allows more", self.limits.output));
        }
        let of_parts = lines.lines().filter(|line| line.starts_with(' ')).count();
        *parts += of_parts as u64;
        *files += (lines.lines().count() - of_parts) as u64;
        self.file.write_all(lines.as_bytes()).map_err(|error| format!("{}: {error}", text::path(&self.out)))
    }

    /// Renames the seal to its final name, if there were no errors.
    fn end(self, outcome: Outcome, passed: &str, context: &mut Context<'_>) -> io::Result<Result<Outcome, String>> {
        let Counts { files, parts, other, broken, .. } = self.counts;
        let out = text::path(&self.out);
        if outcome != Outcome::Clean {
            let why = match broken {
                0 => "not every file could be read".to_owned(),
                broken => format!("{} with errors; `--broken` seals them anyway", counted(broken, "file")),
            };
            context.complain(&format!("{out} is not written: {why}"))?;
            return Ok(Ok(outcome));
        }
        if files == 0 {
            return Ok(Err(format!("{out} is not written: found no file in a known format")));
        }
        if let Err(error) = self.file.commit() {
            return Ok(Err(error.to_string()));
        }
        let besides = match other {
            0 => String::new(),
            other => format!("; {} of other formats not sealed", counted(other, "file")),
        };
        let passed = if passed.is_empty() { String::new() } else { format!("; skipped: {passed}") };
        writeln!(context.out, "{out}: {} in {}{besides}{passed}", counted(files, "file"), counted(parts, "part"))?;
        Ok(Ok(Outcome::Clean))
    }
}

/// Returns the next files to hash in parallel.
fn next(files: &mut Files<'_>) -> Vec<Result<Found, Problem>> {
    let mut batch = Vec::new();
    let mut bytes = 0_u64;
    while batch.len() < BATCH && bytes < BATCH_BYTES {
        let Some(file) = files.next() else { break };
        let length = file.as_ref().ok().and_then(|file| fs::metadata(&file.path).ok());
        bytes = bytes.saturating_add(length.map_or(0, |found| found.len()));
        batch.push(file);
    }
    batch
}
