//! The output of `check` as JSON, one object per line. `docs/json.md` describes it.

use crate::show::check::totals::{Fixed, Totals};
use crate::show::check::{Checked, Kind, Output};
use crate::show::json;
use crate::show::printer::Printer;
use ndbytes::{Finding, Limits, Verdict};
use serde::Serialize;
use std::io;
use std::path::Path;

/// The output as JSON.
pub struct Json {
    is_summary: bool,
    has_baseline: bool,
}

/// A checked file.
#[derive(Serialize)]
struct ReportObject {
    path: String,
    format: Option<ndbytes::Format>,
    verdict: Verdict,
    findings: Vec<Finding>,
}

/// A third-party file, for which there are no rules.
#[derive(Serialize)]
struct WithoutRules<'k> {
    path: String,
    format: &'static str,
    note: &'k str,
}

/// Findings of the baseline that no longer occur.
#[derive(Serialize)]
struct FixedObject<'t> {
    fixed: &'t [Fixed],
}

/// The totals, on the last line.
#[derive(Serialize)]
struct SummaryObject<'t> {
    summary: &'t Totals,
}

impl Json {
    /// Creates the output. A summary is a single object. With a baseline, an object at the end lists the fixed findings.
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

    fn without_rules(&mut self, path: &Path, kind: &Kind, out: &mut Printer<'_>) -> io::Result<()> {
        if self.is_summary {
            return Ok(());
        }
        let (path, format) = (path.display().to_string(), kind.name);
        json::line(out.machine(), &WithoutRules { path, format, note: &kind.words })
    }

    fn end(&mut self, totals: &Totals, out: &mut Printer<'_>) -> io::Result<()> {
        match (self.is_summary, self.has_baseline) {
            (true, _) => json::line(out.machine(), &SummaryObject { summary: totals }),
            (false, true) => json::line(out.machine(), &FixedObject { fixed: &totals.fixed }),
            (false, false) => Ok(()),
        }
    }
}
