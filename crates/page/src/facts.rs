//! General properties of a file, for its page.

use everybyte::page::{Facts, unclaimed};
use ndbytes::{ByteMap, Finding, Report, Severity, Verdict};

/// Returns general properties of a file.
pub fn facts(map: &ByteMap, report: &Report) -> Facts {
    let count = |severity| report.findings().iter().filter(|finding: &&Finding| finding.severity == severity).count();
    Facts {
        kind: map.kind().to_owned(),
        size: report.size,
        verdict: match report.verdict() {
            Verdict::Ok => "ok",
            Verdict::Warning => "warning",
            Verdict::Unforeseen => "unforeseen",
            Verdict::Error => "error",
        },
        unclaimed: unclaimed(&map.spaces),
        errors: count(Severity::Error) as u64,
        warnings: count(Severity::Warning) as u64,
    }
}
