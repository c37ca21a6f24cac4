//! The bytes of an input, and what is the same wherever they are.

use crate::bounds::limits;
use crate::ranges::compare_reports;
use crate::scratch::Folder;
use crate::streaming::compare;
use ndbytes::{Checker, Error, Finding, Options, Report, is_gzip};
use std::path::Path;

/// The bytes of an input, its report, and where its files are.
pub struct Asked<'a> {
    pub bytes: &'a [u8],
    pub report: Report,
    pub folder: &'a Folder,
}

impl Asked<'_> {
    /// A path or an address leads to the same report and the same content as the bytes.
    pub fn compare(&self, path: &Path) {
        let report = Checker::new().limits(limits()).check(path).expect("it is there");
        compare_reports(&self.report, &report);
        let options = Options::new().limits(limits());
        for opening in [options.clone(), options.clone().mapped()] {
            match (options.from_slice(self.bytes), opening.open(path)) {
                (Ok(slice), Ok(file)) => compare(&slice, &file),
                (_, Err(Error::Limit { .. })) => {}
                // The error names the members by their addresses.
                (Err(Error::Archive { members, more }), Err(Error::Archive { members: others, more: rest })) => {
                    assert_eq!((members.len(), more), (others.len(), rest));
                }
                (Err(slice), Err(file)) => assert_eq!(slice.to_string(), file.to_string()),
                (slice, file) => panic!("{slice:?}, but {file:?} at {}", path.display()),
            }
        }
    }

    /// Returns whether the bytes are a zip archive: it is looked into where it is a file, and nowhere else.
    pub fn is_zip(&self) -> bool {
        self.bytes.starts_with(b"PK")
    }

    /// Returns whether the content is plain, and has a format.
    pub fn has_format(&self) -> bool {
        self.report.format.is_some() && !is_gzip(self.bytes)
    }
}

/// The findings of a report that are about other rules than these.
pub fn about_others<'r>(report: &'r Report, rules: &[&str]) -> Vec<&'r Finding> {
    report.findings().iter().filter(|finding| !rules.contains(&finding.rule.id)).collect()
}

/// Findings without the name of the member that they are about.
pub fn nameless(findings: &[Finding]) -> Vec<Finding> {
    let mut nameless = findings.to_vec();
    nameless.iter_mut().for_each(|finding| finding.member = None);
    nameless
}
