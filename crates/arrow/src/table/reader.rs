//! The batches of a table, in order.
//!
//! The table yields portions: consecutive rows of all columns, a few at a time, as many as threads can use. Each portion becomes a
//! batch on some thread. If sparse vectors would grow too much, a portion is divided, and its parts are converted one at a time.
//!
//! The order of the rows is kept, and an error is returned after the batches that precede it. A finished batch keeps
//! its memory debit until it is returned, so a slow consumer bounds how far the reader runs ahead.

use super::plan::Making;
use super::shared::Shared;
use super::spread;
use crate::error::{Error, Result};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use ndbytes::idv::{self, Portion, Portions, Values};
use ndbytes::threads;
use ndbytes::{Debited, Memory};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Reads the batches of a table one after another: see [`ArrowTable::batches`](super::ArrowTable::batches).
///
/// ```
/// use ndbytes_arrow::table::{ArrowTable, Options};
///
/// let trees = ArrowTable::open("../../samples/trees.idv", Options::new())?;
/// let (mut batches, mut rows) = (trees.batches()?, 0);
/// while let Some(batch) = batches.next_batch() {
///     rows += batch?.num_rows() as u64;
/// }
/// assert_eq!(rows, trees.rows());
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
///
/// Batches are produced in parallel on the threads of the current rayon pool. After an error, there are no more.
#[derive(Debug)]
pub struct Batches {
    inner: Arc<Shared>,
    portions: Portions<Arc<idv::Table<'static>>>,
    jobs: VecDeque<Job>,
    /// Finished batches, and the memory that they occupy until they are returned.
    ready: VecDeque<(RecordBatch, Vec<Debited>)>,
    /// The error that follows them.
    failed: Option<Error>,
    /// The number of bytes by which sparse vectors have grown so far.
    grown: u64,
    /// Whether the batches are the whole table, and its end has not been reached. The rest of the file is checked at
    /// the end.
    judges_rest: bool,
}

/// Rows that become a batch.
#[derive(Debug)]
enum Job {
    Whole(Portion),
    Part(Arc<Portion>, Range<usize>),
}

/// The result of a job: a batch, its memory, and the number of bytes by which sparse vectors grew.
type Made = (RecordBatch, Vec<Debited>, u64);

impl Batches {
    pub(super) fn new(inner: Arc<Shared>, rows: Range<u64>) -> Result<Self> {
        let places = inner.columns.iter().map(|plan| plan.index);
        let portions = Portions::new(Arc::clone(&inner.table), places, inner.options.rows)?.within(rows.clone())?;
        let judges_rest = inner.options.columns.is_none() && rows == (0..inner.table.rows());
        let (jobs, ready) = (VecDeque::new(), VecDeque::new());
        Ok(Batches { inner, portions, jobs, ready, failed: None, grown: 0, judges_rest })
    }

    /// Returns the next batch; `None` after the last one.
    ///
    /// # Errors
    /// [`Error::Ndbytes`](crate::Error::Ndbytes) if a block violates a rule, or if there is not enough memory;
    /// [`Error::Value`](crate::Error::Value) and [`Error::Column`](crate::Error::Column) if Arrow cannot represent the content.
    pub fn next_batch(&mut self) -> Option<Result<RecordBatch>> {
        if self.ready.is_empty() && (self.failed.is_none() || !self.jobs.is_empty()) {
            // A panic must not unwind into a caller in C.
            let made = catch_unwind(AssertUnwindSafe(|| self.make()));
            self.failed = self.failed.take().or(made.err().map(|_| Error::Defect("a batch could not be made".into())));
        }
        if let Some((batch, _)) = self.ready.pop_front() {
            return Some(Ok(batch));
        }
        if self.failed.is_none() && std::mem::take(&mut self.judges_rest) {
            self.failed = self.inner.table.ensure_rest().err().map(Error::from);
        }
        let error = self.failed.take()?;
        self.jobs.clear();
        self.portions.end();
        self.judges_rest = false;
        Some(Err(error))
    }

    /// Builds the next batches, if there are any.
    fn make(&mut self) {
        if self.jobs.is_empty() {
            for portion in self.portions.round() {
                match portion {
                    Ok(portion) => self.divide(portion),
                    Err(error) => {
                        self.failed = Some(error.into());
                        break;
                    }
                }
            }
        }
        // Parts of a divided portion are large, so they are converted one by one.
        let together = match self.jobs.front() {
            Some(Job::Part(..)) => 1,
            _ => self.jobs.iter().take_while(|job| matches!(job, Job::Whole(_))).count(),
        };
        let jobs: Vec<Job> = self.jobs.drain(..together).collect();
        let (inner, memory) = (&self.inner, self.portions.memory());
        threads::ready();
        let made: Vec<Result<Made>> = jobs.into_par_iter().map(|job| job.make(inner, memory)).collect();
        for made in made {
            let most = self.inner.options.limits;
            let made = made.and_then(|(batch, debited, grown)| {
                self.grown = self.grown.saturating_add(grown);
                most.ensure_output("sparse vectors as dense ones (choose the vectors struct)", self.grown)?;
                Ok((batch, debited))
            });
            match made {
                Ok(made) => self.ready.push_back(made),
                Err(error) => {
                    self.failed = Some(error);
                    self.jobs.clear();
                    break;
                }
            }
        }
    }

    fn divide(&mut self, portion: Portion) {
        let rows = portion.rows();
        let rows = (rows.end - rows.start) as usize;
        let spread = self.inner.columns.iter().zip(portion.values()).filter(|(plan, _)| plan.is_spread());
        let parts = spread::parts(spread.map(|(_, values)| values), rows);
        if parts.len() == 1 {
            self.jobs.push_back(Job::Whole(portion));
            return;
        }
        let portion = Arc::new(portion);
        self.jobs.extend(parts.into_iter().map(|part| Job::Part(Arc::clone(&portion), part)));
    }
}

impl Job {
    fn make(self, inner: &Shared, memory: &Memory) -> Result<Made> {
        let mut making = Making { options: &inner.options, memory, debited: Vec::new(), grown: 0 };
        let (values, rows) = match self {
            Job::Whole(portion) => {
                let rows = portion.rows();
                let (values, debited) = portion.into_parts();
                making.debited.push(debited);
                (values, rows)
            }
            Job::Part(portion, part) => {
                let first = portion.rows().start;
                let values: Vec<Values> = portion.values().iter().map(|values| values.slice(part.clone())).collect();
                (values, first + part.start as u64..first + part.end as u64)
            }
        };
        let columns = inner.columns.iter().zip(values);
        let arrays = columns.map(|(plan, values)| plan.array(values, rows.start, &mut making));
        let arrays: Vec<ArrayRef> = arrays.collect::<Result<_>>()?;
        let count = (rows.end - rows.start) as usize;
        let options = RecordBatchOptions::new().with_row_count(Some(count));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&inner.schema), arrays, &options)?;
        Ok((batch, making.debited, making.grown))
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().map(|batch| batch.map_err(ArrowError::from))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.inner.schema)
    }
}
