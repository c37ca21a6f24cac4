//! The tokens of an expression.

use super::ast::Failure;
use crate::yaml::integer;

/// A token of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Int(i128),
    Float(f64),
    Text(String),
    /// The text of `f"…"`, unparsed.
    Format(String),
    Name(String),
    Sign(&'static str),
    End,
}

/// All signs. A sign that is a prefix of another comes after it.
const SIGNS: [&str; 27] = [
    "::", "<<", ">>", "<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "?", ":", "(",
    ")", "[", "]", ",", ".", "!",
];

/// The maximum number of tokens in an expression, each of which takes more memory than its text.
const MOST: usize = 1 << 16;

/// Returns the tokens of a text with their positions; the last one is [`Token::End`].
pub fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Failure> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (token, length) = token(&text[at..]).map_err(|message| (at, message))?;
        if tokens.len() >= MOST {
            return Err((at, format!("the expression has more than {MOST} words and signs")));
        }
        tokens.push((at, token));
        at += length;
    }
    tokens.push((text.len(), Token::End));
    Ok(tokens)
}

/// Returns the token at the beginning of a text and its length.
fn token(text: &str) -> Result<(Token, usize), String> {
    let bytes = text.as_bytes();
    Ok(match bytes[0] {
        b'0'..=b'9' => number(text)?,
        b'f' if bytes.get(1) == Some(&b'"') => {
            let (inner, length) = quoted(&text[1..])?;
            (Token::Format(inner.to_owned()), length + 1)
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
            let length = text.find(|letter| !is_word(letter)).unwrap_or(text.len());
            (Token::Name(text[..length].to_owned()), length)
        }
        b'\'' => {
            let end = text[1..].find('\'').ok_or("the text has no end")?;
            (Token::Text(text[1..=end].to_owned()), end + 2)
        }
        b'"' => {
            let (inner, length) = quoted(text)?;
            (Token::Text(unescaped(inner)?), length)
        }
        _ => {
            let sign = SIGNS.into_iter().find(|sign| text.starts_with(sign));
            let first = text.chars().next().unwrap_or_default();
            let sign = sign.ok_or_else(|| format!("unexpected `{first}`"))?;
            (Token::Sign(sign), sign.len())
        }
    })
}

/// Returns whether a character may be part of a name or a number.
fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Parses a number: `12`, `0x1F`, `1_000`, `1.5`, `24000.`, `1e-3`. In `1.to_s`, the number ends before the point.
fn number(text: &str) -> Result<(Token, usize), String> {
    let bytes = text.as_bytes();
    let is_decimal = !matches!(bytes.get(..2), Some(b"0x" | b"0X" | b"0b" | b"0B" | b"0o" | b"0O"));
    let mut length = digits(text, 0);
    let after = bytes.get(length + 1).copied().unwrap_or(b' ');
    if is_decimal && bytes.get(length) == Some(&b'.') && !after.is_ascii_alphabetic() && after != b'_' {
        length = digits(text, length + 1);
    }
    if is_decimal && matches!(bytes[length - 1], b'e' | b'E') && matches!(bytes.get(length), Some(b'+' | b'-')) {
        length = digits(text, length + 1);
    }
    let word = &text[..length];
    let token = match integer(word) {
        Some(number) => Some(Token::Int(number)),
        None if is_decimal => word.replace('_', "").parse().ok().map(Token::Float),
        None => None,
    };
    Ok((token.ok_or_else(|| format!("`{word}` is not a number of at most 127 bits"))?, length))
}

/// Returns the end of the letters and digits that begin at an index.
fn digits(text: &str, from: usize) -> usize {
    text[from..].find(|letter| !is_word(letter)).map_or(text.len(), |length| from + length)
}

/// Returns the text between double quotes at the beginning of a text, unparsed, and its length including the quotes.
fn quoted(text: &str) -> Result<(&str, usize), String> {
    let mut is_escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            '"' if !is_escaped => return Ok((&text[1..place], place + 1)),
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    Err("the text has no end".into())
}

/// Returns a text with its escapes resolved.
pub fn unescaped(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        let escape = letters.next().ok_or("the text ends after `\\`")?;
        out.push(match escape {
            'a' => '\x07',
            'b' => '\x08',
            't' => '\t',
            'n' => '\n',
            'v' => '\x0b',
            'f' => '\x0c',
            'r' => '\r',
            'e' => '\x1b',
            '\'' | '"' | '\\' => escape,
            'u' => {
                let digits: String = letters.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4);
                code.and_then(char::from_u32).ok_or_else(|| format!("`\\u{digits}` is not a character"))?
            }
            '0'..='7' => {
                let mut code = escape as u32 - u32::from(b'0');
                for _ in 0..7 {
                    let Some(digit) = letters.peek().and_then(|digit| digit.to_digit(8)) else { break };
                    code = code * 8 + digit;
                    letters.next();
                }
                char::from_u32(code).ok_or("the octal escape is not a character")?
            }
            other => return Err(format!("`\\{other}` is not an escape")),
        });
    }
    Ok(out)
}
