//! The tables of a file, read and checked without reading the blocks.

use super::sections::Sections;
use super::values::types::ColumnType;
use everybyte::Layout;
use ndbytes_schemas::idv::{Annotation, BlockEntry, Column, Compression, Header, Items, Lookup, SlotNames, Version};
use std::ops::Range;

/// All tables of a file.
#[derive(Debug)]
pub(crate) struct Structure {
    pub header: Header,
    pub columns: Vec<ColumnParts>,
    pub sections: Sections,
}

/// A column, and its parts.
#[derive(Debug)]
pub(crate) struct ColumnParts {
    pub entry: Column,
    /// The range of the entry in the table of columns.
    pub place: Range<u64>,
    /// The type; `None` if the codec is unknown.
    pub column_type: Option<ColumnType>,
    pub stored: Option<Items>,
    /// True if ML.NET reads the column at all.
    pub seen_by_reference: bool,
    /// True if a later, readable column has the same name.
    pub is_hidden: bool,
    /// The number of rows per block, except for the last one.
    pub rows_per_block: u64,
    pub lookup: Lookup,
    pub lookup_place: Range<u64>,
    pub annotations: Vec<AnnotationParts>,
    pub annotations_place: Range<u64>,
    pub slot_names: Option<(SlotNames, Range<u64>)>,
    /// The space of the first annotation's decompressed block. The spaces of the others, and of the column's blocks, follow.
    pub first_space: u32,
}

/// An annotation, and its parsed codec.
#[derive(Debug)]
pub(crate) struct AnnotationParts {
    pub entry: Annotation,
    pub column_type: Option<ColumnType>,
    pub stored: Option<Items>,
    /// False if ML.NET skips it regardless of its content.
    pub seen_by_reference: bool,
}

impl Structure {
    pub fn rows(&self) -> u64 {
        u64::try_from(self.header.row_count).unwrap_or(0)
    }

    /// The range of a part; `None` if it is not between the header and the tail.
    pub fn place(&self, offset: i64, length: u64) -> Option<Range<u64>> {
        place(offset, length, self.header.tail_offset as u64)
    }

    /// Returns whether numbers, times and texts can be missing, as in version 1.1.1.5 and earlier.
    pub fn is_nullable(&self) -> bool {
        self.header.version <= Version::V5
    }
}

impl ColumnParts {
    /// Returns whether its values can be read.
    pub fn is_readable(&self) -> bool {
        self.column_type.is_some() && self.entry.compression.name().is_some()
    }

    /// The rows of a block.
    pub fn rows_of(&self, block: usize, rows: u64) -> Range<u64> {
        let start = (block as u64 * self.rows_per_block).min(rows);
        start..start.saturating_add(self.rows_per_block).min(rows)
    }

    /// The space of a decompressed block; 0 if it is not compressed.
    pub fn space_of(&self, block: usize) -> u32 {
        if self.entry.compression == Compression::NONE {
            return 0;
        }
        (u64::from(self.first_space) + (self.annotations.len() + block) as u64) as u32
    }

    pub fn space_of_annotation(&self, annotation: usize) -> u32 {
        if self.annotations[annotation].entry.compression == Compression::NONE {
            return 0;
        }
        (u64::from(self.first_space) + annotation as u64) as u32
    }
}

/// Returns the range of a part, or `None` if it is not between the header and the tail.
pub(crate) fn place(offset: i64, length: u64, tail: u64) -> Option<Range<u64>> {
    let start = u64::try_from(offset).ok().filter(|&start| start >= Header::MIN_SIZE)?;
    let end = start.checked_add(length).filter(|&end| end <= tail)?;
    Some(start..end)
}

/// Returns the number of blocks in a column with rows.
pub(crate) fn block_count(rows: u64, rows_per_block: u64) -> u64 {
    (rows - 1) / rows_per_block + 1
}

/// Returns the position of a column's lookup table, before it is checked; `None` if it has none.
pub(crate) fn lookup_place(header: &Header, entry: &Column) -> Option<Range<u64>> {
    let (rows, each) = (u64::try_from(header.row_count).ok()?, entry.rows_per_block.value());
    if rows == 0 || each == 0 {
        return None;
    }
    let length = block_count(rows, each).checked_mul(BlockEntry::MIN_SIZE)?;
    place(entry.lookup_offset, length, header.tail_offset as u64)
}
