//! Findings: the rules that a file breaks, and where.
//!
//! A finding is built in steps. A check creates it with the rule and the bytes, and adds what was expected and found. The caller of
//! the check adds more context: the path of the structure in the file, the gzip file around it, the member of an archive, and the
//! severity in the profile. For each of these, there is a method that returns the changed finding.

use super::general::LIMIT_EXCEEDED;
use super::rule::{Profile, Reactions, Reference, Rule, Scope, Severity};
use super::words::bytes;
use crate::format::Format;
use everybyte::ParseError;
use everybyte::escape;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A violation of a rule, with the rule, the field, the bytes, and the expected and actual values.
///
/// # Show a finding
///
/// `Display` prints one line. For any other format, use the fields:
///
/// ```
/// use ndbytes::{Limits, Remedy, check};
///
/// let report = check("samples/interrupted-idx3-ubyte", &Limits::default())?;
/// let finding = &report.findings()[0];
/// assert_eq!(
///     finding.to_string(),
///     "error[idx/truncated-payload]: the payload is missing 5388 bytes (payload, byte 2468); \
///      expected 7840 bytes of payload; found 2452 bytes"
/// );
/// assert_eq!(finding.help.as_deref(), Some("3 of 10 items are whole"));
/// assert_eq!(finding.remedy(), Some(Remedy::Tolerate));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// The severity in the requested profile.
    pub severity: Severity,
    /// The path of the affected field, such as `dims[0]`; empty for the whole file.
    pub field: String,
    /// The space that `offset` refers to, where 0 is the file; see [`Finding::space_name`].
    pub space: u32,
    /// Whether the space is in the decompressed content of a gzip file. That content is then space 1, and the others follow it.
    pub(crate) is_inside_gzip: bool,
    /// The offset of the first affected byte.
    pub offset: u64,
    /// The number of affected bytes. It is 0 if bytes are missing, and exceeds the length of the file if a field is truncated.
    pub length: u64,
    /// A description of the violation.
    pub message: String,
    /// The expected value.
    pub expected: Option<String>,
    /// The value in the file.
    pub found: Option<String>,
    /// The consequence, or advice.
    pub help: Option<String>,
    /// What the caller can do, if the rule does not imply it.
    pub(crate) remedy: Option<Remedy>,
    /// The name of the affected member in a report on an archive or store; otherwise `None`.
    pub member: Option<Arc<str>>,
    /// The reaction of the format's reference reader. It is usually the same for every violation of the rule, but the reader may
    /// ignore some parts of a file, or check them late.
    pub reference: Reference,
    /// The reactions of the archive readers, if the finding is about an archive.
    pub(crate) reactions: Option<Reactions>,
    /// The content of the archive that the finding is about, which determines the archive's reader.
    pub(crate) archive_of: Option<Format>,
}

/// The advice about a budget that was exceeded.
pub(crate) const RAISE: &str = "raise the limit if you trust the file";

impl Finding {
    /// A finding about some bytes of the file, with the strict severity of the rule.
    #[doc(hidden)]
    pub fn new(rule: &'static Rule, field: &str, bytes: Range<u64>, message: impl Into<String>) -> Self {
        Finding {
            rule,
            severity: rule.severity.unwrap_or(Severity::Warning),
            field: field.into(),
            space: 0,
            is_inside_gzip: false,
            offset: bytes.start,
            length: bytes.end - bytes.start,
            message: message.into(),
            expected: None,
            found: None,
            help: None,
            remedy: None,
            member: None,
            reference: rule.reference,
            reactions: rule.reactions,
            archive_of: None,
        }
    }

    /// Returns a finding about a structure that could not be read.
    pub(crate) fn unreadable(rule: &'static Rule, error: &ParseError, message: impl Into<String>) -> Self {
        let bytes = error.offset..error.offset + error.length;
        Finding::new(rule, &error.path, bytes, message)
    }

    /// Returns how the caller can make the file readable.
    pub fn remedy(&self) -> Option<Remedy> {
        let is_tolerable = self.rule.is_tolerable() && self.reference == self.rule.reference;
        self.remedy.or_else(|| is_tolerable.then_some(Remedy::Tolerate))
    }

    pub(crate) fn remedy_by(self, remedy: Remedy) -> Self {
        Finding { remedy: Some(remedy), ..self }
    }

    /// Returns the finding for output that would exceed its budget.
    pub(crate) fn output_limit(what: &str, needed: u64, limit: u64) -> Self {
        let message = format!("{what} takes {}, but the output limit is {}", bytes(needed), bytes(limit));
        Finding::new(&LIMIT_EXCEEDED, "", 0..0, message).help(RAISE).remedy_by(Remedy::MoreOutput)
    }

    /// Returns the finding about an array that is longer than a caller accepts.
    pub(crate) fn decoded_limit(length: u64, limit: u64) -> Self {
        let message = format!("the decoded array takes {}, but at most {} are allowed", bytes(length), bytes(limit));
        Finding::new(&LIMIT_EXCEEDED, "", 0..0, message).help(RAISE).remedy_by(Remedy::MoreDecoded)
    }

    /// The name of the space that `offset` refers to; `None` if it is the file.
    pub fn space_name(&self) -> Option<&'static str> {
        match self.rule.scope {
            _ if self.space == 0 => None,
            _ if self.is_inside_gzip && self.space == 1 => Some("what it inflates to"),
            Scope::Format(format) => format.inner_space(),
            _ => None,
        }
    }

    /// Returns whether the violation prevents reading.
    pub(crate) fn is_error(&self) -> bool {
        self.rule.severity == Some(Severity::Error)
    }

    /// Returns the same finding, at other bytes.
    #[doc(hidden)]
    pub fn at(self, bytes: Range<u64>) -> Self {
        Finding { offset: bytes.start, length: bytes.end - bytes.start, ..self }
    }

    #[doc(hidden)]
    pub fn expected(self, expected: impl fmt::Display) -> Self {
        Finding { expected: Some(expected.to_string()), ..self }
    }

    #[doc(hidden)]
    pub fn found(self, found: impl fmt::Display) -> Self {
        Finding { found: Some(found.to_string()), ..self }
    }

    #[doc(hidden)]
    pub fn help(self, help: impl Into<String>) -> Self {
        Finding { help: Some(help.into()), ..self }
    }

    pub(crate) fn helped(self, help: Option<String>) -> Self {
        Finding { help: help.or(self.help), ..self }
    }

    /// Returns the same finding, with a different reaction of the reference reader.
    pub(crate) fn with_reference(self, reference: Reference) -> Self {
        Finding { reference, ..self }
    }

    /// Sets the reaction of the reference reader once it is known. The caller's remedy does not change.
    pub(crate) fn react(&mut self, reference: Reference) {
        if self.reference != reference {
            self.remedy = self.remedy();
            self.reference = reference;
        }
    }

    /// Returns the same finding about an archive, with different reactions of its readers.
    pub(crate) fn with_reactions(self, reactions: Reactions) -> Self {
        Finding { reactions: Some(reactions), ..self }
    }

    /// Returns the same finding for an archive with this content, which determines its reader.
    pub(crate) fn in_archive_of(self, content: Option<Format>) -> Self {
        match self.reactions {
            Some(reactions) => Finding { reference: reactions.of(content), archive_of: content, ..self },
            None => self,
        }
    }

    /// Returns the same finding, in another space.
    pub(crate) fn in_space(self, space: u32) -> Self {
        Finding { space, ..self }
    }

    /// Returns the same finding, but in the content of a gzip file.
    #[doc(hidden)]
    pub fn inside_gzip(self) -> Self {
        let space = if self.is_inside_gzip { self.space } else { self.space.saturating_add(1) };
        Finding { space, is_inside_gzip: true, ..self }
    }

    /// Returns the memory that it uses, in bytes.
    pub(crate) fn held(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::capacity);
        let own = self.field.capacity() + self.message.capacity();
        size_of::<Self>() + own + text(&self.expected) + text(&self.found) + text(&self.help)
    }

    /// Returns the finding with the severity in a profile, or `None` if the profile ignores it.
    pub(crate) fn weighed(self, profile: Profile) -> Option<Self> {
        let severity = self.rule.severity_in(profile, self.reference)?;
        Some(Finding { severity, ..self })
    }
}

/// Formats a finding as the sentence of an error: first the message, then the rule, the position and the help.
pub(crate) struct Sentence<'f>(pub &'f Finding);

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, ", escape(&self.0.message), self.0.rule.id)?;
        self.0.write_place(f)?;
        match &self.0.help {
            Some(help) => write!(f, "; {}", escape(help)),
            None => Ok(()),
        }
    }
}

/// How a caller can still read a broken file. The texts refer to items of the library, for which the tool has its own names.
///
/// ```
/// use ndbytes::{Checker, Limits, Remedy};
///
/// let report = Checker::new().limits(Limits::default().decoded(1000)).check("samples/temperatures.b2nd")?;
/// assert_eq!(report.findings()[0].remedy(), Some(Remedy::MoreDecoded));
/// assert_eq!(Remedy::MoreDecoded.to_string(), "`Limits::decoded` allows longer arrays");
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remedy {
    /// Tolerate the broken rule: `Options::tolerate` of the format's module.
    Tolerate,
    /// Allow more memory: [`Limits::memory`](crate::bytes::limits::Limits::memory).
    MoreMemory,
    /// Allow more output: [`Limits::output`](crate::bytes::limits::Limits::output).
    MoreOutput,
    /// Allow longer arrays: [`Limits::decoded`](crate::bytes::limits::Limits::decoded).
    MoreDecoded,
    /// Allow more time: [`Limits::time`](crate::Limits::time).
    MoreTime,
}

impl Remedy {
    /// Its name in the JSON of findings.
    pub fn word(self) -> &'static str {
        match self {
            Remedy::Tolerate => "tolerate",
            Remedy::MoreMemory => "more-memory",
            Remedy::MoreOutput => "more-output",
            Remedy::MoreDecoded => "more-decoded",
            Remedy::MoreTime => "more-time",
        }
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remedy::Tolerate => f.write_str("`Options::tolerate` ignores it"),
            Remedy::MoreMemory => f.write_str("`Limits::memory` grants more memory"),
            Remedy::MoreOutput => f.write_str("`Limits::output` allows more output"),
            Remedy::MoreDecoded => f.write_str("`Limits::decoded` allows longer arrays"),
            Remedy::MoreTime => f.write_str("`Limits::time` grants more time"),
        }
    }
}

/// Writes one line, in which names from the file are escaped.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {} (", self.severity, self.rule.id, escape(&self.message))?;
        self.write_place(f)
    }
}

impl Finding {
    /// Writes the rest of the position, including the closing bracket, and the expected and actual values.
    fn write_place(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = self.space_name().map_or_else(String::new, |name| format!(" of {name}"));
        if let Some(member) = &self.member {
            write!(f, "{}, ", escape(member))?;
        }
        if !self.field.is_empty() {
            write!(f, "{}, ", escape(&self.field))?;
        }
        write!(f, "byte {}{space})", self.offset)?;
        if let Some(expected) = &self.expected {
            write!(f, "; expected {}", escape(expected))?;
        }
        if let Some(found) = &self.found {
            write!(f, "; found {}", escape(found))?;
        }
        Ok(())
    }
}
