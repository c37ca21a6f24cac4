//! Record batches from text.

use crate::error::Error;
use crate::kind::FileKind;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use ndbytes::Limits;

/// How to read text as a table.
///
/// ```
/// use arrow_schema::DataType;
/// use ndbytes_convert::text::{ReadOptions, csv};
///
/// // Postal codes look like numbers, but 01067 would lose its leading zero.
/// let text = b"Code,Trees\n01067,12\n10115,7\n";
/// let reader = csv::Reader::new(text, &ReadOptions::new().text(["Code"]))?;
/// assert_eq!(reader.types()[0].data_type(), &DataType::Utf8);
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
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
    /// Creates the default options: types are inferred from the values.
    pub fn new() -> Self {
        ReadOptions::default()
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        ReadOptions { limits, ..self }
    }

    /// Reads numbers with a decimal point or an exponent as `Single` instead of `Double`.
    #[must_use]
    pub fn single(self, single: bool) -> Self {
        ReadOptions { single, ..self }
    }

    /// Reads all values as text.
    #[must_use]
    pub fn all_text(self, all_text: bool) -> Self {
        ReadOptions { all_text, ..self }
    }

    /// Reads some columns as text, whatever their values look like.
    #[must_use]
    pub fn text<T: Into<String>>(self, columns: impl IntoIterator<Item = T>) -> Self {
        ReadOptions { text: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets the maximum number of rows per batch. The default is 65,536.
    #[must_use]
    pub fn rows(self, rows: usize) -> Self {
        ReadOptions { rows, ..self }
    }

    /// Returns whether a column is declared as text.
    pub(super) fn is_text(&self, name: &str) -> bool {
        self.all_text || self.text.iter().any(|text| text == name)
    }

    /// Refuses the name of a column that does not exist.
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

/// The number of input bytes after which a batch ends.
pub const BATCH: u64 = 8 << 20;

/// The bytes of memory per byte of input. A digit and a comma can become an 8-byte number, in a list with twice the
/// required capacity.
pub const GROWTH: u64 = 24;

/// The bytes of memory per column: its name, the guess of its type, and its lists.
pub const COLUMN: u64 = 1024;

/// The maximum length of a value, so that the length of a batch's text fits in 31 bits.
pub const LONGEST: usize = 1 << 30;

/// Returns the rows that were read as a batch.
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

/// Returns the content of a text file.
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

/// Returns an error about a column being written.
pub fn in_column(kind: FileKind, field: &Field, what: &str) -> Error {
    Error::Refused { kind, what: format!("the column {:?}, which {what}", field.name()) }
}

/// Converts an error to the type that Arrow's readers use.
pub fn to_arrow(error: Error) -> ArrowError {
    ArrowError::ExternalError(Box::new(error))
}
