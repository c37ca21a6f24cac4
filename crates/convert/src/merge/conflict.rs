//! Places that both changed, each in another way.

use super::versions::Versions;
use ndbytes_compare::diff::Datum;
use std::fmt;
use std::ops::Range;

/// A place that both changed, each in another way.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// An item of an array: its index in ours.
    Item(Vec<u64>),
    /// A cell of a table: its row in ours, and its column.
    Cell(u64, String),
    /// Rows of each version.
    Rows(Versions<Range<usize>>),
    /// Metadata of this name.
    Metadata(String),
    /// The whole file: a clause that says what of it differs.
    File(String),
    /// A place in a member of an archive, which has this name.
    Member(String, Box<Place>),
}

/// A place that both changed, and what it has become.
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
            Place::Metadata(name) => return write!(f, "{name}: both changed it"),
            // Archives in archives are no members.
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
