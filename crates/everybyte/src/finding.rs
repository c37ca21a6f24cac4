//! Problems of files.

use crate::error::ParseError;
use crate::name::Name;
use std::ops::Range;

/// The maximum number of findings of one file that are kept.
pub(crate) const MOST_FINDINGS: usize = 1000;

/// The weight of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The file is not valid.
    Error,
    /// The file is valid, but something about it is unusual.
    Warning,
}

/// One violation of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule. Those of everybyte for structures that cannot be read are `truncated`, `unknown-code`, `wrong-magic`,
    /// `too-many` and `invalid`. Those for fields that can be read are `checksum`, `content`, `encoding`, `padding` and `surplus`.
    /// The others are `outside`, `overlap` and `gap` for bytes, and `limit` for files that are not examined whole.
    pub rule: Name,
    /// Its weight: an error, unless the declaration of the rule says otherwise.
    pub severity: Severity,
    /// The field concerned; empty if there is none.
    pub path: String,
    /// The number of the space whose bytes are concerned.
    pub space: u32,
    /// These bytes.
    pub bytes: Range<u64>,
    /// A description of the violation. It may quote the file: [`escape`](crate::escape()) it before it is printed.
    pub message: String,
}

impl Finding {
    /// A finding, for maps that are made by hand.
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

    /// A structure that cannot be read.
    pub(crate) fn unread(error: &ParseError, space: u32, around: &str) -> Self {
        let rule = error.problem.rule();
        let dot = if around.is_empty() || error.path.is_empty() { "" } else { "." };
        let path = format!("{around}{dot}{}", error.path);
        let bytes = error.offset..error.offset.saturating_add(error.length);
        Finding { rule: rule.into(), severity: Severity::Error, path, space, bytes, message: error.problem.to_string() }
    }
}
