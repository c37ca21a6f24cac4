//! The values of a column, row by row.
//!
//! If rows are matched in order, both tables are read forwards, a few blocks at a time. Rows that were aligned by a
//! key may be anywhere, so then a column is read completely; its memory counts against the limit.

use ndbytes::idv::{Batches, Column, Values};
use ndbytes::{Error, Result};

/// A position in a column.
pub(super) struct Cursor<'t> {
    column: Column<'t>,
    source: Source<'t>,
}

/// The source of the values: consecutive rows need only a few blocks in memory, but matched rows need all of them.
enum Source<'t> {
    /// A few blocks at a time, from the first one on.
    Forward(Batches<'t>),
    /// The whole column in memory.
    Whole(Values),
}

impl<'t> Cursor<'t> {
    /// Creates a cursor for rows in increasing order, or in any order, which requires reading the whole column.
    pub fn new(column: Column<'t>, is_in_order: bool) -> Result<Self> {
        let source = if is_in_order { Source::Forward(column.batches()) } else { Source::Whole(column.read()?) };
        Ok(Cursor { column, source })
    }

    /// Returns values that include the row, the index of the row among them, and the number of rows from there to the end.
    pub fn at(&mut self, row: u64) -> Result<(&Values, usize, u64)> {
        let missing = || Error::UnreadableColumn { name: self.column.name() };
        match &mut self.source {
            Source::Whole(values) => Ok((values, row as usize, (values.rows() as u64).saturating_sub(row))),
            Source::Forward(batches) => {
                while batches.current().is_none_or(|batch| batch.rows().end <= row) {
                    batches.next().ok_or_else(missing)??;
                }
                let batch = batches.current().ok_or_else(missing)?;
                let rows = batch.rows();
                let values = batch.values(0).ok_or_else(missing)?;
                let place = row.checked_sub(rows.start).ok_or_else(missing)?;
                Ok((values, place as usize, rows.end - row))
            }
        }
    }
}
