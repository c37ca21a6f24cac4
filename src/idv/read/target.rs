//! The bytes of a block, and the values that are expected in it.

use crate::idv::structure::{AnnotationParts, Structure};
use crate::idv::values::types::ColumnType;
use everybyte::{Source, list::Numbers};
use ndbytes_schemas::idv::Items;
use std::ops::Range;

/// The bytes of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Content<'a> {
    pub bytes: &'a [u8],
    /// The offset of the first byte in the space.
    pub base: u64,
    /// The space, where 0 is the file.
    pub space: u32,
}

impl<'a> Content<'a> {
    pub fn source(self) -> Source<'a> {
        Source::window(self.bytes, self.base, self.base + self.bytes.len() as u64)
    }

    pub fn numbers(self, numbers: &Numbers) -> &'a [u8] {
        self.bytes(numbers.range())
    }

    pub fn bytes(self, range: Range<u64>) -> &'a [u8] {
        &self.bytes[(range.start - self.base) as usize..(range.end - self.base) as usize]
    }
}

/// The values that a block must contain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'c> {
    pub column_type: &'c ColumnType,
    pub stored: Items,
    pub rows: u64,
    pub nullable: bool,
}

impl<'c> Target<'c> {
    pub fn of_block(structure: &'c Structure, column: usize, block: usize) -> Option<Self> {
        let parts = &structure.columns[column];
        let Range { start, end } = parts.rows_of(block, structure.rows());
        let (column_type, stored) = (parts.column_type.as_ref()?, parts.stored?);
        Some(Target { column_type, stored, rows: end - start, nullable: structure.is_nullable() })
    }

    /// The target for an annotation, which is a single row.
    pub fn of_annotation(structure: &Structure, annotation: &'c AnnotationParts) -> Option<Self> {
        let (column_type, stored) = (annotation.column_type.as_ref()?, annotation.stored?);
        Some(Target { column_type, stored, rows: 1, nullable: structure.is_nullable() })
    }
}
