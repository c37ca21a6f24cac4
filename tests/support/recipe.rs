//! Assembles the recipes of `tests/corpus`: a few header lines that say what to expect of a file, then the file's
//! bytes, written so that a person can check them. The format is described in `tests/corpus/README.md`.

#![allow(dead_code, reason = "every test binary compiles its own copy and uses the part it needs")]

use std::collections::{HashMap, HashSet};
use std::fmt;

/// No recipe may assemble to more than this; a slip in a repeat count must not fill the memory.
const MAX_BYTES: usize = 1 << 20;

/// One recipe: what is expected of the file, and the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// The comment lines at the top, joined by spaces.
    pub title: String,
    /// Findings of `check` in profile strict. Empty: clean.
    pub strict: Vec<Expected>,
    /// Findings of `check` in profile reference. Empty: clean.
    pub reference: Vec<Expected>,
    /// Dimensions in file order; `Some` and empty for a scalar, `None` if the file cannot be read.
    pub shape: Option<Vec<u64>>,
    /// NumPy descr of the array as stored.
    pub dtype: Option<String>,
    /// The elements in file order.
    pub values: Option<Vec<String>>,
    /// What a table holds, as lines of `KEY: VALUE`; `None` if the file is no table, or cannot be read.
    pub table: Option<Vec<String>>,
    /// The check has to run with this many bytes as its memory limit, beyond the length of the file; `None`: the default.
    pub memory: Option<u64>,
    /// The file; of a folder, its first one.
    pub bytes: Vec<u8>,
    /// The other files of a folder, with their names.
    pub others: Vec<(String, Vec<u8>)>,
}

/// One expected finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expected {
    /// `error` or `warning`.
    pub severity: String,
    /// The rule's name.
    pub rule: String,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.severity, self.rule)
    }
}

impl Recipe {
    /// Parses a recipe and assembles its bytes. An error begins with the number of the line it is about.
    pub fn parse(text: &str) -> Result<Recipe, String> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let header = Header::parse(&mut lines)?;
        let lines: Vec<_> = lines.collect();
        let mut files = lines.split(|(_, line)| other_file(line).is_some());
        let bytes = assemble_file(files.next().unwrap_or_default())?;
        let names = lines.iter().filter_map(|(_, line)| other_file(line));
        let others = names.zip(files).map(|(name, lines)| Ok((name.to_owned(), assemble_file(lines)?)));
        header.finish(bytes, others.collect::<Result<_, String>>()?)
    }
}

/// The name of the file of a folder that begins here, if one does: `=== NAME`.
fn other_file(line: &str) -> Option<&str> {
    line.strip_prefix("=== ").map(str::trim)
}

fn assemble_file(lines: &[(usize, &str)]) -> Result<Vec<u8>, String> {
    // First where the labels are, then the bytes.
    let mut labels = Labels::default();
    assemble(lines, &mut labels)?;
    labels.are_known = true;
    assemble(lines, &mut labels)
}

#[derive(Default)]
struct Header {
    title: Vec<String>,
    strict: Option<Vec<Expected>>,
    reference: Option<Vec<Expected>>,
    shape: Option<Vec<u64>>,
    dtype: Option<String>,
    values: Option<Vec<String>>,
    table: Option<Vec<String>>,
    memory: Option<u64>,
    /// Line number of the `---` that ends the header.
    end: usize,
}

impl Header {
    fn parse<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Result<Header, String> {
        let mut header = Header::default();
        let mut seen = HashSet::new();
        let mut last = 0;
        for (number, line) in lines {
            last = number;
            let line = line.trim();
            if line == "---" {
                header.end = number;
                return Ok(header);
            }
            if let Some(comment) = line.strip_prefix('#') {
                if !seen.is_empty() {
                    return Err(format!("line {number}: comments belong above the first key or below `---`"));
                }
                header.title.push(comment.trim().to_owned());
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(format!("line {number}: expected `key: value` or `---`"));
            };
            if !seen.insert(key) && !["values", "column", "annotation", "row"].contains(&key) {
                return Err(format!("line {number}: `{key}` is given twice"));
            }
            header.set(key, value.trim()).map_err(|problem| format!("line {number}: {problem}"))?;
        }
        Err(format!("line {last}: the header does not end with `---`"))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let words = || value.split_ascii_whitespace();
        match key {
            "strict" => self.strict = Some(parse_expected(value)?),
            "reference" => self.reference = Some(parse_expected(value)?),
            "shape" => self.shape = Some(words().map(parse_u64).collect::<Result<_, _>>()?),
            "dtype" if value.is_empty() => return Err("`dtype` is empty".to_owned()),
            "dtype" => self.dtype = Some(value.to_owned()),
            "values" => self.values.get_or_insert_default().extend(words().map(str::to_owned)),
            "rows" | "column" | "slots" | "annotation" | "row" => {
                self.table.get_or_insert_default().push(format!("{key}: {value}"));
            }
            "memory" => self.memory = Some(parse_u64(value)?),
            _ => return Err(format!("unknown key `{key}`")),
        }
        Ok(())
    }

    fn finish(self, bytes: Vec<u8>, others: Vec<(String, Vec<u8>)>) -> Result<Recipe, String> {
        let at_end = |problem: &str| format!("line {}: {problem}", self.end);
        if !(1..=3).contains(&self.title.len()) {
            return Err("line 1: a recipe begins with one to three comment lines: what the file is, and why".to_owned());
        }
        if self.shape.is_some() != self.dtype.is_some() || self.shape.is_some() != self.values.is_some() {
            return Err(at_end("`shape`, `dtype` and `values` go together"));
        }
        if let (Some(shape), Some(values)) = (&self.shape, &self.values) {
            let count = shape.iter().try_fold(1u64, |product, &dim| product.checked_mul(dim));
            if count != Some(values.len() as u64) {
                return Err(at_end(&format!("shape {shape:?} does not hold {} values", values.len())));
            }
        }
        Ok(Recipe {
            strict: self.strict.ok_or_else(|| at_end("no `strict`"))?,
            reference: self.reference.ok_or_else(|| at_end("no `reference`"))?,
            title: self.title.join(" "),
            shape: self.shape,
            dtype: self.dtype,
            values: self.values,
            table: self.table,
            memory: self.memory,
            bytes,
            others,
        })
    }
}

fn parse_u64(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("`{word}` is not a count"))
}

fn parse_expected(value: &str) -> Result<Vec<Expected>, String> {
    if value == "clean" {
        return Ok(Vec::new());
    }
    value
        .split(',')
        .map(|finding| match finding.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            [severity @ ("error" | "warning"), rule] => {
                Ok(Expected { severity: severity.to_owned(), rule: rule.to_owned() })
            }
            _ => Err(format!("`{}` is neither `clean` nor `error RULE` nor `warning RULE`", finding.trim())),
        })
        .collect()
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

/// Where the labels of a recipe are.
#[derive(Default)]
struct Labels {
    offsets: HashMap<String, usize>,
    /// Whether all of them were found; before, each counts as 0.
    are_known: bool,
}

impl Labels {
    /// Notes a label, if this is one: `@NAME:`.
    fn define(&mut self, word: &str, offset: usize) -> Result<bool, String> {
        let Some(name) = word.strip_prefix('@').and_then(|name| name.strip_suffix(':')) else { return Ok(false) };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "._".contains(c)) {
            return Err(format!("`{name}` is no name of a label: letters, digits, `.` and `_`"));
        }
        let is_known = self.offsets.insert(name.to_owned(), offset).is_some();
        if is_known && !self.are_known { Err(format!("`@{name}` is defined twice")) } else { Ok(true) }
    }

    /// The value of `@NAME`, to and from which numbers and labels are added and taken.
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
        length => Err(format!("{length} bytes; {MAX_BYTES} is the most")),
    }
}

/// Assembles everything up to the brace that closes a group. Returns what follows it.
fn assemble_group<'a>(mut tokens: &'a [Token], labels: &Labels, out: &mut Vec<u8>) -> Result<&'a [Token], String> {
    loop {
        tokens = match tokens {
            [Token::Close, rest @ ..] => return Ok(rest),
            [] => return Err("`}` is missing".to_owned()),
            _ => assemble_item(tokens, labels, out)?,
        };
    }
}

fn repeat(times: &str, unit: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
    let times: usize = times.parse().map_err(|_| format!("`{times}` is not a count"))?;
    match unit.len().checked_mul(times) {
        Some(..=MAX_BYTES) => out.extend(unit.repeat(times)),
        _ => return Err(format!("{times} repeats are more than {MAX_BYTES} bytes")),
    }
    Ok(())
}

/// Assembles the first item: a byte, a text, a number with its byte order and type, or several of these with something
/// done to them. Returns what follows it.
fn assemble_item<'a>(tokens: &'a [Token], labels: &Labels, out: &mut Vec<u8>) -> Result<&'a [Token], String> {
    match tokens {
        [Token::Word(times), Token::Times, Token::Open, inner @ ..] => {
            let mut group = Vec::new();
            let rest = assemble_group(inner, labels, &mut group)?;
            repeat(times, &group, out)?;
            Ok(rest)
        }
        [Token::Word(times), Token::Times, Token::Word(byte), rest @ ..] => {
            repeat(times, &[parse_byte(byte)?], out)?;
            Ok(rest)
        }
        [Token::Text(text), rest @ ..] => {
            out.extend(text);
            Ok(rest)
        }
        [Token::Word(order), Token::Word(kind), Token::Word(value), rest @ ..] if order == "be" || order == "le" => {
            let mut bytes = number_or_place(kind, value, labels)?;
            if order == "le" {
                bytes.reverse();
            }
            out.extend(bytes);
            Ok(rest)
        }
        [Token::Word(mp), Token::Word(name), Token::Text(text), rest @ ..] if mp == "mp" && name == "name" => {
            let head = u8::try_from(text.len()).ok().filter(|&length| length < 32).map(|length| 0xA0 | length);
            out.push(head.ok_or("a name has 31 bytes at the most")?);
            out.extend(text);
            Ok(rest)
        }
        [Token::Word(mp), Token::Word(kind), Token::Word(value), rest @ ..] if mp == "mp" => {
            let (marker, kind) = msgpack(kind)?;
            out.push(marker);
            out.extend(number_or_place(kind, value, labels)?);
            Ok(rest)
        }
        [Token::Word(leb), Token::Word(value), rest @ ..] if leb == "leb" => {
            out.extend(leb128(parse_u64(value)?));
            Ok(rest)
        }
        [Token::Word(str), Token::Text(text), rest @ ..] if str == "str" => {
            out.extend(leb128(text.len() as u64));
            out.extend(text);
            Ok(rest)
        }
        [Token::Word(sized), Token::Open, inner @ ..] if sized == "sized" => {
            let mut group = Vec::new();
            let rest = assemble_group(inner, labels, &mut group)?;
            out.extend(leb128(group.len() as u64));
            out.extend(group);
            Ok(rest)
        }
        [Token::Word(byte), rest @ ..] => {
            out.push(parse_byte(byte)?);
            Ok(rest)
        }
        _ => Err("expected a byte, a text, `be TYPE VALUE`, `le TYPE VALUE`, `leb VALUE`, `mp KIND VALUE`, \
                  `str \"TEXT\"`, `sized { ... }`, `N * XX` or `N * { ... }`"
            .to_owned()),
    }
}

/// The marker of a token of msgpack, and what number follows it.
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

/// A number in as few bytes of LEB128 as it needs.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn assemble(body: &str) -> Result<Vec<u8>, String> {
        Recipe::parse(&format!("# t\nstrict: clean\nreference: clean\n---\n{body}")).map(|recipe| recipe.bytes)
    }

    #[test]
    fn every_directive() {
        assert_eq!(assemble("00 fF # comment \" { 1\n\n10").unwrap(), [0, 255, 16]);
        assert_eq!(assemble("be u32 10 le u16 0x0102").unwrap(), [0, 0, 0, 10, 2, 1]);
        assert_eq!(assemble("le i16 -2 be f32 1.5 le f64 -0").unwrap()[..6], [0xFE, 0xFF, 0x3F, 0xC0, 0, 0]);
        assert_eq!(assemble("le i128 -1").unwrap(), [0xFF; 16]);
        assert_eq!(assemble(r#""a # \"b\\\n" 3 * 0A 2 * { 01 le u16 2 }"#).unwrap(), {
            let mut bytes = b"a # \"b\\\n\n\n\n".to_vec();
            bytes.extend([1, 2, 0, 1, 2, 0]);
            bytes
        });
        assert_eq!(assemble("leb 0 leb 127 leb 300").unwrap(), [0, 0x7F, 0xAC, 2]);
        assert_eq!(assemble("str \"ab\" sized { 2 * { 01 } sized { } }").unwrap(), [2, b'a', b'b', 3, 1, 1, 0]);
        assert_eq!(assemble("mp i32 -2 mp u16 1").unwrap(), [0xD2, 0xFF, 0xFF, 0xFF, 0xFE, 0xCD, 0, 1]);
        assert_eq!(assemble("mp map 1 mp name \"ab\" mp bytes 0").unwrap()[..6], [0xDE, 0, 1, 0xA2, b'a', b'b']);
    }

    #[test]
    fn labels_are_offsets() {
        assert_eq!(assemble("le u16 @b 00 @a: 01\n@b:").unwrap(), [4, 0, 0, 1]);
        assert_eq!(assemble("00 @a: mp array @a").unwrap(), [0, 0xDC, 0, 1]);
        assert_eq!(assemble("@a:\nle i16 @a-@b le i16 @b-@a+1-2\n@b:").unwrap(), [0xFC, 0xFF, 3, 0]);
    }

    #[test]
    fn folders_have_files() {
        let text = "# t\nstrict: clean\nreference: clean\n---\n00 le u16 @a\n@a:\n=== 1.b\n@a: 01\n=== 2.b\n";
        let recipe = Recipe::parse(text).unwrap();
        assert_eq!(recipe.bytes, [0, 3, 0]);
        assert_eq!(recipe.others, [("1.b".to_owned(), vec![1]), ("2.b".to_owned(), vec![])]);
        let error = Recipe::parse(&format!("{text}0")).unwrap_err();
        assert!(error.starts_with("line 10: "), "{error}");
    }

    #[test]
    fn header_is_kept() {
        let recipe = Recipe::parse(
            "# one\n# two\nstrict: warning a/b, error c\nreference: clean\nshape: 2 2\ndtype: <f4\n\
             values: 1 bits:7fc00001\nvalues: -0 inf\nmemory: 64\n---\n00",
        )
        .unwrap();
        assert_eq!(recipe.title, "one two");
        assert_eq!(recipe.strict.len(), 2);
        assert_eq!(recipe.strict[0], Expected { severity: "warning".to_owned(), rule: "a/b".to_owned() });
        assert_eq!(recipe.reference, []);
        assert_eq!(recipe.shape, Some(vec![2, 2]));
        assert_eq!(recipe.values.unwrap(), ["1", "bits:7fc00001", "-0", "inf"]);
        assert_eq!(recipe.memory, Some(64));
        let table = "# t\nstrict: clean\nreference: clean\nrows: 1\ncolumn: \"a b\" Int32\nrow: 7\n---\n";
        assert_eq!(Recipe::parse(table).unwrap().table.unwrap(), ["rows: 1", "column: \"a b\" Int32", "row: 7"]);
        let scalar =
            Recipe::parse("# s\nstrict: clean\nreference: clean\nshape:\ndtype: |u1\nvalues: 7\n---\n").unwrap();
        assert_eq!(scalar.shape, Some(vec![]));
    }

    #[test]
    fn mistakes_name_the_line() {
        let cases = [
            ("0", "`0` is not a byte"),
            ("+1", "`+1` is not a byte"),
            ("be u16 65536", "not a value of type u16"),
            ("le i16 32768", "not a value of type i16"),
            ("be u24 1", "not a type"),
            ("\"a", "closing quote"),
            ("\"é\"", "not printable"),
            ("2 * { 00", "`}` is missing"),
            ("sized { 2 * { 00 }", "`}` is missing"),
            ("leb -1", "`-1` is not a count"),
            ("le u8 @a", "not a type"),
            ("mp u8 1", "no token of msgpack"),
            ("mp i16 32768", "not a value of type i16"),
            ("mp name \"12345678901234567890123456789012\"", "31 bytes"),
            ("le u16 @a", "`@a` is not defined"),
            ("@a: @a:", "`@a` is defined twice"),
            ("@a-b:", "no name of a label"),
            ("sized { @a: }", "`@a:` is not a byte"),
            ("@a: le u16 @a-1-8", "not a value of type u16"),
            ("* 00", "expected"),
            ("2000000 * 00", "more than"),
        ];
        for (body, message) in cases {
            let error = assemble(&format!("00\n{body}")).unwrap_err();
            assert!(error.starts_with("line 6: ") && error.contains(message), "{body}: {error}");
        }
        let headers = [
            ("strict: clean\nreference: clean\n---\n", "line 1: "),
            ("# t\nstrict: clean\n---\n", "line 3: no `reference`"),
            ("# t\nstrict: bad\nreference: clean\n---\n", "line 2: "),
            ("# t\nstrict: clean\nstrict: clean\n---\n", "line 3: `strict` is given twice"),
            ("# t\nstrict: clean\nreference: clean\n", "line 3: the header does not end"),
            ("# t\nstrict: clean\nreference: clean\nshape: 2\n---\n", "line 5: `shape`"),
            ("# t\nstrict: clean\nreference: clean\nshape: 2\ndtype: |u1\nvalues: 1\n---\n", "line 7: shape"),
            ("# t\ncolour: red\n---\n", "line 2: unknown key"),
        ];
        for (text, message) in headers {
            let error = Recipe::parse(text).unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
