//! The output of `check` for people.

use crate::show::check::totals::Totals;
use crate::show::check::{Checked, Output};
use crate::show::diagnostic;
use crate::show::printer::Printer;
use crate::show::style::{HEADING, OK, counted};
use crate::show::text::{LONGEST, address, cut, is_standard, is_unseen};
use ndbytes::repair::{Options, repair};
use ndbytes::{Finding, Input, Limits, Severity};
use std::io;
use std::path::Path;

/// More findings than this are summed up by rule.
const MANY: u64 = 10;

/// The maximum number of findings that are listed as fixed.
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

/// The command that mends a file, if one does. `None` also for a name that cannot be copied from a terminal.
fn mending(checked: &Checked<'_>, limits: Limits) -> Option<String> {
    let has_errors = checked.findings.iter().any(|seen| seen.finding.severity == Severity::Error);
    let is_asked = has_errors && checked.part.member.is_none() && !is_standard(checked.file) && checked.file.is_file();
    let name = checked.file.to_str().filter(|name| is_asked && !name.contains(is_unseen))?;
    let input = Input::open(checked.file, limits).ok()?;
    let bytes = input.bytes().ok()?;
    let mends = |drops: bool| {
        let repair = repair(bytes, &Options::new().limits(limits).dropping(drops)).ok()?;
        (repair.is_sound() && !repair.steps.is_empty()).then_some(if drops { " --drop" } else { "" })
    };
    let option = mends(false).or_else(|| mends(true))?;
    // A name that begins with a dash would be an option.
    let path = if name.starts_with('-') { Path::new(".").join(name) } else { checked.file.to_owned() };
    Some(format!("ndbytes fix{option} {} --out FOLDER", address(&path)))
}

impl Output for Text {
    fn has_sum(&self) -> bool {
        true
    }

    fn part(&mut self, checked: &Checked<'_>, limits: Limits, out: &mut Printer<'_>) -> io::Result<()> {
        let findings: Vec<Finding> = checked.findings.iter().map(|seen| seen.finding.clone()).collect();
        diagnostic::print_all(&findings, checked.address, checked.part.format, limits, out)?;
        match mending(checked, limits) {
            Some(command) => writeln!(out, "to mend it, try: {command}\n"),
            None => Ok(()),
        }
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
