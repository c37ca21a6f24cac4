//! Differences between two byte maps, field by field.
//!
//! Fields are aligned by their keys and compared, and changes are separated from their consequences: an offset that
//! moved only because its target did is not a separate change.
//!
//! The steps are a tree of fields by key for each map, an alignment of both trees, a comparison of each pair, a
//! judgement of numbers that refer to other fields, and a summary, in which changes that differ only in list indices
//! share a line. Time and memory are proportional to the maps, except for unkeyed lists of different lengths, whose
//! alignment is bounded.

mod align;
mod bytes;
mod collapse;
mod compare;
mod comparison;
mod data;
mod judge;
mod lines;
mod myers;
mod pattern;
mod structure;
mod tree;
mod words;

pub use pattern::{Pattern, PatternError};
pub use structure::{Amount, Change, Data, Kind, Moved, Options, Place, Side, Structure};

/// Compares the maps of two files. The time is proportional to the number of fields and bytes read.
///
/// Fields are aligned by key: the path, with the key of each list element in place of its index. A number with a role
/// is checked against the field that it refers to. Offsets and lengths that only follow from other changes are
/// therefore counted, not listed.
///
/// ```
/// use everybyte::diff::{Options, Side, structure};
/// use everybyte::{Format, bytes::Bytes, explain, layout};
///
/// #[layout]
/// struct Note {
///     #[layout(extent = text)]
///     length: u8,
///     #[br(args { length: length.into() })]
///     text: Bytes,
/// }
///
/// impl Format for Note {
///     const NAME: &'static str = "note";
/// }
///
/// let (a, b) = (explain::<Note>(b"\x03old"), explain::<Note>(b"\x05newer"));
/// let not_at_hand = |_: u32, _: u64, _: &mut [u8]| false;
/// let a = Side { spaces: &a.spaces, read: &not_at_hand };
/// let b = Side { spaces: &b.spaces, read: &not_at_hand };
/// let lines: Vec<String> = structure(&a, &b, &Options::default()).lines(false).collect();
/// assert_eq!(lines, ["text: old → newer   (at 0x1)", "not shown: 1 offset or length that only follows from other changes (--all)"]);
/// ```
pub fn structure(a: &Side<'_>, b: &Side<'_>, options: &Options) -> Structure {
    compare::compare(a, b, options)
}
