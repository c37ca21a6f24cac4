//! `ndbytes check`

mod baseline;
mod list;
mod sealed;
mod summary;
#[cfg(feature = "convert")]
mod table;
pub mod walk;

use crate::commands::report;
use crate::context::{Context, DepthArgument, Outcome, StandardInput, lock};
use crate::show::check::github::Github;
use crate::show::check::json::Json;
use crate::show::check::junit::Junit;
use crate::show::check::place::Places;
use crate::show::check::sarif::Sarif;
use crate::show::check::text::Text;
use crate::show::check::totals::Totals;
use crate::show::check::{Checked, Output, Seen};
use crate::show::text::is_standard;
use baseline::Baseline;
use ndbytes::threads;
use ndbytes::walk::{Problem, Start, Starts};
use ndbytes::{Checker, Error, Part, Profile, Report, Result, Severity, archive};
use ndbytes_compare::seal::Seal;
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use walk::{Files, Found, Unknown, Walking, is_named_alike, words};

/// The error of a run that has met no file of a known format.
const NOTHING: &str = "nothing was checked: no file of a known format was found";

/// Files that are checked before their findings are printed.
const BATCH: usize = 4096;

/// Check files against all rules of their format. Of a folder, all files are checked but those in .git. The members of a zip
/// archive that have a known format are checked. If nothing was checked, the exit status is 2.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    format: FormatArgument,
    /// Print one JSON object a line: short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Print the number of findings of each rule instead of the findings.
    #[arg(long)]
    summary: bool,
    /// The most findings that are shown. All are counted.
    #[arg(long, value_name = "N")]
    max_findings: Option<u64>,
    /// A file of known findings, which are passed over. Those that are gone are listed as fixed.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the findings to the baseline, in place of those that it has of the same files.
    #[arg(long, requires = "baseline")]
    update_baseline: bool,
    /// Compare each file with its seal, which `ndbytes seal` wrote: FILE, or the one that PATH has if no other is named. In a
    /// folder, each file that the seal lists is compared, whatever lies beside it; new files are told.
    #[arg(long, value_name = "FILE", require_equals = true)]
    sealed: Option<Option<PathBuf>>,
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
    tables: Tables,
    #[command(flatten)]
    walking: Walking,
    /// A file with the paths to check, a line each; `-` is standard input. It may have any length. Its files may be of any
    /// format, as those in folders.
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,
    /// The paths in the list end with a zero byte, as `find -print0` writes them.
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
    /// Files; `-` is standard input.
    #[arg(required_unless_present = "files_from", value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// The options of the formats arrow and parquet.
#[derive(Debug, clap::Args)]
#[cfg_attr(not(feature = "convert"), allow(dead_code, reason = "they are refused by name"))]
struct Tables {
    /// The table that the formats arrow and parquet hold.
    #[arg(long, value_enum, default_value_t)]
    table: TableArgument,
    /// The file of the formats arrow and parquet. It appears when it is whole.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A table `files` of an earlier run. Files that did not change since are not checked again: their rows are taken over.
    /// May be repeated.
    #[arg(long, value_name = "PREVIOUS")]
    since: Vec<PathBuf>,
    /// Add the digest of each file to the table `files`. With `--since`, it decides, not the time of change.
    #[arg(long)]
    digest: bool,
    /// Replace a file of a format that ndbytes knows, or print to a terminal.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum TableArgument {
    /// A row for each finding.
    #[default]
    Findings,
    /// A row for each file, with its findings and columns in lists.
    Files,
    /// A row for each column of each IDV table.
    Columns,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum FormatArgument {
    /// For people.
    #[default]
    Text,
    /// One object a line.
    Json,
    /// SARIF 2.1.0, for services that show findings in code.
    Sarif,
    /// Annotations of GitHub's workflows; a table goes to $GITHUB_STEP_SUMMARY.
    Github,
    /// The XML of JUnit, a test for each file.
    Junit,
    /// A table as a stream of Arrow.
    Arrow,
    /// A table as a Parquet file, which `--out` names.
    Parquet,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum ProfileArgument {
    /// The specification's.
    #[default]
    Strict,
    /// The reference reader's: what it refuses is an error, what it accepts is at most a warning. Where nobody can foresee
    /// its reaction, there is no verdict.
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

impl Arguments {
    fn format(&self) -> FormatArgument {
        if self.json { FormatArgument::Json } else { self.format }
    }

    /// Returns whether the output is a table.
    fn is_table(&self) -> bool {
        matches!(self.format(), FormatArgument::Arrow | FormatArgument::Parquet)
    }

    /// The reason why the options do not go together, if they do not.
    fn refusal(&self) -> Option<&'static str> {
        let Tables { table, out, since, digest, force } = &self.tables;
        let is_of_tables =
            *table != TableArgument::default() || out.is_some() || !since.is_empty() || *digest || *force;
        if self.summary && !matches!(self.format(), FormatArgument::Text | FormatArgument::Json) {
            return Some("`--summary` is for the formats text and json");
        }
        if self.is_table() && (self.baseline.is_some() || self.max_findings.is_some() || self.sealed.is_some()) {
            return Some("`--baseline`, `--sealed` and `--max-findings` are not for the formats arrow and parquet");
        }
        if self.sealed == Some(None) && (self.paths.len() != 1 || self.files_from.is_some()) {
            return Some("the seal of several paths has to be named: `--sealed=FILE`");
        }
        if !self.is_table() && is_of_tables {
            return Some(
                "`--table`, `--out`, `--since`, `--digest` and `--force` are for the formats arrow and parquet",
            );
        }
        let is_twice =
            self.files_from.as_deref().is_some_and(is_standard) && self.paths.iter().any(|it| is_standard(it));
        is_twice.then_some("standard input cannot be both the list and a file of it")
    }

    /// The paths that are named, and those in the list.
    fn starts<'a>(&'a self, input: &'a StandardInput<'a>) -> std::result::Result<Starts<'a>, String> {
        let paths = self.paths.iter().map(|path| Ok(Start::named(path)));
        Ok(match &self.files_from {
            Some(list) => Box::new(paths.chain(list::read(list, self.null, input)?)),
            None => Box::new(paths),
        })
    }

    /// The output, or `None` if nothing is printed.
    fn output(&self, quiet: bool) -> Option<Box<dyn Output>> {
        let has_baseline = self.baseline.is_some();
        match self.format() {
            _ if quiet => None,
            FormatArgument::Text => Some(Box::new(Text::new(self.summary))),
            FormatArgument::Json => Some(Box::new(Json::new(self.summary, has_baseline))),
            FormatArgument::Sarif => Some(Box::new(Sarif::new(has_baseline))),
            FormatArgument::Github => Some(Box::new(Github::new(self.max_findings))),
            FormatArgument::Junit => Some(Box::<Junit>::default()),
            FormatArgument::Arrow | FormatArgument::Parquet => None,
        }
    }

    /// The number of findings that are passed on to the output.
    fn shown(&self) -> u64 {
        match self.format() {
            _ if self.summary => 0,
            // It shows the worst ones, wherever they come.
            FormatArgument::Github => u64::MAX,
            _ => self.max_findings.unwrap_or(u64::MAX),
        }
    }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    if let Some(refusal) = arguments.refusal() {
        context.complain(refusal)?;
        return Ok(Outcome::Unreadable);
    }
    if arguments.is_table() {
        #[cfg(feature = "convert")]
        return table::run(arguments, context);
        #[cfg(not(feature = "convert"))]
        {
            context.complain("the formats arrow and parquet are not in this build: it lacks the feature `convert`")?;
            return Ok(Outcome::Unreadable);
        }
    }
    let baseline =
        match arguments.baseline.as_deref().map(|path| Baseline::read(path, arguments.update_baseline, context.limits))
        {
            None => None,
            Some(Ok(baseline)) => Some(baseline),
            Some(Err(problem)) => {
                context.complain(&problem)?;
                return Ok(Outcome::Unreadable);
            }
        };
    let sealed =
        match arguments.sealed.as_ref().map(|seal| sealed::open(seal.as_deref(), &arguments.paths, context.limits)) {
            None => None,
            Some(Ok(sealed)) => Some(sealed),
            Some(Err(problem)) => {
                context.complain(&problem)?;
                return Ok(Outcome::Unreadable);
            }
        };
    let checker = Checker::new().profile(arguments.profile.into()).depth(arguments.depth.into()).limits(context.limits);
    let progress = &context.progress();
    let starts = arguments.starts(context.input);
    let files = starts.and_then(|it| Files::of(it, &arguments.walking, context.limits, sealed.clone(), progress));
    let sealed = sealed.as_deref();
    let mut files = match files {
        Ok(files) => files,
        Err(problem) => {
            context.complain(&problem)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let input = context.input;
    let check = |file: std::result::Result<Found, Problem>| {
        file.map(|file| {
            let _at_hand = progress.begin(&file.path, file.length);
            let report = match sealed {
                _ if is_standard(&file.path) => checker.check_reader(&mut *lock(input)),
                Some(seal) => seal.check(&checker, &file.path),
                None => checker.check(&file.path),
            };
            (report, file)
        })
    };
    let mut run = Run {
        output: arguments.output(context.quiet),
        left: arguments.shown(),
        totals: Totals::new(arguments.depth.into()),
        baseline,
        unknown: arguments.walking.unknown,
        sealed,
        denied: if arguments.deny_warnings { Severity::Warning } else { Severity::Error },
        context,
    };
    let mut outcome = Outcome::Clean;
    let mut batch: Vec<_> = files.by_ref().take(BATCH).collect();
    while !batch.is_empty() {
        let mut next = || files.by_ref().take(BATCH).collect();
        let (checked, following): (Vec<_>, _) = match batch.len() {
            // A single file keeps the threads for itself.
            1 => (batch.into_iter().map(check).collect(), next()),
            // While these are checked, the next ones are searched for.
            _ => {
                threads::ready();
                rayon::join(|| batch.into_par_iter().map(check).collect(), next)
            }
        };
        batch = following;
        outcome = progress.aside(|| {
            checked.into_iter().try_fold(outcome, |worst, checked| Ok::<_, io::Error>(worst.max(run.take(checked)?)))
        })?;
    }
    run.totals.set_passed(files.passed());
    run.end(outcome, arguments.update_baseline)
}

/// A run of the command: what becomes of the files that were checked.
struct Run<'c, 'a> {
    output: Option<Box<dyn Output>>,
    /// The number of findings that may still be shown.
    left: u64,
    totals: Totals,
    baseline: Option<Baseline>,
    unknown: Unknown,
    sealed: Option<&'c Seal>,
    /// The least severity that makes the run fail.
    denied: Severity,
    context: &'c mut Context<'a>,
}

impl Run<'_, '_> {
    /// Takes the result of a check.
    fn take(&mut self, checked: std::result::Result<(Result<Report>, Found), Problem>) -> io::Result<Outcome> {
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
        Ok(ended)
    }

    fn report(&mut self, report: &Report, file: &Found) -> io::Result<Outcome> {
        if file.is_passed_over(report, self.unknown) && !self.sealed.is_some_and(|seal| seal.contains(&file.path)) {
            if self.unknown == Unknown::Count {
                self.totals.add_other(&file.path, is_named_alike(&file.path));
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
        for (path, report) in self.sealed.into_iter().flat_map(Seal::missing) {
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
