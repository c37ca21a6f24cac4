//! Reports: the findings of a check, and their verdict.

use super::finding::Finding;
use super::general::{LIMIT_EXCEEDED, UNKNOWN_FORMAT};
use super::rule::{Profile, Severity};
use crate::format::Format;
use std::fmt;
use std::sync::Arc;

/// The result of a check: of a file, or of an archive or a store and each of its members. [`Report::verdict`] is the short
/// answer, [`Report::findings`] the long one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The format of the content, or `None` if it is unknown or an archive.
    pub format: Option<Format>,
    /// Bytes of the file.
    pub size: u64,
    /// The findings in the parts, in their order, and then those in the file itself.
    findings: Vec<Finding>,
    parts: Vec<Counted>,
}

/// The facts that are kept of a part, beside its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Counted {
    name: Arc<str>,
    format: Option<Format>,
    size: u64,
    /// The number of its findings.
    findings: usize,
}

/// The result of the check of one file: a member of an archive or of a store, or the file that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part<'r> {
    /// The name of the member, as [`Member::name`](crate::envelope::zip::Member::name) gives it; `None` for the file itself.
    pub member: Option<&'r str>,
    /// The format of the content, if it is known.
    pub format: Option<Format>,
    /// Bytes of the member.
    pub size: u64,
    /// The findings in it, in the order of the checks.
    pub findings: &'r [Finding],
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// No finding.
    Ok,
    /// Warnings only.
    Warning,
    /// No verdict, and no error: see [`Severity::Unforeseen`].
    Unforeseen,
    /// At least one error.
    Error,
}

impl Report {
    #[doc(hidden)]
    pub fn new(format: Option<Format>, size: u64, findings: Vec<Finding>, profile: Profile) -> Self {
        // A budget that is exceeded several times is one finding.
        let mut is_limited = false;
        let is_news = |finding: &Finding| finding.rule != &LIMIT_EXCEEDED || !std::mem::replace(&mut is_limited, true);
        let findings = findings.into_iter().filter(is_news).filter_map(|finding| finding.weighed(profile)).collect();
        Report { format, size, findings, parts: Vec::new() }
    }

    /// Adds the report on a member.
    pub(crate) fn add_part(&mut self, name: Arc<str>, part: Report) {
        let Report { format, size, findings, .. } = part;
        self.parts.push(Counted { name: name.clone(), format, size, findings: findings.len() });
        self.findings.extend(findings.into_iter().map(|finding| Finding { member: Some(name.clone()), ..finding }));
    }

    /// Adds a finding about the file itself, after all parts.
    pub(crate) fn add_finding(&mut self, finding: Finding, profile: Profile) {
        self.findings.extend(finding.weighed(profile));
    }

    /// The memory that it takes as a part of another report, in bytes.
    pub(crate) fn held(&self) -> u64 {
        let of_findings: usize = self.findings.iter().map(Finding::held).sum();
        (size_of::<Counted>() + of_findings) as u64
    }

    /// The report with further findings about the file itself, such as those of the comparison with a seal.
    #[must_use]
    pub fn extended(mut self, findings: Vec<Finding>) -> Report {
        self.findings.extend(findings);
        self
    }

    /// The report with further findings about each of its parts.
    #[must_use]
    pub fn extended_each(mut self, mut more: impl FnMut(&Part<'_>) -> Vec<Finding>) -> Report {
        let (mut findings, mut counts) = (Vec::new(), Vec::new());
        for part in self.parts() {
            let further = more(&part);
            counts.push(part.findings.len() + further.len());
            findings.extend(part.findings.iter().cloned());
            let member = part.member.and_then(|name| self.parts.iter().find(|it| &*it.name == name));
            let member = member.map(|part| part.name.clone());
            findings.extend(further.into_iter().map(|finding| Finding { member: member.clone(), ..finding }));
        }
        self.parts.iter_mut().zip(counts).for_each(|(part, count)| part.findings = count);
        self.findings = findings;
        self
    }

    /// All findings, in the order of the checks. For an archive or a store, these are the findings in all of its members;
    /// [`Finding::member`] names the member.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The report in parts. A file has one part, the file itself. An archive or a store has one for each of its members,
    /// and after them one for the archive itself if that has findings.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let mut findings = &self.findings[..];
        let mut parts = self.parts.iter();
        let mut is_over = false;
        std::iter::from_fn(move || {
            if let Some(Counted { name, format, size, findings: count }) = parts.next() {
                let own;
                (own, findings) = findings.split_at(*count);
                return Some(Part { member: Some(name), format: *format, size: *size, findings: own });
            }
            let is_due = self.parts.is_empty() || !findings.is_empty();
            let is_first = !std::mem::replace(&mut is_over, true);
            (is_due && is_first).then_some(Part { member: None, format: self.format, size: self.size, findings })
        })
    }

    /// The weight of the worst finding, in all parts.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(&self.findings)
    }

    /// Returns whether the file itself is of no known format.
    pub fn is_foreign(&self) -> bool {
        self.findings.iter().any(|finding| finding.member.is_none() && finding.rule == &UNKNOWN_FORMAT)
    }
}

impl Part<'_> {
    /// The weight of the worst finding.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.findings)
    }
}

impl Verdict {
    fn of(findings: &[Finding]) -> Self {
        match findings.iter().map(|finding| finding.severity).max() {
            None => Verdict::Ok,
            Some(Severity::Warning) => Verdict::Warning,
            Some(Severity::Unforeseen) => Verdict::Unforeseen,
            Some(Severity::Error) => Verdict::Error,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Ok => "ok",
            Verdict::Warning => "warning",
            Verdict::Unforeseen => "unforeseen",
            Verdict::Error => "error",
        })
    }
}
