//! The byte map of a file, with its format and its spaces.

use crate::bytes::input::Input;
use crate::bytes::limits::Budget;
use crate::error::Result;
use crate::format::Format;
use everybyte::map::Node;
use everybyte::map::{Nodes, Space, Span, keyed_spans, spans};

/// The memory in bytes for a field without text: for its node and its first bytes.
const FIELD: u64 = 80;

/// Every byte of a file, and of the compressed content inside it.
///
/// ```
/// use ndbytes::{Checker, Input, Limits};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/digits-idx1-ubyte");
/// let map = Checker::new().byte_map(Input::open(path, Limits::default())?)?;
/// for field in map.spaces[0].nodes.iter() {
///     println!("{:>4} {} = {}", field.start(), field.name(), field.value());
/// }
/// # assert_eq!(map.spans().len(), 5);
/// # Ok::<(), ndbytes::Error>(())
/// ```
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
    /// Creates the map of a file that is not an archive.
    pub(crate) fn new(format: Option<Format>, spaces: Vec<Space>) -> Self {
        ByteMap { format, is_archive: false, spaces }
    }

    /// Creates the map of a zip archive.
    pub(crate) fn of_archive(spaces: Vec<Space>) -> Self {
        ByteMap { format: None, is_archive: true, spaces }
    }

    /// The kind of file that it maps.
    pub fn kind(&self) -> &'static str {
        match self.format {
            Some(format) => format.title(),
            None if self.is_archive => "zip archive",
            None => "unknown format",
        }
    }

    /// The leaves of all spaces, in order, without their keys. The leaves of a space cover it without overlapping.
    pub fn spans(&self) -> Vec<Span<'_>> {
        spans(&self.spaces)
    }

    /// The leaves of all spaces, in order, with their keys, which take more memory.
    pub fn keyed_spans(&self) -> Vec<Span<'_>> {
        keyed_spans(&self.spaces)
    }
}

/// The room that is left in a map: the number of fields, and the memory for them.
pub(crate) struct MapBudget<'b> {
    budget: &'b Budget,
    fields: usize,
}

impl<'b> MapBudget<'b> {
    /// A budget for the number of fields that the limits allow.
    pub fn new(budget: &'b Budget) -> Self {
        MapBudget { budget, fields: budget.fields() }
    }

    /// Charges a field, its parts, and a gap that may follow. Once a field does not fit, no more fields are added.
    pub fn admit(&mut self, node: Node<'_>) -> bool {
        // Lists that grow have up to twice the room that they need.
        let bytes = 2 * (node.heap() + FIELD);
        match self.fields.checked_sub(node.leaves()) {
            Some(left) if self.budget.take(bytes, "a byte map").is_ok() => self.fields = left,
            _ => self.fields = 0,
        }
        !self.is_full()
    }

    /// Returns whether no more fields can be added.
    pub fn is_full(&self) -> bool {
        self.fields == 0
    }
}

impl Input<'_> {
    /// Returns a space with all bytes of this input and its traced fields.
    pub(crate) fn space(&self, id: u32, title: &str, nodes: Nodes) -> Result<Space> {
        Space::new(id, title, self.length(), nodes, |bytes, offset| self.read_at(bytes, offset))
    }
}
