//! Reads the values of rows from the blocks that contain them, several blocks in parallel.

use super::columns::ColumnBlocks;
use super::dense;
use super::stream::Scratch;
use crate::bytes::limits::{Budget, Debit};
use crate::bytes::threads;
use crate::error::{Error, Result};
use crate::idv::values::Values;
use rayon::prelude::*;
use std::ops::Range;

/// The number of pairs of blocks that are decoded in parallel before their values are concatenated.
const BATCH: usize = 8;

/// The maximum number of bytes that are reserved before reading.
const MOST_ROOM: u64 = 64 << 20;

impl ColumnBlocks<'_> {
    /// Reads the values of some rows. Only the blocks that contain them are read. Their memory stays charged.
    pub fn read_rows(&self, rows: Range<u64>, budget: &Budget, kept: &Debit<'_>) -> Result<Values> {
        let all = self.structure.rows();
        if rows.end > all || rows.start > rows.end {
            return Err(Error::OutOfRange { index: rows.end, length: all });
        }
        let column_type = self.readable_type()?;
        let mut values = Values::new(column_type.item, column_type.dims.is_some());
        if rows.is_empty() {
            return Ok(values);
        }
        let blocks = self.blocks_of(&rows);
        if blocks.end > self.block_count() {
            return Err(self.unreadable());
        }
        match dense::read(self, blocks.clone(), budget, kept)? {
            Some(dense) => values = dense,
            None => self.read_blocks(blocks.clone(), budget, kept, &mut values)?,
        }
        let first = self.rows_of_block(blocks.start).start;
        let (skipped, wanted) = ((rows.start - first) as usize, (rows.end - rows.start) as usize);
        if skipped > 0 || wanted < values.rows() {
            values = values.slice(skipped..skipped + wanted);
        }
        Ok(values)
    }

    /// Reads blocks of any kind, several in parallel, and combines their values.
    fn read_blocks(&self, blocks: Range<usize>, budget: &Budget, kept: &Debit<'_>, values: &mut Values) -> Result<()> {
        self.make_room(&blocks, budget, values);
        let pairs: Vec<Range<usize>> =
            blocks.clone().step_by(2).map(|block| block..(block + 2).min(blocks.end)).collect();
        if pairs.len() == 1 || threads::number() == 1 {
            let (mut scratch, mut prepared) = (Scratch::new(budget), blocks.start);
            for pair in pairs {
                self.prepare_to(pair.end, blocks.end, &mut prepared)?;
                self.read_pair_into(pair, &mut scratch, kept, values)?;
            }
            return Ok(());
        }
        let (column_type, mut prepared) = (self.readable_type()?, blocks.start);
        for batch in pairs.chunks(BATCH) {
            self.prepare_to(batch.last().map_or(0, |pair| pair.end), blocks.end, &mut prepared)?;
            let read = |scratch: &mut Scratch<'_>, pair: &Range<usize>| {
                let mut values = Values::new(column_type.item, column_type.dims.is_some());
                let debit = Debit::new(budget);
                self.read_pair_into(pair.clone(), scratch, &debit, &mut values)?;
                Ok((values, debit.keep()))
            };
            let parts: Vec<Result<(Values, u64)>> = batch.par_iter().map_init(|| Scratch::new(budget), read).collect();
            for part in parts {
                let (part, bytes) = part?;
                kept.adopt(bytes);
                values.append(part);
            }
        }
        Ok(())
    }

    /// Reserves room for the values of some blocks if their declared length is small.
    fn make_room(&self, blocks: &Range<usize>, budget: &Budget, values: &mut Values) {
        let lengths = blocks.clone().map(|block| u64::try_from(self.parts().lookup.blocks[block].length).unwrap_or(0));
        let bytes: u64 = lengths.sum();
        let rows = self.rows_of_block(blocks.end - 1).end - self.rows_of_block(blocks.start).start;
        if self.parts().column_type.as_ref().is_none_or(|column_type| column_type.dims.is_some()) || bytes > MOST_ROOM {
            return;
        }
        // This only checks whether the budget has room, because the values are debited block by block.
        if Debit::new(budget).take(bytes.saturating_add(8 * rows), "the values of a column").is_ok() {
            values.make_room(bytes, rows);
        }
    }
}
