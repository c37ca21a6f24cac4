//! Rules: what a file may break, under a stable name.

use std::fmt;

/// One thing that a file may break.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// Stable name, such as `idx/trailing-bytes`.
    pub id: &'static str,
    /// How much a breach weighs under [`Profile::Strict`]; none if the format allows it and only the reference reader
    /// does not.
    pub severity: Option<Severity>,
    /// What the format's reference reader does with a file that breaks the rule.
    pub reference: Reference,
    /// What the rule asks and what a breach costs.
    pub doc: &'static str,
    /// Where the rule comes from.
    pub source: &'static str,
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The data can be decoded, but a correct writer would not have written this, or other readers read it differently.
    Warning,
    /// The specification is violated, or the data cannot be decoded.
    Error,
}

/// What the format's reference reader does with a file that breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reference {
    /// It reads the file as if nothing were wrong.
    Accepts,
    /// It refuses the file; a crash counts as a refusal.
    Refuses,
}

/// Whose judgement findings are weighed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// The specification's: every rule at its own severity.
    #[default]
    Strict,
    /// The reference reader's: what it refuses is an error, what it accepts is at most a warning.
    Reference,
}

impl Rule {
    /// A rule that a file breaks at the cost of being an error.
    pub(crate) const fn error(id: &'static str, reference: Reference, doc: &'static str, source: &'static str) -> Self {
        Rule { id, severity: Some(Severity::Error), reference, doc, source }
    }

    pub(crate) const fn warning(
        id: &'static str,
        reference: Reference,
        doc: &'static str,
        source: &'static str,
    ) -> Self {
        Rule { id, severity: Some(Severity::Warning), reference, doc, source }
    }

    /// Something that the format allows and the reference reader refuses.
    pub(crate) const fn allowed(id: &'static str, doc: &'static str, source: &'static str) -> Self {
        Rule { id, severity: None, reference: Reference::Refuses, doc, source }
    }

    /// How much a breach weighs about which the reference reader does `reference`; nothing if the profile does not mind it.
    pub fn severity_in(&self, profile: Profile, reference: Reference) -> Option<Severity> {
        match (profile, reference) {
            (Profile::Strict, _) => self.severity,
            (Profile::Reference, Reference::Refuses) => Some(Severity::Error),
            (Profile::Reference, Reference::Accepts) => self.severity.map(|severity| severity.min(Severity::Warning)),
        }
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// A file that is of no format that ndbytes knows.
pub static UNKNOWN_FORMAT: Rule = Rule::error(
    "unknown-format",
    Reference::Refuses,
    "The content has to begin like one of the formats that ndbytes reads. File names and extensions are not looked at. \
     Where the bytes are recognised as something else (a compressed file, a web page, a git-LFS pointer), the message \
     says what.",
    "the formats' signatures",
);

/// A file that would take more memory than the caller allows.
pub static LIMIT_EXCEEDED: Rule = Rule::error(
    "limit-exceeded",
    Reference::Refuses,
    "What a file makes a reader allocate has to stay within the budget that the caller grants (`Limits`, `--max-memory`).",
    "ndbytes",
);

/// Every rule that is not of one format.
static GENERAL: [&Rule; 2] = [&UNKNOWN_FORMAT, &LIMIT_EXCEEDED];

/// Every rule there is, the general ones first, then by format.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let wraps = [crate::gzip::RULES, crate::archive::rules::ALL];
    let rooms = [crate::idx::rules::ALL, crate::rawarray::rules::ALL, crate::idv::rules::ALL, crate::b2nd::rules::ALL];
    let rules = [&GENERAL[..]].into_iter().chain(wraps).chain(rooms);
    rules.flatten().copied()
}
