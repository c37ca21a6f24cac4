//! Limits on the cost of reading a file.

use crate::budget::{Budget, Cost};
use crate::depth;
use crate::elsewhere::{self, MOST_CONTENTS, MOST_READ};

/// Limits for explaining or checking a file. They apply to the fields of its map, the nesting of structures, the number of
/// contents, and the bytes that are read more than once.
///
/// A format sets its own limits with [`Format::limits`](crate::Format::limits), and a caller can change them with
/// [`explain_within`](crate::format::explain_within) and [`check_within`](crate::format::check_within).
///
/// ```
/// use everybyte::{Format, Limits, format::explain_within, layout};
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
    /// The maximum number of fields in the maps of a file, and of structures at offsets; 262,144 by default. Parts that do not fit
    /// share a field named `rest`. They are still read and checked.
    pub nodes: u64,
    /// The maximum nesting; 64 levels by default. A level is a list, an option, a box, or a field with its own parser,
    /// if it can contain structures. Anything deeper cannot be read and is reported as the finding `limit`. The
    /// default is safe for a stack of 2 MiB, even without optimisation. For a higher limit, measure the stack usage.
    pub depth: u32,
    /// The maximum number of packed contents; 4,096 by default. The first content beyond the maximum is reported as
    /// the finding `limit`.
    pub spaces: u32,
    /// The number of bytes that may be read per byte of the file; 4 by default. Several offsets may point to the same
    /// bytes. Even for the smallest file, 64 KiB may be read. The first structure at an offset or packed content
    /// beyond that is reported as the finding `limit`.
    pub bytes: u64,
}

impl Limits {
    /// Changes the maximum number of fields.
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Self {
        Limits { nodes, ..self }
    }

    /// Changes the maximum nesting.
    #[must_use]
    pub fn depth(self, depth: u32) -> Self {
        Limits { depth, ..self }
    }

    /// Changes the maximum number of contents.
    #[must_use]
    pub fn spaces(self, spaces: u32) -> Self {
        Limits { spaces, ..self }
    }

    /// Changes the number of bytes per byte of the file.
    #[must_use]
    pub fn bytes(self, bytes: u64) -> Self {
        Limits { bytes, ..self }
    }

    /// Runs `read` for a file of this length, with the limits on depth, contents, and bytes at offsets.
    pub(crate) fn bounded<T>(self, length: u64, read: impl FnOnce() -> T) -> T {
        elsewhere::within(self.for_reading(length), || depth::within(self.depth, read))
    }

    /// Returns the budget for reading a file of this length. Its map has a separate budget.
    pub(crate) fn for_reading(self, length: u64) -> Budget {
        elsewhere::budget(length, self.bytes, self.spaces)
    }

    /// Returns the budget for the map of a file of this length.
    pub(crate) fn budget(self, length: u64) -> Budget {
        self.for_reading(length).grant(Cost::Fields, self.nodes)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nodes: 1 << 18, depth: depth::MOST_DEPTH, spaces: MOST_CONTENTS, bytes: MOST_READ }
    }
}
