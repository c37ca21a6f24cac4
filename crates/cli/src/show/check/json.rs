//! The output of `check` as JSON, one object a line. `docs/json.md` describes it.

use crate::show::check::totals::{Fixed, Totals};
use crate::show::check::{Checked, Output};
use crate::show::json;
use crate::show::printer::Printer;
use ndbytes::{Finding, Limits, Verdict};
use serde::Serialize;
use std::io;

/// An object for each file.
pub struct Json {
    is_summary: bool,
    has_baseline: bool,
}

#[derive(Serialize)]
struct ReportObject {
    path: String,
    format: Option<ndbytes::Format>,
    verdict: Verdict,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct FixedObject<'t> {
    fixed: &'t [Fixed],
}

#[derive(Serialize)]
struct SummaryObject<'t> {
    summary: &'t Totals,
}

impl Json {
    /// A summary is one object. With a baseline, an object at the end lists what is fixed.
    pub fn new(is_summary: bool, has_baseline: bool) -> Self {
        Json { is_summary, has_baseline }
    }
}

impl Output for Json {
    fn has_sum(&self) -> bool {
        self.is_summary
    }

    fn part(&mut self, checked: &Checked<'_>, _: Limits, out: &mut Printer<'_>) -> io::Result<()> {
        if self.is_summary {
            return Ok(());
        }
        let findings = checked.findings.iter().map(|seen| json::finding(seen.finding)).collect();
        let (path, verdict) = (checked.address.display().to_string(), checked.part.verdict());
        json::line(out.machine(), &ReportObject { path, format: checked.part.format, verdict, findings })
    }

    fn end(&mut self, totals: &Totals, out: &mut Printer<'_>) -> io::Result<()> {
        match (self.is_summary, self.has_baseline) {
            (true, _) => json::line(out.machine(), &SummaryObject { summary: totals }),
            (false, true) => json::line(out.machine(), &FixedObject { fixed: &totals.fixed }),
            (false, false) => Ok(()),
        }
    }
}
