//! Single values in a difference, from arrays and tables, as text and as JSON.

use everybyte::escape;
use half::f16;
use ndbytes::internals::shortest_half;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;

/// The maximum number of characters of a text that are kept.
const LONGEST_TEXT: usize = 4096;

/// The maximum number of raw bytes that are kept.
const LONGEST_BYTES: usize = 1024;

/// The maximum number of parts of a list or a structure that are kept.
pub(crate) const MOST_PARTS: usize = 64;

/// A value in a difference. Its size is bounded: long texts and lists are visibly cut.
///
/// ```
/// use ndbytes_compare::diff::Datum;
///
/// assert_eq!(Datum::F32(0.1).to_string(), "0.1"); // not 0.10000000149011612
/// // A list keeps 64 parts, and the number of omitted ones.
/// let long = Datum::list((0..100_u8).map(|part| Datum::Uint(part.into())));
/// assert!(long.to_string().ends_with("62, 63, … 36 more]"));
/// ```
///
/// As JSON, it is what `ndbytes cat --json` prints: numbers are exact, and values that JSON cannot represent as numbers are `"nan"`,
/// `"inf"` and `"-inf"`. `Display` prints text for people, with invisible characters escaped.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Datum {
    /// A missing value: `NaT`, a missing key, or a null in an old table.
    Missing,
    /// An item of a chunk that is declared uninitialised, so it has no value.
    Uninitialised,
    /// A boolean.
    Bool(bool),
    /// A signed integer.
    Int(i128),
    /// An unsigned integer.
    Uint(u128),
    /// A 16-bit number.
    F16(f16),
    /// A 32-bit number, or a bfloat16.
    F32(f32),
    /// A 64-bit number.
    F64(f64),
    /// A decimal number that may not fit a double: an 80-bit x87 number. As JSON, it is text.
    Decimal(String),
    /// Text; if it is cut, it ends with `…`.
    Text(String),
    /// Text with UTF-32 units that are not all valid characters. As JSON, it is a list of numbers.
    Units(Vec<u32>),
    /// Text that needs no quotes: a point in time, or a duration. As JSON, it is text.
    Words(String),
    /// Raw bytes in hexadecimal; if they are cut, they end with `…`.
    Bytes(String),
    /// The parts of a complex number, or the items of a vector or subarray.
    List(Vec<Datum>),
    /// The stored items of a sparse vector, with their indices.
    Sparse(Vec<(u64, Datum)>),
    /// The fields of a structure.
    Fields(Vec<(String, Datum)>),
    /// The number of parts omitted at the end of a list.
    More(u64),
}

impl Datum {
    /// A text, cut to a limited length.
    pub fn text(text: &str) -> Self {
        Datum::Text(cut(text.chars(), text.len()))
    }

    /// A text in UTF-16 units, cut to a limited length. Halves of characters are kept as units.
    pub fn utf16(units: impl Iterator<Item = u16>) -> Self {
        let kept = char::decode_utf16(units).take(LONGEST_TEXT + 1);
        let units = kept.map(|letter| letter.map_or_else(|half| half.unpaired_surrogate().into(), u32::from));
        Datum::utf32(units)
    }

    /// A text in UTF-32 units, cut to a limited length. Units that are not characters are kept.
    pub fn utf32(units: impl Iterator<Item = u32>) -> Self {
        let units: Vec<u32> = units.take(LONGEST_TEXT + 1).collect();
        match units.iter().map(|&unit| char::from_u32(unit)).collect::<Option<String>>() {
            Some(text) => Datum::text(&text),
            None => Datum::Units(units.into_iter().take(LONGEST_TEXT).collect()),
        }
    }

    /// Raw bytes, cut to a limited length.
    pub fn bytes(bytes: &[u8]) -> Self {
        let mut text: String = bytes.iter().take(LONGEST_BYTES).map(|byte| format!("{byte:02x}")).collect();
        text.extend((bytes.len() > LONGEST_BYTES).then_some('…'));
        Datum::Bytes(text)
    }

    /// A list with a limited number of parts. Parts beyond that are not created.
    pub fn list(parts: impl ExactSizeIterator<Item = Datum>) -> Self {
        let count = parts.len();
        let mut list: Vec<Datum> = parts.take(MOST_PARTS).collect();
        list.extend((count > MOST_PARTS).then(|| Datum::More((count - MOST_PARTS) as u64)));
        Datum::List(list)
    }
}

/// Returns the beginning of a text, with an ellipsis in place of the rest.
fn cut(letters: impl Iterator<Item = char>, length: usize) -> String {
    let mut text = String::with_capacity(length.min(LONGEST_TEXT));
    for (place, letter) in letters.enumerate() {
        if place == LONGEST_TEXT {
            text.push('…');
            break;
        }
        text.push(letter);
    }
    text
}

/// Returns the name of a number that has no digits, such as NaN.
fn special(number: f64) -> Option<&'static str> {
    match number {
        number if number.is_nan() => Some("nan"),
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("-inf"),
        _ => None,
    }
}

/// Writes a text in quotes, with escapes for invisible characters.
fn push_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    write!(f, "\"{}\"", escape(text).replace('"', "\\\""))
}

/// Writes a list in brackets, separated by commas.
fn push_list<T>(
    f: &mut fmt::Formatter<'_>,
    parts: &[T],
    [open, close]: [&str; 2],
    mut push: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_str(open)?;
    for (place, part) in parts.iter().enumerate() {
        f.write_str(if place == 0 { "" } else { ", " })?;
        push(f, part)?;
    }
    f.write_str(close)
}

/// Writes a float. `shown` is the number in its own width, so it has no more digits than it needs.
fn push_float(f: &mut fmt::Formatter<'_>, number: f64, shown: &dyn fmt::Debug) -> fmt::Result {
    match special(number) {
        Some(name) => f.write_str(name),
        None => write!(f, "{shown:?}"),
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Missing => f.write_str("missing"),
            Datum::Uninitialised => f.write_str("uninitialised"),
            Datum::Bool(value) => write!(f, "{value}"),
            Datum::Int(value) => write!(f, "{value}"),
            Datum::Uint(value) => write!(f, "{value}"),
            Datum::F16(value) => push_float(f, value.to_f64(), &shortest_half(*value)),
            Datum::F32(value) => push_float(f, (*value).into(), value),
            Datum::F64(value) => push_float(f, *value, value),
            Datum::Decimal(text) | Datum::Words(text) => f.write_str(&escape(text)),
            Datum::Text(text) => push_quoted(f, text),
            Datum::Units(units) => {
                f.write_str("\"")?;
                for &unit in units {
                    match char::from_u32(unit) {
                        Some(letter) => f.write_str(&escape(letter.encode_utf8(&mut [0; 4])))?,
                        None => write!(f, "\\u{{{unit:x}}}")?,
                    }
                }
                f.write_str("\"")
            }
            Datum::Bytes(text) => write!(f, "0x{text}"),
            Datum::List(parts) => push_list(f, parts, ["[", "]"], |f, part| part.fmt(f)),
            Datum::Sparse(parts) => push_list(f, parts, ["{", "}"], |f, (place, part)| write!(f, "{place}: {part}")),
            Datum::Fields(parts) => {
                push_list(f, parts, ["{", "}"], |f, (name, part)| write!(f, "{}: {part}", escape(name)))
            }
            Datum::More(count) => write!(f, "… {count} more"),
        }
    }
}

impl Serialize for Datum {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Datum::Missing => to.serialize_none(),
            Datum::Uninitialised => to.serialize_str("uninitialised"),
            Datum::Bool(value) => to.serialize_bool(*value),
            Datum::Int(value) => to.serialize_i128(*value),
            Datum::Uint(value) => to.serialize_u128(*value),
            Datum::F16(value) => Datum::F64(shortest_half(*value)).serialize(to),
            Datum::F32(value) => match special((*value).into()) {
                Some(name) => to.serialize_str(name),
                None => to.serialize_f32(*value),
            },
            Datum::F64(value) => match special(*value) {
                Some(name) => to.serialize_str(name),
                None => to.serialize_f64(*value),
            },
            Datum::Decimal(text) | Datum::Text(text) | Datum::Words(text) | Datum::Bytes(text) => {
                to.serialize_str(text)
            }
            Datum::Units(units) => units.serialize(to),
            Datum::List(parts) => parts.serialize(to),
            Datum::Sparse(parts) => to.collect_map(parts.iter().map(|(place, part)| (place.to_string(), part))),
            Datum::Fields(parts) => {
                let mut map = to.serialize_map(Some(parts.len()))?;
                parts.iter().try_for_each(|(name, part)| map.serialize_entry(name, part))?;
                map.end()
            }
            Datum::More(count) => to.collect_str(&format_args!("… {count} more")),
        }
    }
}
