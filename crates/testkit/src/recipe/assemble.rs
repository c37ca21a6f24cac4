//! Converts the body of a recipe to bytes.

use std::collections::HashMap;

/// The maximum size of an assembled file, so that a typo in a repeat count cannot fill the memory.
const MAX_BYTES: usize = 1 << 20;

/// The bytes of one file.
pub fn assemble_file(lines: &[(usize, &str)]) -> Result<Vec<u8>, String> {
    // The first pass finds the labels, and the second produces the bytes.
    let mut labels = Labels::default();
    assemble(lines, &mut labels)?;
    labels.are_known = true;
    assemble(lines, &mut labels)
}

pub fn parse_u64(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("`{word}` is not a count"))
}

#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    Text(Vec<u8>),
    Times,
    Open,
    Close,
}

/// Splits a body line; the comment is dropped.
fn tokenize(line: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '#' => break,
            '*' => Token::Times,
            '{' => Token::Open,
            '}' => Token::Close,
            '"' => {
                let mut text = Vec::new();
                loop {
                    match chars.next().ok_or("the closing quote is missing")? {
                        '"' => break Token::Text(text),
                        '\\' => text.push(match chars.next() {
                            Some('n') => b'\n',
                            Some(c @ ('"' | '\\')) => c as u8,
                            _ => return Err("the escapes are \\n, \\\" and \\\\".to_owned()),
                        }),
                        c @ ' '..='~' => text.push(c as u8),
                        c => return Err(format!("{c:?} is not printable ASCII; write it as hex")),
                    }
                }
            }
            c if c.is_whitespace() => continue,
            c => {
                let mut word = String::from(c);
                while let Some(c) = chars.next_if(|c| !c.is_whitespace() && !"#*{}\"".contains(*c)) {
                    word.push(c);
                }
                Token::Word(word)
            }
        });
    }
    Ok(tokens)
}

/// The offsets of the labels in a recipe.
#[derive(Default)]
struct Labels {
    offsets: HashMap<String, usize>,
    /// True once all labels have been found; until then, each counts as 0.
    are_known: bool,
}

impl Labels {
    /// Records a label, if the word is one: `@NAME:`.
    fn define(&mut self, word: &str, offset: usize) -> Result<bool, String> {
        let Some(name) = word.strip_prefix('@').and_then(|name| name.strip_suffix(':')) else { return Ok(false) };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "._".contains(c)) {
            return Err(format!("`{name}` is no name of a label: letters, digits, `.` and `_`"));
        }
        let is_known = self.offsets.insert(name.to_owned(), offset).is_some();
        if is_known && !self.are_known { Err(format!("`@{name}` is defined twice")) } else { Ok(true) }
    }

    /// The value of `@NAME`, plus or minus numbers and labels.
    fn value(&self, sum: &str) -> Result<i128, String> {
        let mut value = 0;
        for term in sum.replace('-', "+-").split('+') {
            let (sign, term) = term.strip_prefix('-').map_or((1, term), |term| (-1, term));
            let term = match term.strip_prefix('@') {
                Some(name) if self.are_known => {
                    *self.offsets.get(name).ok_or_else(|| format!("`@{name}` is not defined"))? as i128
                }
                Some(_) => 0,
                None => parse_u64(term)?.into(),
            };
            value += sign * term;
        }
        Ok(value)
    }
}

fn assemble(lines: &[(usize, &str)], labels: &mut Labels) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for (number, line) in lines {
        assemble_line(line, labels, &mut bytes).map_err(|problem| format!("line {number}: {problem}"))?;
    }
    Ok(bytes)
}

fn assemble_line(line: &str, labels: &mut Labels, out: &mut Vec<u8>) -> Result<(), String> {
    let tokens = tokenize(line)?;
    let mut rest = &tokens[..];
    while let Some(token) = rest.first() {
        rest = match token {
            Token::Word(word) if labels.define(word, out.len())? => &rest[1..],
            _ => assemble_item(rest, labels, out)?,
        };
    }
    match out.len() {
        ..=MAX_BYTES => Ok(()),
        length => Err(format!("{length} bytes; the maximum is {MAX_BYTES}")),
    }
}

/// Assembles everything up to the closing brace of a group. Returns its bytes and the remaining tokens.
fn assemble_group<'a>(mut tokens: &'a [Token], labels: &Labels) -> Result<(Vec<u8>, &'a [Token]), String> {
    let mut group = Vec::new();
    loop {
        tokens = match tokens {
            [Token::Close, rest @ ..] => return Ok((group, rest)),
            [] => return Err("`}` is missing".to_owned()),
            _ => assemble_item(tokens, labels, &mut group)?,
        };
    }
}

fn repeat(times: &str, unit: &[u8]) -> Result<Vec<u8>, String> {
    let times: usize = times.parse().map_err(|_| format!("`{times}` is not a count"))?;
    match unit.len().checked_mul(times) {
        Some(..=MAX_BYTES) => Ok(unit.repeat(times)),
        _ => Err(format!("{times} repeats are more than {MAX_BYTES} bytes")),
    }
}

/// Assembles the first item: a byte, a string, a number with its byte order and type, or a transformed group of items.
/// Returns the remaining tokens.
fn assemble_item<'a>(tokens: &'a [Token], labels: &Labels, out: &mut Vec<u8>) -> Result<&'a [Token], String> {
    let (bytes, rest) = match tokens {
        [Token::Word(times), Token::Times, Token::Open, inner @ ..] => {
            let (group, rest) = assemble_group(inner, labels)?;
            (repeat(times, &group)?, rest)
        }
        [Token::Word(times), Token::Times, Token::Word(byte), rest @ ..] => {
            (repeat(times, &[parse_byte(byte)?])?, rest)
        }
        [Token::Text(text), rest @ ..] => (text.to_vec(), rest),
        [Token::Word(order), Token::Word(kind), Token::Word(value), rest @ ..] if order == "be" || order == "le" => {
            let mut bytes = number_or_place(kind, value, labels)?;
            if order == "le" {
                bytes.reverse();
            }
            (bytes, rest)
        }
        [Token::Word(mp), Token::Word(name), Token::Text(text), rest @ ..] if mp == "mp" && name == "name" => {
            let head = u8::try_from(text.len()).ok().filter(|&length| length < 32).map(|length| 0xA0 | length);
            ([&[head.ok_or("a name has at most 31 bytes")?], &text[..]].concat(), rest)
        }
        [Token::Word(mp), Token::Word(kind), Token::Word(value), rest @ ..] if mp == "mp" => {
            let (marker, kind) = msgpack(kind)?;
            ([vec![marker], number_or_place(kind, value, labels)?].concat(), rest)
        }
        [Token::Word(leb), Token::Word(value), rest @ ..] if leb == "leb" => (leb128(parse_u64(value)?), rest),
        [Token::Word(str), Token::Text(text), rest @ ..] if str == "str" => {
            ([&leb128(text.len() as u64), &text[..]].concat(), rest)
        }
        [Token::Word(sized), Token::Open, inner @ ..] if sized == "sized" => {
            let (group, rest) = assemble_group(inner, labels)?;
            ([leb128(group.len() as u64), group].concat(), rest)
        }
        [Token::Word(byte), rest @ ..] => (vec![parse_byte(byte)?], rest),
        _ => {
            return Err("expected a byte, a text, `be TYPE VALUE`, `le TYPE VALUE`, `leb VALUE`, `mp KIND VALUE`, \
                        `str \"TEXT\"`, `sized { ... }`, `N * XX` or `N * { ... }`"
                .to_owned());
        }
    };
    out.extend(bytes);
    Ok(rest)
}

/// The marker of a msgpack token, and the type of the number after it.
fn msgpack(kind: &str) -> Result<(u8, &'static str), String> {
    Ok(match kind {
        "i16" => (0xD1, "i16"),
        "i32" => (0xD2, "i32"),
        "i64" => (0xD3, "i64"),
        "u16" => (0xCD, "u16"),
        "u32" => (0xCE, "u32"),
        "u64" => (0xCF, "u64"),
        "bytes" => (0xC6, "i32"),
        "text" => (0xDB, "i32"),
        "array" => (0xDC, "u16"),
        "map" => (0xDE, "u16"),
        _ => return Err(format!("`{kind}` is no token of msgpack here")),
    })
}

/// The bytes of a number, or of a sum of labels, most significant first.
fn number_or_place(kind: &str, value: &str, labels: &Labels) -> Result<Vec<u8>, String> {
    match value.starts_with('@') {
        true => number_be(kind, &labels.value(value)?.to_string()),
        false => number_be(kind, value),
    }
}

/// Encodes a number in LEB128, in as few bytes as possible.
fn leb128(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn parse_byte(word: &str) -> Result<u8, String> {
    match word.as_bytes() {
        [a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
            u8::from_str_radix(word, 16).map_err(|error| error.to_string())
        }
        _ => Err(format!("`{word}` is not a byte of two hex digits")),
    }
}

/// The bytes of a number, most significant first.
fn number_be(kind: &str, value: &str) -> Result<Vec<u8>, String> {
    let bad = || format!("`{value}` is not a value of type {kind}");
    match kind {
        "f32" => return value.parse().map(|v: f32| v.to_be_bytes().to_vec()).map_err(|_| bad()),
        "f64" => return value.parse().map(|v: f64| v.to_be_bytes().to_vec()).map_err(|_| bad()),
        _ => {}
    }
    let (signed, bits) = match kind {
        "u16" => (false, 16),
        "u32" => (false, 32),
        "u64" => (false, 64),
        "u128" => (false, 128),
        "i16" => (true, 16),
        "i32" => (true, 32),
        "i64" => (true, 64),
        "i128" => (true, 128),
        _ => {
            return Err(format!("`{kind}` is not a type; there are u16 to u128, i16 to i128, f32 and f64"));
        }
    };
    let pattern = if signed {
        let number: i128 = value.parse().map_err(|_| bad())?;
        let shift = 128 - bits;
        if (number << shift) >> shift != number {
            return Err(bad());
        }
        number.cast_unsigned()
    } else {
        let number = match value.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => value.parse(),
        };
        number.ok().filter(|&number| bits == 128 || number >> bits == 0).ok_or_else(bad)?
    };
    Ok(pattern.to_be_bytes()[16 - bits / 8..].to_vec())
}
