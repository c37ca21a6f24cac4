//! A field that is being read, and where reading failed.

use crate::error::Problem;
use crate::flaw;
use crate::nodes::{Chain, Index, Mark, NONE, step};
use std::ops::Range;

/// A field that is being read.
pub struct Frame {
    pub part: Part,
    /// Its node; [`NONE`](crate::nodes::NONE) if the map has no room for it.
    pub number: u32,
    /// Its parts so far.
    pub parts: Chain,
    /// True if its further parts have no nodes, since there is no room for them.
    pub is_cut: bool,
    /// The sizes of the arena before it got parts.
    pub mark: Mark,
    /// Its last part.
    pub last: Option<Part>,
    /// The alternative that is tried.
    pub alternative: Option<&'static str>,
    /// The number of flaws before it.
    pub flaws: usize,
    /// The number of its step in the paths of structures that stand aside; [`NONE`] if there are none.
    pub step: u32,
    /// The parts before those of a field without a node, which may have alternatives.
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
    /// A field without parts.
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
            flaws: flaw::count(),
            step: NONE,
            base: None,
        }
    }

    /// The parts that stand before its alternatives.
    pub fn base(&self) -> Base {
        self.base.unwrap_or(Base { parts: Chain::EMPTY, is_cut: false, mark: self.mark, last: None })
    }
}

/// A field, as far as its path and its place go.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub name: &'static str,
    pub index: Option<Index>,
    pub start: u64,
    pub end: u64,
    pub is_complete: bool,
}

impl Part {
    /// A field that begins.
    pub fn new(name: &'static str, index: Option<Index>, start: u64) -> Self {
        Part { name, index, start, end: start, is_complete: false }
    }

    pub fn step(self, path: &mut String) {
        step(self.name, self.index, path);
    }
}

/// The place where reading failed, and why.
#[derive(Debug)]
pub struct Failure {
    pub path: String,
    pub bytes: Range<u64>,
    pub problem: Problem,
}
