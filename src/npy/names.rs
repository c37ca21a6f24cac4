//! The type names that NumPy accepts. It accepts more names than it writes.
//!
//! NumPy writes names such as `<f4`, but loads everything that its `dtype` constructor accepts: letters for C types, Python's type
//! names, and comma-separated lists of fields. Since NumPy loads a file with such names, they are not an error, but other readers
//! may fail. [`Type::is_as_written`] determines whether to warn.

use super::step::{SPACES, integer, step};
use crate::types::dtype::{Dtype, ElementKind, LONGEST};
use crate::types::item_type::{ItemType, ItemTypeError, ItemTypeProblem, Structure, Subarray};
use everybyte::Endian;

/// The type of the items.
#[derive(Debug)]
pub struct Type {
    pub item_type: ItemType,
    /// True if it contains only names that NumPy writes.
    pub is_as_written: bool,
}

/// The reason why a type cannot be read.
#[derive(Debug)]
pub enum Why {
    /// The values are Python objects.
    Objects,
    /// The type has too many values for its size, which NumPy does not limit.
    TooManyValues(ItemTypeProblem),
    /// NumPy has no such type.
    Unknown(String),
}

impl From<ItemTypeProblem> for Why {
    fn from(problem: ItemTypeProblem) -> Self {
        match problem {
            ItemTypeProblem::TooManyValues { .. } => Why::TooManyValues(problem),
            other => Why::Unknown(other.to_string()),
        }
    }
}

impl From<ItemTypeError> for Why {
    fn from(error: ItemTypeError) -> Self {
        error.problem.into()
    }
}

/// One-letter names, in the order of NumPy's type numbers, and the names that it writes for them. `l` and `L` have the same
/// meanings as on 64-bit systems other than Windows.
const LETTERS: [(char, &str); 31] = [
    ('?', "b1"),
    ('b', "i1"),
    ('B', "u1"),
    ('h', "i2"),
    ('H', "u2"),
    ('i', "i4"),
    ('I', "u4"),
    ('l', "i8"),
    ('L', "u8"),
    ('q', "i8"),
    ('Q', "u8"),
    ('f', "f4"),
    ('d', "f8"),
    ('g', "f16"),
    ('F', "c8"),
    ('D', "c16"),
    ('G', "c32"),
    ('O', OBJECT),
    ('S', "S0"),
    ('U', "U0"),
    ('V', "V0"),
    ('M', "M8"),
    ('m', "m8"),
    ('e', "f2"),
    // The names above have type numbers, but those below do not.
    ('a', "S0"),
    ('c', "S1"),
    ('n', "i8"),
    ('N', "u8"),
    ('p', "i8"),
    ('P', "u8"),
    ('T', OBJECT),
];

/// The number of types that have type numbers. A character whose code is such a number is also a name.
const NUMBERED: usize = 24;

/// Spelled-out names, which have no byte order.
const WORDS: [(&str, &str); 47] = [
    ("bool", "b1"),
    ("bool_", "b1"),
    ("byte", "i1"),
    ("bytes", "S0"),
    ("bytes_", "S0"),
    ("cdouble", "c16"),
    ("clongdouble", "c32"),
    ("complex", "c16"),
    ("complex128", "c16"),
    ("complex256", "c32"),
    ("complex64", "c8"),
    ("csingle", "c8"),
    ("double", "f8"),
    ("float", "f8"),
    ("float128", "f16"),
    ("float16", "f2"),
    ("float32", "f4"),
    ("float64", "f8"),
    ("half", "f2"),
    ("int", "i8"),
    ("int16", "i2"),
    ("int32", "i4"),
    ("int64", "i8"),
    ("int8", "i1"),
    ("int_", "i8"),
    ("intc", "i4"),
    ("intp", "i8"),
    ("long", "i8"),
    ("longdouble", "f16"),
    ("longlong", "i8"),
    ("object", OBJECT),
    ("object_", OBJECT),
    ("short", "i2"),
    ("single", "f4"),
    ("str", "U0"),
    ("str_", "U0"),
    ("ubyte", "u1"),
    ("uint", "u8"),
    ("uint16", "u2"),
    ("uint32", "u4"),
    ("uint64", "u8"),
    ("uint8", "u1"),
    ("uintc", "u4"),
    ("uintp", "u8"),
    ("unicode", "U0"),
    ("ushort", "u2"),
    ("void", "V0"),
];

/// The names of C's unsigned 64-bit integers, which are not in the list above.
const UNSIGNED_LONGS: [&str; 2] = ["ulong", "ulonglong"];

/// The name of Python objects, which have no bytes of their own.
const OBJECT: &str = "O";

/// The type that NumPy derives from a string, which is a name or a comma-separated list of names.
pub fn named(text: &str) -> Result<Type, Why> {
    let unordered = text.strip_prefix(['<', '>', '=', '|']).unwrap_or(text);
    let is_repeated = text.len() > 1 && unordered.starts_with(|letter: char| letter == '(' || letter.is_ascii_digit());
    match has_comma(text) {
        // An integer in parentheses is not a shape.
        false if unordered.starts_with('(') && !unordered.starts_with("()") => Err(unknown(text)),
        false if !is_repeated => plain(text),
        _ => listed(text),
    }
}

/// Returns whether there is a comma outside of square brackets.
fn has_comma(text: &str) -> bool {
    let mut depth = 0_i64;
    text.chars().any(|letter| {
        depth += i64::from(letter == '[') - i64::from(letter == ']');
        letter == ',' && depth == 0
    })
}

/// Parses a single name.
fn plain(text: &str) -> Result<Type, Why> {
    let (order, body) = match text.chars().next() {
        Some(order @ ('<' | '>' | '=' | '|')) => (order, &text[1..]),
        _ => ('=', text),
    };
    let written = match body.chars().next().ok_or_else(|| unknown(text))? {
        letter if body.len() == 1 => {
            let number = letter as usize;
            let place = if number < NUMBERED { Some(number) } else { None };
            let place = place.or_else(|| LETTERS.iter().position(|(known, _)| *known == letter));
            LETTERS[place.ok_or_else(|| unknown(text))?].1.to_owned()
        }
        letter => match number(&body[letter.len_utf8()..]) {
            Some(size) if letter == 'a' => format!("S{size}"),
            Some(4 | 8) if letter == 'O' => OBJECT.to_owned(),
            Some(size) => format!("{letter}{size}"),
            None => word(text, body),
        },
    };
    if written == OBJECT {
        return Err(Why::Objects);
    }
    let endian = if order == '>' { Endian::Big } else { Endian::Little };
    let order = if endian == Endian::Big { '>' } else { '<' };
    let dtype: Dtype = format!("{order}{written}").parse().map_err(|_| unknown(text))?;
    // ml_dtypes gives its types a byte order, which NumPy writes.
    let is_as_written = dtype.descr() == text || matches!(text, "<V1" | "<V2");
    Ok(Type { item_type: ItemType::Plain(dtype), is_as_written })
}

/// Returns the name that NumPy writes for a spelled-out name.
fn word(text: &str, body: &str) -> String {
    if UNSIGNED_LONGS.contains(&text) {
        return "u8".into();
    }
    if let Some((_, written)) = WORDS.iter().find(|(word, _)| *word == text) {
        return (*written).into();
    }
    for (word, letter) in [("datetime64", "M8"), ("timedelta64", "m8"), ("M8", "M8"), ("m8", "m8")] {
        match body.strip_prefix(word) {
            Some("") => return letter.into(),
            Some(steps) => return step(steps).map_or_else(|| body.into(), |step| format!("{letter}{step}")),
            None => {}
        }
    }
    body.into()
}

/// Parses a string that is an integer in C's syntax.
fn number(text: &str) -> Option<u64> {
    let (number, rest) = integer(text)?;
    u64::try_from(number).ok().filter(|_| rest.is_empty())
}

fn unknown(text: &str) -> Why {
    // The message repeats only a part of a long name.
    Why::Unknown(format!("{:?} is not NumPy's name of a type", text.chars().take(40).collect::<String>()))
}

/// Parses comma-separated names, each optionally preceded by a number of items or a shape, as fields `f0`, `f1` and so on. A single
/// name without a comma is not a field.
fn listed(text: &str) -> Result<Type, Why> {
    let mut fields = Vec::new();
    let mut rest = text;
    let mut has_comma = false;
    while !rest.is_empty() {
        let (item, after) = entry(rest).ok_or_else(|| unknown(text))??;
        fields.push((format!("f{}", fields.len()), item));
        let after = after.trim_start_matches(SPACES);
        match after.strip_prefix(',') {
            Some(after) => (rest, has_comma) = (after.trim_start_matches(SPACES), true),
            None if after.is_empty() => rest = after,
            None => return Err(unknown(text)),
        }
    }
    let item_type = match (fields.pop(), has_comma) {
        (Some((_, item)), false) if fields.is_empty() => item,
        (last, _) => {
            fields.extend(last);
            ItemType::Structure(Structure::packed(fields).map_err(Why::from)?)
        }
    };
    Ok(Type { item_type, is_as_written: false })
}

/// Parses the first type of a list. Also returns the rest of the list; `None` if the list is empty.
fn entry(text: &str) -> Option<Result<(ItemType, &str), Why>> {
    let order = |text: &str| text.chars().next().filter(|letter| matches!(letter, '<' | '>' | '=' | '|'));
    let first = order(text);
    let rest = &text[first.map_or(0, char::len_utf8)..];
    let (shape, rest) = match rest.strip_prefix('(') {
        Some(inside) => {
            let (inside, rest) = inside.split_once(')')?;
            (Some(extents(inside)?), rest)
        }
        None => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let count = if digits > 0 { Some(vec![extent(&rest[..digits])?]) } else { None };
            (count, &rest[digits..])
        }
    };
    let rest = rest.trim_start_matches(SPACES);
    let second = order(rest);
    let rest = &rest[second.map_or(0, char::len_utf8)..];
    let native = |order: char| if order == '=' { '<' } else { order };
    if let (Some(first), Some(second)) = (first, second)
        && native(first) != native(second)
    {
        return None;
    }
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '?' | '[' | ']' | '_');
    let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(length);
    let order = second.or(first).map_or_else(String::new, String::from);
    let item = match plain(&format!("{order}{name}")) {
        Ok(item) => item.item_type,
        Err(why) => return Some(Err(why)),
    };
    let item = match shape {
        Some(shape) if !shape.is_empty() => match repeated(item, shape) {
            Ok(item) => item,
            Err(why) => return Some(Err(why)),
        },
        _ => item,
    };
    Some(Ok((item, rest)))
}

/// Adds a shape to the items. For strings and raw bytes without a size, the length of a single axis is the size.
fn repeated(item: ItemType, shape: Vec<u64>) -> Result<ItemType, Why> {
    let kind = match (&item, &shape[..]) {
        (ItemType::Plain(Dtype { kind: ElementKind::Bytes(0), .. }), &[size]) => ElementKind::Bytes(size),
        (ItemType::Plain(Dtype { kind: ElementKind::Str(0), .. }), &[size]) => ElementKind::Str(size),
        (ItemType::Plain(Dtype { kind: ElementKind::Record(0), .. }), &[size]) => ElementKind::Record(size),
        _ => return Ok(ItemType::Subarray(Subarray::new(item, shape)?)),
    };
    if kind.size() > LONGEST {
        return Err(ItemTypeProblem::TooLarge.into());
    }
    Ok(ItemType::Plain(Dtype { kind, ..item.dtype() }))
}

/// Parses the axis lengths in the parentheses of a shape.
fn extents(inside: &str) -> Option<Vec<u64>> {
    let inside = inside.trim_matches(' ');
    if inside.is_empty() {
        return Some(Vec::new());
    }
    inside.strip_suffix(',').unwrap_or(inside).split(',').map(|part| extent(part.trim_matches(' '))).collect()
}

/// Parses a decimal integer as Python writes it.
fn extent(digits: &str) -> Option<u64> {
    let has_leading_zero = digits.starts_with('0') && digits.bytes().any(|digit| digit != b'0');
    let is_decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && !has_leading_zero;
    // Larger numbers exceed any type.
    is_decimal.then(|| digits.parse().unwrap_or(u64::MAX))
}
