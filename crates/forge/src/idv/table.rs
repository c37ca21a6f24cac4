//! Converts the columns of a draft to rows, and rows to blocks.

use super::codecs::type_of;
use super::file_parts::{AnnotationParts, BlockParts, ColumnParts, FileParts, Order, rows_of_blocks};
use super::rows::{MOST_ITEMS, Row, decode, encode};
use super::stream::{pack, pack_anyhow, unpack};
use super::valid::understood;
use everybyte::forge::Choices;
use everybyte::varint::Leb128;
use ndbytes::idv::ColumnType;
use ndbytes_schemas::idv::{Compression, Items};

/// The maximum number of content bytes in all blocks that one operation decodes.
const MOST_CONTENT: usize = 4 << 20;

/// The budget of one operation, since many blocks may share their bytes.
#[derive(Debug)]
pub(super) struct UnpackBudget {
    bytes: usize,
    items: usize,
}

impl Default for UnpackBudget {
    fn default() -> Self {
        UnpackBudget { bytes: MOST_CONTENT, items: MOST_ITEMS as usize }
    }
}

impl UnpackBudget {
    /// Returns the content of a stored block.
    fn unpack(&mut self, stored: &[u8], compression: Compression) -> Option<Vec<u8>> {
        let content = unpack(stored, compression, self.bytes)?;
        self.bytes -= content.len();
        Some(content)
    }

    /// Returns the rows of a stored block.
    fn decode(&mut self, stored: &[u8], compression: Compression, items: Items, rows: u64) -> Option<Vec<Row>> {
        let rows = decode(&self.unpack(stored, compression)?, items, rows)?;
        // Even a row without items counts.
        let held: usize = rows.iter().map(|row| 1 + row.items().len()).sum();
        self.items = self.items.checked_sub(held)?;
        Some(rows)
    }
}

/// The maximum number of rows in a table whose blocks are rebuilt.
pub(super) const MOST_ROWS: u64 = 4096;

/// The maximum number of blocks of a column to rebuild.
const MOST_BLOCKS: u64 = 1024;

impl ColumnParts {
    /// Returns its rows; `None` if a block cannot be decoded.
    pub fn rows(&self, rows: u64) -> Option<Vec<Row>> {
        self.rows_within(rows, &mut UnpackBudget::default())
    }

    /// Returns its rows within a budget that several columns share.
    pub fn rows_within(&self, rows: u64, room: &mut UnpackBudget) -> Option<Vec<Row>> {
        let per_block = if rows == 0 { 1 } else { rows_of_blocks(self.entry.rows_per_block)? };
        let items = items_of(self)?;
        if rows > MOST_ITEMS {
            return None;
        }
        let mut all = Vec::new();
        for (number, block) in self.blocks.iter().enumerate() {
            let first = (number as u64).checked_mul(per_block)?;
            let held = rows.checked_sub(first)?.min(per_block);
            if block.lie.is_some() {
                return None;
            }
            all.extend(room.decode(&block.bytes, self.entry.compression, items, held)?);
        }
        (all.len() as u64 == rows).then_some(all)
    }

    /// Builds its blocks from these rows; returns `false` if it cannot contain them.
    pub fn set_rows(&mut self, rows: &[Row]) -> bool {
        let per_block = rows_of_blocks(self.entry.rows_per_block);
        let per_block = if rows.is_empty() { Some(1) } else { per_block };
        let (Some(per_block), Some(column_type)) = (per_block, type_of(&self.entry.codec)) else { return false };
        let (_, items) = understood(&self.entry.codec);
        if (rows.len() as u64).div_ceil(per_block) > MOST_BLOCKS {
            return false;
        }
        let compression = self.entry.compression;
        let blocks = rows.chunks(usize::try_from(per_block).unwrap_or(usize::MAX)).map(|rows| {
            let content = encode(rows, items, size_of(rows, &column_type));
            Some(BlockParts::new(pack(&content, compression)?, content.len()))
        });
        let Some(blocks) = blocks.collect::<Option<Vec<_>>>() else { return false };
        self.blocks = blocks;
        self.is_lookup_lost = false;
        true
    }
}

impl AnnotationParts {
    /// Returns its row; `None` if its block cannot be decoded.
    pub fn row(&self, room: &mut UnpackBudget) -> Option<Row> {
        type_of(&self.entry.codec).filter(|_| !self.is_lost)?;
        room.decode(&self.bytes, self.entry.compression, understood(&self.entry.codec).1, 1)?.pop()
    }

    /// Builds its block from a row; returns `false` if it cannot contain it.
    pub fn set_row(&mut self, row: Row) -> bool {
        let Some(column_type) = type_of(&self.entry.codec) else { return false };
        let rows = [row];
        let content = encode(&rows, understood(&self.entry.codec).1, size_of(&rows, &column_type));
        let Some(bytes) = pack(&content, self.entry.compression) else { return false };
        (self.bytes, self.is_lost) = (bytes, false);
        true
    }
}

impl FileParts {
    /// Returns the rows of every column; `None` for a column whose blocks cannot be decoded.
    pub fn all_rows(&self) -> Vec<Option<Vec<Row>>> {
        let mut room = UnpackBudget::default();
        self.columns.iter().map(|column| column.rows_within(self.rows(), &mut room)).collect()
    }

    /// Rebuilds the blocks of all columns, with the number of rows per block that the first column states.
    pub fn set_all_rows(&mut self, columns: Vec<Option<Vec<Row>>>) -> Option<()> {
        for (column, rows) in self.columns.iter_mut().zip(columns) {
            if let Some(rows) = rows
                && !column.set_rows(&rows)
            {
                return None;
            }
        }
        Some(())
    }

    /// Gives all columns the same number of rows in their blocks.
    pub fn set_rows_per_block(&mut self, rows: u64) {
        for column in &mut self.columns {
            column.entry.rows_per_block = Leb128::new(rows);
        }
    }

    /// Resets the order of the parts in the file, since the parts have changed.
    pub fn reorder(&mut self) {
        self.order = Order::Usual;
    }
}

/// Returns the layout of a column's items; `None` if its codec is unknown.
fn items_of(column: &ColumnParts) -> Option<Items> {
    type_of(&column.entry.codec)?;
    column.entry.compression.name()?;
    Some(understood(&column.entry.codec).1)
}

/// Returns the size that a block states for its vectors: the common size, or 0 if they differ.
fn size_of(rows: &[Row], column_type: &ColumnType) -> u32 {
    let length = |row: &Row| if let Row::Vector { length, .. } = row { *length } else { 0 };
    let first = rows.first().map_or(0, length);
    let same = if rows.iter().all(|row| length(row) == first) { first } else { 0 };
    column_type.vector_size().unwrap_or(same)
}

/// Stores the blocks of a column with another compression.
pub(super) fn recompress(column: &mut ColumnParts, compression: Compression, choices: &mut Choices<'_>) -> Option<()> {
    let mut room = UnpackBudget::default();
    for block in &mut column.blocks {
        let content = room.unpack(&block.bytes, column.entry.compression)?;
        block.length = i32::try_from(content.len()).ok()?;
        block.bytes = pack_anyhow(choices, &content, compression)?;
    }
    column.entry.compression = compression;
    Some(())
}
