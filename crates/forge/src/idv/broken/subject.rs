//! Tables in which rules are broken. One column and one of its blocks are known; the rest is arbitrary but valid.

use crate::forged_file::ForgedFile;
use crate::idv::file_parts::{BlockParts, ColumnParts, FileParts};
use crate::idv::rows::{Fields, Row};
use crate::idv::stream::pack;
use crate::idv::valid::{column, compression, filled, understood};
use everybyte::forge::Choices;
use ndbytes::idv::ColumnType;
use ndbytes_schemas::idv::{Codec, Compression, Items, NetString, Version};

/// The maximum number of rows of the table.
const MOST_ROWS: u64 = 9;

/// A table, and the block of a column that will be broken.
pub(super) struct Subject {
    pub draft: FileParts,
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
    /// Creates a table of the newest version, whose column has an arbitrary compression.
    pub fn new(choices: &mut Choices<'_>, codec: Codec) -> Self {
        let compression = compression(choices);
        Subject::with(choices, Version::V6, codec, compression)
    }

    /// Creates a table of a version, whose column has this codec and this compression.
    pub fn with(choices: &mut Choices<'_>, version: Version, codec: Codec, compression: Compression) -> Self {
        let rows = 2 + choices.below(MOST_ROWS - 1);
        let per_block = if choices.one_in(2) { rows } else { 1 + choices.below(rows) };
        Subject::of_rows(choices, (version, rows, per_block), codec, compression)
    }

    /// Creates a table of a version, with this number of rows in total and per block.
    pub fn of_rows(
        choices: &mut Choices<'_>,
        (version, rows, per_block): (Version, u64, u64),
        codec: Codec,
        compression: Compression,
    ) -> Self {
        let mut draft = FileParts::new(version, rows);
        let (before, after) = (choices.small(2), choices.small(2));
        let others = |choices: &mut Choices<'_>, draft: &mut FileParts, names: [&str; 2], count: u64| {
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
    pub fn column(&mut self) -> &mut ColumnParts {
        &mut self.draft.columns[self.at]
    }

    /// The block.
    pub fn block(&mut self) -> &mut BlockParts {
        let block = self.block;
        &mut self.column().blocks[block]
    }

    /// Returns the fields of the block.
    pub fn fields(&self) -> Fields {
        let length = |row: &Row| if let Row::Vector { length, .. } = row { *length } else { 0 };
        let first = self.rows.first().map_or(0, length);
        let same = if self.rows.iter().all(|row| length(row) == first) { first } else { 0 };
        Fields::new(&self.rows, self.items, self.column_type.vector_size().unwrap_or(same))
    }

    /// Replaces the content of the block.
    pub fn set_content(&mut self, content: &[u8]) {
        let compression = self.column().entry.compression;
        let packed = pack(content, compression);
        *self.block() = BlockParts::new(packed.unwrap_or_else(|| content.to_vec()), content.len());
    }

    /// Builds the file.
    pub fn whole(&self) -> Option<ForgedFile> {
        Some(ForgedFile::unknown(self.draft.put_together()))
    }
}

/// Returns a random numeric codec.
pub(super) fn number(choices: &mut Choices<'_>) -> Codec {
    let names = ["Int32", "Byte", "Single", "Double", "UInt16", "Int64"];
    crate::idv::codecs::plain(choices.pick::<&str>(&names))
}

/// Returns a name with these bytes, even if they are invalid.
pub(super) fn name_of(bytes: &[u8]) -> NetString {
    let mut stored = vec![bytes.len() as u8 & 0x7F];
    stored.extend(bytes.iter().take(0x7F));
    let source = everybyte::Source::new(&stored);
    everybyte::read(source, everybyte::Endian::Little, ()).unwrap_or_default()
}

/// Replaces bytes of a file.
pub(super) fn patched(mut file: Vec<u8>, at: usize, bytes: &[u8]) -> Option<ForgedFile> {
    file.get_mut(at..at + bytes.len())?.copy_from_slice(bytes);
    Some(ForgedFile::unknown(file))
}
