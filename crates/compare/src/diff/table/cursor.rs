//! The values of a column, row by row.

use ndbytes::idv::{Batches, Column, Values};
use ndbytes::{Error, Result};

/// A place in a column.
pub(super) struct Cursor<'t> {
    column: Column<'t>,
    source: Source<'t>,
}

enum Source<'t> {
    /// A few blocks at a time, from the first one on.
    Forward(Batches<'t>),
    /// The whole column in memory.
    Whole(Values),
}

impl<'t> Cursor<'t> {
    /// A cursor for rows in increasing order, or in any order: then the whole column is read.
    pub fn new(column: Column<'t>, is_in_order: bool) -> Result<Self> {
        let source = if is_in_order { Source::Forward(column.batches()) } else { Source::Whole(column.read()?) };
        Ok(Cursor { column, source })
    }

    /// Values with the one of a row, its place among them, and the number of rows from there to the last one of them.
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
