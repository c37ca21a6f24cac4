//! Findings: which rule a file breaks, and where.

use crate::rule::LIMIT_EXCEEDED;
use crate::{Error, Format, Profile, Reference, Result, Rule, Severity};
use ndbytes_schemas::{BinRead, BinWrite, Endian, Layout, Node, ParseError, Source, trace, write};
use std::fmt;
use std::ops::Range;

/// One breach of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// How much it weighs, in the profile that was asked for.
    pub severity: Severity,
    /// The field that breaks it, such as `dims[0]`; empty where it is the file as a whole.
    pub field: String,
    /// The space that `offset` counts in: 0 is the file; see [`Finding::space_name`].
    pub space: u32,
    /// The first byte concerned.
    pub offset: u64,
    /// The number of bytes concerned; none where bytes are missing, and more than the file has where a field is cut off.
    pub length: u64,
    /// What is wrong.
    pub message: String,
    /// What should stand there.
    pub expected: Option<String>,
    /// What stands there.
    pub found: Option<String>,
    /// What it costs, or what to do.
    pub help: Option<String>,
    /// What the format's reference reader does about it: as a rule what it does about every breach of the rule, but there
    /// may be parts of a file that it does not look at.
    pub reference: Reference,
}

impl Finding {
    /// A finding at some bytes of the file, at the rule's strict severity.
    pub(crate) fn new(rule: &'static Rule, field: &str, bytes: Range<u64>, message: impl Into<String>) -> Self {
        Finding {
            rule,
            severity: rule.severity.unwrap_or(Severity::Warning),
            field: field.into(),
            space: 0,
            offset: bytes.start,
            length: bytes.end - bytes.start,
            message: message.into(),
            expected: None,
            found: None,
            help: None,
            reference: rule.reference,
        }
    }

    /// What a structure could not be read for.
    pub(crate) fn unreadable(rule: &'static Rule, error: &ParseError, message: impl Into<String>) -> Self {
        let bytes = error.offset..error.offset + error.length;
        Finding::new(rule, &error.path, bytes, message)
    }

    /// A budget that was exceeded.
    pub(crate) fn limit(error: &Error) -> Self {
        Finding::new(&LIMIT_EXCEEDED, "", 0..0, error.to_string())
            .help("raise the limit if the file is to be trusted: `Limits::memory`, or --max-memory of the tool")
    }

    /// What `offset` counts in, where that is not the file.
    pub fn space_name(&self) -> Option<&'static str> {
        match self.rule.id.split_once('/') {
            _ if self.space == 0 => None,
            Some(("idv", _)) => Some("the decompressed block"),
            Some(("b2nd", _)) => Some("the chunk's file"),
            _ => Some("what it inflates to"),
        }
    }

    /// Whether the rule stands in the way of reading.
    pub(crate) fn is_error(&self) -> bool {
        self.rule.severity == Some(Severity::Error)
    }

    pub(crate) fn expected(self, expected: impl fmt::Display) -> Self {
        Finding { expected: Some(expected.to_string()), ..self }
    }

    pub(crate) fn found(self, found: impl fmt::Display) -> Self {
        Finding { found: Some(found.to_string()), ..self }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Finding { help: Some(help.into()), ..self }
    }

    pub(crate) fn helped(self, help: Option<String>) -> Self {
        Finding { help: help.or(self.help), ..self }
    }

    /// The same finding, in a part of the file where the reference reader does something else than elsewhere.
    pub(crate) fn with_reference(self, reference: Reference) -> Self {
        Finding { reference, ..self }
    }

    /// The same finding, in a field of the structure with this path.
    pub(crate) fn within(self, path: &str) -> Self {
        let field = match self.field.as_str() {
            "" => path.to_owned(),
            field if field.starts_with('[') => format!("{path}{field}"),
            field => format!("{path}.{field}"),
        };
        Finding { field, ..self }
    }

    /// The same finding at the bytes of its field, which a trace of the structure around it tells.
    pub(crate) fn placed_by(self, root: &Node) -> Self {
        let place = root.locate(&self.field).unwrap_or(root.start..root.end);
        Finding { offset: place.start, length: place.end - place.start, ..self }
    }

    /// The same finding at the bytes of its field in a structure that is like this one, counted from its first byte.
    pub(crate) fn placed_in<T>(self, structure: &T, endian: Endian) -> Self
    where
        T: Layout + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>,
    {
        let bytes = write(structure, endian).expect("what was read can be written");
        self.placed_by(&trace::<T>(Source::new(&bytes), endian, ()).1)
    }

    /// The same finding, of a structure that begins so many bytes into the space.
    pub(crate) fn shifted(self, by: u64) -> Self {
        Finding { offset: self.offset.saturating_add(by), ..self }
    }

    /// The same finding, in another space.
    pub(crate) fn in_space(self, space: u32) -> Self {
        Finding { space, ..self }
    }

    /// The finding as a profile weighs it; nothing if the profile does not mind it.
    pub(crate) fn weighed(self, profile: Profile) -> Option<Self> {
        let severity = self.rule.severity_in(profile, self.reference)?;
        Some(Finding { severity, ..self })
    }
}

/// The errors that are passed over, and the warnings.
///
/// # Errors
/// [`Error::Invalid`] for the first error that is not passed over.
pub(crate) fn admit(
    findings: Vec<Finding>,
    is_passed_over: impl Fn(&Finding) -> bool,
) -> Result<(Vec<Finding>, Vec<Finding>)> {
    let (mut passed_over, mut warnings) = (Vec::new(), Vec::new());
    for finding in findings {
        match finding.rule.severity {
            Some(Severity::Error) if is_passed_over(&finding) => passed_over.push(finding),
            Some(Severity::Error) => return Err(finding.into()),
            Some(Severity::Warning) => warnings.push(finding),
            None => {}
        }
    }
    Ok((passed_over, warnings))
}

/// How many findings of one rule are kept; the last one says how many more there are.
const KEPT_OF_A_RULE: u64 = 20;

/// Findings in the making, of which a hostile file cannot make any number.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    kept: Vec<Finding>,
    /// How many were found of each rule that was found.
    counts: Vec<(&'static Rule, u64)>,
}

impl Findings {
    pub fn push(&mut self, finding: Finding) {
        self.push_with(finding.rule, || finding);
    }

    /// Makes a finding, if it is one of those that are kept.
    pub fn push_with(&mut self, rule: &'static Rule, finding: impl FnOnce() -> Finding) {
        let count = match self.counts.iter_mut().find(|(counted, _)| *counted == rule) {
            Some((_, count)) => count,
            None => {
                self.counts.push((rule, 0));
                &mut self.counts.last_mut().expect("one was added").1
            }
        };
        *count += 1;
        if *count <= KEPT_OF_A_RULE {
            self.kept.push(finding());
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// What was kept, in the order in which it was found.
    pub fn into_vec(mut self) -> Vec<Finding> {
        for (rule, count) in self.counts {
            let more = count.saturating_sub(KEPT_OF_A_RULE);
            if let Some(last) = self.kept.iter_mut().rfind(|finding| finding.rule == rule).filter(|_| more > 0) {
                last.message.push_str(&format!(" (and {more} more of this kind)"));
            }
        }
        self.kept
    }
}

impl Extend<Finding> for Findings {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, findings: T) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

/// `1 byte`, `2 bytes`.
pub(crate) fn bytes(number: u64) -> String {
    counted(number, "byte")
}

/// `1 block`, `2 blocks`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.rule.id, self.message)?;
        let space = self.space_name().map_or_else(String::new, |name| format!(" of {name}"));
        match self.field.as_str() {
            "" => write!(f, " (byte {}{space})", self.offset)?,
            field => write!(f, " ({field}, byte {}{space})", self.offset)?,
        }
        if let Some(expected) = &self.expected {
            write!(f, "; expected {expected}")?;
        }
        if let Some(found) = &self.found {
            write!(f, "; found {found}")?;
        }
        Ok(())
    }
}

/// What a check of one file came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The format, where the content is of one.
    pub format: Option<Format>,
    /// Bytes of the file.
    pub size: u64,
    findings: Vec<Finding>,
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// No finding.
    Ok,
    /// Warnings only.
    Warning,
    /// At least one error.
    Error,
}

impl Report {
    pub(crate) fn new(format: Option<Format>, size: u64, findings: Vec<Finding>, profile: Profile) -> Self {
        let findings = findings.into_iter().filter_map(|finding| finding.weighed(profile)).collect();
        Report { format, size, findings }
    }

    /// Everything that was found, in the order of the checks.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The weight of the worst finding.
    pub fn verdict(&self) -> Verdict {
        match self.findings.iter().map(|finding| finding.severity).max() {
            None => Verdict::Ok,
            Some(Severity::Warning) => Verdict::Warning,
            Some(Severity::Error) => Verdict::Error,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Ok => "ok",
            Verdict::Warning => "warning",
            Verdict::Error => "error",
        })
    }
}
