//! Facts about the whole file.

use serde::Serialize;

/// The figures in the headline of a page.
///
/// ```
/// use everybyte::page::Facts;
///
/// let facts = Facts { kind: "note".to_owned(), size: 3, verdict: "ok", unclaimed: 0, errors: 0, warnings: 0 };
/// assert_eq!(facts.line(), "note, 3 bytes, ok");
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    /// The kind of the file.
    pub kind: String,
    /// The length of the file in bytes.
    pub size: u64,
    /// The verdict: `ok`, `warning`, `unforeseen` or `error`.
    pub verdict: &'static str,
    /// The number of bytes, in all spaces, that no field claims.
    pub unclaimed: u64,
    /// The number of findings that are errors.
    pub errors: u64,
    /// The number of findings that are warnings.
    pub warnings: u64,
}

impl Facts {
    /// The facts as a line of text.
    pub fn line(&self) -> String {
        format!("{}, {} bytes, {}", self.kind, self.size, self.verdict)
    }
}
