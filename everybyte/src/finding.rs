//! Findings: violations with a rule, a position and a message.

use crate::error::ParseError;
use crate::name::Name;
use std::ops::Range;

/// The maximum number of findings that are kept per file.
pub(crate) const MOST_FINDINGS: usize = 1000;

/// How serious a violation is.
///
/// ```
/// use everybyte::{Format, check, finding::Severity, layout};
///
/// #[layout]
/// struct Picture {
///     #[layout(rule("picture/deep", warning, depth <= 8, "a depth of {depth} bits is unusual"))]
///     depth: u8,
/// }
///
/// impl Format for Picture {
///     const NAME: &'static str = "picture";
/// }
///
/// assert_eq!(check::<Picture>(&[16])[0].severity, Severity::Warning);
/// assert_eq!(check::<Picture>(&[])[0].severity, Severity::Error);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The file is not valid.
    Error,
    /// The file is valid, but something about it is unusual.
    Warning,
}

/// One violation of one rule.
///
/// ```
/// use everybyte::{Format, check, layout};
///
/// #[layout]
/// #[brw(little)]
/// struct Pair {
///     a: u8,
///     b: u16,
/// }
///
/// impl Format for Pair {
///     const NAME: &'static str = "pair";
/// }
///
/// let findings = check::<Pair>(b"\x01\x02"); // one byte is missing
/// assert_eq!((&*findings[0].rule, findings[0].path.as_str()), ("truncated", "b"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule. everybyte's rules for structures that cannot be read are `truncated`, `unknown-code`, `wrong-magic`, `too-many` and
    /// `invalid`. Those for fields that can be read are `checksum`, `content`, `encoding`, `padding` and `surplus`. The others are
    /// `outside`, `overlap` and `gap` for bytes, `loop` for chains, and `limit` for files that are not examined completely.
    pub rule: Name,
    /// How serious it is: an error, unless the rule declares otherwise.
    pub severity: Severity,
    /// The field concerned; empty if there is none.
    pub path: String,
    /// The number of the space that contains the bytes concerned.
    pub space: u32,
    /// The bytes concerned, as a range in that space.
    pub bytes: Range<u64>,
    /// A description of the violation. It may quote the file: [`escape`](crate::escape()) it before printing.
    pub message: String,
}

impl Finding {
    /// Creates a finding, for maps that are built by hand.
    pub fn new(
        rule: impl Into<Name>,
        severity: Severity,
        path: String,
        space: u32,
        bytes: Range<u64>,
        message: String,
    ) -> Self {
        Finding { rule: rule.into(), severity, path, space, bytes, message }
    }

    /// Returns the finding for a structure that cannot be read.
    pub(crate) fn unread(error: &ParseError, space: u32, around: &str) -> Self {
        let rule = error.problem.rule();
        let dot = if around.is_empty() || error.path.is_empty() { "" } else { "." };
        let path = format!("{around}{dot}{}", error.path);
        let bytes = error.offset..error.offset.saturating_add(error.length);
        Finding { rule: rule.into(), severity: Severity::Error, path, space, bytes, message: error.problem.to_string() }
    }
}
