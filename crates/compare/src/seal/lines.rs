//! The lines of a seal. They are read one by one, and are never all in memory.
//!
//! Only one spelling of each line is valid: no leading zeros, no other escapes, no spare spaces. Two seals are
//! therefore equal exactly if their texts are, and a diff of a seal in code review shows nothing but changes. Lines
//! have a maximum length, so a file without line feeds cannot fill the memory.

use super::name::Name;
use crate::digest::Digest;
use ndbytes::{Error, Input, Result};
use std::fmt;
use std::ops::Range;

/// The first line of a seal in form 1.
pub const HEAD: &str = "ndbytes seal 1\n";

/// The beginning of the first line, in every version of the format.
const MAGIC: &str = "ndbytes seal ";

/// The maximum length of a line, in bytes.
const LONGEST: usize = 64 << 10;

/// The number of bytes that are read at once.
const STEP: usize = 16 << 10;

/// Returns whether a file that begins with these bytes is a seal in any form.
///
/// ```
/// use ndbytes_compare::seal;
///
/// assert!(seal::is_seal(seal::HEAD.as_bytes()));
/// assert!(!seal::is_seal(b"# a list of digests\n"));
/// ```
pub fn is_seal(head: &[u8]) -> bool {
    head.starts_with(MAGIC.as_bytes())
}

/// A line of a seal.
#[derive(Debug)]
pub enum Line<'l> {
    File { size: u64, digest: Digest, name: Name },
    Part(Part<'l>),
}

/// A part of a file, as a seal states it.
#[derive(Debug)]
pub struct Part<'l> {
    pub place: Range<u64>,
    pub digest: Digest,
    pub name: &'l str,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::File { size, digest, name } => writeln!(f, "file {size} {digest} {name}"),
            Line::Part(Part { place, digest, name }) => {
                writeln!(f, "  {} {} {digest} {name}", place.start, place.end - place.start)
            }
        }
    }
}

impl<'l> Line<'l> {
    /// Parses a line. Only the canonical form is valid, so a seal has exactly one text.
    fn parse(text: &'l str) -> Result<Line<'l>, &'static str> {
        if let Some(words) = text.strip_prefix("file ") {
            let mut words = words.splitn(3, ' ');
            let (size, digest) = (number(words.next())?, hash(words.next())?);
            let name = words.next().and_then(Name::parse);
            let name = name.ok_or("a file needs a canonical path that stays in the directory of the seal")?;
            return Ok(Line::File { size, digest, name });
        }
        let words = text.strip_prefix("  ").ok_or("a line must begin with `file`, or with two spaces")?;
        let mut words = words.splitn(4, ' ');
        let (start, length) = (number(words.next())?, number(words.next())?);
        let digest = hash(words.next())?;
        let name = words.next().filter(|name| !name.is_empty()).ok_or("a part needs a name")?;
        let end = start.checked_add(length).ok_or("a part ends beyond the maximum file size")?;
        if length == 0 {
            return Err("a part needs at least one byte");
        }
        Ok(Line::Part(Part { place: start..end, digest, name }))
    }
}

/// Parses a number in canonical form.
fn number(word: Option<&str>) -> Result<u64, &'static str> {
    let is_plain =
        |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit()) && (*word == "0" || !word.starts_with('0'));
    let number = word.filter(is_plain).and_then(|word| word.parse().ok());
    number.ok_or("a length or an offset must be a number of at most 64 bits, without leading zeros")
}

/// Parses a digest.
fn hash(word: Option<&str>) -> Result<Digest, &'static str> {
    word.and_then(Digest::parse).ok_or("a digest must have 32 lower-case hexadecimal digits")
}

/// A position in a seal, between two lines.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    offset: u64,
    /// The number of the line before it.
    line: u64,
}

/// The lines from a position on.
pub struct Lines<'i> {
    input: &'i Input<'i>,
    /// The bytes read so far; those before `at` have been returned.
    buffer: Vec<u8>,
    at: usize,
    /// The offset of the first byte that has not been read yet.
    next: u64,
    line: u64,
}

impl<'i> Lines<'i> {
    /// Reads the lines after the first one, which must identify a known form.
    pub fn new(input: &'i Input<'i>) -> Result<Self> {
        let mut lines = Lines::from(input, Mark { offset: 0, line: 0 });
        let head = input.head();
        if !is_seal(head) {
            return Err(broken(1, format_args!("it must be `{}`: this is not a seal", HEAD.trim_end())));
        }
        match lines.text()? {
            Some(first) if first == HEAD.trim_end() => Ok(lines),
            _ => Err(broken(1, "this version supports only form 1")),
        }
    }

    /// Creates a reader of the lines after a position.
    pub fn from(input: &'i Input<'i>, mark: Mark) -> Self {
        Lines { input, buffer: Vec::new(), at: 0, next: mark.offset, line: mark.line }
    }

    /// Returns the position before the next line.
    pub fn mark(&self) -> Mark {
        Mark { offset: self.next - (self.buffer.len() - self.at) as u64, line: self.line }
    }

    /// Returns the next line; `None` at the end.
    ///
    /// # Errors
    /// [`Error::Seal`] if it is not a seal; [`Error::Io`].
    pub fn next(&mut self) -> Result<Option<Line<'_>>> {
        let number = self.line + 1;
        let Some(text) = self.text()? else { return Ok(None) };
        Line::parse(text).map(Some).map_err(|what| broken(number, what))
    }

    /// Returns an error about the line that was returned last.
    pub fn broken(&self, what: impl fmt::Display) -> Error {
        broken(self.line, what)
    }

    /// The next line, without its newline. A line longer than the bound is an error, because a seal may be hostile.
    fn text(&mut self) -> Result<Option<&str>> {
        self.line += 1;
        self.buffer.drain(..self.at);
        self.at = 0;
        let mut searched = 0;
        let end = loop {
            if let Some(end) = self.buffer[searched..].iter().position(|&byte| byte == b'\n') {
                break searched + end;
            }
            searched = self.buffer.len();
            let wanted = (self.input.length() - self.next).min(STEP as u64) as usize;
            if searched >= LONGEST {
                return Err(broken(self.line, format_args!("a line has more than {LONGEST} bytes, the maximum")));
            }
            if wanted == 0 && searched == 0 {
                return Ok(None);
            }
            if wanted == 0 {
                return Err(broken(self.line, "the seal is truncated: the line does not end with a line feed"));
            }
            let mut step = [0; STEP];
            self.input.read_at(&mut step[..wanted], self.next)?;
            self.buffer.extend_from_slice(&step[..wanted]);
            self.next += wanted as u64;
        };
        self.at = end + 1;
        let text = std::str::from_utf8(&self.buffer[..end]).map_err(|_| broken(self.line, "it is not UTF-8"))?;
        // Some programs end lines with two characters.
        Ok(Some(text.strip_suffix('\r').unwrap_or(text)))
    }
}

/// Returns an error about a line.
fn broken(line: u64, what: impl fmt::Display) -> Error {
    Error::Seal { line, what: what.to_string() }
}
