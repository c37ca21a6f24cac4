//! The output of `check` for people.

use crate::show::check::totals::Totals;
use crate::show::check::{Checked, Kind, Output};
use crate::show::diagnostic;
use crate::show::printer::Printer;
use crate::show::style::{HEADING, OK, counted};
use crate::show::text::{self, LONGEST, address, cut, is_standard, is_unseen};
use ndbytes::repair::{Options, repair};
use ndbytes::{Finding, Input, Limits, Severity};
use std::io;
use std::path::Path;

/// If there are more findings than this, a summary by rule follows.
const MANY: u64 = 10;

/// The maximum number of findings that are listed as fixed.
const MOST_FIXED: usize = 1000;

/// Findings printed like the errors of a compiler, and totals at the end.
pub struct Text {
    is_summary: bool,
}

impl Text {
    /// Creates the output. A summary shows only the number of findings per rule.
    pub fn new(is_summary: bool) -> Self {
        Text { is_summary }
    }
}

/// Returns the command that repairs a file. `None` if it cannot be repaired, or if the name cannot be copied from a terminal.
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
    // A name that begins with a hyphen would be an option.
    let path = if name.starts_with('-') { Path::new(".").join(name) } else { checked.file.to_owned() };
    Some(format!("ndbytes fix{option} {} --out DIRECTORY", address(&path)))
}

impl Output for Text {
    fn has_sum(&self) -> bool {
        true
    }

    fn part(&mut self, checked: &Checked<'_>, limits: Limits, out: &mut Printer<'_>) -> io::Result<()> {
        let findings: Vec<Finding> = checked.findings.iter().map(|seen| seen.finding.clone()).collect();
        diagnostic::print_all(&findings, checked.address, checked.part.format, limits, out)?;
        match mending(checked, limits) {
            Some(command) => writeln!(out, "to repair it, run: {command}\n"),
            None => Ok(()),
        }
    }

    fn without_rules(&mut self, path: &Path, kind: &Kind, out: &mut Printer<'_>) -> io::Result<()> {
        out.prose(2, &format!("{HEADING}{}{HEADING:#}: {}", text::path(path), kind.words))
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
