//! Record batches out of text.

use crate::error::Error;
use crate::kind::FileKind;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use ndbytes::Limits;

/// How text becomes a table.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    pub(crate) limits: Limits,
    pub(crate) single: bool,
    pub(crate) all_text: bool,
    pub(crate) text: Vec<String>,
    pub(crate) rows: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { limits: Limits::default(), single: false, all_text: false, text: Vec::new(), rows: 65_536 }
    }
}

impl ReadOptions {
    /// The defaults: types are inferred from the values.
    pub fn new() -> Self {
        ReadOptions::default()
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        ReadOptions { limits, ..self }
    }

    /// Makes numbers with a point or an exponent `Single`, not `Double`.
    #[must_use]
    pub fn single(self, single: bool) -> Self {
        ReadOptions { single, ..self }
    }

    /// Makes all values texts.
    #[must_use]
    pub fn all_text(self, all_text: bool) -> Self {
        ReadOptions { all_text, ..self }
    }

    /// Makes the values of some columns texts, whatever they look like.
    #[must_use]
    pub fn text<T: Into<String>>(self, columns: impl IntoIterator<Item = T>) -> Self {
        ReadOptions { text: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets the maximum number of rows of a batch. The default is 65,536.
    #[must_use]
    pub fn rows(self, rows: usize) -> Self {
        ReadOptions { rows, ..self }
    }

    /// Returns whether the values of a column are texts by declaration.
    pub(super) fn is_text(&self, name: &str) -> bool {
        self.all_text || self.text.iter().any(|text| text == name)
    }

    /// Refuses the name of a column that is not there.
    pub(super) fn ensure_named<'n>(
        &self,
        kind: FileKind,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Result<(), Error> {
        match self.text.iter().find(|text| !names.clone().any(|name| name == *text)) {
            Some(text) => Err(Error::Malformed { kind, what: format!("has no column {text:?}") }),
            None => Ok(()),
        }
    }
}

/// Input bytes of a batch, beyond which it ends.
pub const BATCH: u64 = 8 << 20;

/// Bytes of memory for a byte of input. A digit and a comma can become a number of 8 bytes, in a list that has grown to
/// twice its length.
pub const GROWTH: u64 = 24;

/// Bytes of memory for a column: its name, the guess of its type, and its lists.
pub const COLUMN: u64 = 1024;

/// The longest value, so that the text of a batch can be counted in 31 bits.
pub const LONGEST: usize = 1 << 30;

/// The rows that were read as a batch.
pub fn batch(
    kind: FileKind,
    schema: &SchemaRef,
    arrays: Result<Vec<ArrayRef>, ArrowError>,
    rows: usize,
) -> Result<RecordBatch, Error> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let batch = arrays.and_then(|arrays| RecordBatch::try_new_with_options(SchemaRef::clone(schema), arrays, &options));
    batch.map_err(|error| Error::Malformed { kind, what: format!("cannot become record batches: {error}") })
}

/// The text of a file of text.
pub fn utf8(kind: FileKind, bytes: &[u8]) -> Result<&str, Error> {
    let malformed = |what: String| Error::Malformed { kind, what };
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(malformed("is in UTF-16, but only UTF-8 is read".into()));
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        malformed(format!("has bytes in line {line} that are not UTF-8"))
    })
}

/// The type of the items of a vector, or of a column without vectors.
pub fn item_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::FixedSizeList(child, _) | DataType::List(child) | DataType::LargeList(child) => child.data_type(),
        other => other,
    }
}

/// An error in a column that is written.
pub fn in_column(kind: FileKind, field: &Field, what: &str) -> Error {
    Error::Refused { kind, what: format!("the column {:?}, which {what}", field.name()) }
}

/// An error as Arrow's readers have it.
pub fn to_arrow(error: Error) -> ArrowError {
    ArrowError::ExternalError(Box::new(error))
}
