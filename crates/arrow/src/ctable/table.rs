//! A table and its batches.
//!
//! A table is a store with one array per column, a description in JSON, and a mask of the rows that were not deleted.
//! At most 65,536 rows are read at a time through the mask, so a batch may be shorter, or empty. The claims of the
//! description are compared with the arrays when a column is opened.

use super::column::{self, Column, flags};
use super::schema::{self, Described};
use crate::error::{Error, Result};
use arrow_array::{RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use ndbytes::archive::Archive;
use ndbytes::{Limits, b2nd};
use std::ops::Range;
use std::sync::Arc;

/// The number of rows that are read at a time, unless they are larger than `MOST_BYTES` in a column.
const ROWS: u64 = 65_536;

/// The size of the items of a column that are read at a time, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// The name of the mask of rows that were not deleted.
const LIVE: &str = "_valid_rows.b2nd";

/// A table whose columns are arrays of a store.
///
/// ```
/// use ndbytes::{Limits, archive::Archive};
/// use ndbytes_arrow::ctable::CTable;
///
/// let limits = Limits::default();
/// let store = Archive::open("../../tests/frozen/ctable/deleted.b2z", limits)?;
/// let table = CTable::of(store, limits)?.expect("the store holds a table");
/// println!("{} rows of {:?}", table.rows()?, table.names().collect::<Vec<_>>());
/// # assert!(table.rows()? > 0);
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
#[derive(Debug)]
pub struct CTable {
    archive: Arc<Archive<'static>>,
    described: Described,
    live: b2nd::Array<'static>,
    limits: Limits,
}

impl CTable {
    /// Opens the table in a store; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Broken`](crate::Error::Broken) if its description is invalid; any error from its members.
    pub fn of(archive: impl Into<Arc<Archive<'static>>>, limits: Limits) -> Result<Option<Self>> {
        let archive = archive.into();
        let Some(described) = schema::read(&archive, limits)? else { return Ok(None) };
        let live = column::array(&archive, LIVE, limits)?;
        Ok(Some(CTable { archive, described, live, limits }))
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.described.columns.iter().map(|column| column.name.as_str())
    }

    /// Returns the number of rows, without deleted ones. This reads the mask.
    ///
    /// # Errors
    /// Any error while reading the mask.
    pub fn rows(&self) -> Result<u64> {
        let mut rows = 0;
        for range in self.ranges() {
            rows += flags(&self.live, &range)?.iter().filter(|live| **live).count() as u64;
        }
        Ok(rows)
    }

    /// Reads batches of all columns, or of the given columns in this order.
    ///
    /// # Errors
    /// [`Error::Column`](crate::Error::Column) if a column does not exist or has an unsupported type;
    /// [`Error::Broken`](crate::Error::Broken) if it has fewer rows than the table.
    pub fn batches(self: &Arc<Self>, columns: Option<&[String]>) -> Result<Batches> {
        let chosen = match columns {
            None => self.described.columns.iter().collect(),
            Some(names) => names.iter().map(|name| self.described.column(name)).collect::<Result<Vec<_>>>()?,
        };
        let open = |described| Column::open(&self.archive, described, self.capacity(), self.limits);
        let columns = chosen.into_iter().map(open).collect::<Result<Vec<_>>>()?;
        let fields: Vec<Field> = columns.iter().map(|column| column.field.clone()).collect();
        let widest = columns.iter().map(Column::row_bytes).max().unwrap_or(0).max(1);
        let step = ROWS.min(MOST_BYTES / widest).max(1);
        Ok(Batches { table: Arc::clone(self), columns, schema: Arc::new(Schema::new(fields)), step, next: 0 })
    }

    /// Returns the columns that are not supported, each with a clause that states why.
    ///
    /// # Errors
    /// Any error from the other columns.
    pub fn refused(&self) -> Result<Vec<(String, String)>> {
        let mut refused = Vec::new();
        for described in &self.described.columns {
            match Column::open(&self.archive, described, self.capacity(), self.limits) {
                Ok(_) => {}
                Err(Error::Column { column, what }) => refused.push((column, what)),
                Err(error) => return Err(error),
            }
        }
        Ok(refused)
    }

    /// Returns the number of rows, including deleted ones.
    fn capacity(&self) -> u64 {
        self.live.shape().first().map_or(0, |&rows| rows as u64)
    }

    fn ranges(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let capacity = self.capacity();
        (0..capacity).step_by(ROWS as usize).map(move |start| start..capacity.min(start + ROWS))
    }
}

/// Reads the rows of a table batch by batch.
///
/// ```
/// use ndbytes::{Limits, archive::Archive};
/// use ndbytes_arrow::ctable::CTable;
/// use std::sync::Arc;
///
/// let limits = Limits::default();
/// let store = Archive::open("../../tests/frozen/ctable/deleted.b2z", limits)?;
/// let table = Arc::new(CTable::of(store, limits)?.expect("the store holds a table"));
/// let mut rows = 0;
/// for batch in table.batches(None)? {
///     rows += batch?.num_rows() as u64;
/// }
/// assert_eq!(rows, table.rows()?); // without the deleted rows
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
#[derive(Debug)]
pub struct Batches {
    table: Arc<CTable>,
    columns: Vec<Column>,
    schema: SchemaRef,
    /// The number of rows in a batch.
    step: u64,
    next: u64,
}

impl Batches {
    fn batch(&mut self) -> Result<Option<RecordBatch>> {
        let capacity = self.table.capacity();
        if self.next >= capacity {
            return Ok(None);
        }
        let rows = self.next..capacity.min(self.next + self.step);
        self.next = rows.end;
        let live = flags(&self.table.live, &rows)?;
        let count = live.iter().filter(|live| **live).count();
        let arrays = self.columns.iter().map(|column| column.read(&rows, &live)).collect::<Result<Vec<_>>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(count));
        Ok(Some(RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)?))
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().map_err(ArrowError::from).transpose()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
