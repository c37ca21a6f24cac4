//! The byte map of a file: its format, and its spaces.

use crate::bytes::input::Input;
use crate::bytes::limits::Budget;
use crate::error::Result;
use crate::format::Format;
use everybyte::Node;
use everybyte::map::{Nodes, Space, Span, keyed_spans, spans};

/// Bytes of memory of a field without text: its node, and its first bytes.
const FIELD: u64 = 80;

/// Every byte of a file, and of the compressed content inside it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ByteMap {
    /// The format of the content, or `None` if it is unknown or an archive.
    pub format: Option<Format>,
    /// True if the file is a zip archive.
    pub is_archive: bool,
    /// The spaces; the first is the file.
    pub spaces: Vec<Space>,
}

impl ByteMap {
    pub(crate) fn new(format: Option<Format>, spaces: Vec<Space>) -> Self {
        ByteMap { format, is_archive: false, spaces }
    }

    /// The map of a zip archive.
    pub(crate) fn of_archive(spaces: Vec<Space>) -> Self {
        ByteMap { format: None, is_archive: true, spaces }
    }

    /// The kind of file that it is of.
    pub fn kind(&self) -> &'static str {
        match self.format {
            Some(format) => format.title(),
            None if self.is_archive => "zip archive",
            None => "unknown format",
        }
    }

    /// The leaves of all spaces, in order, without their keys. Those of one space tile it.
    pub fn spans(&self) -> Vec<Span<'_>> {
        spans(&self.spaces)
    }

    /// The leaves of all spaces, in order, with their keys: they take more memory.
    pub fn keyed_spans(&self) -> Vec<Span<'_>> {
        keyed_spans(&self.spaces)
    }
}

/// The room that is left in a map: fields, and memory for them.
pub(crate) struct MapBudget<'b> {
    budget: &'b Budget,
    fields: usize,
}

impl<'b> MapBudget<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        MapBudget { budget, fields: budget.fields() }
    }

    /// Debits a field, its parts, and a gap that may follow it. After the first field that does not fit, none does.
    pub fn admit(&mut self, node: Node<'_>) -> bool {
        // Lists that grow have up to twice the room that they need.
        let bytes = 2 * (node.heap() + FIELD);
        match self.fields.checked_sub(node.leaves()) {
            Some(left) if self.budget.take(bytes, "a byte map").is_ok() => self.fields = left,
            _ => self.fields = 0,
        }
        !self.is_full()
    }

    pub fn is_full(&self) -> bool {
        self.fields == 0
    }
}

impl Input<'_> {
    /// The space of all bytes of this input, whose fields were traced.
    pub(crate) fn space(&self, id: u32, title: &str, nodes: Nodes) -> Result<Space> {
        Space::new(id, title, self.length(), nodes, |bytes, offset| self.read_at(bytes, offset))
    }
}
