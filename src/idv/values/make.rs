//! Creates values to write.

use super::items::{DenseItem, Items};
use super::types::ItemType;
use super::{Mixed, Values, Vectors};
use crate::error::{Error, Result};
use crate::format::Format;
use ndarray::{Array2, ArrayRef2};

impl Values {
    /// One item per row.
    pub fn scalars(items: impl Into<Items>) -> Self {
        let items = items.into();
        Values::of_items_alone(items)
    }

    /// Creates vectors of equal length that store all of their items, which are given as one list.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if the number of items is not a multiple of this length.
    pub fn dense(items: impl Into<Items>, length: u32) -> Result<Self> {
        let items = items.into();
        let rows = items.len().checked_div(length as usize).unwrap_or(0);
        if rows * length as usize != items.len() {
            return Err(inexpressible(format!("{} items in vectors of {length}", items.len())));
        }
        Ok(Values { vectors: Some(Vectors::Dense(length)), ..Values::of_items(items, rows) })
    }

    /// Creates vectors from the rows of an array.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if they have more than 2^31 - 1 items.
    pub fn of_array<T: DenseItem>(array: &ArrayRef2<T>) -> Result<Self> {
        let length = i32::try_from(array.ncols());
        let length = length.map_err(|_| inexpressible(format!("vectors of {} items", array.ncols())))?;
        let items = T::items(array.iter().copied().collect());
        Ok(Values { vectors: Some(Vectors::Dense(length as u32)), ..Values::of_items(items, array.nrows()) })
    }

    /// Creates an empty list, to which vectors are appended one by one.
    pub fn vectors(item: ItemType) -> Self {
        Values::new(item, true)
    }

    /// Appends a vector that stores all of its items.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if rows are not vectors, or if there are too many items or their type differs from that of previous
    /// ones.
    pub fn push_vector(&mut self, items: impl Into<Items>) -> Result<()> {
        let items = items.into();
        let length = items.len();
        self.push(items, length, None)
    }

    /// Appends a vector that stores only the items at some indices, which must increase. If it stores all of its items, it becomes
    /// dense, because the format cannot express the difference.
    ///
    /// # Errors
    /// As for [`Values::push_vector`]; also if the indices do not increase, are not below the length, or differ in number from the
    /// items.
    pub fn push_sparse_vector(&mut self, length: usize, indices: &[u32], items: impl Into<Items>) -> Result<()> {
        let items = items.into();
        let increase = indices.windows(2).all(|pair| pair[0] < pair[1]);
        if !increase || indices.last().is_some_and(|&last| last as usize >= length) || indices.len() != items.len() {
            let what = format!("{} items at the indices {indices:?} of a vector of {length}", items.len());
            return Err(inexpressible(what));
        }
        self.push(items, length, (indices.len() < length).then_some(indices))
    }

    fn push(&mut self, items: Items, length: usize, indices: Option<&[u32]>) -> Result<()> {
        let length = i32::try_from(length).map_err(|_| inexpressible(format!("a vector of {length} items")))? as u32;
        let same = std::mem::discriminant(self.items()) == std::mem::discriminant(&items);
        if !self.are_vectors() || !same {
            return Err(inexpressible(
                "a vector among items of another type, or among rows that are not vectors".into(),
            ));
        }
        let (count, indices_count) = (items.len() as u64, indices.map_or(0, <[u32]>::len) as u64);
        let mixed = Mixed {
            lengths: vec![length],
            item_ends: vec![count],
            index_ends: vec![indices_count],
            sparse: vec![indices.is_some()],
            indices: indices.unwrap_or_default().to_vec(),
        };
        self.append(Values { vectors: Some(Vectors::Mixed(mixed)), ..Values::of_items(items, 1) });
        Ok(())
    }

    /// Creates a single vector that stores all of its items.
    pub(crate) fn single_vector(items: Items) -> Self {
        let length = items.len() as u32;
        Values { vectors: Some(Vectors::Dense(length)), ..Values::of_items(items, 1) }
    }

    fn of_items_alone(items: Items) -> Self {
        let rows = items.len();
        Values::of_items(items, rows)
    }

    /// Returns the memory that the values take, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let items = match self.items() {
            Items::Text(texts) => texts.memory(),
            items => items.len() as u64 * items.item_size(),
        };
        let shapes = if self.are_vectors() { 25 * self.rows() as u64 } else { 0 };
        items + shapes
    }
}

impl<T: DenseItem> TryFrom<&Array2<T>> for Values {
    type Error = Error;

    fn try_from(array: &Array2<T>) -> Result<Self> {
        Values::of_array(array)
    }
}

/// The error for content that the format cannot express.
pub fn inexpressible(what: String) -> Error {
    Error::Inexpressible { format: Format::Idv.title(), what }
}
