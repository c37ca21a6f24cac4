//! Reads a table from its first row to its last, using memory for only a few blocks.
//!
//! As many batches as there are threads are decoded at once, and are then lent one by one. Their memory is reused for later
//! batches, so [`Batches::next`] lends values, and [`Batches`] cannot be an iterator. To pass values on, use
//! [`Portions`](super::portions::Portions).

use super::columns::ColumnBlocks;
use super::dense;
use super::stream::Scratch;
use crate::bytes::limits::Debit;
use crate::bytes::threads;
use crate::error::{Error, Result};
use crate::idv::values::Values;
use rayon::prelude::*;
use std::ops::Range;

/// The number of blocks that are handed out at a time, because two blocks are decompressed faster together than separately.
const UNIT: usize = 2;

/// Reads columns of a table, a few blocks at a time: see [`Table::batches`](crate::idv::Table::batches).
///
/// ```
/// let trees = ndbytes::idv::open("samples/trees.idv")?;
/// let mut batches = trees.batches(&["Name", "Evergreen"])?;
/// let mut rows = 0;
/// while let Some(batch) = batches.next() {
///     let names = batch?.values(0).unwrap();
///     rows += names.rows();
/// }
/// assert_eq!(rows, 4);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// Batches are decoded in parallel, one per thread of the current rayon pool. Their memory is reused.
#[derive(Debug)]
pub struct Batches<'t> {
    columns: Vec<ColumnBlocks<'t>>,
    /// The values of each column in each batch that was decoded together.
    decoded: Vec<Vec<Values>>,
    /// The blocks of these batches.
    blocks: Range<usize>,
    /// The next block to return.
    next: usize,
    /// The last batch that was returned, as its rows and its index among the batches that were decoded together.
    last: Option<(Range<u64>, usize)>,
}

/// The values of some columns in some rows.
///
/// ```
/// let trees = ndbytes::idv::open("samples/trees.idv")?;
/// let mut batches = trees.batches(&["Name"])?;
/// let batch = batches.next().unwrap()?;
/// assert_eq!((batch.rows(), batch.values(0).unwrap().rows()), (0..4, 4));
/// assert!(batch.values(1).is_none()); // only one column was requested
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Batch<'b> {
    rows: (u64, u64),
    values: &'b [Values],
}

impl<'t> Batches<'t> {
    pub(crate) fn new(columns: Vec<ColumnBlocks<'t>>) -> Self {
        Batches { columns, decoded: Vec::new(), blocks: 0..0, next: 0, last: None }
    }

    /// The values of the next rows; `None` after the last one.
    ///
    /// # Errors
    /// As for [`Column::read`](crate::idv::Column::read).
    #[allow(clippy::should_implement_trait, reason = "the batch is borrowed")]
    pub fn next(&mut self) -> Option<Result<Batch<'_>>> {
        let count = self.columns.first().map_or(0, ColumnBlocks::block_count);
        if self.next >= count {
            return None;
        }
        if !self.blocks.contains(&self.next) {
            let end = (self.next + UNIT * threads::number()).min(count);
            self.blocks = self.next..end;
            if let Err(error) = self.decode() {
                (self.next, self.last) = (count, None);
                return Some(Err(error));
            }
        }
        let place = (self.next - self.blocks.start) / UNIT;
        let last = (self.next + UNIT).min(self.blocks.end) - 1;
        let (first, last) = (self.columns[0].rows_of_block(self.next), self.columns[0].rows_of_block(last));
        self.last = Some((first.start..last.end, place));
        self.next = (self.next + UNIT).min(self.blocks.end);
        self.current().map(Ok)
    }

    /// The values that were returned last.
    #[doc(hidden)]
    pub fn current(&self) -> Option<Batch<'_>> {
        let (rows, place) = self.last.as_ref()?;
        Some(Batch { rows: (rows.start, rows.end), values: &self.decoded[*place] })
    }

    fn decode(&mut self) -> Result<()> {
        let columns = &self.columns;
        let batches = self.blocks.len().div_ceil(UNIT);
        while self.decoded.len() < batches {
            let empty = columns.iter().map(|column| {
                let column_type = column.readable_type()?;
                Ok::<_, Error>(Values::new(column_type.item, column_type.dims.is_some()))
            });
            self.decoded.push(empty.collect::<Result<_>>()?);
        }
        // Batches that are decoded together share one budget, and their memory is reused for later batches.
        let Some(column) = columns.first() else { return Ok(()) };
        column.input.prepare(columns.iter().flat_map(|column| column.places(self.blocks.clone())))?;
        let (all, budget) = (&self.blocks, &column.budget());
        let jobs = self.decoded.iter_mut().take(batches).enumerate().flat_map(|(place, decoded)| {
            let first = all.start + UNIT * place;
            let blocks = first..(first + UNIT).min(all.end);
            decoded.iter_mut().zip(columns).map(move |(values, column)| (blocks.clone(), column, values))
        });
        let decode = |scratch: &mut Scratch<'_>,
                      (blocks, column, values): (Range<usize>, &ColumnBlocks<'_>, &mut Values)| {
            let debit = Debit::new(budget);
            if dense::read_into(column, blocks.clone(), budget, &debit, values)? {
                debit.keep();
                return Ok(());
            }
            values.clear();
            column.read_pair_into(blocks, scratch, &debit, values)?;
            debit.keep();
            Ok(())
        };
        if threads::number() == 1 {
            let mut scratch = Scratch::new(budget);
            return jobs.into_iter().try_for_each(|job| decode(&mut scratch, job));
        }
        let jobs: Vec<_> = jobs.collect();
        jobs.into_par_iter().map_init(|| Scratch::new(budget), decode).collect()
    }
}

impl<'b> Batch<'b> {
    /// The rows.
    pub fn rows(&self) -> Range<u64> {
        self.rows.0..self.rows.1
    }

    /// The values of a column, given its index among the requested columns.
    pub fn values(&self, column: usize) -> Option<&'b Values> {
        self.values.get(column)
    }
}
