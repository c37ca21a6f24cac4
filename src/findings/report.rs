//! Reports: the findings of a check, and their verdict.
//!
//! The findings of all members are in one list, in the order of the members, and [`Counted`] states how many belong to each. Even
//! for an archive with ten thousand members, callers can therefore iterate over a single list, without having to handle members.

use super::finding::Finding;
use super::general::{LIMIT_EXCEEDED, UNKNOWN_FORMAT};
use super::rule::{Profile, Reference, Severity};
use super::settle::{doubt, settle};
use crate::format::Format;
use std::fmt;
use std::sync::Arc;

/// The result of checking a file, or an archive or store with all of its members. [`Report::verdict`] summarises the result, and
/// [`Report::findings`] has the details.
///
/// ```
/// use ndbytes::{Limits, Verdict, check};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/interrupted-idx3-ubyte");
/// let report = check(path, &Limits::default())?;
/// assert_eq!(report.verdict(), Verdict::Error);
/// assert_eq!(report.findings()[0].rule.id, "idx/truncated-payload");
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The format of the content, or `None` if it is unknown or an archive.
    pub format: Option<Format>,
    /// The length of the file in bytes.
    pub size: u64,
    /// The findings about the parts, in order, followed by those about the file itself.
    findings: Vec<Finding>,
    parts: Vec<Counted>,
}

/// What is recorded about a part in addition to its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Counted {
    name: Arc<str>,
    format: Option<Format>,
    size: u64,
    /// The number of its findings.
    findings: usize,
}

/// The result for a single file: a member of an archive or store, or the checked file itself.
///
/// ```
/// use ndbytes::{Limits, Verdict};
///
/// let report = ndbytes::check("samples/interrupted-idx3-ubyte", &Limits::default())?;
/// for part in report.parts() {
///     println!("{}: {}", part.member.unwrap_or("the file itself"), part.verdict());
/// }
/// let file = report.parts().next().unwrap();
/// assert_eq!((file.member, file.verdict(), file.size), (None, Verdict::Error, 2468));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part<'r> {
    /// The name of the member, as returned by [`Member::name`](crate::archive::Member::name); `None` for the file itself.
    pub member: Option<&'r str>,
    /// The format of the content, if it is known.
    pub format: Option<Format>,
    /// The length of the member in bytes.
    pub size: u64,
    /// The findings about it, in the order of the checks.
    pub findings: &'r [Finding],
}

/// The outcome of a check.
///
/// Verdicts are ordered, so the worst of several is their maximum:
///
/// ```
/// use ndbytes::Verdict;
///
/// assert_eq!([Verdict::Warning, Verdict::Ok].into_iter().max(), Some(Verdict::Warning));
/// ```
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
        // If a budget is exceeded several times, this is reported as a single finding.
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

    /// Creates the report for a reader that accepts any content.
    pub(crate) fn accepted(self, profile: Profile) -> Self {
        let accepted = |finding: Finding| match finding.reference {
            Reference::NotConcerned => Some(finding),
            _ => finding.with_reference(Reference::Accepts).weighed(profile),
        };
        Report { findings: self.findings.into_iter().filter_map(accepted).collect(), ..self }
    }

    /// Sets the reaction of an archive's reader in the findings that may have caused it. If it is not known, the reactions in
    /// findings about the content of frames are withdrawn.
    pub(crate) fn settle(&mut self, reaction: Option<Reference>, profile: Profile) {
        match reaction {
            Some(reaction) => settle(&mut self.findings, reaction),
            None => doubt(&mut self.findings),
        }
        for finding in &mut self.findings {
            finding.severity = finding.rule.severity_in(profile, finding.reference).unwrap_or(Severity::Warning);
        }
    }

    /// Returns the memory that it uses as a part of another report, in bytes.
    pub(crate) fn held(&self) -> u64 {
        let of_findings: usize = self.findings.iter().map(Finding::held).sum();
        (size_of::<Counted>() + of_findings) as u64
    }

    /// Adds findings about the file itself, such as those from the comparison with a seal.
    #[must_use]
    pub fn extended(mut self, findings: Vec<Finding>) -> Report {
        self.findings.extend(findings);
        self
    }

    /// Adds findings about each part.
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

    /// All findings, in the order of the checks. For an archive or store, this includes the findings about all members, which
    /// [`Finding::member`] names.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The parts of the report. A file has a single part, which is the file itself. An archive or store has one part per member,
    /// followed by one for the archive itself if that has findings.
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

    /// The severity of the worst finding in all parts.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(&self.findings)
    }

    /// Returns whether the file itself is in an unknown format.
    pub fn is_foreign(&self) -> bool {
        self.findings.iter().any(|finding| finding.member.is_none() && finding.rule == &UNKNOWN_FORMAT)
    }
}

impl Part<'_> {
    /// The severity of the worst finding.
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
