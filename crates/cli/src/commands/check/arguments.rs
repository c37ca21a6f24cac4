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

/// The error of a run that found no file in a known format.
pub const NOTHING: &str = "nothing was checked: found no file in a known format";

/// Check files against every rule of their format.
///
/// The content of a file, not its name, determines its format. Directories are searched recursively, except for .git. Members
/// of zip archives are checked if their format is known.
///
/// Exit status: 0 if no file has errors, 1 if any file has errors, 2 if a path cannot be read or nothing was checked.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output format.
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub format: FormatArgument,
    /// Print one JSON object per line; short for `--format json`.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,
    /// Print the number of findings per rule instead of the findings.
    #[arg(long, help_heading = "Output")]
    pub summary: bool,
    /// Instead of the findings, print one verdict line per file, including files in unknown formats.
    #[arg(long, conflicts_with_all = ["summary", "json", "max_findings"], help_heading = "Output")]
    pub list: bool,
    /// Print at most N findings, but count all of them.
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub max_findings: Option<u64>,
    /// Suppress the known findings listed in FILE. Those that no longer occur are reported as fixed.
    #[arg(long, value_name = "FILE", help_heading = "What counts as an error")]
    pub baseline: Option<PathBuf>,
    /// Write the current findings to the baseline. Lines about files that were not checked are kept.
    #[arg(long, requires = "baseline", help_heading = "What counts as an error")]
    pub update_baseline: bool,
    /// Compare files with a seal written by `ndbytes seal`. FILE defaults to the seal of the first PATH.
    ///
    /// For a directory, every file listed in the seal is compared, and new files are reported.
    #[arg(long, value_name = "FILE", require_equals = true, help_heading = "What is checked")]
    pub sealed: Option<Option<PathBuf>>,
    /// The profile that determines the severity of findings.
    #[arg(long, value_enum, default_value_t, help_heading = "What counts as an error")]
    pub profile: ProfileArgument,
    /// How much of each file to check.
    #[arg(long, value_enum, default_value_t, help_heading = "What is checked")]
    pub depth: DepthArgument,
    /// Exit with 1 for warnings as well as for errors.
    #[arg(long, help_heading = "What counts as an error")]
    pub deny_warnings: bool,
    #[command(flatten)]
    pub tables: Tables,
    #[command(flatten)]
    pub walking: Walking,
    #[command(flatten)]
    pub config: ConfigArguments,
    #[command(flatten)]
    pub listed: Listed,
    /// Files and directories to check; `-` is standard input.
    #[arg(help_heading = None::<&str>, required_unless_present = "files_from", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// Options for the arrow and parquet formats.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Tables (--format arrow or parquet)")]
#[cfg_attr(not(feature = "convert"), allow(dead_code, reason = "they are refused by name"))]
pub struct Tables {
    /// The table to write.
    #[arg(long, value_enum, default_value_t)]
    pub table: TableArgument,
    /// Write the table to FILE atomically.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Skip files that have not changed since an earlier run, and copy their rows from PREVIOUS, the `files` table of
    /// that run. May be repeated. Files named by URL are always checked again; files in an object store folder are not.
    #[arg(long, value_name = "PREVIOUS")]
    pub since: Vec<PathBuf>,
    /// Add a digest of each file to the `files` table. `--since` then compares digests instead of modification times.
    #[arg(long)]
    pub digest: bool,
    /// Overwrite an existing file in a known format, or write binary output to a terminal.
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum TableArgument {
    /// One row per finding.
    #[default]
    Findings,
    /// One row per file, with lists of its findings and columns.
    Files,
    /// One row per column of an IDV table.
    Columns,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum FormatArgument {
    /// Human-readable text.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// GitHub Actions annotations, and a table in $GITHUB_STEP_SUMMARY.
    Github,
    /// JUnit XML, one test case per file.
    Junit,
    /// A table as an Arrow IPC stream.
    Arrow,
    /// A table as a Parquet file; requires `--out`.
    Parquet,
}

impl Arguments {
    /// Returns the output format: `--json` is short for `--format json`.
    pub fn format(&self) -> FormatArgument {
        if self.json { FormatArgument::Json } else { self.format }
    }

    /// Returns whether the output is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.format(), FormatArgument::Arrow | FormatArgument::Parquet)
    }

    /// Returns why the options cannot be combined, if they cannot.
    pub fn refusal(&self) -> Option<&'static str> {
        let Tables { table, out, since, digest, force } = &self.tables;
        let is_of_tables =
            *table != TableArgument::default() || out.is_some() || !since.is_empty() || *digest || *force;
        if self.summary && !matches!(self.format(), FormatArgument::Text | FormatArgument::Json) {
            return Some("`--summary` works only with `--format text` and `json`");
        }
        if self.list && self.format() != FormatArgument::Text {
            return Some("`--list` works only with `--format text`");
        }
        if self.is_table() && (self.baseline.is_some() || self.max_findings.is_some() || self.sealed.is_some()) {
            return Some(
                "`--baseline`, `--sealed` and `--max-findings` do not work with `--format arrow` and `parquet`",
            );
        }
        if self.sealed == Some(None) && (self.paths.len() != 1 || self.listed.files_from.is_some()) {
            return Some("name the seal of several paths: `--sealed=FILE`");
        }
        if !self.is_table() && is_of_tables {
            return Some("`--table`, `--out`, `--since`, `--digest` and `--force` need `--format arrow` or `parquet`");
        }
        self.listed.refusal(&self.paths)
    }

    /// Returns the paths in the arguments and in the list.
    pub fn starts<'a>(
        &'a self,
        named: &'a [PathBuf],
        input: &'a StandardInput<'a>,
    ) -> std::result::Result<Starts<'a>, String> {
        self.listed.starts(named, input)
    }

    /// Returns the output, or `None` if nothing is printed.
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

    /// Returns the maximum number of findings to pass on to the output.
    pub fn shown(&self) -> u64 {
        match self.format() {
            _ if self.summary => 0,
            // This format shows the worst findings, wherever they occur.
            FormatArgument::Github => u64::MAX,
            _ => self.max_findings.unwrap_or(u64::MAX),
        }
    }
}
