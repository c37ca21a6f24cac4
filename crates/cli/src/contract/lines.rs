//! Positions in the text of a contract.

use std::ops::Range;

/// A value of a contract, and the line on which it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Lined<T> {
    pub value: T,
    pub line: usize,
}

/// Returns the number of the line at a position in a text, starting at 1.
pub fn line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// Returns a sentence about a position in a text.
pub fn at(text: &str, span: Option<Range<usize>>, reason: &str) -> String {
    match span {
        Some(span) => format!("line {}: {reason}", line(text, span.start)),
        None => reason.to_owned(),
    }
}
