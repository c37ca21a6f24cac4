//! A table and its batches.

use super::column::{self, Column, flags};
use super::schema::{self, Described};
use crate::error::Result;
use arrow_array::{RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use ndbytes::archive::Archive;
use ndbytes::{Limits, b2nd};
use std::ops::Range;
use std::sync::Arc;

/// Rows that are read at a time.
const ROWS: u64 = 65_536;

/// The name of the mask of rows that were not deleted.
const LIVE: &str = "_valid_rows.b2nd";

/// A table whose columns are arrays of a store.
#[derive(Debug)]
pub struct CTable {
    archive: Arc<Archive<'static>>,
    described: Described,
    live: b2nd::Array<'static>,
    limits: Limits,
}

impl CTable {
    /// The table that a store holds; `None` if it holds none.
    ///
    /// # Errors
    /// [`Error::Broken`](crate::Error::Broken) if its description is none, and the errors of its members.
    pub fn of(archive: impl Into<Arc<Archive<'static>>>, limits: Limits) -> Result<Option<Self>> {
        let archive = archive.into();
        let Some(described) = schema::read(&archive, limits)? else { return Ok(None) };
        let live = column::array(&archive, LIVE, limits)?;
        Ok(Some(CTable { archive, described, live, limits }))
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.described.columns.iter().map(|column| column.name.as_str())
    }

    /// The number of rows, without those that were deleted. The mask is read for it.
    ///
    /// # Errors
    /// The errors of the mask.
    pub fn rows(&self) -> Result<u64> {
        let mut rows = 0;
        for range in self.ranges() {
            rows += flags(&self.live, &range)?.iter().filter(|live| **live).count() as u64;
        }
        Ok(rows)
    }

    /// Batches of all columns, or of some in this order.
    ///
    /// # Errors
    /// [`Error::Column`](crate::Error::Column) if one is not there, or of a type that is not read;
    /// [`Error::Broken`](crate::Error::Broken) if it has fewer rows than the table.
    pub fn batches(self: &Arc<Self>, columns: Option<&[String]>) -> Result<Batches> {
        let chosen = match columns {
            None => self.described.columns.iter().collect(),
            Some(names) => names.iter().map(|name| self.described.column(name)).collect::<Result<Vec<_>>>()?,
        };
        let open = |described| Column::open(&self.archive, described, self.capacity(), self.limits);
        let columns = chosen.into_iter().map(open).collect::<Result<Vec<_>>>()?;
        let fields: Vec<Field> = columns.iter().map(|column| column.field.clone()).collect();
        Ok(Batches { table: Arc::clone(self), columns, schema: Arc::new(Schema::new(fields)), next: 0 })
    }

    /// The number of rows with those that were deleted.
    fn capacity(&self) -> u64 {
        self.live.shape().first().map_or(0, |&rows| rows as u64)
    }

    fn ranges(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let capacity = self.capacity();
        (0..capacity).step_by(ROWS as usize).map(move |start| start..capacity.min(start + ROWS))
    }
}

/// The rows of a table, batch by batch.
#[derive(Debug)]
pub struct Batches {
    table: Arc<CTable>,
    columns: Vec<Column>,
    schema: SchemaRef,
    next: u64,
}

impl Batches {
    fn batch(&mut self) -> Result<Option<RecordBatch>> {
        let capacity = self.table.capacity();
        if self.next >= capacity {
            return Ok(None);
        }
        let rows = self.next..capacity.min(self.next + ROWS);
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
