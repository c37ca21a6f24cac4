//! Compares reports.

use ndbytes::{Finding, Report};

/// The meaning of RawArray's flag for encoded data depends on the payload. So a full check may report something else
/// about the same field.
const SUPERSEDED: &str = "rawarray/raw-despite-flag";

/// The findings of a structure check that are missing from a full check. The full check may report more about them.
pub fn missing<'r>(structure: &'r Report, full: &Report) -> Vec<&'r Finding> {
    let place = |finding: &Finding| (finding.field.clone(), finding.space, finding.offset, finding.length);
    let is_same = |finding: &Finding, other: &Finding| {
        // The reader's reaction often depends on the whole file.
        let is_alike = other.severity == finding.severity || other.reference != finding.reference;
        let is_known = other.rule.id == finding.rule.id && is_alike;
        (is_known || finding.rule.id == SUPERSEDED) && place(other) == place(finding)
    };
    let is_missing = |finding: &&Finding| !full.findings().iter().any(|other| is_same(finding, other));
    structure.findings().iter().filter(is_missing).collect()
}
