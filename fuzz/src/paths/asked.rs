//! The bytes of an input, and the properties that do not depend on their location.

use crate::bounds::limits;
use crate::ranges::compare_reports;
use crate::scratch::Folder;
use crate::streaming::compare;
use ndbytes::{Checker, Error, Finding, Format, Options, Report, is_gzip};
use std::path::Path;

/// The bytes of an input, its report, and the directory of its files.
pub struct Asked<'a> {
    pub bytes: &'a [u8],
    pub report: Report,
    pub folder: &'a Folder,
}

impl Asked<'_> {
    /// Asserts that a path or an address has the same report and the same content as the bytes.
    pub fn compare(&self, path: &Path) {
        let report = Checker::new().limits(limits()).check(path).expect("it is there");
        compare_reports(&self.report, &report);
        let options = Options::new().limits(limits());
        for opening in [options.clone(), options.clone().mapped()] {
            match (options.from_slice(self.bytes), opening.open(path)) {
                (Ok(slice), Ok(file)) => compare(&slice, &file),
                (_, Err(Error::Limit { .. })) => {}
                // The error lists the members by address.
                (Err(Error::Archive { members, more }), Err(Error::Archive { members: others, more: rest })) => {
                    assert_eq!((members.len(), more), (others.len(), rest));
                }
                (Err(slice), Err(file)) => assert_eq!(slice.to_string(), file.to_string()),
                (slice, file) => panic!("{slice:?}, but {file:?} at {}", path.display()),
            }
        }
    }

    /// Returns whether the bytes are a zip archive, which is opened only if it is a file.
    pub fn is_zip(&self) -> bool {
        self.bytes.starts_with(b"PK")
    }

    /// Returns whether an address may refer to an entry or a tensor in the file.
    pub fn holds_parts(&self) -> bool {
        self.is_zip() || matches!(self.report.format, Some(Format::Safetensors | Format::Gguf))
    }

    /// Returns whether the content is not in gzip, and has a format.
    pub fn has_format(&self) -> bool {
        self.report.format.is_some() && !is_gzip(self.bytes)
    }
}

/// Returns the findings of a report for rules other than these.
pub fn about_others<'r>(report: &'r Report, rules: &[&str]) -> Vec<&'r Finding> {
    report.findings().iter().filter(|finding| !rules.contains(&finding.rule.id)).collect()
}

/// Findings without the name of their member.
pub fn nameless(findings: &[Finding]) -> Vec<Finding> {
    let mut nameless = findings.to_vec();
    nameless.iter_mut().for_each(|finding| finding.member = None);
    nameless
}
