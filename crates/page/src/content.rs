//! The bytes of a file, as pages read them.

use ndbytes::{Input, Report};
use std::ops::Range;

/// Fills a buffer with bytes of a file; returns whether they are there.
pub fn content<'a>(input: &'a Input<'_>) -> impl Fn(&mut [u8], u64) -> bool + 'a {
    |buffer, offset| input.read_at(buffer, offset).is_ok()
}

/// The bytes of the file that findings are about.
pub fn marks(report: &Report) -> Vec<Range<u64>> {
    let findings = report.findings().iter().filter(|finding| finding.space == 0);
    findings.map(|finding| finding.offset..finding.offset.saturating_add(finding.length)).collect()
}
