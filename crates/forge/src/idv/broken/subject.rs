//! Tables that rules are broken in: one column and one block of it are known, the rest is any valid table.

use crate::idv::draft::{Draft, DraftBlock, DraftColumn};
use crate::idv::rows::{Fields, Row};
use crate::idv::stream::pack;
use crate::idv::valid::{column, compression, filled, understood};
use crate::whole::Whole;
use everybyte::forge::Choices;
use ndbytes::idv::ColumnType;
use ndbytes_schemas::idv::{Codec, Compression, Items, NetString, Version};

/// The maximum number of rows of the table.
const MOST_ROWS: u64 = 9;

/// A table, and the block of a column that is to be broken.
pub(super) struct Subject {
    pub draft: Draft,
    /// The index of the column.
    pub at: usize,
    /// The number of the block.
    pub block: usize,
    /// The rows of the block.
    pub rows: Vec<Row>,
    pub column_type: ColumnType,
    pub items: Items,
}

impl Subject {
    /// A table of the newest version, whose column has any compression.
    pub fn new(choices: &mut Choices<'_>, codec: Codec) -> Self {
        let compression = compression(choices);
        Subject::with(choices, Version::V6, codec, compression)
    }

    /// A table of a version, whose column has this codec and this compression.
    pub fn with(choices: &mut Choices<'_>, version: Version, codec: Codec, compression: Compression) -> Self {
        let rows = 2 + choices.below(MOST_ROWS - 1);
        let per_block = if choices.one_in(2) { rows } else { 1 + choices.below(rows) };
        Subject::of_rows(choices, (version, rows, per_block), codec, compression)
    }

    /// A table of a version, of so many rows, and so many of them in each block.
    pub fn of_rows(
        choices: &mut Choices<'_>,
        (version, rows, per_block): (Version, u64, u64),
        codec: Codec,
        compression: Compression,
    ) -> Self {
        let mut draft = Draft::new(version, rows);
        let (before, after) = (choices.small(2), choices.small(2));
        let others = |choices: &mut Choices<'_>, draft: &mut Draft, names: [&str; 2], count: u64| {
            for name in names.iter().take(count as usize) {
                let (column, _) = column(choices, name, draft, per_block);
                draft.columns.push(column);
            }
        };
        others(choices, &mut draft, ["a", "b"], before);
        let at = draft.columns.len();
        let (column_type, items) = understood(&codec);
        let (column, all) = filled(choices, "x", codec, compression, &draft, per_block);
        let block = choices.index(column.blocks.len());
        let rows = all.chunks(per_block as usize).nth(block).unwrap_or_default().to_vec();
        draft.columns.push(column);
        others(choices, &mut draft, ["y", "z"], after);
        Subject { draft, at, block, rows, column_type, items }
    }

    /// The column.
    pub fn column(&mut self) -> &mut DraftColumn {
        &mut self.draft.columns[self.at]
    }

    /// The block.
    pub fn block(&mut self) -> &mut DraftBlock {
        let block = self.block;
        &mut self.column().blocks[block]
    }

    /// The fields of the block.
    pub fn fields(&self) -> Fields {
        let length = |row: &Row| if let Row::Vector { length, .. } = row { *length } else { 0 };
        let first = self.rows.first().map_or(0, length);
        let same = if self.rows.iter().all(|row| length(row) == first) { first } else { 0 };
        Fields::new(&self.rows, self.items, self.column_type.vector_size().unwrap_or(same))
    }

    /// Gives the block other content.
    pub fn set_content(&mut self, content: &[u8]) {
        let compression = self.column().entry.compression;
        let packed = pack(content, compression);
        *self.block() = DraftBlock::new(packed.unwrap_or_else(|| content.to_vec()), content.len());
    }

    /// The file.
    pub fn whole(&self) -> Option<Whole> {
        Some(Whole::unknown(self.draft.put_together()))
    }
}

/// A codec of a column that any block of numbers suits.
pub(super) fn number(choices: &mut Choices<'_>) -> Codec {
    let names = ["Int32", "Byte", "Single", "Double", "UInt16", "Int64"];
    crate::idv::codecs::plain(choices.pick::<&str>(&names))
}

/// A name of any bytes.
pub(super) fn name_of(bytes: &[u8]) -> NetString {
    let mut stored = vec![bytes.len() as u8 & 0x7F];
    stored.extend(bytes.iter().take(0x7F));
    let source = everybyte::Source::new(&stored);
    everybyte::read(source, everybyte::Endian::Little, ()).unwrap_or_default()
}

/// Replaces bytes of a file.
pub(super) fn patched(mut file: Vec<u8>, at: usize, bytes: &[u8]) -> Option<Whole> {
    file.get_mut(at..at + bytes.len())?.copy_from_slice(bytes);
    Some(Whole::unknown(file))
}
