//! Reports, compared.

use ndbytes::{Finding, Report};

/// Only the payload shows the meaning of RawArray's flag for encoded data. A check of everything may say something else of
/// the same field.
const SUPERSEDED: &str = "rawarray/raw-despite-flag";

/// The findings about the structure that a check of everything does not have. It may have more to say about them.
pub fn missing<'r>(structure: &'r Report, full: &Report) -> Vec<&'r Finding> {
    let place = |finding: &Finding| (finding.field.clone(), finding.space, finding.offset, finding.length);
    let is_same = |finding: &Finding, other: &Finding| {
        let is_known = (other.rule.id, other.severity) == (finding.rule.id, finding.severity);
        (is_known || finding.rule.id == SUPERSEDED) && place(other) == place(finding)
    };
    let is_missing = |finding: &&Finding| !full.findings().iter().any(|other| is_same(finding, other));
    structure.findings().iter().filter(is_missing).collect()
}
