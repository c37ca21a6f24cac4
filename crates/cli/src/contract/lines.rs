//! Places in the text of a contract.

use std::ops::Range;

/// A value of a contract, and the line that it begins in.
#[derive(Debug, Clone, PartialEq)]
pub struct Lined<T> {
    pub value: T,
    pub line: usize,
}

/// The number of the line of a place in a text, from 1 on.
pub fn line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// A sentence about a place in a text.
pub fn at(text: &str, span: Option<Range<usize>>, reason: &str) -> String {
    match span {
        Some(span) => format!("line {}: {reason}", line(text, span.start)),
        None => reason.to_owned(),
    }
}
