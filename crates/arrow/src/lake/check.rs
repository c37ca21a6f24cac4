//! Lists of paths, checked.

use super::batch::Rows;
use super::examine::{Examined, Examiner};
use super::options::Options;
use super::order::InOrder;
use super::schema::Table;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use std::path::{Path, PathBuf};

/// The most bytes of rows that become one batch. Arrow counts the bytes of texts in 31 bits.
const MOST_BYTES: usize = 1 << 30;

/// Checks the files at paths, and returns rows of a table about them, in the order of the paths.
///
/// `paths` are strings: `Utf8`, `LargeUtf8` or `Utf8View`. A null gives no row. A file that cannot be read is no error, but a row with
/// the rule [`UNREADABLE`](super::UNREADABLE). The files are checked side by side in the threads of the current rayon pool.
///
/// # Errors
/// [`ArrowError::InvalidArgumentError`] if `paths` are no strings; an error of Arrow if the rows do not fit one batch.
/// [`Lake`] has no such bound.
pub fn check_batch(paths: &dyn Array, table: Table, options: &Options) -> Result<RecordBatch, ArrowError> {
    let examiner = Examiner::new(table, options);
    let mut rows = Rows::new(table, options);
    let mut add = |texts: &mut (dyn Iterator<Item = Option<&str>> + Send)| {
        let texts = texts.flatten().map(Path::new);
        InOrder::new(texts, |path: &&Path| examiner.examine(path)).try_for_each(|(_, examined)| {
            rows.push(examined);
            match rows.bytes() <= MOST_BYTES {
                true => Ok(()),
                false => Err(ArrowError::InvalidArgumentError(format!(
                    "the rows about these paths take more than {MOST_BYTES} bytes, which is the most of one batch: \
                     give fewer paths at a time"
                ))),
            }
        })
    };
    match paths.data_type() {
        DataType::Utf8 => add(&mut paths.as_string::<i32>().iter())?,
        DataType::LargeUtf8 => add(&mut paths.as_string::<i64>().iter())?,
        DataType::Utf8View => add(&mut paths.as_string_view().iter())?,
        other => {
            return Err(ArrowError::InvalidArgumentError(format!("paths are strings, but these are {other}")));
        }
    }
    rows.take_all()
}

/// The rows about a list of files, batch by batch, in the order of the list.
///
/// The list may have any length: it is never held as a whole. A batch ends after [`Options::rows`] or [`Options::bytes`], and
/// the rows of one archive may be in several batches.
///
/// ```
/// use ndbytes_arrow::lake::{Lake, Options, Table};
///
/// let paths = std::fs::read_dir(".")?.filter_map(|entry| Some(entry.ok()?.path()));
/// for batch in Lake::new(paths, Table::Files, &Options::new()) {
///     println!("{} rows", batch?.num_rows());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Lake<I: Iterator<Item = PathBuf>> {
    examined: InOrder<std::iter::Fuse<I>, Work>,
    rows: Rows<'static>,
    table: Table,
}

type Work = Box<dyn Fn(&PathBuf) -> Examined + Send + Sync>;

impl<I: Iterator<Item = PathBuf>> Lake<I> {
    /// Begins to check files.
    pub fn new(paths: impl IntoIterator<IntoIter = I>, table: Table, options: &Options) -> Self {
        let examiner = Examiner::new(table, options);
        let work: Work = Box::new(move |path| examiner.examine(path));
        let examined = InOrder::new(paths.into_iter().fuse(), work);
        Lake { examined, rows: Rows::new(table, options), table }
    }
}

impl<I: Iterator<Item = PathBuf>> Iterator for Lake<I> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rows.is_full() {
            match self.examined.next() {
                Some((_, examined)) => self.rows.push(examined),
                None => return (!self.rows.is_empty()).then(|| self.rows.take()),
            }
        }
        Some(self.rows.take())
    }
}

impl<I: Iterator<Item = PathBuf>> RecordBatchReader for Lake<I> {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }
}
