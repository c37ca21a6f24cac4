//! `ndbytes check`: checks files against the rules of their formats.
//!
//! The walk finds the files, threads check them, and this module reports the results in the order of the walk. A seal,
//! a contract or a baseline adds or removes findings before they are printed. Tables (Arrow, Parquet) are written by a
//! separate module, `table`.

mod arguments;
mod baseline;
mod sealed;
mod summary;
#[cfg(feature = "convert")]
mod table;
pub mod walk;

pub use arguments::Arguments;

use crate::commands::out::within_input;
use crate::context::{Context, Outcome, StandardInput, lock};
use crate::contract::Demands;
use crate::report;
use crate::show::check::place::Places;
use crate::show::check::totals::Totals;
use crate::show::check::{Checked, Output, Seen};
use crate::show::progress::Progress;
use crate::show::text::is_standard;
use crate::values::folder::is_foreign;
use crate::values::open::Failure;
use crate::values::without_rules;
use arguments::NOTHING;
use baseline::Baseline;
use ndbytes::threads;
use ndbytes::walk::Problem;
use ndbytes::{Checker, Limits, Part, Report, Result, Severity, archive};
use ndbytes_compare::seal::Seal;
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walk::{Files, Found, Unknown, is_named_alike, words};

/// The number of files that are checked before their findings are printed.
const BATCH: usize = 4096;

/// Checks all paths. Usage errors are reported before the first file is opened.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    if let Some(refusal) = arguments.refusal() {
        context.complain(refusal)?;
        return Ok(Outcome::Unreadable);
    }
    if arguments.is_table() {
        return run_table(arguments, context);
    }
    let (baseline, sealed, demands) = match compared_with(arguments, context.limits) {
        Ok(compared_with) => compared_with,
        Err(problem) => {
            context.complain(&problem)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let checker = Checker::new().profile(arguments.profile.into()).depth(arguments.depth.into()).limits(context.limits);
    let progress = &context.progress();
    // The directory of a store without rules is a single source, not a directory of files.
    let (stores, named): (Vec<_>, Vec<_>) = arguments.paths.iter().cloned().partition(|path| is_foreign(path));
    let starts = arguments.starts(&named, context.input);
    let files = starts.and_then(|it| Files::of(it, &arguments.walking, context.limits, sealed.clone(), progress));
    let against = Against { sealed: sealed.as_deref(), demands: &demands };
    let mut files = match files {
        Ok(files) => files,
        Err(problem) => {
            context.complain(&problem)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let (input, limits) = (context.input, context.limits);
    let check = |file: std::result::Result<Found, Problem>| {
        file.map(|file| {
            let _at_hand = progress.begin(&file.path, file.length);
            (check_one(&file.path, &checker, against, (input, limits)), file)
        })
    };
    let mut run = Run {
        output: arguments.output(context.quiet),
        left: arguments.shown(),
        totals: Totals::new(arguments.depth.into()),
        baseline,
        unknown: arguments.walking.unknown,
        against,
        denied: if arguments.deny_warnings { Severity::Warning } else { Severity::Error },
        context,
    };
    let outcome = run.take_stores(stores, progress)?.max(run.take_all(&mut files, check, progress)?);
    run.totals.set_passed(files.passed());
    run.end(outcome, arguments.update_baseline)
}

/// Checks files for a table.
fn run_table(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    #[cfg(feature = "convert")]
    return table::run(arguments, context);
    #[cfg(not(feature = "convert"))]
    {
        let _ = arguments;
        context.complain("the formats arrow and parquet need a build with the feature `convert`")?;
        Ok(Outcome::Unreadable)
    }
}

/// A baseline, a seal, and the contract, if any.
type ComparedWith = (Option<Baseline>, Option<Arc<Seal>>, Demands);

/// Returns the baseline and the seal in the arguments, and the contract.
fn compared_with(arguments: &Arguments, limits: Limits) -> std::result::Result<ComparedWith, String> {
    let baseline = arguments.baseline.as_deref();
    let written = baseline.filter(|_| arguments.update_baseline);
    let refusal = |out| arguments.paths.iter().find_map(|path| within_input(out, path, true));
    written.and_then(refusal).map_or(Ok(()), Err)?;
    let baseline = baseline.map(|path| Baseline::read(path, arguments.update_baseline, limits)).transpose()?;
    let seal = arguments.sealed.as_ref();
    let seal = seal.map(|seal| sealed::open(seal.as_deref(), &arguments.paths, limits)).transpose()?;
    Ok((baseline, seal, Demands::new(arguments.config.contract()?, arguments.depth.into())))
}

/// The seal and the contract that files are compared with.
#[derive(Clone, Copy)]
struct Against<'c> {
    sealed: Option<&'c Seal>,
    demands: &'c Demands,
}

impl Against<'_> {
    /// Returns whether the seal or the contract covers a file, whatever its format.
    fn knows(&self, path: &Path) -> bool {
        let is_sealed = self.sealed.is_some_and(|seal| seal.contains(path));
        is_sealed || self.demands.knows(path)
    }
}

/// Checks one file against its seal and its contract, if there are any.
fn check_one(
    path: &Path,
    checker: &Checker,
    against: Against<'_>,
    (input, limits): (&StandardInput<'_>, Limits),
) -> Result<Report> {
    match is_standard(path) {
        true => checker.check_reader(&mut *lock(input)),
        false => against.demands.check(path, checker, against.sealed, limits),
    }
}

/// Checks files while the walk searches for the next ones.
fn side_by_side<F: Send, C: Send, N: Send>(
    batch: Vec<F>,
    check: impl Fn(F) -> C + Sync + Send,
    next: impl FnOnce() -> N + Send,
) -> (Vec<C>, N) {
    match batch.len() {
        // A single file may use all threads.
        1 => (batch.into_iter().map(check).collect(), next()),
        _ => {
            threads::ready();
            rayon::join(|| batch.into_par_iter().map(check).collect(), next)
        }
    }
}

/// The report on a file, or the reason for its absence.
type Checking = std::result::Result<(Result<Report>, Found), Problem>;

/// A run of the command, which handles checked files.
struct Run<'c, 'a> {
    output: Option<Box<dyn Output>>,
    /// The number of findings that may still be shown.
    left: u64,
    totals: Totals,
    baseline: Option<Baseline>,
    unknown: Unknown,
    against: Against<'c>,
    /// The minimum severity that makes the run fail.
    denied: Severity,
    context: &'c mut Context<'a>,
}

impl Run<'_, '_> {
    /// Checks all files and handles the results in order.
    fn take_all(
        &mut self,
        files: &mut Files<'_>,
        check: impl Fn(std::result::Result<Found, Problem>) -> Checking + Sync + Send,
        progress: &Progress,
    ) -> io::Result<Outcome> {
        let mut outcome = Outcome::Clean;
        let mut batch: Vec<_> = files.by_ref().take(BATCH).collect();
        while !batch.is_empty() {
            let next = || files.by_ref().take(BATCH).collect();
            let (checked, following) = side_by_side(batch, &check, next);
            batch = following;
            outcome = progress.aside(|| {
                checked
                    .into_iter()
                    .try_fold(outcome, |worst, checked| Ok::<_, io::Error>(worst.max(self.take(checked)?)))
            })?;
        }
        Ok(outcome)
    }

    /// Reads the directories of stores without rules.
    fn take_stores(&mut self, stores: Vec<PathBuf>, progress: &Progress) -> io::Result<Outcome> {
        stores.into_iter().try_fold(Outcome::Clean, |worst, path| {
            let file = Found { path, is_named: true, stat: None, length: 0 };
            Ok(worst.max(progress.aside(|| self.foreign(&file))?.unwrap_or_default()))
        })
    }

    /// Handles the result of a check.
    fn take(&mut self, checked: Checking) -> io::Result<Outcome> {
        let (path, reason, ended) = match checked {
            Ok((Ok(report), file)) => return self.report(&report, &file),
            Ok((Err(error), file)) => {
                if let Some(outcome) = self.foreign(&file)? {
                    return Ok(outcome);
                }
                let ended = report::report(&error, &file.path, self.context)?;
                let reason = Failure::Error(error).reason();
                (Some(file.path), reason, ended)
            }
            Err(problem) => {
                self.context.complain(&words(&problem))?;
                (problem.path, problem.reason, Outcome::Unreadable)
            }
        };
        if let Some(output) = &mut self.output {
            output.unreadable(path.as_deref(), &reason, &mut self.context.out)?;
        }
        if path.is_some() {
            self.totals.unreadable += 1;
        }
        Ok(ended)
    }

    /// Reports a checked file. Unknown files are only counted, unless the seal or the contract names them.
    fn report(&mut self, report: &Report, file: &Found) -> io::Result<Outcome> {
        if file.is_passed_over(report, self.unknown) && !self.against.knows(&file.path) {
            if self.unknown == Unknown::Count {
                self.totals.add_other(&file.path, is_named_alike(&file.path));
                if let Some(output) = &mut self.output {
                    output.other(&file.path, &mut self.context.out)?;
                }
            }
            return Ok(Outcome::Clean);
        }
        if report.is_foreign()
            && let Some(outcome) = self.foreign(file)?
        {
            return Ok(outcome);
        }
        if let Some(baseline) = &mut self.baseline {
            baseline.visit(&file.path);
        }
        let mut worst = None;
        for part in report.parts() {
            self.totals.members += u64::from(part.member.is_some());
            worst = worst.max(self.part(&part, &file.path)?);
        }
        self.totals.add_file(worst);
        Ok(if worst >= Some(self.denied) { Outcome::Findings } else { Outcome::Clean })
    }

    /// Reads a named file completely if it is in a format without rules.
    fn foreign(&mut self, file: &Found) -> io::Result<Option<Outcome>> {
        if !file.is_named || self.against.knows(&file.path) {
            return Ok(None);
        }
        let Some(read) = without_rules::read(&file.path, self.totals.reads_payloads(), self.context) else {
            return Ok(None);
        };
        match read {
            Ok(kind) => {
                self.totals.without_rules += 1;
                if let Some(output) = &mut self.output {
                    output.without_rules(&file.path, &kind, &mut self.context.out)?;
                }
                Ok(Some(Outcome::Clean))
            }
            Err(failure) => {
                self.totals.unreadable += 1;
                let reason = failure.reason();
                if let Some(output) = &mut self.output {
                    output.unreadable(Some(&file.path), &reason, &mut self.context.out)?;
                }
                failure.refuse(&file.path, self.context).map(|outcome| Some(outcome.max(Outcome::Findings)))
            }
        }
    }

    /// Shows a part of a report and returns the worst severity of findings outside the baseline.
    fn part(&mut self, part: &Part<'_>, file: &Path) -> io::Result<Option<Severity>> {
        let address = part.member.map_or_else(|| file.to_owned(), |name| archive::address(file, name));
        let places = Places::new(&address, part, self.context.limits);
        let shows_known = self.output.as_ref().is_some_and(|output| output.shows_known());
        let (mut worst, mut shown) = (None, Vec::new());
        for finding in part.findings {
            let is_known =
                self.baseline.as_mut().is_some_and(|it| it.takes(&address, finding.rule.id, &places.key(finding)));
            if is_known {
                self.totals.known += 1;
            } else {
                worst = worst.max(Some(finding.severity));
                self.totals.add(finding, &address);
            }
            if (is_known && !shows_known) || self.left == 0 {
                self.totals.left_out += u64::from(!is_known);
                continue;
            }
            self.left -= 1;
            shown.push(Seen { finding, is_known });
        }
        if let Some(output) = &mut self.output {
            let checked = Checked { file, address: &address, part, findings: &shown, places: &places };
            output.part(&checked, self.context.limits, &mut self.context.out)?;
        }
        Ok(worst)
    }

    /// Ends the output and writes the baseline.
    fn end(mut self, outcome: Outcome, is_updated: bool) -> io::Result<Outcome> {
        let mut outcome = outcome;
        for (path, report) in self.against.sealed.into_iter().flat_map(Seal::missing) {
            outcome = outcome.max(self.report(&report, &Found { path, is_named: true, stat: None, length: 0 })?);
        }
        if let Some(baseline) = self.baseline.take() {
            self.totals.fixed = baseline.fixed().collect();
            if is_updated && let Err(error) = baseline.write() {
                outcome = outcome.max(report::report(&error, baseline.file(), self.context)?);
            }
        }
        if let Some(output) = &mut self.output {
            output.end(&self.totals, &mut self.context.out)?;
            if let Err(error) = summary::write(&**output, &self.totals) {
                self.context.complain(&format!("cannot write the summary of the step: {error}"))?;
                outcome = Outcome::Unreadable;
            }
        }
        if self.output.as_ref().is_some_and(|output| !output.has_sum()) {
            self.context.note_passed(&self.totals.passed_words)?;
        }
        match (self.totals.files + self.totals.without_rules, outcome) {
            (0, Outcome::Clean) => self.context.complain(NOTHING).map(|()| Outcome::Unreadable),
            _ => Ok(outcome),
        }
    }
}
