//! The arguments of `ndbytes check`.

use super::walk::Walking;
use crate::context::{DepthArgument, StandardInput};
use crate::contract::ConfigArguments;
use crate::show::check::Output;
use crate::show::check::github::Github;
use crate::show::check::json::Json;
use crate::show::check::junit::Junit;
use crate::show::check::list::List;
use crate::show::check::sarif::Sarif;
use crate::show::check::text::Text;
use crate::values::list::Listed;
use crate::values::profile::ProfileArgument;
use ndbytes::walk::Starts;
use std::path::PathBuf;

/// The error of a run that has met no file of a known format.
pub const NOTHING: &str = "nothing was checked: no file of a known format was found";

/// Check files against all rules of their format. Directories are searched recursively, except for .git. Members of zip
/// archives are checked if their format is known. If nothing was checked, the exit status is 2.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The format of the output.
    #[arg(long, value_enum, default_value_t)]
    pub format: FormatArgument,
    /// Print one JSON object a line: short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print the number of findings of each rule instead of the findings.
    #[arg(long)]
    pub summary: bool,
    /// Print a line with the verdict for each file instead of the findings, other files included.
    #[arg(long, conflicts_with_all = ["summary", "json", "max_findings"])]
    pub list: bool,
    /// Maximum number of findings to show. All are counted.
    #[arg(long, value_name = "N")]
    pub max_findings: Option<u64>,
    /// A file of known findings to suppress; resolved ones are reported as fixed.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to the baseline, replacing its findings about the same files.
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
    /// Compare each file with its seal, which `ndbytes seal` wrote: FILE, or the one that PATH has if no other is named. In a
    /// folder, each file that the seal lists is compared, whatever else is there; new files are reported.
    #[arg(long, value_name = "FILE", require_equals = true)]
    pub sealed: Option<Option<PathBuf>>,
    /// The profile that determines the severity of findings.
    #[arg(long, value_enum, default_value_t)]
    pub profile: ProfileArgument,
    /// How much of each file to check.
    #[arg(long, value_enum, default_value_t)]
    pub depth: DepthArgument,
    /// Also fail on warnings.
    #[arg(long)]
    pub deny_warnings: bool,
    #[command(flatten)]
    pub tables: Tables,
    #[command(flatten)]
    pub walking: Walking,
    #[command(flatten)]
    pub config: ConfigArguments,
    #[command(flatten)]
    pub listed: Listed,
    /// Files; `-` is standard input.
    #[arg(required_unless_present = "files_from", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// The options of the formats arrow and parquet.
#[derive(Debug, clap::Args)]
#[cfg_attr(not(feature = "convert"), allow(dead_code, reason = "they are refused by name"))]
pub struct Tables {
    /// The table that the formats arrow and parquet hold.
    #[arg(long, value_enum, default_value_t)]
    pub table: TableArgument,
    /// The output file of the formats arrow and parquet. Written atomically.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// A table `files` of an earlier run. Files that did not change since are not checked again: their rows are taken over.
    /// May be repeated.
    #[arg(long, value_name = "PREVIOUS")]
    pub since: Vec<PathBuf>,
    /// Add the digest of each file to the table `files`. With `--since`, it decides, not the time of change.
    #[arg(long)]
    pub digest: bool,
    /// Replace a file of a format that ndbytes knows, or print to a terminal.
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum TableArgument {
    /// A row for each finding.
    #[default]
    Findings,
    /// A row for each file, with its findings and columns in lists.
    Files,
    /// A row for each column of each IDV table.
    Columns,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum FormatArgument {
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

impl Arguments {
    pub fn format(&self) -> FormatArgument {
        if self.json { FormatArgument::Json } else { self.format }
    }

    /// Returns whether the output is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.format(), FormatArgument::Arrow | FormatArgument::Parquet)
    }

    /// The reason why the options do not go together, if they do not.
    pub fn refusal(&self) -> Option<&'static str> {
        let Tables { table, out, since, digest, force } = &self.tables;
        let is_of_tables =
            *table != TableArgument::default() || out.is_some() || !since.is_empty() || *digest || *force;
        if self.summary && !matches!(self.format(), FormatArgument::Text | FormatArgument::Json) {
            return Some("`--summary` is for the formats text and json");
        }
        if self.list && self.format() != FormatArgument::Text {
            return Some("`--list` is for the format text");
        }
        if self.is_table() && (self.baseline.is_some() || self.max_findings.is_some() || self.sealed.is_some()) {
            return Some("`--baseline`, `--sealed` and `--max-findings` are not for the formats arrow and parquet");
        }
        if self.sealed == Some(None) && (self.paths.len() != 1 || self.listed.files_from.is_some()) {
            return Some("the seal of several paths has to be named: `--sealed=FILE`");
        }
        if !self.is_table() && is_of_tables {
            return Some(
                "`--table`, `--out`, `--since`, `--digest` and `--force` are for the formats arrow and parquet",
            );
        }
        self.listed.refusal(&self.paths)
    }

    /// The paths that are named, and those in the list.
    pub fn starts<'a>(&'a self, input: &'a StandardInput<'a>) -> std::result::Result<Starts<'a>, String> {
        self.listed.starts(&self.paths, input)
    }

    /// The output, or `None` if nothing is printed.
    pub fn output(&self, quiet: bool) -> Option<Box<dyn Output>> {
        let has_baseline = self.baseline.is_some();
        match self.format() {
            _ if quiet => None,
            FormatArgument::Text if self.list => Some(Box::new(List)),
            FormatArgument::Text => Some(Box::new(Text::new(self.summary))),
            FormatArgument::Json => Some(Box::new(Json::new(self.summary, has_baseline))),
            FormatArgument::Sarif => Some(Box::new(Sarif::new(has_baseline))),
            FormatArgument::Github => Some(Box::new(Github::new(self.max_findings))),
            FormatArgument::Junit => Some(Box::<Junit>::default()),
            FormatArgument::Arrow | FormatArgument::Parquet => None,
        }
    }

    /// The number of findings that are passed on to the output.
    pub fn shown(&self) -> u64 {
        match self.format() {
            _ if self.summary => 0,
            // It shows the worst ones, wherever they come.
            FormatArgument::Github => u64::MAX,
            _ => self.max_findings.unwrap_or(u64::MAX),
        }
    }
}
