//! Conflicts: positions that both sides changed in different ways.

use super::versions::Versions;
use ndbytes_compare::diff::Datum;
use std::fmt;
use std::ops::Range;

/// A place that both sides changed differently.
///
/// ```
/// use ndbytes_convert::merge::{Options, Place, Version, Versions, merge};
///
/// let file = |values: [u8; 3]| ndbytes::idx::Writer::new().to_vec(&ndbytes::ndarray::arr1(&values));
/// let bytes = Versions { base: file([1, 2, 3])?, ours: file([1, 7, 3])?, theirs: file([1, 9, 3])? };
/// let opened = bytes.each_ref().try_map(|bytes| ndbytes::Options::new().from_slice(bytes))?;
/// // For single items, use theirs; leave everything else undecided.
/// let found = merge(opened.each_ref(), &Options::new(), &mut |conflict| match conflict.place {
///     Place::Item(_) => Some(Version::Theirs),
///     _ => None,
/// })?;
/// # assert!(found.merged.is_some());
/// assert_eq!(found.conflict_count, 1);
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// An item of an array: its index in our version.
    Item(Vec<u64>),
    /// A cell of a table: its row in our version, and its column.
    Cell(u64, String),
    /// Rows of each version.
    Rows(Versions<Range<usize>>),
    /// Metadata with this name.
    Metadata(String),
    /// The whole file; the clause says what differs.
    File(String),
    /// A place in the archive member with this name.
    Member(String, Box<Place>),
}

/// A place that both sides changed, and its value in the result.
///
/// ```
/// use ndbytes_convert::merge::{Options, Versions, merge};
///
/// let file = |values: [u8; 3]| ndbytes::idx::Writer::new().to_vec(&ndbytes::ndarray::arr1(&values));
/// let bytes = Versions { base: file([1, 2, 3])?, ours: file([1, 7, 3])?, theirs: file([1, 9, 3])? };
/// let opened = bytes.each_ref().try_map(|bytes| ndbytes::Options::new().from_slice(bytes))?;
/// let found = merge(opened.each_ref(), &Options::new(), &mut |_| None)?;
/// assert_eq!(found.conflicts[0].to_string(), "item [1]: 2 became 7 in ours, 9 in theirs");
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Conflict {
    /// The place.
    pub place: Place,
    /// The value of each version, if the place has one.
    pub values: Option<Versions<Datum>>,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = &self.place;
        if let Place::Member(name, inside) = place {
            write!(f, "member {}: ", Datum::text(name))?;
            place = inside;
        }
        match place {
            Place::Item(index) => {
                let index: Vec<String> = index.iter().map(u64::to_string).collect();
                write!(f, "item [{}]", index.join(", "))?;
            }
            Place::Cell(row, column) => write!(f, "row {row}, column {}", Datum::text(column))?,
            Place::Rows(rows) => {
                let Versions { base, ours, theirs } = rows.each_ref().map(Shown);
                return write!(f, "{base}: ours has {ours} instead, theirs {theirs}");
            }
            Place::Metadata(name) => return write!(f, "{name}: both sides changed it"),
            // Archives inside archives are not members.
            Place::File(what) | Place::Member(what, _) => return f.write_str(what),
        }
        match &self.values {
            Some(Versions { base, ours, theirs }) => write!(f, ": {base} became {ours} in ours, {theirs} in theirs"),
            None => Ok(()),
        }
    }
}

/// Rows in a sentence.
struct Shown<'r>(&'r Range<usize>);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.len(), self.0.start) {
            (0, 0) => write!(f, "no rows at the beginning"),
            (0, after) => write!(f, "no rows after row {}", after - 1),
            (1, row) => write!(f, "row {row}"),
            (_, first) => write!(f, "rows {first} to {}", self.0.end - 1),
        }
    }
}
