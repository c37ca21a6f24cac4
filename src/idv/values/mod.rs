//! The values of a column: items or vectors of items, as they were read.
//!
//! A column is not a list of values. It is one list of items of one Rust type ([`Items`]), with their division into rows and the
//! set of missing items. A million sparse vectors therefore need five lists, to which decoding appends, instead of a million
//! allocations.
//!
//! Vectors are [`Vectors::Dense`] while all of them have the same length and store all items, which needs no lists at all. The
//! first vector that differs turns them into [`Vectors::Mixed`]. The same rows may therefore be represented in two ways, and
//! equality compares rows.

pub mod items;
pub mod layout;
pub mod make;
mod names;
pub mod texts;
pub mod types;

use crate::bytes::limits::Limits;
use crate::bytes::memory;
use crate::error::{Error, Result};
use items::{DateTimeOffset, DenseItem, Items, Nulls};
use ndarray::Array2;
use ndbytes_schemas::idv::SlotNames;
use std::ops::Range;
use texts::{Text, Texts};
use types::ItemType;

/// The values of some rows of a column, or the value of an annotation (a single row).
///
/// ```
/// use ndbytes::Limits;
/// use ndbytes::idv::{Value, Values};
///
/// let values = Values::dense(vec![0.5_f32, 1.5, 2.5, 3.5], 2)?; // two rows
/// assert_eq!((values.rows(), values.items().len()), (2, 4));
/// assert_eq!(values.vector(1).unwrap().get(0), Some(Value::F32(2.5)));
/// assert_eq!(values.to_dense::<f32>(&Limits::default())?.dim(), (2, 2));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// All items are in one list, and their division into vectors is stored separately. [`Values::items`] and [`Values::layout`] give
/// access to both.
#[derive(Debug, Clone)]
pub struct Values {
    pub(crate) rows: usize,
    pub(crate) items: Items,
    #[doc(hidden)]
    pub nulls: Nulls,
    pub(crate) vectors: Option<Vectors>,
}

/// The division of items into vectors.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Vectors {
    /// Every vector has this many items, and stores all of them.
    Dense(u32),
    /// Vectors of any kind.
    Mixed(Mixed),
}

/// Vectors of different lengths, some of which may be sparse.
///
/// Every list except `indices` has one element per vector. The ends never decrease, and the last ones are the numbers of stored
/// items and of indices. Within a vector, indices increase and are below its length, because [`Vector::get`] searches them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Mixed {
    /// The number of items of each vector.
    pub lengths: Vec<u32>,
    /// The end of each vector's stored items.
    pub item_ends: Vec<u64>,
    /// The end of each vector's indices. A vector without indices stores all of its items.
    pub index_ends: Vec<u64>,
    /// True if the vector has indices instead of storing all of its items.
    pub sparse: Vec<bool>,
    /// The indices of the items of all sparse vectors.
    pub indices: Vec<u32>,
}

/// One value.
///
/// ```
/// use ndbytes::idv::{self, Value};
///
/// let trees = idv::open("samples/trees.idv")?;
/// let evergreen = trees.column("Evergreen")?.read()?;
/// let count = evergreen.iter().filter(|value| *value == Value::Bool(true)).count();
/// assert_eq!(count, 2);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// To process whole columns, match on [`Values::items`] once instead of on every value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'v> {
    /// A value that an old file marks as missing.
    Null,
    /// A signed integer, or ticks of 100 ns.
    Int(i64),
    /// An unsigned integer, or a key: 0 is missing, and 1 is the first category.
    Uint(u64),
    /// A row identifier.
    RowId(u128),
    /// A single-precision number.
    F32(f32),
    /// A double-precision number.
    F64(f64),
    /// A boolean.
    Bool(bool),
    /// A time with an offset from UTC.
    DateTimeOffset(DateTimeOffset),
    /// Text.
    Text(Text<'v>),
    /// A vector.
    Vector(Vector<'v>),
}

/// A vector in a column.
///
/// ```
/// use ndbytes::idv::{ItemType, Value, Values};
///
/// let mut values = Values::vectors(ItemType::F32);
/// values.push_sparse_vector(1000, &[3, 70], vec![0.5_f32, 2.0])?;
/// let vector = values.vector(0).unwrap();
/// assert_eq!((vector.len(), vector.stored().len()), (1000, 2));
/// assert_eq!((vector.get(70), vector.get(71)), (Some(Value::F32(2.0)), Some(Value::F32(0.0))));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vector<'v> {
    values: &'v Values,
    length: u32,
    /// The index of the first stored item.
    first: usize,
    /// The number of stored items.
    stored: usize,
    indices: Option<&'v [u32]>,
}

impl Values {
    pub(crate) fn new(item: ItemType, vectors: bool) -> Self {
        let vectors = vectors.then(|| Vectors::Mixed(Mixed::default()));
        Values { rows: 0, items: Items::new(item), nulls: Nulls::default(), vectors }
    }

    pub(crate) fn of_items(items: Items, rows: usize) -> Self {
        Values { rows, items, nulls: Nulls::default(), vectors: None }
    }

    /// Creates slot names as in version 1.1.1.3: a sparse vector of texts.
    pub(crate) fn of_slot_names(names: &SlotNames) -> Self {
        let mut slots: Vec<(u32, &str)> = Vec::new();
        let mut texts = Texts::default();
        for slot in &names.slots {
            if let (Ok(index), Some(name)) = (u32::try_from(slot.index), slot.name.text()) {
                slots.push((index, name));
            }
        }
        slots.sort_by_key(|(index, _)| *index);
        slots.dedup_by_key(|(index, _)| *index);
        slots.iter().for_each(|(_, name)| texts.push(name));
        let count = slots.len() as u64;
        let mixed = Mixed {
            lengths: vec![slots.last().map_or(0, |(index, _)| index + 1)],
            item_ends: vec![count],
            index_ends: vec![count],
            sparse: vec![true],
            indices: slots.iter().map(|(index, _)| *index).collect(),
        };
        Values { vectors: Some(Vectors::Mixed(mixed)), ..Values::of_items(Items::Text(texts), 1) }
    }

    /// Copies some of the rows.
    ///
    /// # Panics
    /// Panics if there are fewer rows.
    pub fn slice(&self, rows: Range<usize>) -> Self {
        let (items, vectors) = match &self.vectors {
            None => (rows.clone(), None),
            Some(Vectors::Dense(length)) => {
                let length = *length as usize;
                (rows.start * length..rows.end * length, Some(Vectors::Dense(length as u32)))
            }
            Some(Vectors::Mixed(mixed)) => {
                let (mixed, items) = mixed.slice(rows.clone());
                (items, Some(Vectors::Mixed(mixed)))
            }
        };
        let mut nulls = Nulls::default();
        let kept = self.nulls.iter().filter(|null| items.contains(null));
        kept.for_each(|null| nulls.insert(null - items.start));
        Values { rows: rows.len(), items: self.items.slice(items), nulls, vectors }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All stored items: one per row, or the items of all vectors.
    pub fn items(&self) -> &Items {
        &self.items
    }

    /// Returns only the items.
    pub fn into_items(self) -> Items {
        self.items
    }

    /// The stored items, and the set of those that are missing.
    pub fn into_parts(self) -> (Items, Nulls) {
        (self.items, self.nulls)
    }

    /// The items that old files mark as missing. Default values are stored in their place.
    pub fn nulls(&self) -> &Nulls {
        &self.nulls
    }

    /// Returns whether rows are vectors.
    pub fn are_vectors(&self) -> bool {
        self.vectors.is_some()
    }

    /// The value of a row; `None` after the last one.
    pub fn get(&self, row: usize) -> Option<Value<'_>> {
        if row >= self.rows {
            return None;
        }
        match &self.vectors {
            None => Some(self.item(row)),
            Some(_) => self.vector(row).map(Value::Vector),
        }
    }

    /// The vector of a row; `None` after the last one or if rows are not vectors.
    pub fn vector(&self, row: usize) -> Option<Vector<'_>> {
        match self.vectors.as_ref().filter(|_| row < self.rows)? {
            Vectors::Dense(length) => {
                let stored = *length as usize;
                Some(Vector { values: self, length: *length, first: row * stored, stored, indices: None })
            }
            Vectors::Mixed(mixed) => {
                let items = range(&mixed.item_ends, row);
                let indices = mixed.sparse[row].then(|| &mixed.indices[range(&mixed.index_ends, row)]);
                let length = mixed.lengths[row];
                Some(Vector { values: self, length, first: items.start, stored: items.len(), indices })
            }
        }
    }

    /// All rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value<'_>> {
        (0..self.rows).map(|row| self.get(row).expect("the row is one of them"))
    }

    /// A stored item, or null.
    fn item(&self, item: usize) -> Value<'_> {
        if self.nulls.contains(item) { Value::Null } else { self.items.get(item) }
    }

    /// Converts vectors of equal length to one array, with one row per vector. Items that sparse vectors do not store become zero. Rows
    /// that are not vectors become vectors of one item.
    ///
    /// # Errors
    /// [`Error::WrongItems`] if the items have another type or are missing. [`Error::Ragged`] if the vectors have
    /// different lengths. [`Error::Limit`] if the array would exceed the memory limit.
    pub fn to_dense<T: DenseItem>(&self, limits: &Limits) -> Result<Array2<T>> {
        let items =
            T::of(&self.items).ok_or(Error::WrongItems { stored: self.items.type_name(), requested: T::NAME })?;
        if !self.nulls.is_empty() {
            return Err(Error::WrongItems { stored: "items, some of them missing", requested: T::NAME });
        }
        let length = match &self.vectors {
            None => 1,
            Some(Vectors::Dense(length)) => *length as usize,
            Some(Vectors::Mixed(mixed)) => {
                let length = mixed.lengths.first().copied().unwrap_or(0);
                if let Some(row) = mixed.lengths.iter().position(|&other| other != length) {
                    let (first, other) = (length.into(), mixed.lengths[row].into());
                    return Err(Error::Ragged { first, row: row as u64, other });
                }
                length as usize
            }
        };
        let what = "a dense array";
        let count = (length as u64).checked_mul(self.rows as u64).filter(|&count| count <= usize::MAX as u64);
        let bytes = count.and_then(|count| count.checked_mul(size_of::<T>() as u64)).unwrap_or(u64::MAX);
        limits.budget(0).take(bytes, what)?;
        let count = count.unwrap_or(0) as usize;
        let mut dense = memory::zeros::<T>(count).ok_or(Error::Limit { what, needed: bytes, left: 0 })?;
        match &self.vectors {
            Some(Vectors::Mixed(_)) => {
                for (row, target) in dense.chunks_exact_mut(length.max(1)).enumerate() {
                    let vector = self.vector(row).expect("there is a chunk for each row");
                    let stored = &items[vector.first..vector.first + vector.stored];
                    match vector.indices {
                        None => target.copy_from_slice(stored),
                        Some(indices) => {
                            indices.iter().zip(stored).for_each(|(&index, &item)| target[index as usize] = item);
                        }
                    }
                }
            }
            _ => dense.copy_from_slice(items),
        }
        Ok(Array2::from_shape_vec((self.rows, length), dense).expect("as many elements were made"))
    }

    /// Removes all values, but keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.rows = 0;
        self.items.clear();
        self.nulls.clear();
        match &mut self.vectors {
            Some(Vectors::Mixed(mixed)) => mixed.clear(),
            Some(dense) => *dense = Vectors::Mixed(Mixed::default()),
            None => {}
        }
    }

    /// Divides the items into `rows` rows, each with one item or a vector that stores all of its items.
    pub(crate) fn set_dense(&mut self, rows: usize, size: u32) {
        self.rows = rows;
        self.nulls.clear();
        if let Some(vectors) = &mut self.vectors {
            *vectors = Vectors::Dense(size);
        }
    }

    /// Reserves memory for items, and for `bytes` bytes of text, within the memory limit.
    pub(crate) fn make_room(&mut self, bytes: u64, items: u64) {
        if let Items::Text(texts) = &mut self.items {
            texts.make_room(bytes, items);
        }
    }

    /// Divides the items that were appended last into vectors, for `rows` further rows.
    pub(crate) fn push_vectors(&mut self, vectors: Vectors, rows: usize) {
        if let Some(mine) = &mut self.vectors {
            mine.append(vectors, self.rows, rows);
        }
    }

    /// Appends the values of further rows of the same type.
    pub(crate) fn append(&mut self, mut more: Values) {
        let first = self.items.len();
        more.nulls.iter().for_each(|null| self.nulls.insert(first + null));
        let rows = more.rows;
        match (&mut self.vectors, more.vectors.take()) {
            (Some(mine), Some(theirs)) => mine.append(theirs, self.rows, rows),
            (mine, theirs) => debug_assert!(mine.is_none() && theirs.is_none()),
        }
        self.items.append(more.items);
        self.rows += rows;
    }
}

/// Values are equal if all rows are equal, regardless of their representation.
impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.has_shape_of(other) && self.items == other.items
    }
}

impl Values {
    /// Returns whether the values are bitwise equal, including NaNs.
    #[doc(hidden)]
    pub fn is_identical(&self, other: &Self) -> bool {
        self.has_shape_of(other) && self.items.is_identical(&other.items)
    }

    /// Returns whether `rows` rows, starting at `first`, are bitwise equal to those of another column, starting at `other_first`.
    /// Rows are not compared one by one.
    #[doc(hidden)]
    pub fn are_same_bits(&self, first: usize, other: &Self, other_first: usize, rows: usize) -> bool {
        let length = match (&self.vectors, &other.vectors) {
            (None, None) => 1,
            (Some(Vectors::Dense(mine)), Some(Vectors::Dense(theirs))) if mine == theirs => *mine as usize,
            _ => return false,
        };
        let items = |first: usize| first * length..(first + rows) * length;
        let are_there = self.nulls.is_empty() && other.nulls.is_empty();
        are_there && self.items.are_same_bits(items(first), &other.items, items(other_first))
    }

    /// Returns whether rows, vectors, and missing items are the same.
    fn has_shape_of(&self, other: &Self) -> bool {
        let same_vector = |row: usize| match (self.vector(row), other.vector(row)) {
            (Some(mine), Some(theirs)) => {
                mine.len() == theirs.len() && mine.stored == theirs.stored && mine.indices == theirs.indices
            }
            (mine, theirs) => mine.is_none() && theirs.is_none(),
        };
        let same_vectors = match (&self.vectors, &other.vectors) {
            (None, None) => true,
            (Some(Vectors::Dense(mine)), Some(Vectors::Dense(theirs))) => mine == theirs || self.rows == 0,
            (Some(_), Some(_)) => (0..self.rows).all(same_vector),
            _ => false,
        };
        self.rows == other.rows && self.nulls.iter().eq(other.nulls.iter()) && same_vectors
    }
}

/// Returns the range from the previous end to this one.
fn range(ends: &[u64], index: usize) -> Range<usize> {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    start as usize..ends[index] as usize
}

impl Vectors {
    fn append(&mut self, more: Vectors, rows: usize, more_rows: usize) {
        match (&mut *self, &more) {
            (Vectors::Dense(length), Vectors::Dense(other)) if length == other => return,
            (mine, Vectors::Dense(_)) if rows == 0 => {
                *mine = more;
                return;
            }
            _ => {}
        }
        let mut mine = std::mem::replace(self, Vectors::Dense(0)).into_mixed(rows);
        mine.append(more.into_mixed(more_rows));
        *self = Vectors::Mixed(mine);
    }

    fn into_mixed(self, rows: usize) -> Mixed {
        let length = match self {
            Vectors::Mixed(mixed) => return mixed,
            Vectors::Dense(length) => length,
        };
        Mixed {
            lengths: vec![length; rows],
            item_ends: (1..=rows as u64).map(|row| row * u64::from(length)).collect(),
            index_ends: vec![0; rows],
            sparse: vec![false; rows],
            indices: Vec::new(),
        }
    }
}

impl Mixed {
    /// A range of vectors, with the range of their items.
    fn slice(&self, rows: Range<usize>) -> (Mixed, Range<usize>) {
        let all = |ends: &[u64]| {
            let start = if rows.start == 0 { 0 } else { ends[rows.start - 1] };
            let end = if rows.end == 0 { 0 } else { ends[rows.end - 1] };
            start..end
        };
        let (items, indices) = (all(&self.item_ends), all(&self.index_ends));
        let mixed = Mixed {
            lengths: self.lengths[rows.clone()].to_vec(),
            item_ends: self.item_ends[rows.clone()].iter().map(|end| end - items.start).collect(),
            index_ends: self.index_ends[rows.clone()].iter().map(|end| end - indices.start).collect(),
            sparse: self.sparse[rows.clone()].to_vec(),
            indices: self.indices[indices.start as usize..indices.end as usize].to_vec(),
        };
        (mixed, items.start as usize..items.end as usize)
    }

    fn clear(&mut self) {
        self.lengths.clear();
        self.item_ends.clear();
        self.index_ends.clear();
        self.sparse.clear();
        self.indices.clear();
    }

    fn append(&mut self, more: Mixed) {
        let (items, indices) = (self.item_ends.last().copied().unwrap_or(0), self.indices.len() as u64);
        self.lengths.extend(more.lengths);
        self.item_ends.extend(more.item_ends.iter().map(|end| items + end));
        self.index_ends.extend(more.index_ends.iter().map(|end| indices + end));
        self.sparse.extend(more.sparse);
        self.indices.extend(more.indices);
    }
}

impl<'v> Vector<'v> {
    /// The number of items of the vector, whether stored or not.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Returns whether the vector has no items.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The indices of the stored items; `None` if the vector stores all items.
    pub fn indices(&self) -> Option<&'v [u32]> {
        self.indices
    }

    /// The stored items, in order of their indices.
    pub fn stored(&self) -> impl ExactSizeIterator<Item = Value<'v>> + use<'v> {
        let values = self.values;
        (self.first..self.first + self.stored).map(move |item| values.item(item))
    }

    /// Returns an item; `None` after the last one. An item that a sparse vector does not store is the default of its type: zero, false, the
    /// empty text, or the missing key.
    pub fn get(&self, place: usize) -> Option<Value<'v>> {
        if place >= self.len() {
            return None;
        }
        Some(match self.indices {
            None => self.values.item(self.first + place),
            Some(indices) => match indices.binary_search(&(place as u32)) {
                Ok(stored) => self.values.item(self.first + stored),
                Err(_) => self.values.items.default_item(),
            },
        })
    }
}

impl Items {
    pub(crate) fn get(&self, item: usize) -> Value<'_> {
        match self {
            Items::I8(items) => Value::Int(items[item].into()),
            Items::I16(items) => Value::Int(items[item].into()),
            Items::I32(items) => Value::Int(items[item].into()),
            Items::I64(items) => Value::Int(items[item]),
            Items::U8(items) => Value::Uint(items[item].into()),
            Items::U16(items) => Value::Uint(items[item].into()),
            Items::U32(items) => Value::Uint(items[item].into()),
            Items::U64(items) => Value::Uint(items[item]),
            Items::RowId(items) => Value::RowId(items[item]),
            Items::F32(items) => Value::F32(items[item]),
            Items::F64(items) => Value::F64(items[item]),
            Items::Bool(items) => Value::Bool(items[item]),
            Items::DateTimeOffset(items) => Value::DateTimeOffset(items[item]),
            Items::Text(texts) => Value::Text(texts.get(item).expect("the text is one of them")),
        }
    }

    /// Returns the value of an item that a sparse vector does not store.
    pub(crate) fn default_item(&self) -> Value<'static> {
        match self {
            Items::I8(_) | Items::I16(_) | Items::I32(_) | Items::I64(_) => Value::Int(0),
            Items::U8(_) | Items::U16(_) | Items::U32(_) | Items::U64(_) => Value::Uint(0),
            Items::RowId(_) => Value::RowId(0),
            Items::F32(_) => Value::F32(0.0),
            Items::F64(_) => Value::F64(0.0),
            Items::Bool(_) => Value::Bool(false),
            Items::DateTimeOffset(_) => Value::DateTimeOffset(DateTimeOffset::default()),
            Items::Text(_) => Value::Text(Text::EMPTY),
        }
    }
}
