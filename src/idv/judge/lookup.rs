//! Judging the places of blocks.

use super::examiner::{Examiner, seen};
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::words::{bytes, counted};
use crate::idv::paths::column_path;
use crate::idv::rules;
use crate::idv::sections::Part;
use crate::idv::structure::{ColumnParts, block_count, place};
use binrw::args;
use everybyte::{Endian, Layout, Source, read, trace};
use ndbytes_codecs::deflate::most_inflated;
use ndbytes_schemas::idv::{BlockEntry, Compression, Header, Lookup};
use std::ops::Range;

impl Examiner<'_> {
    pub(crate) fn lookup(&mut self, header: &Header, index: usize, column: &mut ColumnParts) -> Result<()> {
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
            return Ok(());
        }
        if rows == 0 {
            return Ok(());
        }
        if column.rows_per_block > rows {
            self.in_column(header, index, column, &rules::LARGE_ROWS_PER_BLOCK, |finding| {
                let message = format!("blocks have {}, but the table has {rows}", counted(declared, "row"));
                Finding { field: "rows_per_block".into(), message, ..finding }
            });
        }
        let count = block_count(rows, column.rows_per_block);
        let seen = seen(column.seen_by_reference);
        if count > i32::MAX as u64 {
            self.in_column(header, index, column, &rules::TOO_MANY_BLOCKS, |finding| {
                let message = format!("the column has {count} blocks");
                seen(Finding { field: "rows_per_block".into(), message, ..finding })
            });
            self.sections.incomplete();
            return Ok(());
        }
        let entry_size = BlockEntry::SIZE.expect("an entry has a fixed length");
        let tail = header.tail_offset as u64;
        let offset = column.entry.lookup_offset;
        let place = place(offset, count * entry_size, tail);
        let Some(place) = place else {
            self.in_column(header, index, column, &rules::LOOKUP_OFFSET, |finding| {
                let message = format!("the lookup table of {} is not between header and tail", counted(count, "block"));
                // ML.NET checks the offset even if it leaves the column out.
                Finding { field: "lookup_offset".into(), message, ..finding }.found(offset)
            });
            self.sections.incomplete();
            return Ok(());
        };
        self.input.budget().take(count * size_of::<BlockEntry>() as u64, "a lookup table")?;
        self.sections.make_room(count as usize, self.input.budget())?;
        self.count_table(count * entry_size)?;
        let read = |source: Source<'_>| read::<Lookup>(source, Endian::Little, args! { block_count: count });
        column.lookup = match self.input.parse_near(place.start, place.end - place.start, read)? {
            Ok(lookup) => lookup,
            Err(error) => unreachable!("the table is inside the file: {error}"),
        };
        column.lookup_place = place.clone();
        self.sections.add(place, Part::Lookup(index));
        self.blocks(index, column, tail);
        Ok(())
    }

    fn blocks(&mut self, index: usize, column: &ColumnParts, tail: u64) {
        let input = self.input;
        let entry_size = BlockEntry::MIN_SIZE;
        let seen = seen(column.seen_by_reference);
        for (block, entry) in column.lookup.blocks.iter().enumerate() {
            let mut find = |rule, field: &str, make: &dyn Fn(Finding) -> Finding| {
                self.findings.push_with(rule, || {
                    let at = column.lookup_place.start + block as u64 * entry_size;
                    let trace = |source: Source<'_>| trace::<BlockEntry>(source, Endian::Little, ());
                    let finding = make(Finding::new(rule, field, at..at + entry_size, ""));
                    let finding = match input.trace_at::<BlockEntry, _>(&(at..at + entry_size), trace) {
                        Ok(Some(root)) => finding.placed_by(&root),
                        _ => finding,
                    };
                    seen(finding.within(&format!("{}.lookup.blocks[{block}]", column_path(index))))
                });
            };
            let lengths = (u64::try_from(entry.stored_length), u64::try_from(entry.length));
            let (Ok(stored_length), Ok(length)) = lengths else {
                let field = if entry.stored_length < 0 { "stored_length" } else { "length" };
                find(&rules::BLOCK_LENGTH, field, &|finding| {
                    let found = if entry.stored_length < 0 { entry.stored_length } else { entry.length };
                    Finding { message: "a block has a negative length".into(), ..finding }.found(found)
                });
                self.sections.incomplete();
                continue;
            };
            let Some(place) = place(entry.offset, stored_length, tail) else {
                let room = room_behind(entry.offset, tail);
                let field = if room.is_some() { "stored_length" } else { "offset" };
                find(&rules::BLOCK_OFFSET, field, &|finding| {
                    let message = "the block is not between header and tail".into();
                    let finding = Finding { message, ..finding };
                    match room {
                        Some(room) => finding.expected(format!("at most {}", bytes(room))).found(bytes(stored_length)),
                        None => finding.expected(format!("{} to {tail}", Header::MIN_SIZE)).found(entry.offset),
                    }
                });
                self.sections.incomplete();
                continue;
            };
            let uncompressed = column.entry.compression == Compression::NONE;
            let rule = if uncompressed && stored_length < length {
                Some(&rules::STORED_LENGTH)
            } else if uncompressed && stored_length > length {
                Some(&rules::EXCESS_STORED_LENGTH)
            } else {
                None
            };
            if let Some(rule) = rule {
                find(rule, "stored_length", &|finding| {
                    let message = "an uncompressed block differs from its declared length".into();
                    Finding { message, ..finding }.expected(bytes(length)).found(bytes(stored_length))
                });
            }
            if !uncompressed && !can_become(&place, column.entry.compression, length) {
                find(&rules::IMPOSSIBLE_LENGTH, "length", &|finding| {
                    let message = format!("{} cannot expand to that many", bytes(stored_length));
                    let most = most_inflated(stored_length);
                    Finding { message, ..finding }.expected(format!("at most {most}")).found(length)
                });
            }
            self.sections.add(place, Part::Block(index, block));
        }
    }
}

/// The number of bytes between an offset and the tail, or `None` if the offset is not between header and tail.
fn room_behind(offset: i64, tail: u64) -> Option<u64> {
    place(offset, 0, tail).map(|place| tail - place.start)
}

/// Returns whether the bytes at a place can expand to `length` bytes.
pub(crate) fn can_become(place: &Range<u64>, compression: Compression, length: u64) -> bool {
    let stored = place.end - place.start;
    match compression {
        Compression::NONE => length <= stored,
        _ => length <= most_inflated(stored),
    }
}
