//! Rules: requirements on a file, under stable names.

use crate::format::Format;
use std::fmt;

/// One requirement on a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// Stable name, such as `idx/trailing-bytes`.
    pub id: &'static str,
    /// The subject of the rule.
    pub scope: Scope,
    /// The first version of ndbytes that had it.
    pub since: &'static str,
    /// The weight of a violation under [`Profile::Strict`], or `None` if the format allows it and only the reference reader
    /// does not.
    pub severity: Option<Severity>,
    /// True if a violation leaves the data readable, so that a caller may ignore it.
    pub(crate) tolerable: bool,
    /// The reaction of the format's reference reader to a file that breaks the rule.
    pub reference: Reference,
    /// The requirement, and the consequence of a violation.
    pub doc: &'static str,
    /// The source of the rule.
    pub source: &'static str,
}

/// The subject of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// Files of any format, or of none.
    General,
    /// Files of one format.
    Format(Format),
    /// The gzip container of a file.
    Gzip,
    /// The archive that a file is in.
    Zip,
    /// The demands of a project on its own files.
    Contract,
}

/// The weight of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The data can be decoded, but a correct writer would not have written this, or other readers read it differently.
    Warning,
    /// No verdict: nobody can foresee the reaction of the reference reader. Only [`Profile::Reference`] has it.
    Unforeseen,
    /// The specification is violated, or the data cannot be decoded.
    Error,
}

/// The reaction of the format's reference reader to a file that breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reference {
    /// It reads the file as if nothing were wrong.
    Accepts,
    /// It refuses the file; a crash counts as a refusal.
    Refuses,
    /// It cannot be foreseen: the reader looks at these bytes late, or never, or what follows depends on other bytes.
    Unforeseen,
    /// The rule is the caller's own, such as a limit: no reference reader knows of it.
    NotConcerned,
}

impl Reference {
    /// The reaction as the verb of a sentence, or `None` if no reader is concerned.
    pub fn verb(self) -> Option<&'static str> {
        match self {
            Reference::Unforeseen => Some("may accept or refuse"),
            Reference::Accepts | Reference::Refuses | Reference::NotConcerned => self.word(),
        }
    }

    /// The reaction as one word, as JSON and tables have it, or `None` if no reader is concerned.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Reference::Accepts => Some("accepts"),
            Reference::Refuses => Some("refuses"),
            Reference::Unforeseen => Some("unforeseen"),
            Reference::NotConcerned => None,
        }
    }
}

/// The judgement that findings are weighed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// The specification's: every rule at its own severity.
    #[default]
    Strict,
    /// The reference reader's: what it refuses is an error, what it accepts is at most a warning. Where its reaction cannot
    /// be foreseen, there is no verdict.
    Reference,
}

impl Rule {
    /// The weight of a violation to which the reference reader reacts with `reference`, or `None` if the profile ignores it.
    pub fn severity_in(&self, profile: Profile, reference: Reference) -> Option<Severity> {
        match (profile, reference) {
            (Profile::Strict, _) | (_, Reference::NotConcerned) => self.severity,
            (Profile::Reference, Reference::Refuses) => Some(Severity::Error),
            (Profile::Reference, Reference::Unforeseen) => Some(Severity::Unforeseen),
            (Profile::Reference, Reference::Accepts) => self.severity.map(|severity| severity.min(Severity::Warning)),
        }
    }

    /// Returns whether a file that breaks the rule can be read nevertheless if the caller asks for it: see
    /// [`Remedy::Tolerate`].
    ///
    /// [`Remedy::Tolerate`]: crate::Remedy::Tolerate
    pub fn is_tolerable(&self) -> bool {
        self.tolerable
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
            Severity::Unforeseen => "unforeseen",
            Severity::Error => "error",
        })
    }
}

/// The scope of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Depth {
    /// The structure only: the cost does not depend on the size of the payload.
    Structure,
    /// The payload too: everything is decoded.
    #[default]
    Payload,
}
