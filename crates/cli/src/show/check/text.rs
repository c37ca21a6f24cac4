//! The output of `check` for people.

use crate::show::check::totals::Totals;
use crate::show::check::{Checked, Output};
use crate::show::diagnostic;
use crate::show::printer::Printer;
use crate::show::style::{HEADING, OK, counted};
use crate::show::text::{LONGEST, cut};
use ndbytes::{Finding, Limits};
use std::io;

/// More findings than this are summed up by rule.
const MANY: u64 = 10;

/// The most findings that are listed as fixed.
const MOST_FIXED: usize = 1000;

/// Findings as a compiler prints them, and a sum at the end.
pub struct Text {
    is_summary: bool,
}

impl Text {
    /// A summary shows no findings, and says how many each rule has.
    pub fn new(is_summary: bool) -> Self {
        Text { is_summary }
    }
}

impl Output for Text {
    fn has_sum(&self) -> bool {
        true
    }

    fn part(&mut self, checked: &Checked<'_>, limits: Limits, out: &mut Printer<'_>) -> io::Result<()> {
        let findings: Vec<Finding> = checked.findings.iter().map(|seen| seen.finding.clone()).collect();
        diagnostic::print_all(&findings, checked.address, checked.part.format, limits, out)
    }

    fn end(&mut self, totals: &Totals, out: &mut Printer<'_>) -> io::Result<()> {
        if !totals.fixed.is_empty() {
            let number = counted(totals.fixed.len() as u64, "finding");
            writeln!(out, "{OK}fixed{OK:#}{HEADING}: {number} of the baseline are gone{HEADING:#}")?;
            for fixed in totals.fixed.iter().take(MOST_FIXED) {
                let field = if fixed.field.is_empty() { "" } else { ", " };
                writeln!(out, "  {}  {}{field}{}", fixed.rule, cut(&fixed.path, LONGEST), cut(&fixed.field, LONGEST))?;
            }
            if let Some(more @ 1..) = totals.fixed.len().checked_sub(MOST_FIXED) {
                writeln!(out, "  … {} more", counted(more as u64, "finding"))?;
            }
            writeln!(out)?;
        }
        if self.is_summary || totals.findings() > MANY {
            totals.print_rules(out)?;
        }
        totals.print(out)
    }
}
