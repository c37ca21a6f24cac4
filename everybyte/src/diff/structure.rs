//! The sides and options of a comparison, and the differences found.

use crate::diff::pattern::Pattern;
use crate::map::Space;
use crate::name::Name;
use crate::role::Role;
use crate::value::Value;

/// One of the two files: its map and its bytes.
///
/// ```
/// use everybyte::diff::{Options, Side, structure};
/// use everybyte::{Format, bytes::Rest, explain, layout};
///
/// #[layout]
/// struct Blob {
///     bytes: Rest,
/// }
/// # impl Format for Blob { const NAME: &'static str = "blob"; }
///
/// let (old, new) = ([0; 20], [&[0_u8; 19][..], &[1]].concat());
/// let (a, b) = (explain::<Blob>(&old), explain::<Blob>(&new));
/// let read = |file: &[u8], offset: u64, buffer: &mut [u8]| {
///     let bytes = file.get(offset as usize..).and_then(|rest| rest.get(..buffer.len()));
///     bytes.map(|bytes| buffer.copy_from_slice(bytes)).is_some()
/// };
/// let read_old = |_space: u32, offset: u64, buffer: &mut [u8]| read(&old, offset, buffer);
/// let read_new = |_space: u32, offset: u64, buffer: &mut [u8]| read(&new, offset, buffer);
/// let a = Side { spaces: &a.spaces, read: &read_old };
/// let b = Side { spaces: &b.spaces, read: &read_new };
/// let found = structure(&a, &b, &Options::default());
/// assert_eq!((found.changes[0].different_bytes, found.unread), (1, 0));
/// ```
///
/// A map keeps the first 16 bytes of each field. `read` supplies the rest. If it returns false, the bytes are counted as
/// [`unread`](Structure::unread), not as equal.
#[derive(Clone, Copy)]
pub struct Side<'m> {
    /// The spaces of its map; empty for a file that does not exist.
    pub spaces: &'m [Space],
    /// Fills a buffer from an offset of a space. Returns false if these bytes are not available.
    pub read: &'m dyn Fn(u32, u64, &mut [u8]) -> bool,
}

/// The scope of a comparison. By default, it compares everything and keeps the first 10,000 changes.
///
/// ```
/// use everybyte::diff::{Options, Pattern, Side, structure};
/// # use everybyte::{Format, explain, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
/// # let (old, new) = (explain::<Pair>(&[1, 2]), explain::<Pair>(&[1, 3]));
/// # let none = |_: u32, _: u64, _: &mut [u8]| false;
/// # let a = Side { spaces: &old.spaces, read: &none };
/// # let b = Side { spaces: &new.spaces, read: &none };
/// let options = Options { ignore: vec![Pattern::new("b")?], ..Options::default() };
/// let found = structure(&a, &b, &options);
/// assert_eq!((found.changes.len(), found.ignored), (0, 1));
/// # Ok::<(), everybyte::diff::PatternError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    /// Fields to ignore.
    pub ignore: Vec<Pattern>,
    /// The maximum number of bytes to compare on each side, in payloads and other long fields.
    pub compared_bytes: u64,
    /// True to compare the bytes of payloads. Otherwise, only their lengths are compared.
    pub payloads: bool,
    /// The maximum number of changes to keep. Others are only counted.
    pub most: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { ignore: Vec::new(), compared_bytes: u64::MAX, payloads: true, most: 10_000 }
    }
}

/// The differences between the structures of two files.
///
/// ```
/// use everybyte::diff::{Options, Side, structure};
/// # use everybyte::{Format, explain, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
/// # let (old, new) = (explain::<Pair>(&[1, 2]), explain::<Pair>(&[1, 3]));
/// # let none = |_: u32, _: u64, _: &mut [u8]| false;
/// # let a = Side { spaces: &old.spaces, read: &none };
/// # let b = Side { spaces: &new.spaces, read: &none };
/// let found = structure(&a, &b, &Options::default());
/// assert_eq!(found.lines(false).collect::<Vec<_>>(), ["b: 2 → 3   (at 0x1)"]);
/// assert!(structure(&a, &a, &Options::default()).is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Structure {
    /// The changes, in the order of the first file. Changes that differ only in list indices are joined.
    pub changes: Vec<Change>,
    /// The number of changes that were not kept.
    pub further: u64,
    /// The payloads, with the differences counted per part of the file.
    pub data: Vec<Data>,
    /// The number of offsets, lengths, counts and checksums that merely follow from other changes.
    pub follows: u64,
    /// How many numbers are equal but encoded differently, for example in another byte order.
    pub recoded: u64,
    /// Runs of equal fields that only moved.
    pub moved: Vec<Moved>,
    /// The number of equal fields that only moved.
    pub elsewhere: u64,
    /// The number of fields that were not compared because a pattern matches them.
    pub ignored: u64,
    /// The number of bytes of equally long fields that were not compared.
    pub unread: u64,
}

/// One structural change.
///
/// ```
/// use everybyte::diff::{Kind, Options, Side, structure};
/// # use everybyte::{Format, explain, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
/// # let (old, new) = (explain::<Pair>(&[1, 2]), explain::<Pair>(&[1, 3]));
/// # let none = |_: u32, _: u64, _: &mut [u8]| false;
/// # let a = Side { spaces: &old.spaces, read: &none };
/// # let b = Side { spaces: &new.spaces, read: &none };
/// let found = structure(&a, &b, &Options::default());
/// let change = &found.changes[0];
/// assert_eq!((change.kind, change.key.as_str()), (Kind::Changed, "b"));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// Its kind.
    pub kind: Kind,
    /// The key of the field, with `*` where the keys that it represents differ.
    pub key: String,
    /// The name of the bit field that differs; `None` if the whole field differs.
    pub bits: Option<Name>,
    /// The purpose of the bit field; empty if the whole field differs.
    pub bits_doc: Name,
    /// True if the field has parts.
    pub is_structure: bool,
    /// The field in the first file; `None` if it was added.
    pub a: Option<Place>,
    /// The field in the second file; `None` if it was removed.
    pub b: Option<Place>,
    /// The role of its number.
    pub role: Option<Role>,
    /// The keys that this change represents, in order, if there are several. If there are many, only the first ones are kept.
    pub same: Vec<String>,
    /// The number of fields that it represents, and how many it could represent.
    pub times: (u64, u64),
    /// The number of bytes that differ, if the values do not show the difference.
    pub different_bytes: u64,
}

/// The kind of a change.
///
/// ```
/// use everybyte::diff::{Kind, Options, Side, structure};
/// # use everybyte::{Format, explain, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
/// # let (old, new) = (explain::<Pair>(&[1, 2]), explain::<Pair>(&[1, 3]));
/// # let none = |_: u32, _: u64, _: &mut [u8]| false;
/// # let a = Side { spaces: &old.spaces, read: &none };
/// # let b = Side { spaces: &new.spaces, read: &none };
/// let found = structure(&a, &b, &Options::default());
/// let changed = found.changes.iter().filter(|change| change.kind == Kind::Changed).count();
/// assert_eq!((changed, Kind::PointsElsewhere.name()), (1, "points_elsewhere"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The value differs.
    Changed,
    /// The field is only in the second file.
    Added,
    /// The field is only in the first file.
    Removed,
    /// The elements of a list are in another order.
    Reordered,
    /// An offset points to another field.
    PointsElsewhere,
    /// The value follows from other changes.
    Follows,
}

impl Kind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Changed => "changed",
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Reordered => "reordered",
            Kind::PointsElsewhere => "points_elsewhere",
            Kind::Follows => "follows",
        }
    }
}

/// A field in one of the files.
///
/// ```
/// use everybyte::diff::{Options, Side, structure};
/// # use everybyte::{Format, explain, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
/// # let (old, new) = (explain::<Pair>(&[1, 2]), explain::<Pair>(&[1, 3]));
/// # let none = |_: u32, _: u64, _: &mut [u8]| false;
/// # let a = Side { spaces: &old.spaces, read: &none };
/// # let b = Side { spaces: &new.spaces, read: &none };
/// let found = structure(&a, &b, &Options::default());
/// let [old, new] = [&found.changes[0].a, &found.changes[0].b].map(|place| place.as_ref().unwrap());
/// assert_eq!((old.offset, old.text.as_str()), (1, "2"));
/// assert_eq!((new.offset, new.text.as_str()), (1, "3"));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Place {
    /// The number of its space.
    pub space: u32,
    /// Its first byte.
    pub offset: u64,
    /// Its length in bytes; the total, if the change represents several fields.
    pub length: u64,
    /// Its value; a string is limited to the first 4,096 bytes and an ellipsis.
    pub value: Value,
    /// The meaning of the value; empty if it has none.
    pub meaning: String,
    /// The value as shown in a change; it may quote the file and is not escaped.
    pub text: String,
}

/// The payloads of one part of the files.
///
/// ```
/// use everybyte::diff::{Options, Side, structure};
/// # use everybyte::{Format, explain, layout, list::rest};
/// #[layout]
/// struct Sound {
///     rate: u8,
///     #[br(parse_with = rest)]
///     #[layout(payload)]
///     samples: Vec<u8>,
/// }
/// # impl Format for Sound { const NAME: &'static str = "sound"; }
/// # let (old, new) = (explain::<Sound>(&[8, 1, 2, 3]), explain::<Sound>(&[8, 1, 2, 4]));
/// # let none = |_: u32, _: u64, _: &mut [u8]| false;
/// # let a = Side { spaces: &old.spaces, read: &none };
/// # let b = Side { spaces: &new.spaces, read: &none };
///
/// let found = structure(&a, &b, &Options::default());
/// let data = &found.data[0];
/// assert_eq!((data.key.as_str(), data.different_bytes), ("samples", 1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Data {
    /// The key of the part, with `*` for indices.
    pub key: String,
    /// The name of its elements; empty if it is not a list.
    pub name: Name,
    /// The number of its elements and bytes in the first file.
    pub a: Amount,
    /// The number of its elements and bytes in the second file.
    pub b: Amount,
    /// The number of elements that differ or that only one file has.
    pub different: u64,
    /// The number of bytes that differ between elements of equal length.
    pub different_bytes: u64,
}

/// The number of elements in a part and their stored size.
///
/// ```
/// use everybyte::diff::{Amount, Options, Side, structure};
/// # use everybyte::{Format, explain, layout, list::rest};
/// #[layout]
/// struct Sound {
///     rate: u8,
///     #[br(parse_with = rest)]
///     #[layout(payload)]
///     samples: Vec<u8>,
/// }
/// # impl Format for Sound { const NAME: &'static str = "sound"; }
/// # let (old, new) = (explain::<Sound>(&[8, 1, 2, 3]), explain::<Sound>(&[8, 1, 2, 4]));
/// # let none = |_: u32, _: u64, _: &mut [u8]| false;
/// # let a = Side { spaces: &old.spaces, read: &none };
/// # let b = Side { spaces: &new.spaces, read: &none };
///
/// let found = structure(&a, &b, &Options::default());
/// assert_eq!(found.data[0].a, Amount { parts: 1, bytes: 3 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// The number of elements.
    pub parts: u64,
    /// Their stored size in bytes.
    pub bytes: u64,
}

/// A run of equal fields that only moved.
///
/// ```
/// use everybyte::diff::{Options, Side, structure};
/// use everybyte::{Format, explain, layout, text::{Ended, Text, Utf8}};
///
/// #[layout]
/// struct Note {
///     text: Text<Utf8, Ended<0>>,
///     version: u8,
/// }
/// # impl Format for Note { const NAME: &'static str = "note"; }
/// # let (old, new) = (explain::<Note>(b"a\0\x01"), explain::<Note>(b"abc\0\x01"));
/// # let none = |_: u32, _: u64, _: &mut [u8]| false;
/// # let a = Side { spaces: &old.spaces, read: &none };
/// # let b = Side { spaces: &new.spaces, read: &none };
///
/// let found = structure(&a, &b, &Options::default()); // The text has two more letters.
/// assert_eq!((found.moved[0].fields, found.moved[0].shift()), (1, 2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moved {
    /// The number of their space in the first file.
    pub space: u32,
    /// The first byte of the run in the first file.
    pub from: u64,
    /// The first byte of the run in the second file.
    pub to: u64,
    /// The number of fields.
    pub fields: u64,
}

impl Moved {
    /// The number of bytes by which the run moved; negative if it moved towards the beginning.
    pub fn shift(&self) -> i128 {
        i128::from(self.to) - i128::from(self.from)
    }
}

impl Structure {
    /// Returns whether there are no differences.
    pub fn is_empty(&self) -> bool {
        let is_listed = !self.changes.is_empty() || !self.data.is_empty() || !self.moved.is_empty();
        !is_listed && [self.further, self.follows, self.recoded, self.ignored, self.unread] == [0; 5]
    }
}
