//! The blocks of a column: their places, and reading them one by one or side by side.

use super::blocks::{block_path, block_stored};
use super::dense;
use super::stream::{Scratch, Stored};
use super::target::Target;
use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Debit};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::idv::structure::{ColumnParts, Structure};
use crate::idv::tolerance::admit;
use crate::idv::values::Values;
use crate::idv::values::types::ColumnType;
use crate::options::Settings;
use ndbytes_schemas::idv as layout;
use rayon::prelude::*;
use std::ops::Range;

/// Pairs of blocks that are decoded side by side before their values are put together.
const BATCH: usize = 8;

/// The most bytes that are reserved before they are read.
const MOST_ROOM: u64 = 64 << 20;

/// The blocks of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnBlocks<'t> {
    pub input: &'t Input<'t>,
    pub structure: &'t Structure,
    pub settings: &'t Settings,
    /// The column's place among all columns of the file.
    pub index: usize,
}

impl<'t> ColumnBlocks<'t> {
    pub fn parts(&self) -> &'t ColumnParts {
        &self.structure.columns[self.index]
    }

    /// Appends the values of a block.
    pub fn read_block_into(
        &self,
        block: usize,
        scratch: &mut Scratch<'_>,
        debit: &Debit<'_>,
        values: &mut Values,
    ) -> Result<()> {
        let (stored, target) = self.block(block)?;
        let (_, findings) = target.read_into(self.input, &stored, scratch, debit, values)?;
        findings.into_iter().try_for_each(|finding| self.admit(block, finding))
    }

    /// Appends the values of one block, or of two that follow each other.
    pub fn read_pair_into(
        &self,
        blocks: Range<usize>,
        scratch: &mut Scratch<'_>,
        debit: &Debit<'_>,
        values: &mut Values,
    ) -> Result<()> {
        if blocks.len() == 2 && self.parts().entry.compression == layout::Compression::DEFLATE {
            let pair = [self.block(blocks.start)?, self.block(blocks.start + 1)?];
            if let Some(contents) = scratch.load_pair(self.input, [&pair[0].0, &pair[1].0])? {
                for (block, (content, (stored, target))) in blocks.zip(contents.into_iter().zip(&pair)) {
                    let mut findings = Vec::new();
                    target.decode(content, stored, debit, values, &mut findings)?;
                    findings.into_iter().try_for_each(|finding| self.admit(block, finding))?;
                }
                return Ok(());
            }
        }
        blocks.into_iter().try_for_each(|block| self.read_block_into(block, scratch, debit, values))
    }

    /// The place of a block, and its expected content.
    pub fn block(&self, block: usize) -> Result<(Stored, Target<'t>)> {
        let count = self.block_count();
        if block >= count {
            return Err(Error::OutOfRange { index: block as u64, length: count as u64 });
        }
        let stored = block_stored(self.structure, self.index, block).ok_or_else(|| self.unreadable())?;
        let target = Target::of_block(self.structure, self.index, block).ok_or_else(|| self.unreadable())?;
        Ok((stored, target))
    }

    /// Passes over a finding in a block, or fails with it.
    pub fn admit(&self, block: usize, finding: Finding) -> Result<()> {
        admit(self.settings, finding.within(&block_path(self.index, block)))
    }

    pub fn readable_type(&self) -> Result<&'t ColumnType> {
        self.parts().column_type.as_ref().filter(|_| self.parts().is_readable()).ok_or_else(|| self.unreadable())
    }

    pub fn unreadable(&self) -> Error {
        Error::UnreadableColumn { name: self.parts().entry.name.lossy().into_owned() }
    }

    pub fn budget(&self) -> Budget {
        self.input.fresh_budget(self.settings.limits)
    }

    /// Bytes that the blocks are declared to have after decompression.
    pub fn declared_bytes(&self) -> u64 {
        let lengths = self.parts().lookup.blocks.iter().map(|block| u64::try_from(block.length).unwrap_or(0));
        lengths.fold(0, u64::saturating_add)
    }

    /// Makes room for the values of some blocks: their declared length, if that is small.
    fn make_room(&self, blocks: &Range<usize>, budget: &Budget, values: &mut Values) {
        let lengths = blocks.clone().map(|block| u64::try_from(self.parts().lookup.blocks[block].length).unwrap_or(0));
        let bytes: u64 = lengths.sum();
        let rows = self.rows_of_block(blocks.end - 1).end - self.rows_of_block(blocks.start).start;
        if self.parts().column_type.as_ref().is_none_or(|column_type| column_type.dims.is_some()) || bytes > MOST_ROOM {
            return;
        }
        // Only checks whether the budget has room: the values are debited block by block.
        if Debit::new(budget).take(bytes.saturating_add(8 * rows), "the values of a column").is_ok() {
            values.make_room(bytes, rows);
        }
    }

    /// Says that blocks will be read. Returns the number of blocks for which that helps, at least one.
    pub fn prepare(&self, blocks: Range<usize>) -> Result<usize> {
        self.input.prepare(self.places(blocks))
    }

    /// Says that the blocks up to `next` will be read now, and those up to `end` soon, unless that was said before.
    pub fn prepare_to(&self, next: usize, end: usize, prepared: &mut usize) -> Result<()> {
        if *prepared < next {
            *prepared = prepared.saturating_add(self.prepare(*prepared..end)?);
        }
        Ok(())
    }

    /// The stored bytes of blocks; an empty range for one that cannot be read.
    pub fn places(&self, blocks: Range<usize>) -> impl Iterator<Item = Range<u64>> {
        let place = |block| block_stored(self.structure, self.index, block).map(|stored| stored.place);
        blocks.map(move |block| place(block).unwrap_or_default())
    }

    /// The values of some rows. Only the blocks that hold them are read. The memory that they take stays debited.
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
        let per_block = self.parts().rows_per_block;
        let blocks = (rows.start / per_block) as usize..((rows.end - 1) / per_block + 1) as usize;
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

    /// Reads blocks of any kind, some side by side, and puts their values together.
    fn read_blocks(&self, blocks: Range<usize>, budget: &Budget, kept: &Debit<'_>, values: &mut Values) -> Result<()> {
        self.make_room(&blocks, budget, values);
        let pairs: Vec<Range<usize>> =
            blocks.clone().step_by(2).map(|block| block..(block + 2).min(blocks.end)).collect();
        if pairs.len() == 1 || rayon::current_num_threads() == 1 {
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

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.parts().lookup.blocks.len()
    }

    /// The rows of a block.
    pub fn rows_of_block(&self, block: usize) -> Range<u64> {
        self.parts().rows_of(block, self.structure.rows())
    }
}
