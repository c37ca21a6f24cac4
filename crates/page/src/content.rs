//! The bytes of a file, as pages read them.

use ndbytes::{Error, Input, Report};
use std::cell::OnceCell;
use std::ops::Range;

/// Returns a function that fills a buffer with bytes of a file, and returns whether they could be read. The first error
/// is kept.
pub fn content<'a>(input: &'a Input<'_>, failed: &'a OnceCell<Error>) -> impl Fn(&mut [u8], u64) -> bool + 'a {
    |buffer, offset| match input.read_at(buffer, offset) {
        Ok(()) => true,
        Err(error) => {
            let _ = failed.set(error);
            false
        }
    }
}

/// Returns the bytes of the file that findings are about.
pub fn marks(report: &Report) -> Vec<Range<u64>> {
    let findings = report.findings().iter().filter(|finding| finding.space == 0);
    findings.map(|finding| finding.offset..finding.offset.saturating_add(finding.length)).collect()
}
