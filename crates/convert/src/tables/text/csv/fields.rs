//! The fields of a CSV file, one after the other.
//!
//! `csv-core` does not say whether a field had quotes, which tell an empty text from a missing value. It also takes every text for
//! CSV: quotes within a field and quotes that never end are no errors there.

use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::tables::text::batches::LONGEST;
use std::borrow::Cow;

/// A field.
#[derive(Debug)]
pub struct Field<'t> {
    /// Its text without quotes.
    pub text: Cow<'t, str>,
    /// True if it has quotes around it.
    pub quoted: bool,
    /// True if its record ends after it.
    pub is_last: bool,
}

/// The fields of a text. Every byte is looked at once.
#[derive(Debug, Clone)]
pub struct Fields<'t> {
    text: &'t str,
    at: usize,
    line: u64,
}

impl<'t> Fields<'t> {
    /// The fields from the beginning.
    pub fn new(text: &'t str) -> Self {
        Fields { text, at: 0, line: 1 }
    }

    /// The line of the next byte, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The place of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns whether there is no further record.
    pub fn is_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Passes an empty line, if there is one.
    pub fn pass_empty_line(&mut self) -> bool {
        let before = self.at;
        self.end_line();
        self.at > before
    }

    /// Passes a line feed, a carriage return, or both.
    fn end_line(&mut self) {
        let bytes = self.text.as_bytes();
        let before = self.at;
        self.at += usize::from(bytes.get(self.at) == Some(&b'\r'));
        self.at += usize::from(bytes.get(self.at) == Some(&b'\n'));
        self.line += u64::from(self.at > before);
    }

    /// The next field.
    ///
    /// # Errors
    /// [`Error::Malformed`] if a quote is not closed, or something else than a comma follows it.
    pub fn next(&mut self) -> Result<Field<'t>> {
        let (first_line, quoted) = (self.line, self.text.as_bytes().get(self.at) == Some(&b'"'));
        let text = if quoted { self.quoted()? } else { self.bare() };
        if text.len() > LONGEST {
            return Err(malformed(format!(
                "has a field of {} bytes in line {first_line}, but at most {LONGEST} are read",
                text.len()
            )));
        }
        let is_last = match self.text.as_bytes().get(self.at) {
            Some(b',') => {
                self.at += 1;
                false
            }
            None | Some(b'\r' | b'\n') => {
                self.end_line();
                true
            }
            Some(_) => {
                let what = format!("has more than a comma after the quote that closes a field in line {}", self.line);
                return Err(malformed(what));
            }
        };
        Ok(Field { text, quoted, is_last })
    }

    /// The text up to the next comma or end of the line.
    fn bare(&mut self) -> Cow<'t, str> {
        let rest = &self.text[self.at..];
        let end = rest.bytes().position(|byte| matches!(byte, b',' | b'\r' | b'\n')).unwrap_or(rest.len());
        self.at += end;
        Cow::Borrowed(&rest[..end])
    }

    /// The text between quotes, in which a quote is doubled.
    fn quoted(&mut self) -> Result<Cow<'t, str>> {
        let first_line = self.line;
        self.at += 1;
        let mut text = Cow::Borrowed("");
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.bytes().position(|byte| byte == b'"') else {
                return Err(malformed(format!("has a field in line {first_line} whose quote is never closed")));
            };
            self.line += rest.as_bytes()[..end].iter().filter(|&&byte| byte == b'\n').count() as u64;
            let is_doubled = rest.as_bytes().get(end + 1) == Some(&b'"');
            let part = &rest[..end + usize::from(is_doubled)];
            self.at += end + 1 + usize::from(is_doubled);
            match text.is_empty() && !is_doubled {
                true => return Ok(Cow::Borrowed(part)),
                false => text.to_mut().push_str(part),
            }
            if !is_doubled {
                return Ok(text);
            }
        }
    }
}

/// An error of a file.
pub fn malformed(what: String) -> Error {
    Error::Malformed { kind: FileKind::Csv, what }
}
