//! Rules: requirements on a file, with stable identifiers.
//!
//! A rule is a static. Findings refer to it, callers tolerate it by reference, and its identifier appears in reports, baselines and
//! suppressions. An identifier must therefore not change. The text of a rule is its documentation comment, so the printed
//! explanation and the book cannot diverge from the code: see [`declare`](super::declare).
//!
//! The severity under the `strict` profile is a property of the rule. The severity under the `reference` profile follows from the
//! reaction of the reference reader, which a finding may state more precisely than its rule does.

use crate::format::Format;
use std::fmt;

/// A requirement that files must meet.
///
/// ```
/// let rule = ndbytes::rules().find(|rule| rule.id == "idx/trailing-bytes").unwrap();
/// assert!(rule.is_tolerable(), "`OpenOptions::tolerate` accepts it");
/// println!("{}: {}", rule.id, rule.doc);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The stable identifier, such as `idx/trailing-bytes`.
    pub id: &'static str,
    /// What the rule applies to.
    pub scope: Scope,
    /// The first version of ndbytes that had this rule.
    pub since: &'static str,
    /// The severity of a violation under [`Profile::Strict`]; `None` if only the reference reader refuses it.
    pub severity: Option<Severity>,
    /// Whether the data remains readable after a violation, so that a caller may ignore it.
    pub(crate) tolerable: bool,
    /// The reaction of the format's reference reader to a file that breaks the rule. For a rule about archives, see
    /// [`Rule::reactions`].
    pub reference: Reference,
    /// The reactions of the archive readers, if the rule is about archives.
    pub reactions: Option<Reactions>,
    /// The requirement, and the consequence of a violation.
    pub doc: &'static str,
    /// The source of the rule.
    pub source: &'static str,
}

/// What a rule applies to.
///
/// ```
/// use ndbytes::Scope;
///
/// assert!(ndbytes::rules().filter(|rule| rule.id.starts_with("zip/")).all(|rule| rule.scope == Scope::Zip));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// Files of any format, whether known or unknown.
    General,
    /// Files of one format.
    Format(Format),
    /// The gzip container of a file.
    Gzip,
    /// The archive that contains a file.
    Zip,
    /// The requirements of a project on its own files.
    Contract,
}

/// The severity of a finding.
///
/// ```
/// use ndbytes::Severity;
///
/// assert!(Severity::Warning < Severity::Error);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The data can be decoded, but a correct writer would not have produced it, or other readers interpret it differently.
    Warning,
    /// There is no verdict, because the behaviour of the reference reader cannot be predicted. Only used by [`Profile::Reference`].
    Unforeseen,
    /// The specification is violated, or the data cannot be decoded.
    Error,
}

/// The reaction of the format's reference reader to a file that breaks a rule.
///
/// ```
/// use ndbytes::Reference;
///
/// assert_eq!(Reference::Refuses.verb(), Some("refuses"));
/// assert_eq!(Reference::NotConcerned.verb(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reference {
    /// The reader reads the file as if nothing were wrong.
    Accepts,
    /// The reader refuses the file. A crash counts as a refusal.
    Refuses,
    /// The reaction cannot be predicted: the reader checks these bytes late or never, or its behaviour depends on other bytes.
    Unforeseen,
    /// The rule is the caller's own, such as a limit, so the reference reader does not apply it.
    NotConcerned,
}

/// The reactions of the archive readers to an archive that breaks a rule. The content of an archive determines which program reads
/// it. For archives with other content, the reader is not known.
///
/// ```
/// use ndbytes::{Format, Reference};
///
/// let rule = ndbytes::rules().find(|rule| rule.id == "zip/crc").unwrap();
/// let reactions = rule.reactions.unwrap();
/// assert_eq!(reactions.of(Some(Format::Npy)), Reference::Refuses);
/// assert_eq!(reactions.of(Some(Format::Idv)), Reference::Accepts);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Reactions {
    /// .NET's `ZipArchive`, which reads ML.NET's models.
    pub dotnet: Reference,
    /// NumPy, which reads `.npz` with Python's `zipfile`.
    pub numpy: Reference,
    /// python-blosc2, which reads `.b2z`. It uses `zipfile` for the central directory, and reads frames in place.
    pub blosc2: Reference,
}

impl Reactions {
    /// Creates reactions that are the same for all readers.
    pub(crate) const fn all(reference: Reference) -> Self {
        Reactions { dotnet: reference, numpy: reference, blosc2: reference }
    }

    /// The reaction of the reader for archives with this content.
    pub fn of(self, content: Option<Format>) -> Reference {
        match content {
            Some(Format::Idv) => self.dotnet,
            Some(Format::Npy) => self.numpy,
            Some(Format::B2nd) => self.blosc2,
            _ => Reference::NotConcerned,
        }
    }
}

impl Reference {
    /// The reaction as a verb for a sentence; `None` if no reader is affected.
    pub fn verb(self) -> Option<&'static str> {
        match self {
            Reference::Unforeseen => Some("may accept or refuse"),
            Reference::Accepts | Reference::Refuses | Reference::NotConcerned => self.word(),
        }
    }

    /// The reaction as one word, as in JSON and tables; `None` if no reader is affected.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Reference::Accepts => Some("accepts"),
            Reference::Refuses => Some("refuses"),
            Reference::Unforeseen => Some("unforeseen"),
            Reference::NotConcerned => None,
        }
    }
}

/// How the severity of findings is determined.
///
/// ```
/// use ndbytes::{Checker, Profile, Verdict, npy};
///
/// let mut file = npy::Writer::new().to_vec(&ndarray::arr1(&[1_u8, 2]))?;
/// file.push(3); // a byte too many, which NumPy ignores
/// let checker = Checker::new();
/// assert_eq!(checker.profile(Profile::Strict).check_slice(&file)?.verdict(), Verdict::Error);
/// assert_eq!(checker.profile(Profile::Reference).check_slice(&file)?.verdict(), Verdict::Warning);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// The specification determines it: every rule has its own severity.
    #[default]
    Strict,
    /// The reference reader determines it: what it refuses is an error, and what it accepts is at most a warning. If its reaction
    /// cannot be predicted, there is no verdict.
    Reference,
}

impl Rule {
    /// The severity of a violation to which the reference reader reacts with `reference`; `None` if the profile ignores it.
    pub fn severity_in(&self, profile: Profile, reference: Reference) -> Option<Severity> {
        match (profile, reference) {
            (Profile::Strict, _) | (_, Reference::NotConcerned) => self.severity,
            (Profile::Reference, Reference::Refuses) => Some(Severity::Error),
            (Profile::Reference, Reference::Unforeseen) => Some(Severity::Unforeseen),
            (Profile::Reference, Reference::Accepts) => self.severity.map(|severity| severity.min(Severity::Warning)),
        }
    }

    /// Returns whether a file that breaks the rule can still be read on request: see [`Remedy::Tolerate`].
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

/// How much of a file to check.
///
/// ```
/// use ndbytes::{Checker, Depth, Verdict, npy};
///
/// let mut file = npy::Writer::new().to_vec(&ndarray::arr1(&[true, false]))?;
/// *file.last_mut().unwrap() = 2; // neither true nor false
/// let checker = Checker::new();
/// assert_eq!(checker.depth(Depth::Payload).check_slice(&file)?.verdict(), Verdict::Warning);
/// assert_eq!(checker.depth(Depth::Structure).check_slice(&file)?.verdict(), Verdict::Ok);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Depth {
    /// Only the structure is checked, so the cost does not depend on the size of the payload.
    Structure,
    /// The payload is also checked, so everything is decoded.
    #[default]
    Payload,
}
