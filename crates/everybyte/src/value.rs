//! The value of a field, as the byte map shows it.

use crate::name::Name;
use std::fmt;

/// The number of bytes of a byte string that a [`Value`] keeps.
const SHOWN_BYTES: usize = 32;

/// The value of one field.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A structure or a list: its values are those of its parts.
    None,
    /// An unsigned integer.
    Uint(u128),
    /// A signed integer.
    Int(i128),
    /// A number in single precision.
    Single(f32),
    /// A number in double precision.
    Float(f64),
    /// An integer whose bits have names.
    Flags(u64),
    /// A code that has a name, or the alternative that was taken.
    Name(Name),
    /// Text.
    Text(String),
    /// The first bytes of a byte string, and its length.
    Bytes(Vec<u8>, u64),
}

impl Value {
    /// A byte string, cut to the length that a map shows.
    pub fn bytes(bytes: &[u8]) -> Self {
        Value::Bytes(bytes[..bytes.len().min(SHOWN_BYTES)].to_vec(), bytes.len() as u64)
    }

    /// Bytes of memory that it holds beside its own `size_of`.
    pub fn heap(&self) -> u64 {
        let held = match self {
            Value::Text(text) => text.capacity(),
            Value::Bytes(bytes, _) => bytes.capacity(),
            _ => 0,
        };
        held as u64
    }
}

/// Returns whether bytes are shown as a text: letters, and spaces after the first one.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    bytes.first().is_some_and(u8::is_ascii_graphic) && bytes.iter().all(is_letter)
}

/// A value, the way its declaration shows it.
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
