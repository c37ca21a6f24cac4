//! Rows that only one of two tables has, with their values.

use super::items::datum;
use super::names::Side;
use crate::diff::datum::{Datum, MOST_PARTS};
use crate::diff::values::Row;
use ndbytes::idv::{Column, Table, Values};
use ndbytes::{Error, Result};
use std::ops::Range;

/// Returns the first of some rows, with their values in all columns that are readable and not hidden, in file order.
pub(super) fn listed(table: &Table<'_>, ranges: &[Range<u64>], most: usize) -> Result<Vec<Row>> {
    let rows: Vec<u64> = ranges.iter().cloned().flatten().take(most).collect();
    let columns = || table.columns().filter(|column| column.is_readable() && !column.is_hidden());
    let mut values: Vec<Vec<Datum>> = vec![Vec::new(); rows.len()];
    for column in columns().take(MOST_PARTS) {
        let mut reader = Reader { column, block: None };
        for (row, values) in rows.iter().zip(&mut values) {
            values.push(reader.value(*row)?);
        }
    }
    let left_out = columns().count().saturating_sub(MOST_PARTS) as u64;
    values.iter_mut().for_each(|values| values.extend((left_out > 0).then_some(Datum::More(left_out))));
    Ok(rows.into_iter().zip(values).map(|(row, values)| Row::new(row, Datum::List(values))).collect())
}

/// Single values of a column. The last block is cached, since it often contains the next row.
struct Reader<'t> {
    column: Column<'t>,
    block: Option<(Range<u64>, Values)>,
}

impl Reader<'_> {
    /// Returns the value in a row, usually from the cached block, because rows are read in order.
    fn value(&mut self, row: u64) -> Result<Datum> {
        let kept = self.block.take().filter(|(rows, _)| rows.contains(&row));
        let (rows, values) = match kept {
            Some(kept) => kept,
            None => match self.read(row) {
                Ok(read) => read,
                Err(Error::Invalid(_) | Error::UnreadableColumn { .. } | Error::OutOfRange { .. }) => {
                    return Ok(Datum::Words("unreadable".into()));
                }
                Err(error) => return Err(error),
            },
        };
        let value = values.get((row - rows.start) as usize);
        let shown = value.map_or(Datum::Missing, |value| datum(&value, None, Side::A));
        self.block = Some((rows, values));
        Ok(shown)
    }

    /// Decodes the block that contains a row.
    fn read(&self, row: u64) -> Result<(Range<u64>, Values)> {
        let per_block = self.column.rows_of_block(0).end.max(1);
        let block = usize::try_from(row / per_block).unwrap_or(usize::MAX);
        let values = self.column.read_block(block)?;
        Ok((self.column.rows_of_block(block), values))
    }
}
