//! Findings: which rule a file breaks, and where.

use super::general::LIMIT_EXCEEDED;
use super::rule::{Profile, Reference, Rule, Scope, Severity};
use super::words::bytes;
use everybyte::ParseError;
use everybyte::escape;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One violation of one rule: the rule, the field, the bytes, what is expected and what was found.
///
/// # Show a finding
///
/// `Display` gives one line. The fields are there for a display of your own:
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
    /// Its weight in the profile that was requested.
    pub severity: Severity,
    /// The field that breaks it, such as `dims[0]`; empty if it is the file as a whole.
    pub field: String,
    /// The space that `offset` counts in: 0 is the file; see [`Finding::space_name`].
    pub space: u32,
    /// True if the space is in what a gzip file inflates to. That is space 1 then, and the others follow it.
    pub(crate) is_inside_gzip: bool,
    /// The first byte concerned.
    pub offset: u64,
    /// The number of bytes concerned: 0 where bytes are missing, more than the file has where a field is cut off.
    pub length: u64,
    /// A description of the violation.
    pub message: String,
    /// The value that is required.
    pub expected: Option<String>,
    /// The value in the file.
    pub found: Option<String>,
    /// The consequence, or advice.
    pub help: Option<String>,
    /// The caller's remedy, if the rule does not imply it.
    pub(crate) remedy: Option<Remedy>,
    /// The name of the member concerned, in a report on an archive or a store; `None` for any other file.
    pub member: Option<Arc<str>>,
    /// The reaction of the format's reference reader. As a rule, it is the same for every violation of the rule. But
    /// the reader may ignore some parts of a file, or look at them late.
    pub reference: Reference,
}

/// The advice about a budget that was exceeded.
pub(crate) const RAISE: &str = "raise the limit if the file is to be trusted";

impl Finding {
    /// A finding at some bytes of the file, at the rule's strict severity.
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
        }
    }

    /// A finding about a structure that could not be read.
    pub(crate) fn unreadable(rule: &'static Rule, error: &ParseError, message: impl Into<String>) -> Self {
        let bytes = error.offset..error.offset + error.length;
        Finding::new(rule, &error.path, bytes, message)
    }

    /// The caller's way to have the file read nevertheless.
    pub fn remedy(&self) -> Option<Remedy> {
        let is_tolerable = self.rule.is_tolerable() && self.reference == self.rule.reference;
        self.remedy.or_else(|| is_tolerable.then_some(Remedy::Tolerate))
    }

    pub(crate) fn remedy_by(self, remedy: Remedy) -> Self {
        Finding { remedy: Some(remedy), ..self }
    }

    /// Output that would be longer than its budget.
    pub(crate) fn output_limit(what: &str, needed: u64, limit: u64) -> Self {
        let message = format!("{what} takes {}, but at most {} may be written", bytes(needed), bytes(limit));
        Finding::new(&LIMIT_EXCEEDED, "", 0..0, message).help(RAISE).remedy_by(Remedy::MoreOutput)
    }

    /// An array that is longer than a caller takes.
    pub(crate) fn decoded_limit(length: u64, limit: u64) -> Self {
        let message = format!("the array takes {} decoded, but at most {} are allowed", bytes(length), bytes(limit));
        Finding::new(&LIMIT_EXCEEDED, "", 0..0, message).help(RAISE).remedy_by(Remedy::MoreDecoded)
    }

    /// The name of the space that `offset` counts in, or `None` if that is the file.
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

    /// The same finding, in a part of the file that the reference reader treats differently.
    pub(crate) fn with_reference(self, reference: Reference) -> Self {
        Finding { reference, ..self }
    }

    /// The same finding, in another space.
    pub(crate) fn in_space(self, space: u32) -> Self {
        Finding { space, ..self }
    }

    /// The same finding about a file, of which a gzip file is around.
    pub(crate) fn inside_gzip(self) -> Self {
        let space = if self.is_inside_gzip { self.space } else { self.space.saturating_add(1) };
        Finding { space, is_inside_gzip: true, ..self }
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn held(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::capacity);
        let own = self.field.capacity() + self.message.capacity();
        size_of::<Self>() + own + text(&self.expected) + text(&self.found) + text(&self.help)
    }

    /// The finding as a profile weighs it, or `None` if the profile ignores it.
    pub(crate) fn weighed(self, profile: Profile) -> Option<Self> {
        let severity = self.rule.severity_in(profile, self.reference)?;
        Some(Finding { severity, ..self })
    }
}

/// A finding as the sentence of an error: the fact first, then the rule, the place and the help.
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

/// A caller's way to have a broken file read. Its text is in the words of the library; the tool has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remedy {
    /// To tolerate the rule that is broken: `Options::tolerate` of the format's module.
    Tolerate,
    /// To grant more memory: [`Limits::memory`](crate::bytes::limits::Limits::memory).
    MoreMemory,
    /// To allow more output: [`Limits::output`](crate::bytes::limits::Limits::output).
    MoreOutput,
    /// To allow longer arrays: [`Limits::decoded`](crate::bytes::limits::Limits::decoded).
    MoreDecoded,
    /// To grant more time: [`Limits::time`](crate::Limits::time).
    MoreTime,
}

impl Remedy {
    /// Its name, as findings have it as JSON.
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

/// One line, in which names that came from a file are harmless.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {} (", self.severity, self.rule.id, escape(&self.message))?;
        self.write_place(f)
    }
}

impl Finding {
    /// The place, up to the bracket that ends it, and what was expected and found.
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
