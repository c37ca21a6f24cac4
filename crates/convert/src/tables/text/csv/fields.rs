//! The fields of a CSV file, in order.
//!
//! `csv-core` does not report whether a field had quotes, which distinguish an empty string from a missing value. It
//! also accepts any text as CSV, even if it has quotes within a field or unclosed quotes.

use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::tables::text::batches::LONGEST;
use std::borrow::Cow;

/// A field.
#[derive(Debug)]
pub struct Field<'t> {
    /// Its text without quotes.
    pub text: Cow<'t, str>,
    /// Whether it is quoted.
    pub quoted: bool,
    /// Whether it is the last field of its record.
    pub is_last: bool,
}

/// Reads the fields of a file in one pass over its text.
#[derive(Debug, Clone)]
pub struct Fields<'t> {
    text: &'t str,
    at: usize,
    line: u64,
}

impl<'t> Fields<'t> {
    /// Starts with the first field.
    pub fn new(text: &'t str) -> Self {
        Fields { text, at: 0, line: 1 }
    }

    /// Returns the line of the next byte, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The position of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns whether this is the last record.
    pub fn is_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Skips an empty line, if there is one.
    pub fn pass_empty_line(&mut self) -> bool {
        let before = self.at;
        self.end_line();
        self.at > before
    }

    /// Skips a line feed, a carriage return, or both.
    fn end_line(&mut self) {
        let bytes = self.text.as_bytes();
        let before = self.at;
        self.at += usize::from(bytes.get(self.at) == Some(&b'\r'));
        self.at += usize::from(bytes.get(self.at) == Some(&b'\n'));
        self.line += u64::from(self.at > before);
    }

    /// Reads the next field.
    ///
    /// # Errors
    /// [`Error::Malformed`] if a quote is not closed, or something other than a comma follows it.
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
                let what = format!("has something other than a comma after a closing quote in line {}", self.line);
                return Err(malformed(what));
            }
        };
        Ok(Field { text, quoted, is_last })
    }

    /// Reads the text up to the next comma or the end of the line.
    fn bare(&mut self) -> Cow<'t, str> {
        let rest = &self.text[self.at..];
        let end = rest.bytes().position(|byte| matches!(byte, b',' | b'\r' | b'\n')).unwrap_or(rest.len());
        self.at += end;
        Cow::Borrowed(&rest[..end])
    }

    /// Reads the text between quotes, in which a quote is doubled.
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

/// Returns an error about a file.
pub fn malformed(what: String) -> Error {
    Error::Malformed { kind: FileKind::Csv, what }
}
