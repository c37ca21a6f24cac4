//! A field that is being read, and the position at which reading failed.
//!
//! A frame lives on the stack of the recording while the parser of its field runs. It stores the size of the arena
//! before its first part, so that the parts of a rejected alternative can be dropped at once.

use crate::error::Problem;
use crate::nodes::{Chain, Index, Mark, NONE, step};
use crate::violation;
use std::ops::Range;

/// A field that is being read.
pub struct Frame {
    pub part: Part,
    /// Its node; [`NONE`](crate::nodes::NONE) if the map has no room for it.
    pub number: u32,
    /// Its parts so far.
    pub parts: Chain,
    /// True if the limit left no room for further parts.
    pub is_cut: bool,
    /// The sizes of the arena before the field got parts.
    pub mark: Mark,
    /// Its last part.
    pub last: Option<Part>,
    /// The alternative that is being tried.
    pub alternative: Option<&'static str>,
    /// The number of flaws recorded before this field.
    pub flaws: usize,
    /// The index of its step in the paths of structures at offsets; [`NONE`] if there are none.
    pub step: u32,
    /// The parts that come before a field without a node, which may have alternatives.
    pub base: Option<Base>,
}

/// The parts that a field has so far.
#[derive(Debug, Clone, Copy)]
pub struct Base {
    pub parts: Chain,
    pub is_cut: bool,
    pub mark: Mark,
    pub last: Option<Part>,
}

impl Frame {
    /// Creates the frame of a field without parts.
    pub fn new(part: Part, number: u32, mark: Mark) -> Self {
        let parts = Chain::EMPTY;
        Frame {
            part,
            number,
            parts,
            is_cut: false,
            mark,
            last: None,
            alternative: None,
            flaws: violation::count(),
            step: NONE,
            base: None,
        }
    }

    /// The parts before its alternatives.
    pub fn base(&self) -> Base {
        self.base.unwrap_or(Base { parts: Chain::EMPTY, is_cut: false, mark: self.mark, last: None })
    }
}

/// The path and position of a field.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub name: &'static str,
    pub index: Option<Index>,
    pub start: u64,
    pub end: u64,
    pub is_complete: bool,
}

impl Part {
    /// Creates the part for a field that is being opened.
    pub fn new(name: &'static str, index: Option<Index>, start: u64) -> Self {
        Part { name, index, start, end: start, is_complete: false }
    }

    pub fn step(self, path: &mut String) {
        step(self.name, self.index, path);
    }
}

/// The field that could not be read, and the problem.
#[derive(Debug)]
pub struct Failure {
    pub path: String,
    pub bytes: Range<u64>,
    pub problem: Problem,
}
