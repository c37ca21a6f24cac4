//! The subset of Python's literals in which NumPy writes types and headers: strings, integers, tuples, lists, dictionaries and
//! constants. NumPy does not use floats, sets or bytes.

use super::leniency::{BYTES, JSON, Leniency, SCALAR, VALUE};
use super::{ItemTypeError, ItemTypeProblem, ItemTypeProblem as Problem};

/// The maximum depth of brackets. The literals that NumPy writes need two levels for each nested structure.
const DEEPEST: usize = 32;

/// A literal and the position of its first byte.
#[derive(Debug)]
pub struct Literal {
    pub position: usize,
    pub value: Value,
}

/// The value of a literal.
#[derive(Debug)]
pub enum Value {
    /// A string.
    Text(String),
    /// An integer of any size. If it has more than 128 bits, it is replaced by the largest 128-bit integer.
    Integer(i128),
    /// `True` or `False`.
    Bool(bool),
    /// `None`.
    None,
    /// A tuple.
    Tuple(Vec<Literal>),
    /// A list.
    List(Vec<Literal>),
    /// A dictionary, as its keys and values in order.
    Dictionary(Vec<(Literal, Literal)>),
}

/// The words that NumPy 2 prints before a single value in parentheses.
const SCALARS: [&str; 17] = [
    "bool",
    "bool_",
    "dtype",
    "int16",
    "int32",
    "int64",
    "int8",
    "intc",
    "intp",
    "longlong",
    "str_",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintp",
    "ulonglong",
];

/// Parses a string that is a single literal.
pub fn read(text: &str) -> Result<Literal, ItemTypeError> {
    read_as(text, false, &mut Leniency::strict()).map(|(literal, _)| literal)
}

/// Like `read`, but accepts additional spellings. Integers may have the Python 2 suffix `L` if `takes_longs` is true. Also
/// returns the position of the first suffix.
pub fn read_as(
    text: &str,
    takes_longs: bool,
    leniency: &mut Leniency,
) -> Result<(Literal, Option<usize>), ItemTypeError> {
    let mut reader = Reader { text, at: 0, takes_longs, first_long: None, leniency };
    let literal = reader.only_literal()?;
    Ok((literal, reader.first_long))
}

struct Reader<'a, 'l> {
    text: &'a str,
    at: usize,
    /// True if integers may have the Python 2 suffix.
    takes_longs: bool,
    first_long: Option<usize>,
    leniency: &'l mut Leniency,
}

impl Reader<'_, '_> {
    fn error(&self, problem: ItemTypeProblem) -> ItemTypeError {
        ItemTypeError::new(self.at, problem)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn only_literal(&mut self) -> Result<Literal, ItemTypeError> {
        let literal = self.literal(0)?;
        self.skip_spaces();
        if self.at < self.text.len() { Err(self.error(Problem::Trailing)) } else { Ok(literal) }
    }

    /// Skips white space, comments, and line endings after a backslash.
    fn skip_spaces(&mut self) {
        loop {
            let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\x0c');
            self.at += self.rest().bytes().take_while(is_space).count();
            match self.rest().as_bytes() {
                [b'#', ..] => self.at += self.rest().bytes().take_while(|byte| !matches!(byte, b'\r' | b'\n')).count(),
                [b'\\', b'\r', b'\n', _, ..] => self.at += 3,
                [b'\\', b'\r' | b'\n', _, ..] => self.at += 2,
                _ => return,
            }
        }
    }

    /// If the next byte is this one, skips it. Returns whether it did.
    fn passes(&mut self, byte: u8) -> bool {
        self.skip_spaces();
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn literal(&mut self, depth: usize) -> Result<Literal, ItemTypeError> {
        self.skip_spaces();
        let position = self.at;
        if matches!(self.peek(), Some(b'(' | b'[' | b'{')) && depth >= DEEPEST {
            return Err(self.error(Problem::TooDeep { most: DEEPEST }));
        }
        let value = match self.peek() {
            _ if self.quote().is_some() => Value::Text(self.texts()?),
            Some(b'0'..=b'9' | b'-' | b'+') => match self.other_number() {
                Some(number) => number,
                None => Value::Integer(self.integer()?),
            },
            Some(b'(') => self.tuple(depth + 1)?,
            Some(b'[') => Value::List(self.items(b']', depth + 1)?.0),
            Some(b'{') => Value::Dictionary(self.dictionary(depth + 1)?),
            _ => self.constant(depth)?,
        };
        Ok(Literal { position, value })
    }

    fn constant(&mut self, depth: usize) -> Result<Value, ItemTypeError> {
        let letters = self.rest().bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
        let value = match &self.rest()[..letters] {
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "None" => Value::None,
            _ if self.leniency.is_lenient() => return self.other_constant(depth),
            _ => return Err(self.no_literal()),
        };
        self.at += letters;
        Ok(value)
    }

    fn no_literal(&self) -> ItemTypeError {
        self.error(Problem::Expected("a text, an integer, a tuple, a list or a dictionary"))
    }

    /// Parses a JSON constant, a scalar as printed by NumPy 2, or a class, which occurs only in metadata.
    fn other_constant(&mut self, depth: usize) -> Result<Value, ItemTypeError> {
        let text = self.text;
        let rest = &text[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let length = rest.bytes().take_while(|byte| is_part(byte)).count();
        let word = rest[..length].trim_start_matches("np.").trim_start_matches("numpy.");
        let (value, spelling, length) = match word {
            "true" => (Value::Bool(true), JSON, length),
            "false" => (Value::Bool(false), JSON, length),
            "null" => (Value::None, JSON, length),
            "True_" => (Value::Bool(true), SCALAR, length),
            "False_" => (Value::Bool(false), SCALAR, length),
            word if SCALARS.contains(&word) && rest[length..].starts_with('(') && depth < DEEPEST => {
                self.at += length;
                let (mut items, _) = self.items(b')', depth + 1)?;
                let value = items.pop().filter(|_| items.is_empty()).ok_or_else(|| self.no_literal())?.value;
                (value, SCALAR, 0)
            }
            "" if rest.starts_with("<class '") => {
                (Value::None, VALUE, rest.find('>').ok_or_else(|| self.no_literal())? + 1)
            }
            _ => return Err(self.no_literal()),
        };
        self.leniency.takes(spelling);
        self.at += length;
        Ok(value)
    }

    /// Parses a number that is not an integer, which occurs only in metadata.
    fn other_number(&mut self) -> Option<Value> {
        if !self.leniency.is_lenient() {
            return None;
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-');
        let length = self.rest().bytes().take_while(|byte| is_part(byte)).count();
        let word = &self.rest()[..length];
        let is_float = word.contains(['.', 'e', 'E']) && word.parse::<f64>().is_ok();
        (is_float && self.leniency.takes(VALUE)).then(|| {
            self.at += length;
            Value::None
        })
    }

    /// Parses an integer with its sign, in any of Python's bases.
    fn integer(&mut self) -> Result<i128, ItemTypeError> {
        let start = self.at;
        let refused = ItemTypeError::new(start, Problem::Number);
        let is_negative = self.peek() == Some(b'-');
        if matches!(self.peek(), Some(b'-' | b'+')) {
            self.at += 1;
            self.skip_spaces();
        }
        let (base, prefix) = match self.rest().as_bytes() {
            [b'0', b'x' | b'X', ..] => (16, 2),
            [b'0', b'o' | b'O', ..] => (8, 2),
            [b'0', b'b' | b'B', ..] => (2, 2),
            _ => (10, 0),
        };
        let length = self.rest().bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
        let mut word = &self.rest()[..length];
        if self.takes_longs {
            word = word.strip_suffix('L').unwrap_or(word);
        }
        let digits = &word[prefix..];
        // Single underscores are allowed between digits, and one after the prefix of a base.
        let parts = if prefix > 0 { digits.strip_prefix('_').unwrap_or(digits) } else { digits };
        let is_well_formed =
            parts.split('_').all(|part| !part.is_empty() && part.chars().all(|digit| digit.is_digit(base)));
        let has_leading_zero =
            prefix == 0 && parts.starts_with('0') && parts.contains(|digit| !matches!(digit, '0' | '_'));
        if !is_well_formed || has_leading_zero {
            return Err(refused);
        }
        let push = |value: i128, digit: char| {
            value.saturating_mul(base.into()).saturating_add(digit.to_digit(base).unwrap_or(0).into())
        };
        let value = digits.chars().filter(|&digit| digit != '_').fold(0, push);
        self.at += word.len();
        self.pass_long();
        Ok(if is_negative { -value } else { value })
    }

    /// Skips the Python 2 suffix, which may be separated from its number.
    fn pass_long(&mut self) {
        let after = self.rest().trim_start_matches([' ', '\t', '\x0c']);
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let is_long = after.strip_prefix('L').is_some_and(|rest| !rest.starts_with(is_word));
        if self.takes_longs && is_long {
            let place = self.text.len() - after.len();
            self.first_long.get_or_insert(place);
            self.at = place + 1;
        }
    }

    /// Parses a tuple, or a single literal in parentheses.
    fn tuple(&mut self, depth: usize) -> Result<Value, ItemTypeError> {
        let (mut items, has_comma) = self.items(b')', depth)?;
        match items.pop() {
            Some(alone) if items.is_empty() && !has_comma => Ok(alone.value),
            last => {
                items.extend(last);
                Ok(Value::Tuple(items))
            }
        }
    }

    /// Parses the literals between brackets. Also returns whether a comma follows the last one.
    fn items(&mut self, close: u8, depth: usize) -> Result<(Vec<Literal>, bool), ItemTypeError> {
        self.at += 1;
        let mut items = Vec::new();
        let mut has_comma = false;
        while !self.passes(close) {
            if !items.is_empty() && !has_comma {
                return Err(self.error(Problem::Expected("a comma or a closing bracket")));
            }
            items.push(self.literal(depth)?);
            has_comma = self.passes(b',');
        }
        Ok((items, has_comma))
    }

    fn dictionary(&mut self, depth: usize) -> Result<Vec<(Literal, Literal)>, ItemTypeError> {
        self.at += 1;
        let mut entries = Vec::new();
        let mut has_comma = true;
        while !self.passes(b'}') {
            if !has_comma {
                return Err(self.error(Problem::Expected("a comma or a closing bracket")));
            }
            let key = self.literal(depth)?;
            if !self.passes(b':') {
                return Err(self.error(Problem::Expected("a colon")));
            }
            entries.push((key, self.literal(depth)?));
            has_comma = self.passes(b',');
        }
        Ok(entries)
    }

    /// The prefix and quote of a string that begins here.
    fn quote(&self) -> Option<(usize, char)> {
        match self.rest().as_bytes() {
            [quote @ (b'\'' | b'"'), ..] => Some((0, char::from(*quote))),
            [b'u' | b'U' | b'r' | b'R', quote @ (b'\'' | b'"'), ..] => Some((1, char::from(*quote))),
            [b'b', quote @ (b'\'' | b'"'), ..] if self.leniency.is_lenient() => Some((1, char::from(*quote))),
            _ => None,
        }
    }

    /// Parses a string, or several adjacent strings, which Python concatenates.
    fn texts(&mut self) -> Result<String, ItemTypeError> {
        let mut text = String::new();
        while let Some((prefix, quote)) = self.quote() {
            let is_raw = matches!(self.peek(), Some(b'r' | b'R'));
            if self.peek() == Some(b'b') {
                self.leniency.takes(BYTES);
            }
            self.at += prefix;
            self.quoted(quote, is_raw, &mut text)?;
            self.skip_spaces();
        }
        Ok(text)
    }

    /// Appends a quoted string, which may span several lines if it has triple quotes. In a raw string, a backslash is literal.
    fn quoted(&mut self, quote: char, is_raw: bool, text: &mut String) -> Result<(), ItemTypeError> {
        let three = [quote; 3].iter().collect::<String>();
        let is_long = self.rest().starts_with(&three);
        let end = if is_long { &three[..] } else { &three[..1] };
        self.at += end.len();
        loop {
            if self.rest().starts_with(end) {
                self.at += end.len();
                return Ok(());
            }
            let letter = self.rest().chars().next();
            let letter = letter.filter(|letter| *letter != '\0' && (is_long || !matches!(letter, '\n' | '\r')));
            let Some(letter) = letter else { return Err(self.error(Problem::Expected("a closing quote"))) };
            if letter == '\\' && !is_raw {
                text.extend(self.escape()?);
                continue;
            }
            self.at += letter.len_utf8();
            // Python reads every line ending as a newline.
            let letter = if letter == '\r' { '\n' } else { letter };
            if letter == '\n' && self.text[..self.at].ends_with('\r') {
                self.at += usize::from(self.peek() == Some(b'\n'));
            }
            text.push(letter);
            if letter == '\\' && self.peek() == Some(quote as u8) {
                self.at += 1;
                text.push(quote);
            }
        }
    }

    /// Parses an escape; `None` if it escapes a line ending. In Python, a backslash before any other character is literal.
    fn escape(&mut self) -> Result<Option<char>, ItemTypeError> {
        let code = self.text.as_bytes().get(self.at + 1);
        let (length, letter) = match code {
            Some(&code @ (b'\\' | b'\'' | b'"')) => (2, Some(char::from(code))),
            Some(b'a') => (2, Some('\x07')),
            Some(b'b') => (2, Some('\x08')),
            Some(b'f') => (2, Some('\x0c')),
            Some(b'n') => (2, Some('\n')),
            Some(b'r') => (2, Some('\r')),
            Some(b't') => (2, Some('\t')),
            Some(b'v') => (2, Some('\x0b')),
            Some(b'x') => (4, self.hexadecimal(2)),
            Some(b'u') => (6, self.hexadecimal(4)),
            Some(b'U') => (10, self.hexadecimal(8)),
            Some(b'0'..=b'7') => {
                let digits = &self.rest()[1..];
                let digits = &digits[..digits.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count()];
                (1 + digits.len(), u32::from_str_radix(digits, 8).ok().and_then(char::from_u32))
            }
            Some(&end @ (b'\n' | b'\r')) => {
                self.at += 2;
                self.at += usize::from(end == b'\r' && self.peek() == Some(b'\n'));
                return Ok(None);
            }
            // Character names are not supported, and the text may end here.
            Some(b'N') | None => (0, None),
            Some(_) => (1, Some('\\')),
        };
        let letter = letter.ok_or_else(|| self.error(Problem::Escape))?;
        self.at += length;
        Ok(Some(letter))
    }

    /// Parses the character whose number follows `\x` or a similar escape.
    fn hexadecimal(&self, digits: usize) -> Option<char> {
        let digits = self.text.get(self.at + 2..self.at + 2 + digits)?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        char::from_u32(u32::from_str_radix(digits, 16).ok().filter(|_| plain)?)
    }
}

/// Formats a string as Python's `repr` does, with quotes, from UTF-32 units, which may not be valid characters.
pub fn quoted(units: impl Iterator<Item = u32> + Clone) -> String {
    let has = |quote: char| units.clone().any(|unit| unit == u32::from(quote));
    let quote = if has('\'') && !has('"') { '"' } else { '\'' };
    let mut text = String::from(quote);
    for unit in units {
        push_escaped(&mut text, unit, quote);
    }
    text.push(quote);
    text
}

fn push_escaped(to: &mut String, unit: u32, quote: char) {
    let letter = char::from_u32(unit);
    match letter {
        Some('\n') => to.push_str("\\n"),
        Some('\r') => to.push_str("\\r"),
        Some('\t') => to.push_str("\\t"),
        Some(letter) if letter == quote || letter == '\\' => to.extend(['\\', letter]),
        Some(letter) if is_printable(letter) => to.push(letter),
        _ if unit < 0x100 => to.push_str(&format!("\\x{unit:02x}")),
        _ if unit < 0x1_0000 => to.push_str(&format!("\\u{unit:04x}")),
        _ => to.push_str(&format!("\\U{unit:08x}")),
    }
}

/// Python's `str.isprintable`, which excludes control, format, private and unassigned characters, and all but one kind of space.
fn is_printable(letter: char) -> bool {
    // The standard library's `escape_debug` uses the same table, but also escapes quotes and, at the beginning of a string, marks
    // that combine with the preceding character.
    let mut text = [0; 5];
    text[0] = b'a';
    let length = letter.encode_utf8(&mut text[1..]).len();
    let text = std::str::from_utf8(&text[..1 + length]).unwrap_or_default();
    letter.is_ascii_graphic() || letter == ' ' || text.escape_debug().count() == 2
}
