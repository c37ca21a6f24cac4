//! Columns, and their annotations.

use super::read::batches::Batches;
use super::read::blocks::{annotation_path, annotation_stored};
use super::read::columns::ColumnBlocks;
use super::read::stream::Scratch;
use super::read::target::Target;
use super::structure::AnnotationParts;
use super::tolerance::admit;
use super::values::Values;
use super::values::types::ColumnType;
use crate::bytes::limits::Debit;
use crate::error::{Error, Result};
use ndbytes_schemas::idv as layout;
use std::ops::Range;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Column<'t> {
    pub(super) blocks: ColumnBlocks<'t>,
}

/// An annotation of a column: slot names, key values, or any other.
#[derive(Debug, Clone, Copy)]
pub struct Annotation<'t> {
    column: Column<'t>,
    index: usize,
}

impl<'t> Column<'t> {
    pub(super) fn new(blocks: ColumnBlocks<'t>) -> Self {
        Column { blocks }
    }

    /// The column's place among all columns of the file.
    pub fn index(&self) -> usize {
        self.blocks.index
    }

    /// The name; bytes that are not UTF-8 become U+FFFD.
    pub fn name(&self) -> String {
        self.blocks.parts().entry.name.lossy().into_owned()
    }

    /// The type of the values, or `None` if the codec is unknown.
    pub fn column_type(&self) -> Option<&'t ColumnType> {
        self.blocks.parts().column_type.as_ref()
    }

    /// The name of the codec.
    pub fn codec(&self) -> String {
        self.blocks.parts().entry.codec.name.lossy().into_owned()
    }

    /// The compression of the blocks.
    pub fn compression(&self) -> layout::Compression {
        self.blocks.parts().entry.compression
    }

    /// Returns whether a later column that can be read has the same name.
    pub fn is_hidden(&self) -> bool {
        self.blocks.parts().is_hidden
    }

    /// Returns whether codec and compression are known.
    pub fn is_readable(&self) -> bool {
        self.blocks.parts().is_readable()
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.blocks.structure.rows()
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.block_count()
    }

    /// The rows of a block.
    pub fn rows_of_block(&self, block: usize) -> Range<u64> {
        self.blocks.rows_of_block(block)
    }

    /// Bytes that the blocks take in the file.
    pub fn stored_bytes(&self) -> u64 {
        self.blocks.parts().lookup.blocks.iter().map(|block| u64::try_from(block.stored_length).unwrap_or(0)).sum()
    }

    /// The annotations of the column.
    pub fn annotations(&self) -> impl ExactSizeIterator<Item = Annotation<'t>> + use<'t> {
        let column = *self;
        (0..self.blocks.parts().annotations.len()).map(move |index| Annotation { column, index })
    }

    /// The annotation of a kind, such as `SlotNames` or `KeyValues`.
    pub fn annotation(&self, kind: &str) -> Option<Annotation<'t>> {
        self.annotations().find(|annotation| annotation.kind() == kind)
    }

    /// The names of the slots of a column of vectors, each with its place. A missing slot has no name. Files of version
    /// 1.1.1.3 have them instead of annotations.
    ///
    /// # Errors
    /// As for [`Annotation::read`].
    pub fn slot_names(&self) -> Result<Option<Values>> {
        if let Some((names, _)) = &self.blocks.parts().slot_names {
            return Ok(Some(Values::of_slot_names(names)));
        }
        self.annotation("SlotNames").map(|annotation| annotation.read()).transpose()
    }

    /// The values of the categories of a column of keys: the first item is that of the raw value 1.
    ///
    /// # Errors
    /// As for [`Annotation::read`].
    pub fn key_values(&self) -> Result<Option<Values>> {
        self.annotation("KeyValues").map(|annotation| annotation.read()).transpose()
    }

    /// All values. Blocks are read, decompressed and decoded side by side in the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`Error::UnreadableColumn`] if codec or compression are unknown, [`Error::Invalid`] if a block breaks a rule of
    /// severity error that is not tolerated, [`Error::Io`], [`Error::Limit`].
    pub fn read(&self) -> Result<Values> {
        self.read_rows(0..self.rows())
    }

    /// The values of some rows. Only the blocks that hold them are read.
    ///
    /// # Errors
    /// As for [`Column::read`], and [`Error::OutOfRange`] if there are fewer rows.
    pub fn read_rows(&self, rows: Range<u64>) -> Result<Values> {
        let budget = self.blocks.budget();
        let kept = Debit::new(&budget);
        self.blocks.read_rows(rows, &budget, &kept)
    }

    /// All values, a few blocks at a time.
    #[doc(hidden)]
    pub fn batches(&self) -> Batches<'t> {
        Batches::new(vec![self.blocks])
    }

    /// The values of a block.
    ///
    /// # Errors
    /// As for [`Column::read`], and [`Error::OutOfRange`] if there are fewer blocks.
    pub fn read_block(&self, block: usize) -> Result<Values> {
        let column_type = self.blocks.readable_type()?;
        let mut values = Values::new(column_type.item, column_type.dims.is_some());
        let budget = self.blocks.budget();
        self.blocks.read_block_into(block, &mut Scratch::new(&budget), &Debit::new(&budget), &mut values)?;
        Ok(values)
    }
}

impl<'t> Annotation<'t> {
    /// Its kind, such as `SlotNames` or `KeyValues`.
    pub fn kind(&self) -> String {
        self.parts().entry.kind.lossy().into_owned()
    }

    /// The type of the value, or `None` if the codec is unknown.
    pub fn value_type(&self) -> Option<&'t ColumnType> {
        self.parts().column_type.as_ref()
    }

    /// The name of the codec.
    pub fn codec(&self) -> String {
        self.parts().entry.codec.name.lossy().into_owned()
    }

    fn parts(&self) -> &'t AnnotationParts {
        &self.column.blocks.parts().annotations[self.index]
    }

    /// The value: a single row.
    ///
    /// # Errors
    /// [`Error::UnreadableColumn`] if its codec or compression are unknown, [`Error::Invalid`] if its block breaks a
    /// rule of severity error that is not tolerated, [`Error::Io`], [`Error::Limit`].
    pub fn read(&self) -> Result<Values> {
        let ColumnBlocks { input, structure, settings, index } = self.column.blocks;
        let unreadable = || Error::UnreadableColumn { name: format!("{}.{}", self.column.name(), self.kind()) };
        let stored = annotation_stored(structure, index, self.index).ok_or_else(unreadable)?;
        let target = Target::of_annotation(structure, self.parts()).ok_or_else(unreadable)?;
        let budget = self.column.blocks.budget();
        let (values, findings) = target.read(input, &stored, &mut Scratch::new(&budget), &Debit::new(&budget))?;
        let path = annotation_path(index, self.index);
        let admitted = findings.into_iter().try_for_each(|finding| admit(settings, finding.within(&path)));
        input.placed(admitted)?;
        values.ok_or_else(unreadable)
    }
}
