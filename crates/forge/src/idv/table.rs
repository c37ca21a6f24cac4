//! A draft whose columns are rows: blocks follow from the facts.

use super::codecs::type_of;
use super::draft::{Draft, DraftAnnotation, DraftBlock, DraftColumn, Order, rows_of_blocks};
use super::rows::{MOST_ITEMS, Row, decode, encode};
use super::stream::{pack, pack_anyhow, unpack};
use super::valid::understood;
use everybyte::Leb128;
use everybyte::forge::Choices;
use ndbytes::idv::ColumnType;
use ndbytes_schemas::idv::{Compression, Items};

/// The maximum number of bytes of the content of all blocks that are taken apart for one operation.
const MOST_CONTENT: usize = 4 << 20;

/// The budget of one operation: many blocks may share their bytes.
#[derive(Debug)]
pub(super) struct Room {
    bytes: usize,
    items: usize,
}

impl Default for Room {
    fn default() -> Self {
        Room { bytes: MOST_CONTENT, items: MOST_ITEMS as usize }
    }
}

impl Room {
    /// The content of a stored block.
    fn unpack(&mut self, stored: &[u8], compression: Compression) -> Option<Vec<u8>> {
        let content = unpack(stored, compression, self.bytes)?;
        self.bytes -= content.len();
        Some(content)
    }

    /// The rows of a stored block.
    fn decode(&mut self, stored: &[u8], compression: Compression, items: Items, rows: u64) -> Option<Vec<Row>> {
        let rows = decode(&self.unpack(stored, compression)?, items, rows)?;
        // A row counts even if it has no items.
        let held: usize = rows.iter().map(|row| 1 + row.items().len()).sum();
        self.items = self.items.checked_sub(held)?;
        Some(rows)
    }
}

/// The maximum number of rows of a table whose blocks are made anew.
pub(super) const MOST_ROWS: u64 = 4096;

/// The maximum number of blocks of a column that are made anew.
const MOST_BLOCKS: u64 = 1024;

impl DraftColumn {
    /// Its rows; `None` if a block does not decode.
    pub fn rows(&self, rows: u64) -> Option<Vec<Row>> {
        self.rows_within(rows, &mut Room::default())
    }

    /// The same, of several columns.
    pub fn rows_within(&self, rows: u64, room: &mut Room) -> Option<Vec<Row>> {
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

    /// Makes its blocks of these rows; `false` if it cannot have them.
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
            Some(DraftBlock::new(pack(&content, compression)?, content.len()))
        });
        let Some(blocks) = blocks.collect::<Option<Vec<_>>>() else { return false };
        self.blocks = blocks;
        self.is_lookup_lost = false;
        true
    }
}

impl DraftAnnotation {
    /// Its row; `None` if its block does not decode.
    pub fn row(&self, room: &mut Room) -> Option<Row> {
        type_of(&self.entry.codec).filter(|_| !self.is_lost)?;
        room.decode(&self.bytes, self.entry.compression, understood(&self.entry.codec).1, 1)?.pop()
    }

    /// Makes its block of a row; `false` if it cannot have it.
    pub fn set_row(&mut self, row: Row) -> bool {
        let Some(column_type) = type_of(&self.entry.codec) else { return false };
        let rows = [row];
        let content = encode(&rows, understood(&self.entry.codec).1, size_of(&rows, &column_type));
        let Some(bytes) = pack(&content, self.entry.compression) else { return false };
        (self.bytes, self.is_lost) = (bytes, false);
        true
    }
}

impl Draft {
    /// The rows of every column; `None` of a column whose blocks do not decode.
    pub fn all_rows(&self) -> Vec<Option<Vec<Row>>> {
        let mut room = Room::default();
        self.columns.iter().map(|column| column.rows_within(self.rows(), &mut room)).collect()
    }

    /// Makes the blocks of all columns anew, with the rows of each block that the first column states.
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

    /// Forgets the order that the file had: its parts are others now.
    pub fn reorder(&mut self) {
        self.order = Order::Usual;
    }
}

/// The layout of the items of a column; `None` if its codec is unknown.
fn items_of(column: &DraftColumn) -> Option<Items> {
    type_of(&column.entry.codec)?;
    column.entry.compression.name()?;
    Some(understood(&column.entry.codec).1)
}

/// The size that a block states for its vectors: that of all, or 0 if they differ.
fn size_of(rows: &[Row], column_type: &ColumnType) -> u32 {
    let length = |row: &Row| if let Row::Vector { length, .. } = row { *length } else { 0 };
    let first = rows.first().map_or(0, length);
    let same = if rows.iter().all(|row| length(row) == first) { first } else { 0 };
    column_type.vector_size().unwrap_or(same)
}

/// Stores the blocks of a column with another compression.
pub(super) fn recompress(column: &mut DraftColumn, compression: Compression, choices: &mut Choices<'_>) -> Option<()> {
    let mut room = Room::default();
    for block in &mut column.blocks {
        let content = room.unpack(&block.bytes, column.entry.compression)?;
        block.length = i32::try_from(content.len()).ok()?;
        block.bytes = pack_anyhow(choices, &content, compression)?;
    }
    column.entry.compression = compression;
    Some(())
}
