//! The fast path for numbers, and for vectors of numbers that store all of their items. Blocks are written to contiguous memory in
//! parallel. Unusual blocks are left to the general path.

use super::columns::ColumnBlocks;
use super::decode;
use super::stream::{Scratch, Stored};
use super::target::{Content, Target};
use crate::bytes::limits::{Budget, Debit};
use crate::bytes::threads;
use crate::bytes::{memory, swap};
use crate::error::{Error, Result};
use crate::idv::values::Values;
use crate::idv::values::items::Items;
use crate::idv::values::types::ItemType;
use binrw::args;
use bytemuck::Pod;
use everybyte::{Endian, ParseError, Source, list::Numbers, number::Number};
use ndbytes_schemas::idv::{Block, Compression, Scalars, Storage};
use rayon::prelude::*;
use std::ops::Range;

/// Reads the values of some blocks, or returns `None` if the general path is required.
pub(crate) fn read(
    column: &ColumnBlocks<'_>,
    blocks: Range<usize>,
    budget: &Budget,
    kept: &Debit<'_>,
) -> Result<Option<Values>> {
    let column_type = column.readable_type()?;
    let mut values = Values::new(column_type.item, column_type.dims.is_some());
    let debit = Debit::new(budget);
    let read = read_into(column, blocks, budget, &debit, &mut values)?;
    Ok(read.then(|| {
        kept.adopt(debit.keep());
        values
    }))
}

/// Replaces values with those of some blocks. Returns false if the general path is required, in which case the values are
/// unspecified.
pub(crate) fn read_into(
    column: &ColumnBlocks<'_>,
    blocks: Range<usize>,
    budget: &Budget,
    debit: &Debit<'_>,
    values: &mut Values,
) -> Result<bool> {
    let column_type = column.readable_type()?;
    let (_, target) = column.block(blocks.start)?;
    let Storage::Numbers(number) = target.stored.storage else { return Ok(false) };
    let size = match &column_type.dims {
        None => 1,
        Some(_) => match column_type.vector_size() {
            Some(size) => size,
            None => return Ok(false),
        },
    };
    if target.nullable && !matches!(number, Number::F32 | Number::F64 | Number::U8 | Number::U16 | Number::U32) {
        return Ok(false);
    }
    let rows = column.rows_of_block(blocks.start).start..column.rows_of_block(blocks.end - 1).end;
    let count = (rows.end - rows.start).checked_mul(size.into());
    let bytes = count.and_then(|count| count.checked_mul(number.size()));
    // Vectors that store all of their items take the same number of bytes in memory and in their blocks.
    let held = blocks.clone().map(|block| Ok(column.block(block)?.0.length.unwrap_or(0))).sum::<Result<u64>>()?;
    let (Some(count), Some(bytes)) = (count, bytes.filter(|&bytes| bytes <= held)) else { return Ok(false) };
    debit.take(bytes, "the values of a column")?;
    let dense = Dense { column, blocks, size, budget };
    let filled = match &mut values.items {
        Items::I8(items) => dense.fill(items, count)?,
        Items::I16(items) => dense.fill(items, count)?,
        Items::I32(items) => dense.fill(items, count)?,
        Items::I64(items) => dense.fill(items, count)?,
        Items::U8(items) => dense.fill(items, count)?,
        Items::U16(items) => dense.fill(items, count)?,
        Items::U32(items) => dense.fill(items, count)?,
        Items::U64(items) => dense.fill(items, count)?,
        Items::RowId(items) => dense.fill(items, count)?,
        Items::F32(items) => dense.fill(items, count)?,
        Items::F64(items) => dense.fill(items, count)?,
        Items::Bool(_) | Items::DateTimeOffset(_) | Items::Text(_) => false,
    };
    values.set_dense((rows.end - rows.start) as usize, size);
    Ok(filled && are_usual(&values.items, column_type.item))
}

/// Returns whether no item can cause a finding.
fn are_usual(items: &Items, item: ItemType) -> bool {
    match (item, items) {
        (ItemType::Key(key), Items::U8(keys)) => keys.iter().all(|&raw| u64::from(raw) <= key.count),
        (ItemType::Key(key), Items::U16(keys)) => keys.iter().all(|&raw| u64::from(raw) <= key.count),
        (ItemType::Key(key), Items::U32(keys)) => keys.iter().all(|&raw| u64::from(raw) <= key.count),
        (ItemType::Key(key), Items::U64(keys)) => keys.iter().all(|&raw| raw <= key.count),
        (ItemType::DateTime, Items::I64(ticks)) => ticks.iter().all(|ticks| (0..=decode::LAST_TICK).contains(ticks)),
        (ItemType::TimeSpan, Items::I64(ticks)) => ticks.iter().all(|&ticks| ticks != i64::MIN),
        _ => true,
    }
}

struct Dense<'t, 'a> {
    column: &'a ColumnBlocks<'t>,
    blocks: Range<usize>,
    /// The number of items per row.
    size: u32,
    budget: &'a Budget,
}

impl Dense<'_, '_> {
    /// Replaces the items with those of all blocks. Returns false if one of the blocks is unusual.
    fn fill<T: Pod + Send>(&self, items: &mut Vec<T>, count: u64) -> Result<bool> {
        if !memory::set_length(items, count as usize) {
            let needed = count.saturating_mul(size_of::<T>() as u64);
            return Err(Error::Limit { what: "the values of a column", needed, left: 0 });
        }
        let target = items.as_mut_slice();
        let rows = self.column.rows_of_block(self.blocks.start);
        let per_block = ((rows.end - rows.start) as usize).saturating_mul(self.size as usize);
        let first = self.blocks.start;
        let fill = |scratch: &mut Scratch<'_>, (pair, target): (usize, &mut [T])| {
            self.fill_pair(scratch, first + 2 * pair, per_block, target)
        };
        let pairs = per_block.saturating_mul(2);
        if self.column.input.is_source() {
            return self.fill_ahead(target, per_block, fill);
        }
        if self.blocks.len() <= 2 || threads::number() == 1 {
            let mut scratch = Scratch::new(self.budget);
            for pair in target.chunks_mut(pairs).enumerate() {
                if !fill(&mut scratch, pair)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let filled = target.par_chunks_mut(pairs).enumerate().map_init(|| Scratch::new(self.budget), fill);
        filled.try_reduce(|| true, |one, other| Ok(one && other))
    }

    /// Fills the target from a source, in groups of blocks that are fetched together.
    fn fill_ahead<T: Pod + Send>(
        &self,
        target: &mut [T],
        per_block: usize,
        fill: impl Fn(&mut Scratch<'_>, (usize, &mut [T])) -> Result<bool> + Sync,
    ) -> Result<bool> {
        let (mut rest, mut pair) = (target, 0);
        while !rest.is_empty() {
            let next = self.blocks.start + 2 * pair;
            let pairs = self.column.prepare(next..self.blocks.end)?.div_ceil(2);
            let length = pairs.saturating_mul(2).saturating_mul(per_block).min(rest.len());
            let (now, later) = rest.split_at_mut(length);
            let parts = now.par_chunks_mut(per_block.saturating_mul(2)).enumerate();
            let parts = parts.map(|(place, target)| (pair + place, target));
            let filled = parts.map_init(|| Scratch::new(self.budget), &fill);
            if !filled.try_reduce(|| true, |one, other| Ok(one && other))? {
                return Ok(false);
            }
            (rest, pair) = (later, pair.saturating_add(pairs));
        }
        Ok(true)
    }

    /// Fills the target with the items of one or two blocks.
    fn fill_pair<T: Pod>(
        &self,
        scratch: &mut Scratch<'_>,
        first: usize,
        per_block: usize,
        target: &mut [T],
    ) -> Result<bool> {
        let (one, other) = target.split_at_mut(per_block.min(target.len()));
        if other.is_empty() {
            return self.fill_block(scratch, first, one);
        }
        let ((stored, expected), (other_stored, other_expected)) =
            (self.column.block(first)?, self.column.block(first + 1)?);
        if stored.compression == Compression::DEFLATE {
            let loaded = scratch.load_pair(self.column.input, [&stored, &other_stored])?;
            if let Some([content, other_content]) = loaded {
                return Ok(self.take(content, &expected, one) && self.take(other_content, &other_expected, other));
            }
        }
        Ok(self.fill_block(scratch, first, one)? && self.fill_block(scratch, first + 1, other)?)
    }

    fn fill_block<T: Pod>(&self, scratch: &mut Scratch<'_>, block: usize, target: &mut [T]) -> Result<bool> {
        let (stored, expected) = self.column.block(block)?;
        if stored.compression == Compression::NONE {
            return self.copy(&stored, &expected, target);
        }
        let mut findings = Vec::new();
        match scratch.load(self.column.input, &stored, &mut findings)? {
            Ok(content) => Ok(findings.is_empty() && self.take(content, &expected, target)),
            Err(_) => Ok(false),
        }
    }

    /// Copies the numbers of a block directly from the file.
    fn copy<T: Pod>(&self, stored: &Stored, expected: &Target<'_>, target: &mut [T]) -> Result<bool> {
        let target: &mut [u8] = bytemuck::cast_slice_mut(target);
        let (input, place) = (self.column.input, stored.place.clone());
        let length = stored.length.unwrap_or(0);
        if length != place.end - place.start {
            return Ok(false);
        }
        let parsed = input.parse_at(place.start, |source| self.numbers(source.until(place.end), expected))?;
        match parsed {
            Ok(Some(numbers)) if numbers.range().end == place.end && bytes_of(&numbers) == target.len() as u64 => {
                input.read_at(target, numbers.offset)?;
                to_native::<T>(target);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Copies the numbers of a decompressed block. Returns false if it is unusual.
    fn take<T: Pod>(&self, content: Content<'_>, expected: &Target<'_>, target: &mut [T]) -> bool {
        let target: &mut [u8] = bytemuck::cast_slice_mut(target);
        let Ok(Some(numbers)) = self.numbers(content.source(), expected) else { return false };
        let bytes = content.numbers(&numbers);
        let is_all = numbers.range().end == content.base + content.bytes.len() as u64;
        if !is_all || bytes.len() != target.len() {
            return false;
        }
        target.copy_from_slice(bytes);
        to_native::<T>(target);
        true
    }

    /// The position of a block's numbers; `None` unless all vectors store all of their items.
    fn numbers(&self, source: Source<'_>, expected: &Target<'_>) -> Result<Option<Numbers>, Box<ParseError>> {
        let Target { stored, rows, .. } = *expected;
        let block = everybyte::read::<Block>(source, Endian::Little, args! { items: stored, rows })?;
        Ok(match block {
            Block::Scalars { scalars: Scalars::Numbers { values } } => Some(values),
            Block::Vectors { vectors } => {
                let is_dense = u64::try_from(vectors.count) == Ok(rows)
                    && u32::try_from(vectors.size) == Ok(self.size)
                    && vectors.index_count == 0
                    && vectors.stored_counts.iter().all(|&stored| stored == -1);
                match vectors.items {
                    Scalars::Numbers { values } if is_dense => Some(values),
                    _ => None,
                }
            }
            Block::Scalars { .. } => None,
        })
    }
}

fn bytes_of(numbers: &Numbers) -> u64 {
    numbers.count * numbers.number.size()
}

/// Converts little-endian numbers to the byte order of the machine.
fn to_native<T>(bytes: &mut [u8]) {
    if Endian::NATIVE == Endian::Big {
        swap::swap_in_place(bytes, size_of::<T>() as u64);
    }
}
