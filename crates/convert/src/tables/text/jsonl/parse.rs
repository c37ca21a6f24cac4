//! Parses JSON value by value. `serde_json` converts integers beyond 64 bits to floating-point numbers, and uses the last of
//! several equal keys. Its feature `arbitrary_precision` keeps the digits, but affects every crate in the program.

use std::borrow::Cow;

/// The maximum depth of nested lists and objects.
const MOST_NESTED: usize = 32;

/// The maximum length of a column's name. The names of nested objects are concatenated key by key.
const LONGEST_NAME: usize = 4096;

/// A value that is neither a list nor an object.
#[derive(Debug)]
pub enum Item<'t> {
    /// `null`
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// The text of a number.
    Number(&'t str),
    /// A string, without its quotes and escapes.
    Text(Cow<'t, str>),
}

/// A receiver of the values of an object. Names of nested objects are joined by dots.
pub trait Sink {
    /// Receives an item of a column.
    fn item(&mut self, column: usize, item: &Item<'_>) -> Result<(), String>;
    /// Begins a list.
    fn begin(&mut self, column: usize) -> Result<(), String>;
    /// Ends a list.
    fn end(&mut self, column: usize);
    /// The column with this name.
    fn column(&mut self, name: &str) -> Result<usize, String>;
}

/// A line that is being read.
#[derive(Debug)]
pub struct Line<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Line<'t> {
    /// Creates a parser for a line.
    pub fn new(text: &'t str) -> Self {
        Line { text, at: 0 }
    }

    /// The current position, counted from 1.
    pub fn place(&self) -> usize {
        self.at + 1
    }

    /// Reads the object on the line.
    ///
    /// # Errors
    /// The error at [`Line::place`], as a clause.
    pub fn read(&mut self, sink: &mut impl Sink) -> Result<(), String> {
        self.blanks();
        match self.peek() {
            Some(b'{') => self.object("", 1, sink)?,
            _ => return Err("has a line that is not an object".into()),
        }
        self.blanks();
        if self.at < self.text.len() { Err("has something after an object".into()) } else { Ok(()) }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// Skips blanks and reads an expected byte.
    fn expect(&mut self, byte: u8) -> Result<(), String> {
        self.blanks();
        if self.peek() != Some(byte) {
            return Err(format!("is missing a {:?}", char::from(byte)));
        }
        self.at += 1;
        self.blanks();
        Ok(())
    }

    fn passes(&mut self, byte: u8) -> bool {
        self.blanks();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn object(&mut self, path: &str, depth: usize, sink: &mut impl Sink) -> Result<(), String> {
        self.expect(b'{')?;
        if self.passes(b'}') {
            return Ok(());
        }
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err("is missing a quoted key".into());
            }
            let key = self.string()?;
            let joined = if path.is_empty() { key } else { Cow::Owned(format!("{path}.{key}")) };
            if joined.len() > LONGEST_NAME {
                return Err(format!("has a name of {} bytes, but at most {LONGEST_NAME} are read", joined.len()));
            }
            self.expect(b':')?;
            match self.peek() {
                Some(b'{') if depth < MOST_NESTED => self.object(&joined, depth + 1, sink)?,
                Some(b'{') => return Err(format!("has over {MOST_NESTED} objects within one another")),
                Some(b'[') => {
                    let column = sink.column(&joined)?;
                    self.list(column, sink)?;
                }
                _ => {
                    let column = sink.column(&joined)?;
                    let place = self.at;
                    let item = self.item()?;
                    sink.item(column, &item).inspect_err(|_| self.at = place)?;
                }
            }
            if self.passes(b'}') {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    fn list(&mut self, column: usize, sink: &mut impl Sink) -> Result<(), String> {
        sink.begin(column)?;
        self.expect(b'[')?;
        if !self.passes(b']') {
            loop {
                self.blanks();
                if matches!(self.peek(), Some(b'[' | b'{')) {
                    return Err(
                        "has a list or an object within a list, but only lists of single values become vectors".into(),
                    );
                }
                let place = self.at;
                let item = self.item()?;
                sink.item(column, &item).inspect_err(|_| self.at = place)?;
                if self.passes(b']') {
                    break;
                }
                self.expect(b',')?;
            }
        }
        sink.end(column);
        Ok(())
    }

    fn item(&mut self) -> Result<Item<'t>, String> {
        self.blanks();
        if self.peek() == Some(b'"') {
            return Ok(Item::Text(self.string()?));
        }
        let rest = &self.text[self.at..];
        let end = rest.bytes().position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\r'));
        let word = &rest[..end.unwrap_or(rest.len())];
        let item = match word {
            "null" => Item::Null,
            "true" => Item::Bool(true),
            "false" => Item::Bool(false),
            "NaN" | "Infinity" | "-Infinity" => {
                return Err(format!("has {word} without quotes, which is not JSON"));
            }
            word if is_number(word) => Item::Number(word),
            _ => return Err("has something that is not a value".into()),
        };
        self.at += word.len();
        Ok(item)
    }

    /// Reads a quoted string.
    fn string(&mut self) -> Result<Cow<'t, str>, String> {
        self.at += 1;
        let mut text = Cow::Borrowed("");
        loop {
            let rest = &self.text[self.at..];
            let end = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
            let Some(end) = end else { return Err("has a string that is not closed".into()) };
            let part = &rest[..end];
            match text.is_empty() {
                true => text = Cow::Borrowed(part),
                false => text.to_mut().push_str(part),
            }
            self.at += end;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.to_mut().push(self.escape()?),
                _ => return Err("has an unescaped control character in a string".into()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let letter = self.text.as_bytes().get(self.at + 1);
        let plain = match letter {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(&byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'u') => {
                let first = self.unit()?;
                let second = if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
                    Some(self.unit()?)
                } else {
                    None
                };
                let mut letters = char::decode_utf16([Some(first), second].into_iter().flatten());
                return match (letters.next(), letters.next()) {
                    (Some(Ok(letter)), None) => Ok(letter),
                    _ => Err("has an escape of an unpaired surrogate".into()),
                };
            }
            _ => return Err("has an unknown escape".into()),
        };
        self.at += 2;
        Ok(plain)
    }

    /// Reads the UTF-16 unit of an escape.
    fn unit(&mut self) -> Result<u16, String> {
        let digits = self
            .text
            .get(self.at + 2..self.at + 6)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or("has an escape without four hexadecimal digits")?;
        self.at += 6;
        Ok(unit)
    }
}

/// Returns whether a word is a JSON number.
fn is_number(word: &str) -> bool {
    let word = word.strip_prefix('-').unwrap_or(word).as_bytes();
    let digits = |at: usize| word[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = digits(0);
    if at == 0 || (at > 1 && word[0] == b'0') {
        return false;
    }
    if word.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        at += 1 + fraction;
        if fraction == 0 {
            return false;
        }
    }
    if matches!(word.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(word.get(at + 1), Some(b'+' | b'-')));
        let exponent = word.get(at..).map_or(0, |_| digits(at));
        if exponent == 0 {
            return false;
        }
        at += exponent;
    }
    at == word.len()
}
