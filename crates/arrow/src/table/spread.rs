//! Converts sparse vectors to vectors with all items.
//!
//! A sparse vector of a billion items may store one of them. Spread out, a file of kilobytes becomes gigabytes. Every
//! byte that is added is therefore debited from the memory budget, and the total counts against
//! [`Limits::output`](ndbytes::Limits::output). Portions are divided so that a batch has about four million such
//! items, unless a single row has more.

use super::arrays::Stored;
use crate::error::Trouble;
use arrow_buffer::{BooleanBuffer, NullBuffer};
use ndbytes::idv::{Items, Layout, Nulls, Values};
use ndbytes::{Debited, Memory};
use std::ops::Range;

/// The maximum number of items per batch in a column of sparse vectors.
const MOST_ITEMS: u64 = 1 << 22;

/// Returns whether any vectors do not store all of their items.
pub(crate) fn is_sparse(values: &Values) -> bool {
    matches!(values.layout(), Layout::Mixed { sparse, .. } if sparse.contains(&true))
}

/// Divides the rows of some columns so that no column of sparse vectors has too many items in one part, unless a single row does.
pub(crate) fn parts<'v>(columns: impl Iterator<Item = &'v Values>, rows: usize) -> Vec<Range<usize>> {
    let lengths: Vec<&[u32]> = columns
        .filter(|values| is_sparse(values))
        .filter_map(|values| match values.layout() {
            Layout::Mixed { lengths, .. } => Some(lengths),
            _ => None,
        })
        .collect();
    let (mut parts, mut start) = (Vec::new(), 0);
    let mut items = vec![0_u64; lengths.len()];
    // A table without columns may have more rows than anyone can count.
    let counted = if lengths.is_empty() { 0 } else { rows };
    for row in 0..counted {
        let is_full = items.iter().zip(&lengths).any(|(&items, lengths)| items + u64::from(lengths[row]) > MOST_ITEMS);
        if is_full && row > start {
            parts.push(start..row);
            start = row;
            items.fill(0);
        }
        items.iter_mut().zip(&lengths).for_each(|(items, lengths)| *items += u64::from(lengths[row]));
    }
    parts.push(start..rows);
    parts
}

/// Returns all items of vectors, including those that sparse vectors do not store. Their memory is debited. Returns the number of bytes by
/// which the items grew.
pub(crate) fn spread(
    values: Values,
    memory: &Memory,
    debited: &mut Vec<Debited>,
) -> Result<(Stored, Option<NullBuffer>, u64), Trouble> {
    let (places, total) = places(&values)?;
    let stored = places.len();
    let (items, nulls) = values.into_parts();
    let size = item_size(&items);
    let grown = (total as u64).saturating_mul(size);
    debited.push(memory.take(grown.saturating_add(stored as u64 * 8), "all items of sparse vectors")?);
    let valid = validity_of(&nulls, &places, total);
    let spread = match items {
        Items::I8(items) => Stored::Items(all(&items, &places, total).into()),
        Items::I16(items) => Stored::Items(all(&items, &places, total).into()),
        Items::I32(items) => Stored::Items(all(&items, &places, total).into()),
        Items::I64(items) => Stored::Items(all(&items, &places, total).into()),
        Items::U8(items) => Stored::Items(all(&items, &places, total).into()),
        Items::U16(items) => Stored::Items(all(&items, &places, total).into()),
        Items::U32(items) => Stored::Items(all(&items, &places, total).into()),
        Items::U64(items) => Stored::Items(all(&items, &places, total).into()),
        Items::RowId(items) => Stored::Items(all(&items, &places, total).into()),
        Items::F32(items) => Stored::Items(all(&items, &places, total).into()),
        Items::F64(items) => Stored::Items(all(&items, &places, total).into()),
        Items::Bool(items) => Stored::Items(all(&items, &places, total).into()),
        Items::DateTimeOffset(items) => Stored::Items(all(&items, &places, total).into()),
        Items::Text(texts) => {
            let (bytes, ends) = texts.into_parts();
            Stored::Text { bytes, ends: all_ends(&ends, &places, total) }
        }
    };
    Ok((spread, valid, grown.saturating_sub(stored as u64 * size)))
}

/// Returns the index of every stored item among all items, and the number of all items.
fn places(values: &Values) -> Result<(Vec<usize>, usize), Trouble> {
    let Layout::Mixed { lengths, item_ends, index_ends, sparse, indices } = values.layout() else {
        return Err(Trouble::Column("does not have sparse vectors".into()));
    };
    let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    if total > MOST_ITEMS.max(values.items().len() as u64) {
        return Err(Trouble::Column(format!(
            "has {total} items after sparse vectors are expanded, over {MOST_ITEMS} per row: choose the vectors struct"
        )));
    }
    let (mut places, mut first) = (Vec::new(), 0_usize);
    let (mut item, mut index) = (0, 0);
    for row in 0..lengths.len() {
        let (item_end, index_end) = (item_ends[row], index_ends[row]);
        match sparse[row] {
            true => {
                places.extend(indices[index as usize..index_end as usize].iter().map(|&place| first + place as usize))
            }
            false => places.extend((0..(item_end - item) as usize).map(|place| first + place)),
        }
        (item, index) = (item_end, index_end);
        first += lengths[row] as usize;
    }
    Ok((places, total as usize))
}

fn all<T: Copy + Default>(stored: &[T], places: &[usize], total: usize) -> Vec<T> {
    let mut all = vec![T::default(); total];
    stored.iter().zip(places).for_each(|(&item, &place)| all[place] = item);
    all
}

/// Returns the end of every text. A text that is not stored is empty.
fn all_ends(stored: &[u64], places: &[usize], total: usize) -> Vec<u64> {
    let mut ends = vec![0; total];
    let (mut next, mut end) = (0, 0);
    for (&place, &stored) in places.iter().zip(stored) {
        ends[next..place].fill(end);
        end = stored;
        ends[place] = end;
        next = place + 1;
    }
    ends[next..].fill(end);
    ends
}

fn validity_of(nulls: &Nulls, places: &[usize], total: usize) -> Option<NullBuffer> {
    if nulls.is_empty() {
        return None;
    }
    let mut valid = vec![true; total];
    nulls.iter().for_each(|null| valid[places[null]] = false);
    Some(NullBuffer::new(BooleanBuffer::from(valid)))
}

/// Returns the length of an item in bytes.
fn item_size(items: &Items) -> u64 {
    match items {
        Items::I8(_) | Items::U8(_) | Items::Bool(_) => 1,
        Items::I16(_) | Items::U16(_) => 2,
        Items::I32(_) | Items::U32(_) | Items::F32(_) => 4,
        Items::RowId(_) | Items::DateTimeOffset(_) => 16,
        _ => 8,
    }
}
