//! The differences between the values of two files.

use super::datum::Datum;
use super::finite::{Finite, Magnitude};
use super::verdict::Verdict;
use ndbytes::LongDouble;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// The differences between the values of two files. Lists are limited by [`Options::most`](super::options::Options::most); the numbers are
/// exact.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let (a, b) = ([0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3], [0, 0, 8, 1, 0, 0, 0, 3, 1, 7, 3]);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let found = diff(&a, &b, &Options::new())?; // the bytes 1, 2, 3 and 1, 7, 3
/// let values = found.values.expect("both files hold arrays");
/// assert_eq!((values.compared, values.different), (3, 1));
/// assert_eq!(values.regions, [[(1, 2)]]); // all differences lie in [1:2]
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Values {
    /// The verdict on the values only; never [`Verdict::Identical`].
    #[serde(skip)]
    pub verdict: Verdict,
    /// The number of items that were compared; for tables, of cells.
    pub compared: u64,
    /// The number of items that differ beyond the tolerance.
    pub different: u64,
    /// The number of items that differ, but within the tolerance.
    pub within: u64,
    /// The number of differing items that are zeros of opposite sign.
    pub sign_of_zero: u64,
    /// Sentences about all values, such as `dtype <f4 → <f8: every value is the same after widening`. No character in them can control a
    /// terminal.
    pub notes: Vec<String>,
    /// The first items that differ, in C order, or the largest differences; for tables, the first cells in rows that changed.
    pub first: Vec<Difference>,
    /// Boxes that contain all items that differ beyond the tolerance: the start and the end (exclusive) on each axis. At most four. Empty
    /// for tables, for arrays of different shapes, and if a box would be the whole array.
    pub regions: Vec<Vec<(u64, u64)>>,
    /// The positions of the largest differences.
    pub largest: Largest,
    /// The counts of `NaN`.
    pub nan: Nan,
    /// The number of items where only one value is infinite, or where both are, with opposite signs.
    pub infinite: u64,
    /// The columns of a table that differ, in file order. Empty for arrays.
    pub columns: Vec<ColumnDifference>,
    /// The rows that were inserted, deleted or changed, of a table or of an array along one axis. `None` if the number of rows and their
    /// alignment are the same, and for arrays of equal shapes.
    pub rows: Option<Rows>,
}

impl Values {
    /// An empty result, to be filled by a comparison.
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

    /// A sentence with the boxes that contain all differences: `all differences lie in [200:260, 300:380]`. `None` if
    /// all differences are listed.
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

    /// Creates the result for values that cannot be compared; `reason` is a complete sentence.
    pub fn incomparable(reason: impl Into<String>) -> Self {
        Values { notes: vec![reason.into()], ..Values::new(Verdict::Incomparable) }
    }
}

/// An item that differs.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let (a, b) = ([0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3], [0, 0, 8, 1, 0, 0, 0, 3, 1, 7, 3]);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let values = diff(&a, &b, &Options::new())?.values.unwrap(); // the bytes 1, 2, 3 and 1, 7, 3
/// let first = &values.first[0];
/// assert_eq!(format!("{:?}: {} became {}", first.index, first.a, first.b), "[1]: 2 became 7");
/// assert_eq!(first.offset, Some(9)); // where the 7 is in the second file
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The index on each axis. In a table, this is the row in the second file; [`RowChange`] has the row in each file.
    pub index: Vec<u64>,
    /// The name of its column, for a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The value in the first file.
    pub a: Datum,
    /// The value in the second file.
    pub b: Datum,
    /// The distance, if both values are numbers that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<Distance>,
    /// The first byte of the item in the second file, if it is stored there unencoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
}

impl Difference {
    /// Two values at an index, without a distance.
    pub fn new(index: Vec<u64>, a: Datum, b: Datum) -> Self {
        Difference { index, column: None, a, b, distance: None, offset: None }
    }
}

/// The distance between two numbers.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let file = |number: f32| [&[0, 0, 13, 1, 0, 0, 0, 1][..], &number.to_be_bytes()].concat();
/// # let (a, b) = (file(1.0), file(1.0_f32.next_up()));
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let values = diff(&a, &b, &Options::new())?.values.unwrap(); // 1.0, and the next larger f32
/// let distance = values.first[0].distance.expect("both are numbers");
/// assert_eq!((distance.absolute, distance.ulp), (f32::EPSILON.into(), Some(1)));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Distance {
    /// |a − b|, as a double. If the distance is outside the range of doubles, this is infinite or 0, and in JSON it is
    /// a string of decimal digits.
    pub absolute: f64,
    /// |a − b| / max(|a|, |b|); 0 if both are 0.
    pub relative: f64,
    /// The number of steps between representable numbers of their width; `None` for integers.
    pub ulp: Option<u128>,
    /// |a − b|, if it is outside the range of doubles.
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

    /// Returns the distance of numbers that are this far apart.
    pub(super) fn of(apart: Finite, relative: f64, ulp: Option<u128>) -> Self {
        let (absolute, beyond) = (apart.magnitude(), apart.beyond_doubles());
        Distance { absolute, relative, ulp, beyond, order: apart.order() }
    }

    /// Returns sort keys for the absolute and the relative distance, and for the distance in steps.
    pub(super) fn orders(&self) -> [Option<Magnitude>; 3] {
        // The bits of nonnegative doubles are ordered like the numbers.
        [Some(self.order), Some((0, self.relative.to_bits().into())), self.ulp.map(|ulp| (0, ulp))]
    }

    /// `ulp`, where it says more than `relative`: 1 to 2^20 steps between two numbers of one sign, neither of which is more than twice
    /// the other.
    pub fn steps(&self) -> Option<u128> {
        self.ulp.filter(|ulp| (1..=1 << 20).contains(ulp) && self.relative <= 0.5)
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

/// The largest distances, with their positions. If there are several, the first one counts.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let (a, b) = ([0, 0, 8, 1, 0, 0, 0, 2, 1, 100], [0, 0, 8, 1, 0, 0, 0, 2, 2, 110]);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let largest = diff(&a, &b, &Options::new())?.values.unwrap().largest; // 1, 100 and 2, 110
/// assert_eq!(largest.absolute.unwrap().index, [1]); // 10 is more than 1,
/// assert_eq!(largest.relative.unwrap().index, [0]); // but 1 of 2 is more than 10 of 110
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Largest {
    /// By |a − b|.
    pub absolute: Option<Extreme>,
    /// By |a − b| / max(|a|, |b|).
    pub relative: Option<Extreme>,
    /// By the number of steps between representable numbers of the items' width.
    pub ulp: Option<Extreme>,
}

impl Largest {
    /// `ulp`, if it is near enough for [`Distance::steps`].
    pub fn steps(&self) -> Option<&Extreme> {
        self.ulp.as_ref().filter(|extreme| extreme.is_near)
    }
}

/// The position of a largest distance.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let (a, b) = ([0, 0, 8, 1, 0, 0, 0, 2, 1, 100], [0, 0, 8, 1, 0, 0, 0, 2, 2, 110]);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let largest = diff(&a, &b, &Options::new())?.values.unwrap().largest; // 1, 100 and 2, 110
/// let most = largest.absolute.unwrap();
/// assert_eq!(format!("{} at {:?}: {}, {}", most.difference, most.index, most.a, most.b), "10 at [1]: 100, 110");
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Extreme {
    /// The index of the item.
    pub index: Vec<u64>,
    /// The name of its column, for a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The value in the first file.
    pub a: Datum,
    /// The value in the second file.
    pub b: Datum,
    /// The distance: [`Datum::Uint`] for steps and integers, otherwise [`Datum::F64`].
    pub difference: Datum,
    /// Whether its distance has [`Distance::steps`].
    #[serde(skip)]
    pub(super) is_near: bool,
}

impl Extreme {
    /// A largest distance at an index.
    pub fn new(index: Vec<u64>, column: Option<String>, a: Datum, b: Datum, difference: Datum) -> Self {
        Extreme { index, column, a, b, difference, is_near: false }
    }
}

/// The number of items where `NaN` is on one side only, and where both are `NaN` with different bits.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let file = |number: f32| [&[0, 0, 13, 1, 0, 0, 0, 1][..], &number.to_be_bytes()].concat();
/// # let (a, b) = (file(1.0), file(f32::NAN));
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let nan = diff(&a, &b, &Options::new())?.values.unwrap().nan; // 1.0 became NaN
/// assert_eq!((nan.a_only, nan.b_only), (0, 1));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Nan {
    /// `NaN` in the first file only.
    pub a_only: u64,
    /// `NaN` in the second file only.
    pub b_only: u64,
    /// `NaN` in both, with different payloads: a difference only if bits are compared.
    pub other_payload: u64,
}

/// A column of a table that differs.
///
/// ```
/// # use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
/// # use ndbytes::{Input, Limits};
/// # let table = |sizes: Vec<f32>| {
/// #     let size = NewColumn::new("Size", ColumnType::scalar(ItemType::F32));
/// #     let mut file = Writer::new([size]).begin(std::io::Cursor::new(Vec::new()))?;
/// #     file.write(&[Values::scalars(sizes)])?;
/// #     Ok::<_, ndbytes::Error>(file.finish_sink()?.into_inner())
/// # };
/// # let (a, b) = (table(vec![0.5, 1.5])?, table(vec![0.5, 2.5])?);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let values = diff(&a, &b, &Options::new())?.values.unwrap(); // tables whose second size differs
/// let column = &values.columns[0];
/// assert_eq!((&*column.name, column.different, &column.change), ("Size", 1, &None));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnDifference {
    /// Its name.
    pub name: String,
    /// The number of values that differ, in rows that both files have.
    pub different: u64,
    /// The difference of the whole column, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ColumnChange>,
}

impl ColumnDifference {
    /// A column with this number of differing values.
    pub fn new(name: impl Into<String>, different: u64, change: Option<ColumnChange>) -> Self {
        ColumnDifference { name: name.into(), different, change }
    }
}

/// A difference of a whole column.
///
/// ```
/// # use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
/// # use ndbytes::{Input, Limits};
/// # let table = |name: &str| {
/// #     let column = NewColumn::new(name, ColumnType::scalar(ItemType::F32));
/// #     let mut file = Writer::new([column]).begin(std::io::Cursor::new(Vec::new()))?;
/// #     file.write(&[Values::scalars(vec![0.5_f32])])?;
/// #     Ok::<_, ndbytes::Error>(file.finish_sink()?.into_inner())
/// # };
/// # let (a, b) = (table("Size")?, table("Height")?);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{ColumnChange, Options, diff};
///
/// // `Size` was renamed to `Height`.
/// let columns = diff(&a, &b, &Options::new())?.values.unwrap().columns;
/// let change = |name| columns.iter().find(|column| column.name == name).unwrap().change.clone();
/// assert_eq!(change("Size"), Some(ColumnChange::Removed));
/// assert_eq!(change("Height"), Some(ColumnChange::Added));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ColumnChange {
    /// Only the second file has it.
    Added,
    /// Only the first file has it.
    Removed,
    /// The types differ: the type in the first file, and in the second file.
    Type(String, String),
    /// Why the values cannot be read.
    Unreadable(String),
}

/// Rows that were inserted, deleted or changed.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let (a, b) = (vec![0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3], vec![0, 0, 8, 1, 0, 0, 0, 4, 1, 7, 2, 3]);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// // A 7 is inserted: 1, 2, 3 became 1, 7, 2, 3.
/// let rows = diff(&a, &b, &Options::new())?.values.unwrap().rows.unwrap();
/// assert_eq!((rows.a, rows.b), (3, 4));
/// assert_eq!((rows.inserted_count, rows.deleted_count, rows.changed_count), (1, 0, 0));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Rows {
    /// The axis of the array along which the rows are counted; 0 for a table.
    pub axis: u64,
    /// The number of rows in the first file.
    pub a: u64,
    /// The number of rows in the second file.
    pub b: u64,
    /// The number of rows that only the second file has.
    pub inserted_count: u64,
    /// The number of rows that only the first file has.
    pub deleted_count: u64,
    /// The number of rows that both files have, with different values.
    pub changed_count: u64,
    /// The first inserted rows, by index in the second file.
    pub inserted: Vec<Row>,
    /// The first deleted rows, by index in the first file.
    pub deleted: Vec<Row>,
    /// The first changed rows.
    pub changed: Vec<RowChange>,
}

/// One row.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// # let (a, b) = (vec![0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3], vec![0, 0, 8, 1, 0, 0, 0, 4, 1, 7, 2, 3]);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// let rows = diff(&a, &b, &Options::new())?.values.unwrap().rows.unwrap(); // 1, 2, 3 and 1, 7, 2, 3
/// let inserted = &rows.inserted[0];
/// assert_eq!((inserted.row, inserted.values.to_string()), (1, "[7]".to_owned()));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// Its index, counted from 0.
    pub row: u64,
    /// Its values as a [`Datum::List`]: in column order for a table, the row's items for an array.
    pub values: Datum,
}

impl Row {
    /// A row with its values.
    pub fn new(row: u64, values: Datum) -> Self {
        Row { row, values }
    }
}

/// A row that both files have, with different values.
///
/// ```
/// # use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
/// # use ndbytes::{Input, Limits};
/// # let table = |sizes: Vec<f32>| {
/// #     let columns = [("Id", ItemType::U32), ("Size", ItemType::F32)];
/// #     let columns = columns.map(|(name, item)| NewColumn::new(name, ColumnType::scalar(item)));
/// #     let mut file = Writer::new(columns).begin(std::io::Cursor::new(Vec::new()))?;
/// #     file.write(&[Values::scalars((0..sizes.len() as u32).collect::<Vec<_>>()), Values::scalars(sizes)])?;
/// #     Ok::<_, ndbytes::Error>(file.finish_sink()?.into_inner())
/// # };
/// # let (a, b) = (table(vec![0.5, 1.5])?, table(vec![0.5, 2.5, 3.5])?);
/// # let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// use ndbytes_compare::diff::{Options, diff};
///
/// // The row with the id 1 has another size, and a row is new.
/// let values = diff(&a, &b, &Options::new().key("Id"))?.values.unwrap();
/// let changed = &values.rows.unwrap().changed[0];
/// let cell = &changed.cells[0];
/// assert_eq!((changed.a, changed.b, cell.column.as_deref()), (1, 1, Some("Size")));
/// assert_eq!(cell.b.to_string(), "2.5");
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RowChange {
    /// Its index in the first file, counted from 0.
    pub a: u64,
    /// Its index in the second file, counted from 0.
    pub b: u64,
    /// The cells that differ; for a table, each with the name of its column.
    pub cells: Vec<Difference>,
}

impl RowChange {
    /// A changed row, with its differing cells.
    pub fn new(a: u64, b: u64, cells: Vec<Difference>) -> Self {
        RowChange { a, b, cells }
    }
}
