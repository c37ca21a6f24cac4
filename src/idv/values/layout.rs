//! The division of items into rows, all at once.

use super::items::Items;
use super::make::inexpressible;
use super::{Mixed, Values, Vectors};
use crate::error::Result;

/// The division of stored items into rows.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Layout<'v> {
    /// One item a row.
    Scalars,
    /// Vectors of this many items each, all of which are stored.
    Dense(u32),
    /// Vectors of any kind. A list has one element a row, unless it is said otherwise.
    Mixed {
        /// The number of items of each vector, stored or not.
        lengths: &'v [u32],
        /// The end of each vector's stored items.
        item_ends: &'v [u64],
        /// The end of each vector's indices.
        index_ends: &'v [u64],
        /// True if the vector has indices. Otherwise it stores all of its items.
        sparse: &'v [bool],
        /// The places of the stored items of all sparse vectors, one after the other.
        indices: &'v [u32],
    },
}

impl Values {
    /// Items that are divided into rows as told. It is the way back from [`Values::layout`].
    ///
    /// # Errors
    /// [`Error::Inexpressible`](crate::Error::Inexpressible) if lists have different numbers of elements, or if ends
    /// decrease or do not cover all items. So too if a vector has over 2^31 - 1 items. The items of a sparse vector are
    /// fewer than its length, and have indices that increase below it.
    pub fn with_layout(items: impl Into<Items>, layout: Layout<'_>) -> Result<Self> {
        let items = items.into();
        let Layout::Mixed { lengths, item_ends, index_ends, sparse, indices } = layout else {
            return match layout {
                Layout::Dense(length) => Values::dense(items, length),
                _ => Ok(Values::scalars(items)),
            };
        };
        let rows = lengths.len();
        let refuse = |what: &str| Err(inexpressible(format!("vectors of which {what}")));
        if [item_ends.len(), index_ends.len(), sparse.len()] != [rows; 3] {
            return refuse("lengths, ends and kinds differ in number");
        }
        let (mut item, mut index) = (0_u64, 0_u64);
        for (row, &length) in lengths.iter().enumerate() {
            let held = (item_ends[row].checked_sub(item), index_ends[row].checked_sub(index));
            let (Some(held), Some(places)) = held else { return refuse("the ends decrease") };
            if i32::try_from(length).is_err() {
                return refuse("one has over 2^31 - 1 items");
            }
            let expected = if sparse[row] { held } else { 0 };
            if places != expected || held > length.into() || (held == u64::from(length)) == sparse[row] {
                return refuse("one holds another number of items or indices");
            }
            let Some(places) = indices.get(index as usize..index_ends[row] as usize) else {
                return refuse("one has more indices than there are");
            };
            if !places.windows(2).all(|pair| pair[0] < pair[1]) || places.last().is_some_and(|&last| last >= length) {
                return refuse("one has indices that do not increase below its length");
            }
            (item, index) = (item_ends[row], index_ends[row]);
        }
        if item != items.len() as u64 || index != indices.len() as u64 {
            return refuse("the last one does not end with the items");
        }
        let mixed = Mixed {
            lengths: lengths.to_vec(),
            item_ends: item_ends.to_vec(),
            index_ends: index_ends.to_vec(),
            sparse: sparse.to_vec(),
            indices: indices.to_vec(),
        };
        Ok(Values { vectors: Some(Vectors::Mixed(mixed)), ..Values::of_items(items, rows) })
    }

    /// The division of the stored items into rows.
    pub fn layout(&self) -> Layout<'_> {
        match &self.vectors {
            None => Layout::Scalars,
            Some(Vectors::Dense(length)) => Layout::Dense(*length),
            Some(Vectors::Mixed(mixed)) => Layout::Mixed {
                lengths: &mixed.lengths,
                item_ends: &mixed.item_ends,
                index_ends: &mixed.index_ends,
                sparse: &mixed.sparse,
                indices: &mixed.indices,
            },
        }
    }
}
