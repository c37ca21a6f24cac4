//! Values while a file is read, and what stops reading.

use super::list::List;
use crate::place::At;
use std::sync::Arc;

/// A value.
#[derive(Debug, Clone)]
pub enum Val {
    /// No value: `if` left it out, or it is not there.
    Nothing,
    Int(i128),
    Float(f64),
    Bool(bool),
    Text(Arc<str>),
    Bytes(Bytes),
    /// A number of an enumeration.
    Label(usize, i128),
    List(Arc<List>),
    /// A structure, by its number.
    Structure(u32),
    /// A stream, by its number.
    Io(u32),
}

/// Bytes: those of a space, or bytes of their own.
#[derive(Debug, Clone)]
pub enum Bytes {
    In { space: u32, start: usize, end: usize },
    Own(Arc<[u8]>),
}

/// Why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The bytes end too early.
    End,
    /// Other bytes than those that always stand there.
    Contents,
    NotEqual,
    TooSmall,
    TooLarge,
    NotAnyOf,
    NotInEnum,
    NotExpr,
    /// Bytes are no text, a text is no number, packed bytes cannot be unpacked.
    Conversion,
    /// No byte order was chosen.
    Undecided,
    /// A checksum is wrong.
    Sum,
    /// A bound of memory or time.
    Limit,
    Other,
}

/// A fault of a file, where it is, and the part of the specification that finds it.
#[derive(Debug, Clone)]
pub struct Fault {
    pub cause: Cause,
    pub message: String,
    /// The place in the specification; that of the field, if nothing is more precise.
    pub at: Option<At>,
    /// The place in the file, once it is known.
    pub place: Option<Place>,
}

/// A place in the file.
#[derive(Debug, Clone)]
pub struct Place {
    /// The structure, the slot and the element.
    pub structure: u32,
    pub slot: usize,
    pub element: Option<usize>,
    pub space: u32,
    pub start: usize,
    pub end: usize,
    /// True if an instance was to be read, which nothing else needs.
    pub is_instance: bool,
}

pub type Read<T> = Result<T, Box<Fault>>;

/// A fault whose place is not known yet.
pub fn fault<T>(cause: Cause, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Fault { cause, message: message.into(), at: None, place: None }))
}

/// The integer that bytes are, at most eight.
pub fn unsigned(bytes: &[u8], is_little: bool) -> u64 {
    let next = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
    if is_little { bytes.iter().rev().fold(0, next) } else { bytes.iter().fold(0, next) }
}

/// Bytes in a sentence, the first sixteen of them.
pub fn hex(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{}{}", shown.join(" "), if bytes.len() > 16 { " …" } else { "" })
}
