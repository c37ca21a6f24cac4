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
            Value::Bytes(bytes, length) if bytes.iter().all(|byte| byte.is_ascii_graphic()) && !bytes.is_empty() => {
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
