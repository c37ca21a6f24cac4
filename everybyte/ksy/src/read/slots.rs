//! Structures and fields of a file that is being read.
//!
//! Both are rows in vectors of the machine, and refer to each other by 32-bit numbers. A file may have millions of
//! them, so they account for most of the memory that reading takes. Facts that few slots need are in [`Parts`].

use super::ends::Ends;
use super::value::Val;

/// A structure.
#[derive(Debug)]
pub struct Structure {
    pub number: u32,
    pub stream: u32,
    pub parent: Option<u32>,
    pub root: Option<u32>,
    /// The field that contains it.
    pub owner: Option<Owner>,
    /// Its first byte in the space of its stream.
    pub start: usize,
    /// Its first slot.
    pub first: usize,
    /// The number of structures around it.
    pub level: u16,
    /// The byte order, if it is chosen while reading.
    pub is_little: Option<bool>,
}

/// The field that contains a structure.
#[derive(Debug, Clone, Copy)]
pub struct Owner {
    /// The structure around it.
    pub structure: u32,
    pub slot: u32,
    /// The element of a list; the maximum for other slots.
    element: u32,
}

impl Owner {
    /// Creates the owner of bytes: a field of a structure, or one of the field's elements.
    pub fn new(structure: u32, slot: usize, element: Option<usize>) -> Self {
        let element = element.map_or(u32::MAX, |element| u32::try_from(element).unwrap_or(u32::MAX - 1));
        Owner { structure, slot: slot as u32, element }
    }

    /// Returns the index of the element, if the field is repeated.
    pub fn element(self) -> Option<usize> {
        Some(self.element as usize).filter(|_| self.element != u32::MAX)
    }
}

/// A field of a structure.
#[derive(Debug, Clone)]
pub struct Slot {
    pub val: Val,
    pub state: State,
    /// The number of bits of the first byte that belong to earlier fields.
    pub bits_before: u8,
    pub space: u32,
    pub start: usize,
    pub end: usize,
    /// The parts of a repeated field or of one whose bytes are unpacked.
    pub parts: Option<Box<Parts>>,
}

/// The parts of a field.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The ends of the elements.
    pub ends: Ends,
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
