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
use ndbytes::{Checker, Error, Part, Profile, Report, Result, Severity, archive};
use rayon::prelude::*;
use sealed::Sealed;
use std::io;
use std::path::{Path, PathBuf};
use walk::{Files, Found, Problem, Unknown, Walking};

/// Files that are checked before their findings are printed.
const BATCH: usize = 4096;

/// Check files against all rules of their format. Folders are walked as ripgrep walks them: without what is hidden or in
/// .gitignore. The members of a zip archive that have a known format are checked.
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
    /// Print nothing: the exit status tells.
    #[arg(short, long, conflicts_with_all = ["format", "json", "summary"])]
    quiet: bool,
    /// The most findings that are shown. All are counted.
    #[arg(long, value_name = "N")]
    max_findings: Option<u64>,
    /// A file of known findings, which are passed over. Those that are gone are listed as fixed.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the findings to the baseline, in place of those that it has of the same files.
    #[arg(long, requires = "baseline")]
    update_baseline: bool,
    /// Compare each file with its seal, which `ndbytes seal` wrote: FILE, or the one that PATH has if no other is named.
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
    /// A file with the paths to check, a line each; `-` is standard input. It may have any length.
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
    fn listed<'a>(&'a self, input: &'a StandardInput<'a>) -> std::result::Result<walk::Listed<'a>, String> {
        let paths = self.paths.iter().cloned().map(Ok);
        Ok(match &self.files_from {
            Some(list) => Box::new(paths.chain(list::read(list, self.null, input)?)),
            None => Box::new(paths),
        })
    }

    /// The output, or `None` if nothing is printed.
    fn output(&self) -> Option<Box<dyn Output>> {
        let has_baseline = self.baseline.is_some();
        match self.format() {
            _ if self.quiet => None,
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
        match arguments.sealed.as_ref().map(|seal| Sealed::open(seal.as_deref(), &arguments.paths, context.limits)) {
            None => None,
            Some(Ok(sealed)) => Some(sealed),
            Some(Err(problem)) => {
                context.complain(&problem)?;
                return Ok(Outcome::Unreadable);
            }
        };
    let (sealed, unknown) = (sealed.as_ref(), arguments.walking.unknown);
    let checker = Checker::new().profile(arguments.profile.into()).depth(arguments.depth.into()).limits(context.limits);
    let progress = &context.progress();
    let files = arguments.listed(context.input).and_then(|it| Files::of(it, &arguments.walking, progress));
    let mut files = match files {
        // A seal is about the files beside it.
        Ok(files) => files.filter(|file| !file.as_ref().is_ok_and(|file| sealed.is_some_and(|seal| seal.is_at(file)))),
        Err(problem) => {
            context.complain(&problem)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let input = context.input;
    let check = |file: std::result::Result<Found, Problem>| {
        file.map(|file| {
            let _at_hand = progress.begin(&file.path, file.length);
            let report = check_one(&checker, &file.path, input);
            let report = match sealed {
                Some(sealed) => report.and_then(|report| sealed.compare(report, &file, unknown)),
                None => report,
            };
            (report, file)
        })
    };
    let mut run = Run {
        output: arguments.output(),
        left: arguments.shown(),
        totals: Totals::default(),
        baseline,
        unknown,
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
            _ => rayon::join(|| batch.into_par_iter().map(check).collect(), next),
        };
        batch = following;
        outcome = progress.aside(|| {
            checked.into_iter().try_fold(outcome, |worst, checked| Ok::<_, io::Error>(worst.max(run.take(checked)?)))
        })?;
    }
    Ok(outcome.max(run.end(arguments.update_baseline)?))
}

fn check_one(checker: &Checker, path: &Path, input: &StandardInput<'_>) -> Result<Report> {
    if is_standard(path) { checker.check_reader(&mut *lock(input)) } else { checker.check(path) }
}

/// A run of the command: what becomes of the files that were checked.
struct Run<'c, 'a> {
    output: Option<Box<dyn Output>>,
    /// The number of findings that may still be shown.
    left: u64,
    totals: Totals,
    baseline: Option<Baseline>,
    unknown: Unknown,
    sealed: Option<&'c Sealed>,
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
                self.context.complain(&problem.to_string())?;
                (problem.path, problem.reason, Outcome::Unreadable)
            }
        };
        if let Some(output) = &mut self.output {
            output.unreadable(path.as_deref(), &reason, &mut self.context.out)?;
        }
        Ok(ended)
    }

    fn report(&mut self, report: &Report, file: &Found) -> io::Result<Outcome> {
        if file.is_passed_over(report, self.unknown) && !self.sealed.is_some_and(|sealed| sealed.contains(file)) {
            self.totals.other += u64::from(self.unknown == Unknown::Count);
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
    fn end(mut self, is_updated: bool) -> io::Result<Outcome> {
        let mut outcome = Outcome::Clean;
        for (path, report) in self.sealed.into_iter().flat_map(Sealed::missing) {
            outcome = outcome.max(self.report(&report, &Found { path, is_named: true, length: 0 })?);
        }
        if let Some(baseline) = self.baseline.take() {
            self.totals.fixed = baseline.fixed().collect();
            if is_updated && let Err(error) = baseline.write() {
                outcome = report::report(&error, baseline.file(), self.context)?;
            }
        }
        if let Some(output) = &mut self.output {
            output.end(&self.totals, &mut self.context.out)?;
            if let Err(error) = summary::write(&**output, &self.totals) {
                self.context.complain(&format!("cannot write the summary of the step: {error}"))?;
                outcome = Outcome::Unreadable;
            }
        }
        Ok(outcome)
    }
}
