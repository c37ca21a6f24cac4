//! The part of Python's literals that NumPy writes types in: texts, integers, tuples, lists, dictionaries, constants.

use super::{ItemTypeError, ItemTypeProblem, ItemTypeProblem as Problem};

/// The greatest depth of brackets. NumPy's own texts need two for each structure within another one.
const DEEPEST: usize = 32;

/// A literal, and its first byte.
#[derive(Debug)]
pub struct Literal {
    pub position: usize,
    pub value: Value,
}

/// The value of a literal.
#[derive(Debug)]
pub enum Value {
    Text(String),
    Integer(u64),
    Bool(bool),
    None,
    Tuple(Vec<Literal>),
    List(Vec<Literal>),
    Dictionary(Vec<(Literal, Literal)>),
}

/// Reads a text that is one literal.
pub fn read(text: &str) -> Result<Literal, ItemTypeError> {
    let mut reader = Reader { text, at: 0 };
    let literal = reader.literal(0)?;
    reader.skip_spaces();
    if reader.at < text.len() { Err(reader.error(Problem::Trailing)) } else { Ok(literal) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, problem: ItemTypeProblem) -> ItemTypeError {
        ItemTypeError::new(self.at, problem)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        let spaces = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        self.at += spaces.count();
    }

    /// Goes past a byte if it is the next one.
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
            Some(quote @ (b'\'' | b'"')) => Value::Text(self.quoted(char::from(quote))?),
            Some(b'0'..=b'9' | b'-') => Value::Integer(self.integer()?),
            Some(b'(') => self.tuple(depth + 1)?,
            Some(b'[') => Value::List(self.items(b']', depth + 1)?.0),
            Some(b'{') => Value::Dictionary(self.dictionary(depth + 1)?),
            _ => self.constant()?,
        };
        Ok(Literal { position, value })
    }

    fn constant(&mut self) -> Result<Value, ItemTypeError> {
        let letters = self.rest().bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
        let value = match &self.rest()[..letters] {
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "None" => Value::None,
            _ => return Err(self.error(Problem::Expected("a text, an integer, a tuple, a list or a dictionary"))),
        };
        self.at += letters;
        Ok(value)
    }

    /// A size. Types have no negative or larger ones.
    fn integer(&mut self) -> Result<u64, ItemTypeError> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number = &self.rest()[..digits];
        let is_octal = digits > 1 && number.starts_with('0');
        let value = number.parse::<i32>().ok().filter(|_| !is_octal).ok_or_else(|| self.error(Problem::Number))?;
        self.at += digits;
        Ok(value.unsigned_abs().into())
    }

    /// A tuple, or a single literal in parentheses.
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

    /// The literals between brackets, and whether a comma follows the last one.
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

    fn quoted(&mut self, quote: char) -> Result<String, ItemTypeError> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let letter = self.rest().chars().next();
            let letter = letter.filter(|letter| !matches!(letter, '\n' | '\r' | '\0'));
            let Some(letter) = letter else { return Err(self.error(Problem::Expected("a closing quote"))) };
            match letter {
                '\\' => text.push(self.escape()?),
                letter => {
                    self.at += letter.len_utf8();
                    if letter == quote {
                        return Ok(text);
                    }
                    text.push(letter);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, ItemTypeError> {
        let code = self.text.as_bytes().get(self.at + 1);
        let (length, letter) = match code {
            Some(&code @ (b'\\' | b'\'' | b'"')) => (2, Some(char::from(code))),
            Some(b'n') => (2, Some('\n')),
            Some(b'r') => (2, Some('\r')),
            Some(b't') => (2, Some('\t')),
            Some(b'x') => (4, self.hexadecimal(2)),
            Some(b'u') => (6, self.hexadecimal(4)),
            Some(b'U') => (10, self.hexadecimal(8)),
            _ => (0, None),
        };
        let letter = letter.ok_or_else(|| self.error(Problem::Escape))?;
        self.at += length;
        Ok(letter)
    }

    /// The character whose number follows `\x` and the like.
    fn hexadecimal(&self, digits: usize) -> Option<char> {
        let digits = self.text.get(self.at + 2..self.at + 2 + digits)?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        char::from_u32(u32::from_str_radix(digits, 16).ok().filter(|_| plain)?)
    }
}

/// A text as Python's `repr` gives it, with quotes, out of UTF-32 units, which need not be characters.
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

/// Python's `str.isprintable`: no control, format, private or unassigned characters, and of the spaces only one.
fn is_printable(letter: char) -> bool {
    // `escape_debug` of the standard library uses the same table, but escapes quotes too. At the beginning
    // of a text it also escapes marks that combine with what is before them.
    let mut text = [0; 5];
    text[0] = b'a';
    let length = letter.encode_utf8(&mut text[1..]).len();
    let text = std::str::from_utf8(&text[..1 + length]).unwrap_or_default();
    letter.is_ascii_graphic() || letter == ' ' || text.escape_debug().count() == 2
}
