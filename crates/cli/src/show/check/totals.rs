//! The totals of a check.
//!
//! Totals are updated with each result; nothing is kept per file except for lists of bounded length. Skipped files are
//! part of the totals, because a clean result that hides a thousand skipped files would be misleading.

use crate::show::printer::Printer;
use crate::show::style::{ERROR, FAINT, OK, WARNING, counted, grouped};
use crate::show::text::{LONGEST, cut};
use anstyle::Style;
use ndbytes::walk::Passed;
use ndbytes::{Depth, Finding, Severity};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of files to list just because of their names.
const MOST_ALIKE: usize = 20;

/// The number of files, and of findings that are not in the baseline.
#[derive(Default, Serialize)]
pub struct Totals {
    pub files: u64,
    /// The number of members of archives.
    pub members: u64,
    /// The number of files with errors, and of files with only warnings.
    pub failed: u64,
    pub warned: u64,
    /// The number of files without errors that have no verdict in profile `reference`.
    pub unforeseen: u64,
    /// The number of paths that could not be read.
    #[serde(skip)]
    pub unreadable: u64,
    /// The number of files in unknown formats in directories.
    pub other: u64,
    /// The number of files and stores without rules, which were read completely.
    pub without_rules: u64,
    /// The first files in unknown formats whose names suggest a known one, and the number of further such files.
    pub alike: Vec<String>,
    #[serde(skip)]
    pub more_alike: u64,
    /// The number of skipped entries, by kind.
    pub passed: BTreeMap<&'static str, u64>,
    /// The skipped entries as text.
    #[serde(skip)]
    pub passed_words: String,
    /// Whether no payload was read, so that "ok" says nothing about payloads.
    #[serde(skip)]
    is_structure: bool,
    /// The number of findings in the baseline.
    pub known: u64,
    /// The number of findings that are counted but not shown.
    #[serde(skip)]
    pub left_out: u64,
    /// The findings of the baseline that are gone.
    pub fixed: Vec<Fixed>,
    pub rules: BTreeMap<&'static str, OfRule>,
}

/// A finding that is gone.
#[derive(Clone, Serialize)]
pub struct Fixed {
    pub path: String,
    pub rule: String,
    pub field: String,
}

/// The number of findings of one rule.
#[derive(Serialize)]
pub struct OfRule {
    /// The severity of the worst finding.
    pub severity: Severity,
    pub findings: u64,
    pub files: u64,
    /// The file of the last finding.
    #[serde(skip)]
    last: PathBuf,
}

impl Totals {
    /// Creates empty totals for checks with this depth.
    pub fn new(depth: Depth) -> Self {
        Totals { is_structure: depth == Depth::Structure, ..Totals::default() }
    }

    /// Returns whether payloads are read.
    pub fn reads_payloads(&self) -> bool {
        !self.is_structure
    }

    /// Counts a file by its worst finding.
    pub fn add_file(&mut self, worst: Option<Severity>) {
        self.files += 1;
        match worst {
            None => {}
            Some(Severity::Warning) => self.warned += 1,
            Some(Severity::Unforeseen) => self.unforeseen += 1,
            Some(Severity::Error) => self.failed += 1,
        }
    }

    /// Counts a file in an unknown format whose name does not imply a known one.
    pub fn add_other(&mut self, path: &Path, is_named_alike: bool) {
        self.other += 1;
        match is_named_alike {
            true if self.alike.len() < MOST_ALIKE => self.alike.push(path.display().to_string()),
            true => self.more_alike += 1,
            false => {}
        }
    }

    /// Sets the entries that a walk has skipped.
    pub fn set_passed(&mut self, passed: Passed) {
        self.passed = passed.kinds().into_iter().filter(|(_, number)| *number > 0).collect();
        self.passed_words = passed.to_string();
    }

    /// Counts a finding in a file.
    pub fn add(&mut self, finding: &Finding, file: &Path) {
        let new = || OfRule { severity: finding.severity, findings: 0, files: 0, last: PathBuf::new() };
        let rule = self.rules.entry(finding.rule.id).or_insert_with(new);
        rule.severity = rule.severity.max(finding.severity);
        rule.findings += 1;
        if rule.last != file {
            rule.files += 1;
            rule.last = file.to_owned();
        }
    }

    /// Returns the number of findings, shown or not.
    pub fn findings(&self) -> u64 {
        self.rules.values().map(|rule| rule.findings).sum()
    }

    /// Prints a table of the violated rules.
    pub fn print_rules(&self, out: &mut Printer<'_>) -> io::Result<()> {
        if self.rules.is_empty() {
            return Ok(());
        }
        let width = self.rules.keys().map(|id| id.len()).max().unwrap_or(0);
        writeln!(out, "{FAINT}{:width$}  {:>10}  {:>10}{FAINT:#}", "rule", "findings", "files")?;
        for (id, rule) in &self.rules {
            let colour = if rule.severity == Severity::Error { ERROR } else { WARNING };
            let (findings, files) = (grouped(rule.findings), grouped(rule.files));
            writeln!(out, "{colour}{id:width$}{colour:#}  {findings:>10}  {files:>10}")?;
        }
        writeln!(out)
    }

    /// Prints the numbers of files.
    pub fn print(&self, out: &mut Printer<'_>) -> io::Result<()> {
        out.prose(2, &self.line(|style, text| format!("{style}{text}{style:#}")))?;
        if !self.alike.is_empty() {
            writeln!(out, "not checked, although the names suggest a known format:")?;
        }
        self.alike.iter().try_for_each(|path| writeln!(out, "  {}", cut(path, LONGEST)))?;
        match self.more_alike {
            0 => Ok(()),
            more => writeln!(out, "  … {} more", counted(more, "file")),
        }
    }

    /// Returns the line with the numbers of files, in coloured words: `12 files: 1 with errors, 11 ok; 3 files of other formats`.
    pub fn line(&self, paint: impl Fn(Style, String) -> String) -> String {
        let mut parts = Vec::new();
        if self.failed > 0 {
            parts.push(paint(ERROR, format!("{} with errors", grouped(self.failed))));
        }
        if self.warned > 0 {
            parts.push(paint(WARNING, format!("{} with warnings", grouped(self.warned))));
        }
        if self.unforeseen > 0 {
            parts.push(paint(WARNING, format!("{} without a verdict", grouped(self.unforeseen))));
        }
        let fine = self.files - self.failed - self.warned - self.unforeseen;
        if self.unreadable > 0 {
            parts.push(paint(ERROR, format!("{} could not be read", grouped(self.unreadable))));
        }
        if fine > 0 || parts.is_empty() {
            parts.push(paint(OK, format!("{} ok", grouped(fine))));
        }
        let members = match self.members {
            0 => String::new(),
            members => format!(" with {}", counted(members, "member")),
        };
        let mut line = format!("{}{members}: {}", counted(self.files + self.unreadable, "file"), parts.join(", "));
        let besides = [
            (self.known, "finding", "in the baseline"),
            (self.left_out, "finding", "not shown"),
            (self.other, "file", "of other formats"),
            (self.without_rules, "file", "read without rules of ours"),
        ];
        for (number, noun, text) in besides.into_iter().filter(|(number, ..)| *number > 0) {
            line += &format!("; {} {text}", counted(number, noun));
        }
        if self.is_structure {
            line += "; payloads were not read";
        }
        if !self.passed_words.is_empty() {
            line += &format!("; skipped: {}", self.passed_words);
        }
        line
    }
}
