//! Reads a table in portions that can be passed on.
//!
//! A portion owns its values and the memory that is reserved for them. The reservation moves with the portion, and ends when the
//! portion is dropped. A consumer that keeps portions therefore reaches the memory limit instead of exhausting the machine.
//! Portions end at block boundaries, because a block can only be decoded as a whole.

use super::columns::ColumnBlocks;
use crate::bytes::limits::Debit;
use crate::bytes::shared::{Debited, Memory};
use crate::bytes::threads;
use crate::error::{Error, Result};
use crate::idv::table::Table;
use crate::idv::values::Values;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::{Deref, Range};

/// The maximum number of bytes in a portion, unless a single block is larger.
const MOST_BYTES: u64 = 64 << 20;

/// The maximum number of bytes in portions that are decoded together, unless a single portion is larger.
const MOST_TOGETHER: u64 = 256 << 20;

/// Reads columns of a table in portions of complete blocks. Each portion owns its values.
///
/// Small portions are decoded in parallel, two per thread of the current rayon pool, so no thread waits long for another. All
/// portions in use share one budget.
///
/// ```
/// use ndbytes::idv;
///
/// let trees = idv::open("samples/trees.idv")?;
/// let mut rows = 0;
/// for portion in idv::Portions::new(&trees, [0, 1], 65_536)? {
///     let portion = portion?;
///     rows += portion.rows().end - portion.rows().start;
///     assert_eq!(portion.into_values().len(), 2); // those of the columns 0 and 1
/// }
/// assert_eq!(rows, trees.rows());
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct Portions<T> {
    table: T,
    columns: Vec<usize>,
    /// The rows that are not decoded yet.
    rows: Range<u64>,
    /// The number of rows per portion, which is a multiple of the rows per block.
    step: u64,
    /// The maximum number of portions that are decoded together.
    together: usize,
    ready: VecDeque<Result<Portion>>,
    memory: Memory,
}

/// The owned values of some columns in some rows.
///
/// ```
/// use ndbytes::idv::{self, Portions};
///
/// let trees = idv::open("samples/trees.idv")?;
/// let portion = Portions::new(&trees, [0, 2], 2)?.next().unwrap()?;
/// assert_eq!(portion.rows(), 0..4); // the only block is not divided
/// let (values, memory) = portion.into_parts();
/// assert_eq!(values.len(), 2);
/// assert!(memory.bytes() > 0); // reserved until `memory` is dropped
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct Portion {
    rows: Range<u64>,
    values: Vec<Values>,
    debited: Debited,
}

impl<'a, T: Deref<Target = Table<'a>>> Portions<T> {
    /// Divides some columns of a table, given by their indices in the file, into portions. A portion has `rows` rows, rounded up to
    /// complete blocks, or fewer if these would take more than 64 MiB. Without columns, there is one portion.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if a column does not exist; [`Error::UnreadableColumn`] if one cannot be read.
    pub fn new(table: T, columns: impl IntoIterator<Item = usize>, rows: u64) -> Result<Self> {
        let columns: Vec<usize> = columns.into_iter().collect();
        let length = table.columns().len() as u64;
        let mut bytes = 0_u64;
        for &index in &columns {
            if index as u64 >= length {
                return Err(Error::OutOfRange { index: index as u64, length });
            }
            let blocks = at(&table, index);
            blocks.readable_type()?;
            bytes = bytes.saturating_add(blocks.declared_bytes());
        }
        let per_block = columns.first().map_or(1, |&index| at(&table, index).parts().rows_per_block.max(1));
        let blocks = table.rows().div_ceil(per_block).max(1);
        let bytes_of_blocks = (bytes / blocks).max(1);
        let in_portion = match rows.div_ceil(per_block).min(MOST_BYTES / bytes_of_blocks).clamp(1, blocks) {
            // A table without columns is a single portion, because it may declare more rows than could ever be read in portions.
            _ if columns.is_empty() => blocks,
            in_portion => in_portion,
        };
        let together = MOST_TOGETHER / bytes_of_blocks.saturating_mul(in_portion).max(1);
        Ok(Portions {
            memory: Memory::of(table.input.fresh_budget(table.settings.limits)),
            rows: 0..table.rows(),
            step: in_portion.saturating_mul(per_block),
            together: usize::try_from(together).unwrap_or(usize::MAX).max(1),
            ready: VecDeque::new(),
            columns,
            table,
        })
    }

    /// Selects some of the rows. Other rows of the same blocks are also decoded.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer rows.
    pub fn within(self, rows: Range<u64>) -> Result<Self> {
        if rows.end > self.table.rows() || rows.start > rows.end {
            return Err(Error::OutOfRange { index: rows.end, length: self.table.rows() });
        }
        Ok(Portions { rows, ..self })
    }

    /// The table.
    pub fn table(&self) -> &T {
        &self.table
    }

    /// The number of rows per portion, except for the first and the last.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The memory that all portions share. You can also charge your results to it.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Decodes the next portions in parallel. The result is empty after the last portion or after an error.
    pub fn round(&mut self) -> VecDeque<Result<Portion>> {
        if self.ready.is_empty() {
            self.decode();
        }
        std::mem::take(&mut self.ready)
    }

    /// Drops the remaining portions.
    pub fn end(&mut self) {
        self.ready.clear();
        self.rows = 0..0;
    }

    fn decode(&mut self) {
        let together = threads::number().saturating_mul(2).min(self.together);
        let mut ranges = Vec::new();
        while ranges.len() < together && !self.rows.is_empty() {
            let end = (self.rows.start / self.step).saturating_add(1).saturating_mul(self.step).min(self.rows.end);
            ranges.push(self.rows.start..end);
            self.rows.start = end;
        }
        let (table, columns, memory): (&Table<'_>, _, _) = (&self.table, &self.columns, &self.memory);
        let read = |rows: &Range<u64>, index: usize| {
            let budget = memory.budget();
            let debit = Debit::new(budget);
            let values = at(table, index).read_rows(rows.clone(), budget, &debit)?;
            Ok((values, memory.adopt(debit.keep())))
        };
        let jobs: Vec<(&Range<u64>, usize)> =
            ranges.iter().flat_map(|rows| columns.iter().map(move |&index| (rows, index))).collect();
        let places = jobs.iter().flat_map(|&(rows, index)| {
            let column = at(table, index);
            column.places(column.blocks_of(rows))
        });
        if let Err(error) = table.input.prepare(places) {
            self.ready.push_back(Err(error));
            self.rows = 0..0;
            return;
        }
        let decoded: Vec<Result<(Values, Debited)>> =
            jobs.into_par_iter().map(|(rows, index)| read(rows, index)).collect();
        let mut decoded = decoded.into_iter();
        for rows in ranges {
            let columns: Result<Vec<_>> = decoded.by_ref().take(columns.len()).collect();
            let failed = columns.is_err();
            self.ready.push_back(columns.map(|columns| Portion::of(rows, columns, memory.adopt(0))));
            if failed {
                self.rows = 0..0;
                break;
            }
        }
    }
}

impl<'a, T: Deref<Target = Table<'a>>> Iterator for Portions<T> {
    type Item = Result<Portion>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            self.decode();
        }
        self.ready.pop_front()
    }
}

fn at<'t>(table: &'t Table<'_>, index: usize) -> ColumnBlocks<'t> {
    ColumnBlocks { input: &table.input, structure: &table.structure, settings: &table.settings, index }
}

impl Portion {
    fn of(rows: Range<u64>, columns: Vec<(Values, Debited)>, mut debited: Debited) -> Self {
        let mut all = Vec::new();
        for (values, bytes) in columns {
            debited.absorb(bytes);
            all.push(values);
        }
        Portion { rows, values: all, debited }
    }

    /// The rows.
    pub fn rows(&self) -> Range<u64> {
        self.rows.clone()
    }

    /// The values of every requested column, in order.
    pub fn values(&self) -> &[Values] {
        &self.values
    }

    /// Returns only the values. Their memory is no longer charged.
    pub fn into_values(self) -> Vec<Values> {
        self.values
    }

    /// The values, and the memory reserved for them.
    pub fn into_parts(self) -> (Vec<Values>, Debited) {
        (self.values, self.debited)
    }
}
