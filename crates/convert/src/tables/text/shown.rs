//! Single cells as text.

use super::cell::{self, How};
use super::jsonl;
use super::ticks::Ticks;
use arrow_array::Array;
use arrow_schema::Field;

/// A cell of a row.
///
/// ```
/// use ndbytes_convert::text::{Cell, CellKind};
///
/// let cell = Cell { text: "fir \"balsam\"".to_owned(), kind: CellKind::Text };
/// assert_eq!(cell.to_json(), r#""fir \"balsam\"""#);
/// assert_eq!(Cell::default().to_json(), "null"); // a missing value
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// The text itself for a text value, otherwise the JSON form.
    pub text: String,
    /// The kind of the cell.
    pub kind: CellKind,
}

/// The kind of a cell.
///
/// ```
/// use ndbytes::{Input, Limits};
/// use ndbytes_convert::text::CellKind;
/// use ndbytes_convert::{FileKind, TableSource};
///
/// let limits = Limits::default();
/// let csv = Input::from_slice(b"Name,Size\nfir,\n", limits);
/// TableSource::text("trees", FileKind::Csv, &csv, limits)?.each_row(limits, &mut |row| {
///     assert_eq!((row[0].kind, row[1].kind), (CellKind::Text, CellKind::Missing));
///     true
/// })?;
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CellKind {
    /// The value is missing.
    #[default]
    Missing,
    /// A value that JSON writes without quotes: a number, a boolean, a list or an object.
    Bare,
    /// A text, a time or a number without digits.
    Text,
}

impl Cell {
    /// The cell as JSON.
    pub fn to_json(&self) -> String {
        match self.kind {
            CellKind::Missing => "null".to_owned(),
            CellKind::Bare => self.text.clone(),
            CellKind::Text => jsonl::quoted(&self.text),
        }
    }
}

/// How the values of a column are converted to text.
#[derive(Debug, Clone, Copy)]
pub struct CellText {
    how: How,
    is_item: bool,
}

impl CellText {
    /// Determines how the values of a field are shown.
    ///
    /// # Errors
    /// Returns a clause about why they have no text form.
    pub fn of(field: &Field) -> Result<Self, String> {
        let how = How { plain_nan: false, ticks: Ticks::of(field) };
        jsonl::ensure(field.data_type(), how, 0)?;
        Ok(CellText { how, is_item: cell::is_item(field.data_type(), how.ticks) })
    }

    /// Writes a value into a cell.
    ///
    /// # Errors
    /// Returns a clause about the value that cannot be written.
    pub fn put(&self, array: &dyn Array, row: usize, to: &mut Cell) -> Result<(), String> {
        to.text.clear();
        to.kind = CellKind::Missing;
        if array.is_null(row) {
            return Ok(());
        }
        if !self.is_item {
            to.kind = CellKind::Bare;
            return jsonl::push(array, row, self.how, &mut String::new(), &mut to.text);
        }
        to.kind = match cell::put(array, row, self.how, &mut to.text)? {
            cell::Cell::Missing => CellKind::Missing,
            cell::Cell::Bare => CellKind::Bare,
            cell::Cell::Word | cell::Cell::Text => CellKind::Text,
        };
        Ok(())
    }
}
