//! The cost that a file may cause.

use crate::depth;
use crate::elsewhere::{self, LEAST_READ};

/// The cost of a file that is explained or checked. It is fields of its map, structures inside structures, contents, and bytes that
/// are read more than once.
///
/// A format has limits of its own by [`Format::limits`](crate::Format::limits), and a caller by
/// [`explain_within`](crate::explain_within) and [`check_within`](crate::check_within).
///
/// ```
/// use everybyte::{Format, Limits, explain_within, layout};
///
/// /// Points.
/// #[layout]
/// struct Points {
///     /// How many points there are.
///     count: u8,
///     /// The points.
///     #[br(count = count)]
///     points: Vec<Point>,
/// }
///
/// /// A point.
/// #[layout]
/// struct Point {
///     /// Its column.
///     x: u8,
///     /// Its row.
///     y: u8,
/// }
///
/// impl Format for Points {
///     const NAME: &'static str = "points";
/// }
///
/// let explained = explain_within::<Points>(&[3, 1, 2, 3, 4, 5, 6], Limits::default().nodes(6));
/// assert_eq!(explained.findings, []);
/// let points = explained.spaces[0].nodes.iter().nth(1).unwrap();
/// let rest = points.children().last().unwrap();
/// assert_eq!((rest.name(), rest.is_cut()), ("rest", true));
/// assert_eq!(rest.meaning(), "4 bytes in parts that are not shown: the map has room for 6 fields");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of fields of the maps of a file, and of its structures at offsets; by default 262,144. Parts without room
    /// share a field, `rest`, that says so. They are read nonetheless, and checked.
    pub nodes: u64,
    /// The maximum number of levels; by default 64. A level is a list, an option, a box, or a field with a parser of its own, if it
    /// may hold structures. A deeper one cannot be read, with the finding `limit`. A thread of 2 MiB has the stack for the
    /// default, without optimisation too; for more, measure.
    pub depth: u32,
    /// The maximum number of contents that do not stand in the file as they are; by default 4,096. The first one beyond it is
    /// the finding `limit`.
    pub spaces: u32,
    /// Bytes that are read for each byte of the file, since offsets may lead to the same bytes; by default 4. Of even the
    /// smallest file, 64 KiB are. The first structure at an offset, or content, beyond that is the finding `limit`.
    pub bytes: u64,
}

impl Limits {
    /// The limits with another number of fields.
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Self {
        Limits { nodes, ..self }
    }

    /// The limits with another depth.
    #[must_use]
    pub fn depth(self, depth: u32) -> Self {
        Limits { depth, ..self }
    }

    /// The limits with another number of contents.
    #[must_use]
    pub fn spaces(self, spaces: u32) -> Self {
        Limits { spaces, ..self }
    }

    /// The limits with another number of bytes for each byte of the file.
    #[must_use]
    pub fn bytes(self, bytes: u64) -> Self {
        Limits { bytes, ..self }
    }

    /// Runs `read` for a file of this many bytes, as deep as the limits say, and for as many bytes at offsets.
    pub(crate) fn bounded<T>(self, length: u64, read: impl FnOnce() -> T) -> T {
        let bytes = length.saturating_mul(self.bytes).max(LEAST_READ);
        elsewhere::within(bytes, self.spaces, || depth::within(self.depth, read))
    }

    /// The rest of them at the start of a file of this many bytes.
    pub(crate) fn budget(self, length: u64) -> Budget {
        let bytes = length.saturating_mul(self.bytes).max(LEAST_READ);
        Budget { structures: self.nodes, spaces: self.spaces, bytes }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nodes: 1 << 18, depth: depth::MOST_DEPTH, spaces: 1 << 12, bytes: 4 }
    }
}

/// The rest of the limits.
#[derive(Debug)]
pub struct Budget {
    structures: u64,
    spaces: u32,
    bytes: u64,
}

impl Budget {
    /// Returns whether a further structure may be read.
    pub fn has_room(&self) -> bool {
        self.structures > 0 && self.bytes > 0
    }

    /// Returns whether a further content may be read.
    pub fn has_space(&self) -> bool {
        self.spaces > 0 && self.has_room()
    }

    /// Debits a structure of this many bytes.
    pub fn debit(&mut self, bytes: u64) {
        self.structures = self.structures.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes.max(1));
    }

    /// Debits a content.
    pub fn debit_space(&mut self) {
        self.spaces = self.spaces.saturating_sub(1);
    }
}
