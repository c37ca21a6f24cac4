//! The differences between the values of two files.

use super::datum::Datum;
use super::finite::{Finite, Magnitude};
use super::verdict::Verdict;
use ndbytes::LongDouble;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// The differences of the values of two files. Lists are bounded by [`Options::most`](super::options::Options::most); the
/// numbers beside them are exact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Values {
    /// The verdict on the values alone; never [`Verdict::Identical`].
    #[serde(skip)]
    pub verdict: Verdict,
    /// The number of items that were compared: of arrays their items, of tables their cells.
    pub compared: u64,
    /// The number of items that differ, beyond the tolerance if there is one.
    pub different: u64,
    /// The number of items that differ, but within the tolerance.
    pub within: u64,
    /// The number of differing items that are zeros of other sign.
    pub sign_of_zero: u64,
    /// Sentences about all of the values, such as `dtype <f4 → <f8: every value is the same after widening`. They hold no
    /// letter that steers a terminal.
    pub notes: Vec<String>,
    /// The first items that differ, in C order, or the largest differences; of tables, the first cells in rows that changed.
    pub first: Vec<Difference>,
    /// Boxes that hold all items that differ beyond the tolerance: for each the first place on each axis, and the one after the
    /// last. At most four. Empty for tables, for arrays of different shapes, and if a box would be the whole array.
    pub regions: Vec<Vec<(u64, u64)>>,
    /// The place of the largest distance.
    pub largest: Largest,
    /// The numbers of `NaN`.
    pub nan: Nan,
    /// The number of items where one is infinite and the other is not, or where both are with another sign.
    pub infinite: u64,
    /// The columns of a table that differ, in the order of the file. Empty for arrays.
    pub columns: Vec<ColumnDifference>,
    /// The rows that were inserted, deleted or changed: of a table, or of an array along one axis. `None` if neither the
    /// number of rows nor their alignment differs, and for arrays of equal shapes.
    pub rows: Option<Rows>,
}

impl Values {
    /// A comparison that has found nothing yet.
    pub fn new(verdict: Verdict) -> Self {
        Values {
            verdict,
            compared: 0,
            different: 0,
            within: 0,
            sign_of_zero: 0,
            notes: Vec::new(),
            first: Vec::new(),
            regions: Vec::new(),
            largest: Largest::default(),
            nan: Nan::default(),
            infinite: 0,
            columns: Vec::new(),
            rows: None,
        }
    }

    /// A sentence that says in which boxes all differences lie: `all differences lie in [200:260, 300:380]`. `None` if all of them
    /// are listed.
    pub fn whereabouts(&self) -> Option<String> {
        if self.regions.is_empty() || self.different <= self.first.len() as u64 {
            return None;
        }
        let along = |&(start, end): &(u64, u64)| {
            if end - start == 1 { start.to_string() } else { format!("{start}:{end}") }
        };
        let of = |region: &Vec<(u64, u64)>| format!("[{}]", region.iter().map(along).collect::<Vec<_>>().join(", "));
        let beyond = if self.within > 0 { " beyond the tolerance" } else { "" };
        let regions: Vec<String> = self.regions.iter().map(of).collect();
        Some(format!("all differences{beyond} lie in {}", regions.join(" and ")))
    }

    /// Values that cannot be compared, and why: a whole sentence.
    pub fn incomparable(reason: impl Into<String>) -> Self {
        Values { notes: vec![reason.into()], ..Values::new(Verdict::Incomparable) }
    }
}

/// One item that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// Its index on each axis; of a table, its row in each file is in [`RowChange`], and this is the row in the second one.
    pub index: Vec<u64>,
    /// The name of its column, in a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The value in the first file.
    pub a: Datum,
    /// The value in the second file.
    pub b: Datum,
    /// The distance, if both are numbers that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<Distance>,
    /// The first byte of the item in the second file, if it is stored there plainly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
}

impl Difference {
    /// Two values at an index, without a distance.
    pub fn new(index: Vec<u64>, a: Datum, b: Datum) -> Self {
        Difference { index, column: None, a, b, distance: None, offset: None }
    }
}

/// The distance of two numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Distance {
    /// |a − b|, as a double. It is infinite, or 0, if the distance is beyond the doubles. As JSON, it is then text in decimal
    /// digits.
    pub absolute: f64,
    /// |a − b| / max(|a|, |b|); 0 if both are 0.
    pub relative: f64,
    /// The number of steps from one to the other among the numbers of their width; `None` for integers.
    pub ulp: Option<u128>,
    /// |a − b|, if it is beyond the doubles.
    pub(super) beyond: Option<LongDouble>,
    /// Orders distances exactly.
    pub(super) order: Magnitude,
}

impl Distance {
    /// A distance; `ulp` is `None` for integers.
    pub fn new(absolute: f64, relative: f64, ulp: Option<u128>) -> Self {
        let order = if absolute.is_finite() { Finite::of_f64(absolute).order() } else { (i64::MAX, 0) };
        Distance { absolute, relative, ulp, beyond: None, order }
    }

    /// The distance of numbers that are this far apart.
    pub(super) fn of(apart: Finite, relative: f64, ulp: Option<u128>) -> Self {
        let (absolute, beyond) = (apart.magnitude(), apart.beyond_doubles());
        Distance { absolute, relative, ulp, beyond, order: apart.order() }
    }

    /// Orders absolute and relative distances, and those in steps.
    pub(super) fn orders(&self) -> [Option<Magnitude>; 3] {
        // The bits of doubles without a sign are in their order.
        [Some(self.order), Some((0, self.relative.to_bits().into())), self.ulp.map(|ulp| (0, ulp))]
    }

    /// |a − b| for people and for JSON.
    pub(super) fn shown(&self) -> Datum {
        self.beyond.map_or(Datum::F64(self.absolute), |beyond| Datum::Decimal(format!("{beyond:e}")))
    }
}

impl Serialize for Distance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Distance", 3)?;
        match self.beyond {
            None => object.serialize_field("absolute", &self.absolute)?,
            Some(_) => object.serialize_field("absolute", &self.shown())?,
        }
        object.serialize_field("relative", &self.relative)?;
        match &self.ulp {
            None => object.skip_field("ulp")?,
            Some(ulp) => object.serialize_field("ulp", ulp)?,
        }
        object.end()
    }
}

/// The largest distances, each with its place. The first one counts if there are several.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Largest {
    /// By |a − b|.
    pub absolute: Option<Extreme>,
    /// By |a − b| / max(|a|, |b|).
    pub relative: Option<Extreme>,
    /// By the number of steps at the width of the items.
    pub ulp: Option<Extreme>,
}

/// The place of a largest distance.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Extreme {
    /// The index of the item.
    pub index: Vec<u64>,
    /// The name of its column, in a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The value in the first file.
    pub a: Datum,
    /// The value in the second file.
    pub b: Datum,
    /// The distance: [`Datum::Uint`] of steps and of integers, else [`Datum::F64`].
    pub difference: Datum,
}

impl Extreme {
    /// A largest distance at an index.
    pub fn new(index: Vec<u64>, column: Option<String>, a: Datum, b: Datum, difference: Datum) -> Self {
        Extreme { index, column, a, b, difference }
    }
}

/// Items where `NaN` is on one side only, and those where both are `NaN` with other bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Nan {
    /// `NaN` in the first file only.
    pub a_only: u64,
    /// `NaN` in the second file only.
    pub b_only: u64,
    /// `NaN` in both with other payloads: a difference only if bits are compared.
    pub other_payload: u64,
}

/// A column of a table that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnDifference {
    /// Its name.
    pub name: String,
    /// The number of its values that differ in rows that both files have.
    pub different: u64,
    /// The difference of the column as a whole, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ColumnChange>,
}

impl ColumnDifference {
    /// A column with so many differing values.
    pub fn new(name: impl Into<String>, different: u64, change: Option<ColumnChange>) -> Self {
        ColumnDifference { name: name.into(), different, change }
    }
}

/// The difference of a column as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ColumnChange {
    /// Only the second file has it.
    Added,
    /// Only the first file has it.
    Removed,
    /// The types of its values differ: that in the first file, and that in the second one.
    Type(String, String),
    /// Its values cannot be read, and why.
    Unreadable(String),
}

/// Rows that were inserted, deleted or changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Rows {
    /// The axis of an array along which the rows lie; 0 for a table.
    pub axis: u64,
    /// The number of rows in the first file.
    pub a: u64,
    /// The number of rows in the second file.
    pub b: u64,
    /// The number of rows that only the second file has.
    pub inserted_count: u64,
    /// The number of rows that only the first file has.
    pub deleted_count: u64,
    /// The number of rows that both have with other values.
    pub changed_count: u64,
    /// The first inserted rows, by their place in the second file.
    pub inserted: Vec<Row>,
    /// The first deleted rows, by their place in the first file.
    pub deleted: Vec<Row>,
    /// The first changed rows.
    pub changed: Vec<RowChange>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// Its number, from 0.
    pub row: u64,
    /// Its values: [`Datum::List`], of a table in the order of its columns; of an array the row's items.
    pub values: Datum,
}

impl Row {
    /// A row with its values.
    pub fn new(row: u64, values: Datum) -> Self {
        Row { row, values }
    }
}

/// A row that both files have, with other values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RowChange {
    /// Its number in the first file, from 0.
    pub a: u64,
    /// Its number in the second file, from 0.
    pub b: u64,
    /// The cells that differ: of a table, each with the name of its column.
    pub cells: Vec<Difference>,
}

impl RowChange {
    /// A row that changed, with the cells that differ.
    pub fn new(a: u64, b: u64, cells: Vec<Difference>) -> Self {
        RowChange { a, b, cells }
    }
}
