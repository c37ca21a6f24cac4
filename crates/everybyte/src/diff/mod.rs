//! The differences between two byte maps, field by field.

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

/// Compares the maps of two files. Time is proportional to their fields, and to the bytes that are read.
///
/// Fields are aligned by key: the path with what identifies each element of a list instead of its index. A number with
/// a role is held against the field that it is about. So offsets and lengths that only follow are counted, and not
/// listed.
///
/// ```
/// use everybyte::diff::{Options, Side, structure};
/// use everybyte::{Bytes, Format, explain, layout};
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
/// assert_eq!(lines, ["text: old → newer   (at 0x1)", "not shown: 1 offset or length that only follows (--all)"]);
/// ```
pub fn structure(a: &Side<'_>, b: &Side<'_>, options: &Options) -> Structure {
    compare::compare(a, b, options)
}
