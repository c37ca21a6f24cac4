//! Checks the positions of blocks.
//!
//! The number of blocks depends on the number of rows, and a file can claim any number of rows at no cost. However, the lookup
//! table has a fixed number of bytes per block, and it must be inside the file before memory for its entries is allocated.

use super::examiner::{Examiner, seen};
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Rule;
use crate::findings::words::{bytes, counted};
use crate::idv::paths::column_path;
use crate::idv::rules;
use crate::idv::sections::Part;
use crate::idv::structure::{ColumnParts, block_count, place};
use binrw::args;
use everybyte::{Endian, Layout, Source, read};
use ndbytes_codecs::deflate::most_inflated;
use ndbytes_schemas::idv::{BlockEntry, Compression, Header, Lookup};
use std::ops::Range;

/// A block of a column, identified by its number.
#[derive(Clone, Copy)]
struct BlockOf<'c> {
    index: usize,
    column: &'c ColumnParts,
    block: usize,
}

impl Examiner<'_> {
    /// Reads and checks the lookup table of a column, whose entries are the positions of its blocks.
    pub(crate) fn lookup(&mut self, header: &Header, index: usize, column: &mut ColumnParts) -> Result<()> {
        if !self.rows_per_block(header, index, column) || header.row_count == 0 {
            return Ok(());
        }
        let Some((count, place)) = self.lookup_table(header, index, column) else { return Ok(()) };
        let length = place.end - place.start;
        self.input.budget().take(count * size_of::<BlockEntry>() as u64, "a lookup table")?;
        self.sections.make_room(count as usize, self.input.budget())?;
        self.count_table(length)?;
        let read = |source: Source<'_>| read::<Lookup>(source, Endian::Little, args! { block_count: count });
        column.lookup = match self.input.parse_near(place.start, length, read)? {
            Ok(lookup) => lookup,
            Err(error) => unreachable!("the table is inside the file: {error}"),
        };
        column.lookup_place = place.clone();
        self.sections.add(place, Part::Lookup(index));
        let tail = header.tail_offset as u64;
        for block in 0..column.lookup.blocks.len() {
            match self.block(BlockOf { index, column, block }, tail) {
                Some(place) => self.sections.add(place, Part::Block(index, block)),
                None => self.sections.incomplete(),
            }
        }
        Ok(())
    }

    /// Checks the number of rows per block. Returns whether the blocks of the column can be determined from it.
    fn rows_per_block(&mut self, header: &Header, index: usize, column: &mut ColumnParts) -> bool {
        let rows = header.row_count as u64;
        let declared = column.entry.rows_per_block.value();
        let effective = declared as i32;
        if declared > i32::MAX as u64 {
            self.in_column(header, index, column, &rules::WRAPPED_ROWS_PER_BLOCK, |finding| {
                let message = "blocks have 2^31 rows or more".to_owned();
                Finding { field: "rows_per_block".into(), message, ..finding }.found(declared)
            });
        }
        column.rows_per_block = u64::try_from(effective).unwrap_or(0);
        if effective < 0 || (effective == 0 && rows > 0) {
            self.in_column(header, index, column, &rules::ROWS_PER_BLOCK, |finding| {
                let message = format!("blocks have {effective} rows");
                Finding { field: "rows_per_block".into(), message, ..finding }
            });
            self.sections.incomplete();
            return false;
        }
        if rows > 0 && column.rows_per_block > rows {
            self.in_column(header, index, column, &rules::LARGE_ROWS_PER_BLOCK, |finding| {
                let message = format!("blocks have {}, but the table has {rows}", counted(declared, "row"));
                Finding { field: "rows_per_block".into(), message, ..finding }
            });
        }
        true
    }

    /// The number of blocks in a column that has rows, and the position of its lookup table.
    fn lookup_table(&mut self, header: &Header, index: usize, column: &ColumnParts) -> Option<(u64, Range<u64>)> {
        let count = block_count(header.row_count as u64, column.rows_per_block);
        if count > i32::MAX as u64 {
            let seen = seen(column.seen_by_reference);
            self.in_column(header, index, column, &rules::TOO_MANY_BLOCKS, |finding| {
                let message = format!("the column has {count} blocks");
                seen(Finding { field: "rows_per_block".into(), message, ..finding })
            });
            self.sections.incomplete();
            return None;
        }
        let entry_size = BlockEntry::SIZE.expect("an entry has a fixed length");
        let offset = column.entry.lookup_offset;
        let place = place(offset, count * entry_size, header.tail_offset as u64);
        if place.is_none() {
            self.in_column(header, index, column, &rules::LOOKUP_OFFSET, |finding| {
                let message = format!("the lookup table of {} is not between header and tail", counted(count, "block"));
                // ML.NET checks the offset even if it skips the column.
                Finding { field: "lookup_offset".into(), message, ..finding }.found(offset)
            });
            self.sections.incomplete();
        }
        place.map(|place| (count, place))
    }

    /// Checks the entry of a block and returns the block's position if it is valid.
    fn block(&mut self, of: BlockOf<'_>, tail: u64) -> Option<Range<u64>> {
        let entry = &of.column.lookup.blocks[of.block];
        let lengths = (u64::try_from(entry.stored_length), u64::try_from(entry.length));
        let (Ok(stored_length), Ok(length)) = lengths else {
            let (field, found) = match entry.stored_length < 0 {
                true => ("stored_length", entry.stored_length),
                false => ("length", entry.length),
            };
            self.in_block(of, &rules::BLOCK_LENGTH, field, |finding| {
                Finding { message: "a block has a negative length".into(), ..finding }.found(found)
            });
            return None;
        };
        let Some(place) = place(entry.offset, stored_length, tail) else {
            let room = room_behind(entry.offset, tail);
            let field = if room.is_some() { "stored_length" } else { "offset" };
            self.in_block(of, &rules::BLOCK_OFFSET, field, |finding| {
                let message = "the block is not between header and tail".into();
                let finding = Finding { message, ..finding };
                match room {
                    Some(room) => finding.expected(format!("at most {}", bytes(room))).found(bytes(stored_length)),
                    None => finding.expected(format!("{} to {tail}", Header::MIN_SIZE)).found(entry.offset),
                }
            });
            return None;
        };
        self.block_lengths(of, &place, length);
        Some(place)
    }

    /// Checks whether a block at this position can have the declared length.
    fn block_lengths(&mut self, of: BlockOf<'_>, place: &Range<u64>, length: u64) {
        let compression = of.column.entry.compression;
        let stored_length = place.end - place.start;
        if compression == Compression::NONE && stored_length != length {
            let is_short = stored_length < length;
            let rule = if is_short { &rules::STORED_LENGTH } else { &rules::EXCESS_STORED_LENGTH };
            self.in_block(of, rule, "stored_length", |finding| {
                let message = "an uncompressed block differs from its declared length".into();
                Finding { message, ..finding }.expected(bytes(length)).found(bytes(stored_length))
            });
        }
        if compression != Compression::NONE && !can_become(place, compression, length) {
            self.in_block(of, &rules::IMPOSSIBLE_LENGTH, "length", |finding| {
                let message = format!("{} cannot expand to that many", bytes(stored_length));
                let most = most_inflated(stored_length);
                Finding { message, ..finding }.expected(format!("at most {most}")).found(length)
            });
        }
    }

    /// Adds a finding about a field in the entry of a block.
    fn in_block(
        &mut self,
        BlockOf { index, column, block }: BlockOf<'_>,
        rule: &'static Rule,
        field: &str,
        finding: impl FnOnce(Finding) -> Finding,
    ) {
        let at = column.lookup_place.start + block as u64 * BlockEntry::MIN_SIZE;
        let path = format!("{}.lookup.blocks[{block}]", column_path(index));
        self.push_placed::<BlockEntry, BlockEntry>(rule, &(at..at + BlockEntry::MIN_SIZE), (), &path, |whole| {
            seen(column.seen_by_reference)(finding(Finding { field: field.into(), ..whole }))
        });
    }
}

/// Returns the number of bytes between an offset and the tail, or `None` if the offset is not between the header and the tail.
fn room_behind(offset: i64, tail: u64) -> Option<u64> {
    place(offset, 0, tail).map(|place| tail - place.start)
}

/// Returns whether the bytes at a position can expand to `length` bytes.
pub(crate) fn can_become(place: &Range<u64>, compression: Compression, length: u64) -> bool {
    let stored = place.end - place.start;
    match compression {
        Compression::NONE => length <= stored,
        _ => length <= most_inflated(stored),
    }
}
