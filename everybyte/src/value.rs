//! The value of a field as shown in the byte map.

use crate::name::Name;
use std::fmt;

/// The number of bytes of a byte string that a [`Value`] keeps.
const SHOWN_BYTES: usize = 32;

/// The value of one field.
///
/// ```
/// use everybyte::map::Value;
///
/// assert_eq!(Value::bytes(b"ab"), Value::Bytes(b"ab".to_vec(), 2));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A structure or a list. The values belong to its parts.
    None,
    /// An unsigned integer.
    Uint(u128),
    /// A signed integer.
    Int(i128),
    /// A single-precision number.
    Single(f32),
    /// A double-precision number.
    Float(f64),
    /// An integer with named bits.
    Flags(u64),
    /// A named code or the alternative that was taken.
    Name(Name),
    /// Text.
    Text(String),
    /// The first bytes of a byte string and its length.
    Bytes(Vec<u8>, u64),
}

impl Value {
    /// Creates a byte string, shortened to the bytes that a map shows.
    pub fn bytes(bytes: &[u8]) -> Self {
        Value::Bytes(bytes[..bytes.len().min(SHOWN_BYTES)].to_vec(), bytes.len() as u64)
    }

    /// The heap memory in bytes that the value owns, in addition to `size_of`.
    pub fn heap(&self) -> u64 {
        let held = match self {
            Value::Text(text) => text.capacity(),
            Value::Bytes(bytes, _) => bytes.capacity(),
            _ => 0,
        };
        held as u64
    }
}

/// Returns whether bytes are shown as text. They must be printable characters, with spaces only after the first one.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    bytes.first().is_some_and(u8::is_ascii_graphic) && bytes.iter().all(is_letter)
}

/// Formats a value as its declaration specifies.
#[derive(Debug)]
pub struct Shown<'v> {
    pub value: &'v Value,
    pub is_hex: bool,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.value, self.is_hex) {
            (Value::Uint(number), true) => write!(f, "{number:#x}"),
            (Value::Int(number), true) => {
                write!(f, "{}{:#x}", if *number < 0 { "-" } else { "" }, number.unsigned_abs())
            }
            (value, _) => value.fmt(f),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::None => Ok(()),
            Value::Uint(number) => write!(f, "{number}"),
            Value::Int(number) => write!(f, "{number}"),
            Value::Single(number) => write!(f, "{number}"),
            Value::Float(number) => write!(f, "{number}"),
            Value::Flags(bits) => write!(f, "{bits:#x}"),
            Value::Name(name) => f.write_str(name),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Bytes(bytes, length) if is_text(bytes) => {
                let text = String::from_utf8_lossy(bytes);
                if bytes.len() as u64 == *length { write!(f, "{text:?}") } else { write!(f, "{text:?}…") }
            }
            Value::Bytes(bytes, length) => {
                for (place, byte) in bytes.iter().enumerate() {
                    write!(f, "{}{byte:02x}", if place > 0 { " " } else { "" })?;
                }
                if bytes.len() as u64 == *length { Ok(()) } else { f.write_str(" …") }
            }
        }
    }
}
