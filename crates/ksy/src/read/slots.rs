//! Structures and fields of a file that is read.

use super::value::Val;

/// A structure.
#[derive(Debug)]
pub struct Structure {
    pub number: usize,
    pub stream: u32,
    pub parent: Option<u32>,
    pub root: Option<u32>,
    /// The field that it is: the structure around, its slot and the element.
    pub owner: Option<(u32, usize, Option<usize>)>,
    /// The structures around it.
    pub level: u32,
    /// Its first byte in the space of its stream.
    pub start: usize,
    /// Its first slot.
    pub first: usize,
    /// The byte order, where it is chosen while reading.
    pub is_little: Option<bool>,
}

/// A field of a structure.
#[derive(Debug, Clone)]
pub struct Slot {
    pub val: Val,
    pub state: State,
    /// The bits of the first byte that belong to fields before.
    pub bits_before: u8,
    pub space: u32,
    pub start: usize,
    pub end: usize,
    /// The parts of a repeated field, or of one whose bytes are unpacked.
    pub parts: Option<Box<Parts>>,
}

/// The parts of a field.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The ends of the elements.
    pub ends: Vec<usize>,
    /// The spaces into which the bytes of the field, or of its elements, were unpacked.
    pub opens: Vec<u32>,
}

/// How far a field was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Unread,
    Busy,
    Done,
    /// Left out by `if`.
    Absent,
    Failed,
}
