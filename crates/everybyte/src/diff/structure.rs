//! The compared parts, and the differences between them.

use crate::diff::pattern::Pattern;
use crate::map::Space;
use crate::name::Name;
use crate::role::Role;
use crate::value::Value;

/// One of the two files: its map, and its bytes.
#[derive(Clone, Copy)]
pub struct Side<'m> {
    /// The spaces of its map; none for a file that does not exist.
    pub spaces: &'m [Space],
    /// Fills a buffer from an offset of a space. It returns false if these bytes are not at hand.
    pub read: &'m dyn Fn(u32, u64, &mut [u8]) -> bool,
}

/// The choices of a comparison.
#[derive(Debug, Clone)]
pub struct Options {
    /// Fields that are not compared.
    pub ignore: Vec<Pattern>,
    /// The number of bytes of payloads and other long fields that are compared at most, on each side.
    pub compared_bytes: u64,
    /// True if the bytes of payloads are compared. Otherwise only their lengths are.
    pub payloads: bool,
    /// The number of changes that are kept at most. Further ones are counted.
    pub most: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { ignore: Vec::new(), compared_bytes: u64::MAX, payloads: true, most: 10_000 }
    }
}

/// The differences between the structures of two files.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Structure {
    /// The changes, in the order of the first file. Those that are equal but for the indices of lists are one.
    pub changes: Vec<Change>,
    /// The number of changes that were not kept.
    pub further: u64,
    /// The payloads, counted for each part of the file that differs in them.
    pub data: Vec<Data>,
    /// The number of offsets, lengths, counts and checksums that only follow from other changes.
    pub follows: u64,
    /// The number of equal numbers that are stored in other bytes, such as another byte order.
    pub recoded: u64,
    /// Runs of equal fields that stand elsewhere.
    pub moved: Vec<Moved>,
    /// The number of equal fields that stand elsewhere.
    pub elsewhere: u64,
    /// The number of fields that were not compared, since a pattern names them.
    pub ignored: u64,
    /// The number of bytes of equally long fields that were not compared.
    pub unread: u64,
}

/// One change of the structure.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// Its kind.
    pub kind: Kind,
    /// The key of the field, with `*` for what differs among the changes that this one stands for.
    pub key: String,
    /// The name of the run of bits that differs; `None` if the field differs as a whole.
    pub bits: Option<Name>,
    /// The purpose of the run of bits; empty if the field differs as a whole.
    pub bits_doc: Name,
    /// True if the field has parts.
    pub is_structure: bool,
    /// The field in the first file; `None` if it was added.
    pub a: Option<Place>,
    /// The field in the second file; `None` if it was removed.
    pub b: Option<Place>,
    /// The role of its number.
    pub role: Option<Role>,
    /// The keys that this change stands for, in order, if it stands for several. Of many, the first ones.
    pub same: Vec<String>,
    /// The number of fields that it stands for, and the number of those that it could stand for.
    pub times: (u64, u64),
    /// The number of bytes that differ, if the values do not say it.
    pub different_bytes: u64,
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The value differs.
    Changed,
    /// The field is in the second file alone.
    Added,
    /// The field is in the first file alone.
    Removed,
    /// The elements of a list stand in another order.
    Reordered,
    /// An offset leads to another field.
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
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Place {
    /// The number of its space.
    pub space: u32,
    /// Its first byte.
    pub offset: u64,
    /// Its length in bytes; the sum, if the change stands for several.
    pub length: u64,
    /// Its value; of a text, at most the first 4,096 bytes and an ellipsis.
    pub value: Value,
    /// The meaning of the value; empty if it has none.
    pub meaning: String,
    /// The value as a change shows it; it may quote the file, and is not escaped.
    pub text: String,
}

/// The payloads of one part of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Data {
    /// The key of the part, with `*` for indices.
    pub key: String,
    /// The name of its elements; empty if it is no list.
    pub name: Name,
    /// Its elements and bytes in the first file.
    pub a: Amount,
    /// Its elements and bytes in the second file.
    pub b: Amount,
    /// The number of elements that differ, or are in one file alone.
    pub different: u64,
    /// The number of bytes that differ between elements of equal length.
    pub different_bytes: u64,
}

/// The number of elements of a part, and their bytes as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// The elements.
    pub parts: u64,
    /// The bytes.
    pub bytes: u64,
}

/// A run of equal fields that stand elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moved {
    /// The number of their space in the first file.
    pub space: u32,
    /// The first byte of the run in the first file.
    pub from: u64,
    /// The first byte of the run in the second file.
    pub to: u64,
    /// The number of the fields.
    pub fields: u64,
}

impl Moved {
    /// The number of bytes by which the run moved; negative towards the beginning.
    pub fn shift(&self) -> i128 {
        i128::from(self.to) - i128::from(self.from)
    }
}

impl Structure {
    /// Returns whether nothing differs.
    pub fn is_empty(&self) -> bool {
        let is_listed = !self.changes.is_empty() || !self.data.is_empty() || !self.moved.is_empty();
        !is_listed && [self.further, self.follows, self.recoded, self.ignored, self.unread] == [0; 5]
    }
}
