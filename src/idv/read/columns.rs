//! Locates the blocks of a column and reads them one by one or in parallel.

use super::blocks::{block_path, block_stored};
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
use std::ops::Range;

/// The blocks of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnBlocks<'t> {
    pub input: &'t Input<'t>,
    pub structure: &'t Structure,
    pub settings: &'t Settings,
    /// The column's index among all columns of the file.
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

    /// Appends the values of one block or of two consecutive blocks.
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

    /// The position of a block, and its expected content.
    pub fn block(&self, block: usize) -> Result<(Stored, Target<'t>)> {
        let count = self.block_count();
        if block >= count {
            return Err(Error::OutOfRange { index: block as u64, length: count as u64 });
        }
        let stored = block_stored(self.structure, self.index, block).ok_or_else(|| self.unreadable())?;
        let target = Target::of_block(self.structure, self.index, block).ok_or_else(|| self.unreadable())?;
        Ok((stored, target))
    }

    /// Skips a tolerated finding in a block, or fails with it.
    pub fn admit(&self, block: usize, finding: Finding) -> Result<()> {
        self.input.placed(admit(self.settings, finding.within(&block_path(self.index, block))))
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

    /// The declared total length of the blocks after decompression.
    pub fn declared_bytes(&self) -> u64 {
        let lengths = self.parts().lookup.blocks.iter().map(|block| u64::try_from(block.length).unwrap_or(0));
        lengths.fold(0, u64::saturating_add)
    }

    /// The blocks that contain rows.
    pub fn blocks_of(&self, rows: &Range<u64>) -> Range<usize> {
        let per_block = self.parts().rows_per_block.max(1);
        (rows.start / per_block) as usize..rows.end.div_ceil(per_block).min(self.block_count() as u64 + 1) as usize
    }

    /// Announces that blocks will be read. Returns the number of blocks that could be prepared, which is at least one.
    pub fn prepare(&self, blocks: Range<usize>) -> Result<usize> {
        self.input.prepare(self.places(blocks))
    }

    /// Announces that the blocks up to `next` will be read now, and those up to `end` soon, unless this has already been announced.
    pub fn prepare_to(&self, next: usize, end: usize, prepared: &mut usize) -> Result<()> {
        if *prepared < next {
            *prepared = prepared.saturating_add(self.prepare(*prepared..end)?);
        }
        Ok(())
    }

    /// The ranges of the stored bytes of blocks. The range is empty for a block that cannot be read.
    pub fn places(&self, blocks: Range<usize>) -> impl Iterator<Item = Range<u64>> + use<'t> {
        let column = *self;
        let place = move |block| block_stored(column.structure, column.index, block).map(|stored| stored.place);
        blocks.take_while(move |&block| block < column.block_count()).map(move |block| place(block).unwrap_or_default())
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
