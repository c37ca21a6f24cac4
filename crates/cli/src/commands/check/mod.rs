//! `ndbytes check`

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
use arguments::NOTHING;
use baseline::Baseline;
use ndbytes::threads;
use ndbytes::walk::Problem;
use ndbytes::{Checker, Error, Limits, Part, Report, Result, Severity, archive};
use ndbytes_compare::seal::Seal;
use rayon::prelude::*;
use std::io;
use std::path::Path;
use std::sync::Arc;
use walk::{Files, Found, Unknown, is_named_alike, words};

/// Files that are checked before their findings are printed.
const BATCH: usize = 4096;

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
    let starts = arguments.starts(context.input);
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
    let outcome = run.take_all(&mut files, check, progress)?;
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
        context.complain(
            "the formats arrow and parquet are not in this build, which does not have the feature `convert`",
        )?;
        Ok(Outcome::Unreadable)
    }
}

/// The baseline, the seal and what files are judged by.
type ComparedWith = (Option<Baseline>, Option<Arc<Seal>>, Demands);

/// The baseline and the seal that the arguments name, and the contract.
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
    /// Returns whether the seal or the contract is about a file, whatever its format is.
    fn knows(&self, path: &Path) -> bool {
        let is_sealed = self.sealed.is_some_and(|seal| seal.contains(path));
        is_sealed || self.demands.knows(path)
    }
}

/// Checks one file, with its seal and its contract if there are any.
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

/// Checks files, while the next ones are searched for.
fn side_by_side<F: Send, C: Send, N: Send>(
    batch: Vec<F>,
    check: impl Fn(F) -> C + Sync + Send,
    next: impl FnOnce() -> N + Send,
) -> (Vec<C>, N) {
    match batch.len() {
        // A single file keeps the threads for itself.
        1 => (batch.into_iter().map(check).collect(), next()),
        _ => {
            threads::ready();
            rayon::join(|| batch.into_par_iter().map(check).collect(), next)
        }
    }
}

/// The report of a file that was found, or the reason why there is none.
type Checking = std::result::Result<(Result<Report>, Found), Problem>;

/// A run of the command: what becomes of the files that were checked.
struct Run<'c, 'a> {
    output: Option<Box<dyn Output>>,
    /// The number of findings that may still be shown.
    left: u64,
    totals: Totals,
    baseline: Option<Baseline>,
    unknown: Unknown,
    against: Against<'c>,
    /// The least severity that makes the run fail.
    denied: Severity,
    context: &'c mut Context<'a>,
}

impl Run<'_, '_> {
    /// Checks all files, and takes the results in their order.
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

    /// Takes the result of a check.
    fn take(&mut self, checked: Checking) -> io::Result<Outcome> {
        let (path, reason, ended) = match checked {
            Ok((Ok(report), file)) => return self.report(&report, &file),
            Ok((Err(error), file)) => {
                let reason = match &error {
                    Error::Io { source, .. } => source.to_string(),
                    error => error.to_string(),
                };
                let ended = report::report(&error, &file.path, self.context)?;
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

    /// Shows a part of a report, and returns the worst severity of the findings that are not in the baseline.
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

    /// Ends the output, and writes the baseline.
    fn end(mut self, outcome: Outcome, is_updated: bool) -> io::Result<Outcome> {
        let mut outcome = outcome;
        for (path, report) in self.against.sealed.into_iter().flat_map(Seal::missing) {
            outcome = outcome.max(self.report(&report, &Found { path, is_named: true, length: 0 })?);
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
        match (self.totals.files, outcome) {
            (0, Outcome::Clean) => self.context.complain(NOTHING).map(|()| Outcome::Unreadable),
            _ => Ok(outcome),
        }
    }
}
