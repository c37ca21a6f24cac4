//! The division of items into rows, for all rows at once.

use super::items::Items;
use super::make::inexpressible;
use super::{Mixed, Values, Vectors};
use crate::error::Result;

/// How stored items are divided into rows.
///
/// ```
/// use ndbytes::idv::{Layout, Value, Values};
///
/// // A vector of 3 items, of which only the item 2 is stored, and a vector of 1 item.
/// let layout = Layout::Mixed {
///     lengths: &[3, 1],
///     item_ends: &[1, 2],
///     index_ends: &[1, 1],
///     sparse: &[true, false],
///     indices: &[2],
/// };
/// let values = Values::with_layout(vec![5_i32, 7], layout)?;
/// assert_eq!(values.vector(0).unwrap().get(2), Some(Value::Int(5)));
/// assert_eq!(values.layout(), layout);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// Use it to pass whole columns to or from another columnar format without visiting each vector.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Layout<'v> {
    /// One item per row.
    Scalars,
    /// Dense vectors with this many items each.
    Dense(u32),
    /// Vectors of any kind. Lists have one element per row unless noted otherwise.
    Mixed {
        /// The number of items of each vector, whether stored or not.
        lengths: &'v [u32],
        /// The end of each vector's stored items.
        item_ends: &'v [u64],
        /// The end of each vector's indices.
        index_ends: &'v [u64],
        /// True if the vector has indices. Otherwise it stores all of its items.
        sparse: &'v [bool],
        /// The indices of the stored items of all sparse vectors, concatenated.
        indices: &'v [u32],
    },
}

impl Values {
    /// Creates values whose items are divided into rows by a layout. This is the inverse of [`Values::layout`].
    ///
    /// # Errors
    /// [`Error::Inexpressible`](crate::Error::Inexpressible) if the lists have different lengths, if the ends decrease or do not
    /// cover all items, or if a vector has more than 2^31 - 1 items. A sparse vector must store fewer items than its length, at
    /// increasing indices below it.
    pub fn with_layout(items: impl Into<Items>, layout: Layout<'_>) -> Result<Self> {
        let items = items.into();
        let Layout::Mixed { lengths, item_ends, index_ends, sparse, indices } = layout else {
            return match layout {
                Layout::Dense(length) => Values::dense(items, length),
                _ => Ok(Values::scalars(items)),
            };
        };
        let rows = lengths.len();
        let refuse = |what: &str| Err(inexpressible(format!("invalid vectors: {what}")));
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

    /// How the stored items are divided into rows.
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
