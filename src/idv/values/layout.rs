//! The division of items into rows, all at once.

use super::{Values, Vectors};

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
