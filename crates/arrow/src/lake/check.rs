//! Checks lists of paths.

use super::batch::Rows;
use super::examine::{Examined, Examiner};
use super::options::Options;
use super::order::InOrder;
use super::schema::Table;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use ndbytes::walk::{Found, Problem, Start, Walk};
use std::iter::Fuse;
use std::path::{Path, PathBuf};

/// The maximum number of bytes of rows in one batch. Arrow counts the bytes of strings with 31 bits.
const MOST_BYTES: usize = 1 << 30;

/// Checks the files at some paths, and returns table rows about them, in the order of the paths. A directory represents all files
/// below it, as found by a [`Walk`]; files in unknown formats have no row.
///
/// `paths` are strings: `Utf8`, `LargeUtf8` or `Utf8View`. A null produces no row. A file that cannot be read is not an error, but
/// a row with the rule [`UNREADABLE`](super::UNREADABLE). The files are checked in parallel on the threads of the current rayon
/// pool.
///
/// # Errors
/// [`ArrowError::InvalidArgumentError`] if `paths` are not strings; an Arrow error if the rows do not fit into one
/// batch. [`Lake`] has no such limit.
pub fn check_batch(paths: &dyn Array, table: Table, options: &Options) -> Result<RecordBatch, ArrowError> {
    check_batch_by(paths, &Examiner::new(table, options))
}

/// Like [`check_batch`], but with an examiner, which may have a [`Judge`](super::Judge).
///
/// # Errors
/// As for [`check_batch`].
pub fn check_batch_by(paths: &dyn Array, examiner: &Examiner<'_>) -> Result<RecordBatch, ArrowError> {
    let options = examiner.options();
    let mut rows = Rows::new(examiner.table(), options);
    let mut add = |texts: &mut (dyn Iterator<Item = Option<&str>> + Send)| {
        let starts = texts.flatten().map(|text| Ok(Start::named(text)));
        let walk = Walk::new(Box::new(starts), options.walk());
        InOrder::new(walk, |met: &Met| examine(examiner, met)).try_for_each(|(met, examined)| {
            if is_passed_over(&met, &examined) {
                return Ok(());
            }
            rows.push(examined);
            match rows.bytes() <= MOST_BYTES {
                true => Ok(()),
                false => Err(ArrowError::InvalidArgumentError(format!(
                    "the rows about these paths take more than {MOST_BYTES} bytes, the maximum of one batch: \
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
            return Err(ArrowError::InvalidArgumentError(format!("paths must be strings, but these are {other}")));
        }
    }
    rows.take_all()
}

/// A result of a walk: a file, or an error in place of one.
type Met = Result<Found, Problem>;

fn examine(examiner: &Examiner<'_>, met: &Met) -> Examined {
    match met {
        Ok(found) => examiner.examine_listed(&found.path, found.stat),
        Err(problem) => Examined::unreadable(problem.path.as_deref().unwrap_or(Path::new("")), problem.reason.clone()),
    }
}

/// Returns whether a file in an unknown format was found in a directory.
fn is_passed_over(met: &Met, examined: &Examined) -> bool {
    examined.is_foreign() && met.as_ref().is_ok_and(|found| !found.is_named)
}

/// Produces the rows about a list of files batch by batch, in the order of the list.
///
/// The list may have any length, because it is never completely in memory. A batch ends after [`Options::rows`] or
/// [`Options::bytes`], and the rows of one archive may be in several batches.
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
pub struct Lake<'s> {
    met: InOrder<Fuse<Walk<'s>>, Work>,
    rows: Rows<'static>,
    table: Table,
}

type Work = Box<dyn Fn(&Met) -> Examined + Send + Sync>;

impl<'s> Lake<'s> {
    /// Starts checking files. A directory represents all files below it, as in [`check_batch`].
    pub fn new<I>(paths: I, table: Table, options: &Options) -> Self
    where
        I: IntoIterator<Item = PathBuf>,
        I::IntoIter: Send + 's,
    {
        let examiner = Examiner::new(table, options);
        let work: Work = Box::new(move |met| examine(&examiner, met));
        let starts = paths.into_iter().map(|path| Ok(Start::named(path)));
        let met = InOrder::new(Walk::new(Box::new(starts), options.walk()).fuse(), work);
        Lake { met, rows: Rows::new(table, options), table }
    }
}

impl Iterator for Lake<'_> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rows.is_full() {
            match self.met.next() {
                Some((met, examined)) if is_passed_over(&met, &examined) => {}
                Some((_, examined)) => self.rows.push(examined),
                None => return (!self.rows.is_empty()).then(|| self.rows.take()),
            }
        }
        Some(self.rows.take())
    }
}

impl RecordBatchReader for Lake<'_> {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }
}
