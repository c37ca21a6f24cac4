//! The output of `check` as a list of files with their verdicts.

use crate::show::check::totals::Totals;
use crate::show::check::{Checked, Output};
use crate::show::printer::Printer;
use crate::show::style::{ERROR, FAINT, OK, WARNING, counted};
use crate::show::text;
use ndbytes::{Limits, Severity};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The width to which verdicts are padded.
const PADDED: usize = 8;

/// Prints a line for each file and each member, with the rules that it breaks.
pub struct List;

impl Output for List {
    fn has_sum(&self) -> bool {
        true
    }

    fn part(&mut self, checked: &Checked<'_>, _: Limits, out: &mut Printer<'_>) -> io::Result<()> {
        let mut rules: BTreeMap<&str, u64> = BTreeMap::new();
        checked.findings.iter().for_each(|seen| *rules.entry(seen.finding.rule.id).or_default() += 1);
        let worst = checked.findings.iter().map(|seen| seen.finding.severity).max();
        let (style, word) = match worst {
            None => (OK, "ok"),
            Some(Severity::Warning) => (WARNING, "warning"),
            Some(Severity::Unforeseen) => (WARNING, "open"),
            Some(Severity::Error) => (ERROR, "error"),
        };
        let rules = rules.into_iter().map(|(id, count)| match count {
            1 => id.to_owned(),
            count => format!("{id} ({count})"),
        });
        let rules: Vec<String> = rules.collect();
        let rules = if rules.is_empty() { String::new() } else { format!(": {}", rules.join(", ")) };
        writeln!(out, "{style}{word:PADDED$}{style:#} {}{rules}", text::path(checked.address))
    }

    fn other(&mut self, path: &Path, out: &mut Printer<'_>) -> io::Result<()> {
        writeln!(out, "{FAINT}{:PADDED$}{FAINT:#} {}", "other", text::path(path))
    }

    fn unreadable(&mut self, path: Option<&Path>, _: &str, out: &mut Printer<'_>) -> io::Result<()> {
        match path {
            Some(path) => writeln!(out, "{ERROR}{:PADDED$}{ERROR:#} {}", "unread", text::path(path)),
            None => Ok(()),
        }
    }

    fn end(&mut self, totals: &Totals, out: &mut Printer<'_>) -> io::Result<()> {
        if !totals.fixed.is_empty() {
            writeln!(
                out,
                "{OK}fixed{OK:#}: {} of the baseline are gone",
                counted(totals.fixed.len() as u64, "finding")
            )?;
        }
        totals.print(out)
    }
}
