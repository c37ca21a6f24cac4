//! Items of one type.

use super::texts::Texts;
use super::types::ItemType;
use bytemuck::Pod;
use std::ops::Range;

/// Items of one type, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub enum Items {
    /// Signed integers of 8 bits.
    I8(Vec<i8>),
    /// Signed integers of 16 bits.
    I16(Vec<i16>),
    /// Signed integers of 32 bits.
    I32(Vec<i32>),
    /// Signed integers of 64 bits; for durations and times, ticks of 100 ns.
    I64(Vec<i64>),
    /// Unsigned integers of 8 bits, or keys: 0 is missing, 1 the first category.
    U8(Vec<u8>),
    /// Unsigned integers of 16 bits, or keys.
    U16(Vec<u16>),
    /// Unsigned integers of 32 bits, or keys.
    U32(Vec<u32>),
    /// Unsigned integers of 64 bits, or keys.
    U64(Vec<u64>),
    /// Identifiers of rows.
    RowId(Vec<u128>),
    /// Numbers in single precision.
    F32(Vec<f32>),
    /// Numbers in double precision.
    F64(Vec<f64>),
    /// Booleans.
    Bool(Vec<bool>),
    /// Times with a distance from UTC.
    DateTimeOffset(Vec<DateTimeOffset>),
    /// Texts.
    Text(Texts),
}

/// Does the same with the vector of every kind of items but texts.
macro_rules! with_items {
    ($items:expr, $vector:ident => $do:expr, $texts:ident => $else:expr) => {
        match $items {
            Items::I8($vector) => $do,
            Items::I16($vector) => $do,
            Items::I32($vector) => $do,
            Items::I64($vector) => $do,
            Items::U8($vector) => $do,
            Items::U16($vector) => $do,
            Items::U32($vector) => $do,
            Items::U64($vector) => $do,
            Items::RowId($vector) => $do,
            Items::F32($vector) => $do,
            Items::F64($vector) => $do,
            Items::Bool($vector) => $do,
            Items::DateTimeOffset($vector) => $do,
            Items::Text($texts) => $else,
        }
    };
}
/// A date and a time on a clock that is ahead of UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DateTimeOffset {
    /// The time on the clock: ticks of 100 ns since the beginning of the year 1.
    pub ticks: i64,
    /// Minutes that it is ahead of UTC.
    pub offset_minutes: i16,
}

/// The items that are missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nulls {
    /// One bit an item, up to the last one that is missing.
    words: Vec<u64>,
    count: usize,
}

impl Items {
    pub(crate) fn new(item: ItemType) -> Self {
        match item {
            ItemType::I8 => Items::I8(Vec::new()),
            ItemType::I16 => Items::I16(Vec::new()),
            ItemType::I32 => Items::I32(Vec::new()),
            ItemType::I64 | ItemType::TimeSpan | ItemType::DateTime => Items::I64(Vec::new()),
            ItemType::U8 => Items::U8(Vec::new()),
            ItemType::U16 => Items::U16(Vec::new()),
            ItemType::U32 => Items::U32(Vec::new()),
            ItemType::U64 => Items::U64(Vec::new()),
            ItemType::F32 => Items::F32(Vec::new()),
            ItemType::F64 => Items::F64(Vec::new()),
            ItemType::Bool => Items::Bool(Vec::new()),
            ItemType::Text => Items::Text(Texts::default()),
            ItemType::DateTimeOffset => Items::DateTimeOffset(Vec::new()),
            ItemType::RowId => Items::RowId(Vec::new()),
            ItemType::Key(key) => Items::new(key.item()),
        }
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        with_items!(self, vector => vector.len(), texts => texts.len())
    }

    /// Returns whether the number is 0.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The texts, if they are texts.
    pub fn texts(&self) -> Option<&Texts> {
        if let Items::Text(texts) = self { Some(texts) } else { None }
    }

    /// The category that a key stands for, counted from zero, or `None` if it is missing.
    pub fn category(&self, item: usize) -> Option<u64> {
        let raw = match self {
            Items::U8(keys) => u64::from(*keys.get(item)?),
            Items::U16(keys) => u64::from(*keys.get(item)?),
            Items::U32(keys) => u64::from(*keys.get(item)?),
            Items::U64(keys) => *keys.get(item)?,
            _ => return None,
        };
        raw.checked_sub(1)
    }

    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Items::I8(_) => "i8",
            Items::I16(_) => "i16",
            Items::I32(_) => "i32",
            Items::I64(_) => "i64",
            Items::U8(_) => "u8",
            Items::U16(_) => "u16",
            Items::U32(_) => "u32",
            Items::U64(_) => "u64",
            Items::RowId(_) => "u128",
            Items::F32(_) => "f32",
            Items::F64(_) => "f64",
            Items::Bool(_) => "bool",
            Items::DateTimeOffset(_) => "DateTimeOffset",
            Items::Text(_) => "text",
        }
    }

    /// Returns whether the items are the same to the bit.
    pub(crate) fn is_identical(&self, other: &Items) -> bool {
        match (self, other) {
            (Items::F32(mine), Items::F32(theirs)) => {
                mine.iter().map(|item| item.to_bits()).eq(theirs.iter().map(|item| item.to_bits()))
            }
            (Items::F64(mine), Items::F64(theirs)) => {
                mine.iter().map(|item| item.to_bits()).eq(theirs.iter().map(|item| item.to_bits()))
            }
            (mine, theirs) => mine == theirs,
        }
    }

    /// Returns whether some items are the same to the bit as others of the same type.
    pub(crate) fn are_same_bits(&self, range: Range<usize>, other: &Items, other_range: Range<usize>) -> bool {
        fn bytes<T: Pod>(items: &[T], range: Range<usize>) -> Option<&[u8]> {
            items.get(range).map(bytemuck::cast_slice)
        }
        macro_rules! same {
            ($mine:ident, $theirs:ident) => {{
                let mine = bytes($mine, range);
                mine.is_some() && mine == bytes($theirs, other_range)
            }};
        }
        match (self, other) {
            (Items::I8(mine), Items::I8(theirs)) => same!(mine, theirs),
            (Items::I16(mine), Items::I16(theirs)) => same!(mine, theirs),
            (Items::I32(mine), Items::I32(theirs)) => same!(mine, theirs),
            (Items::I64(mine), Items::I64(theirs)) => same!(mine, theirs),
            (Items::U8(mine), Items::U8(theirs)) => same!(mine, theirs),
            (Items::U16(mine), Items::U16(theirs)) => same!(mine, theirs),
            (Items::U32(mine), Items::U32(theirs)) => same!(mine, theirs),
            (Items::U64(mine), Items::U64(theirs)) => same!(mine, theirs),
            (Items::RowId(mine), Items::RowId(theirs)) => same!(mine, theirs),
            (Items::F32(mine), Items::F32(theirs)) => same!(mine, theirs),
            (Items::F64(mine), Items::F64(theirs)) => same!(mine, theirs),
            (Items::Bool(mine), Items::Bool(theirs)) => {
                mine.get(range).is_some_and(|mine| theirs.get(other_range) == Some(mine))
            }
            (Items::Text(mine), Items::Text(theirs)) => {
                range.zip(other_range).all(|(mine_at, theirs_at)| mine.get(mine_at) == theirs.get(theirs_at))
            }
            _ => false,
        }
    }

    /// The bytes that an item takes in memory; for a text, without its characters.
    #[doc(hidden)]
    pub fn item_size(&self) -> u64 {
        fn size<T>(_: &[T]) -> u64 {
            size_of::<T>() as u64
        }
        with_items!(self, items => size(items), _texts => 8)
    }

    /// Appends numbers, little-endian.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        macro_rules! extend {
            ($items:ident, $number:ty) => {
                $items.extend(bytes.as_chunks().0.iter().map(|bytes| <$number>::from_le_bytes(*bytes)))
            };
        }
        match self {
            Items::I8(items) => extend!(items, i8),
            Items::I16(items) => extend!(items, i16),
            Items::I32(items) => extend!(items, i32),
            Items::I64(items) => extend!(items, i64),
            Items::U8(items) => extend!(items, u8),
            Items::U16(items) => extend!(items, u16),
            Items::U32(items) => extend!(items, u32),
            Items::U64(items) => extend!(items, u64),
            Items::RowId(items) => extend!(items, u128),
            Items::F32(items) => extend!(items, f32),
            Items::F64(items) => extend!(items, f64),
            Items::Bool(_) | Items::DateTimeOffset(_) | Items::Text(_) => {
                unreachable!("{} are not stored as numbers", self.type_name())
            }
        }
    }

    /// Some of the items.
    pub(crate) fn slice(&self, range: Range<usize>) -> Items {
        match self {
            Items::I8(items) => Items::I8(items[range].to_vec()),
            Items::I16(items) => Items::I16(items[range].to_vec()),
            Items::I32(items) => Items::I32(items[range].to_vec()),
            Items::I64(items) => Items::I64(items[range].to_vec()),
            Items::U8(items) => Items::U8(items[range].to_vec()),
            Items::U16(items) => Items::U16(items[range].to_vec()),
            Items::U32(items) => Items::U32(items[range].to_vec()),
            Items::U64(items) => Items::U64(items[range].to_vec()),
            Items::RowId(items) => Items::RowId(items[range].to_vec()),
            Items::F32(items) => Items::F32(items[range].to_vec()),
            Items::F64(items) => Items::F64(items[range].to_vec()),
            Items::Bool(items) => Items::Bool(items[range].to_vec()),
            Items::DateTimeOffset(items) => Items::DateTimeOffset(items[range].to_vec()),
            Items::Text(texts) => Items::Text(texts.slice(range)),
        }
    }

    pub(crate) fn clear(&mut self) {
        with_items!(self, items => items.clear(), texts => texts.clear());
    }

    pub(crate) fn append(&mut self, more: Items) {
        match (self, more) {
            (Items::I8(mine), Items::I8(more)) => mine.extend(more),
            (Items::I16(mine), Items::I16(more)) => mine.extend(more),
            (Items::I32(mine), Items::I32(more)) => mine.extend(more),
            (Items::I64(mine), Items::I64(more)) => mine.extend(more),
            (Items::U8(mine), Items::U8(more)) => mine.extend(more),
            (Items::U16(mine), Items::U16(more)) => mine.extend(more),
            (Items::U32(mine), Items::U32(more)) => mine.extend(more),
            (Items::U64(mine), Items::U64(more)) => mine.extend(more),
            (Items::RowId(mine), Items::RowId(more)) => mine.extend(more),
            (Items::F32(mine), Items::F32(more)) => mine.extend(more),
            (Items::F64(mine), Items::F64(more)) => mine.extend(more),
            (Items::Bool(mine), Items::Bool(more)) => mine.extend(more),
            (Items::DateTimeOffset(mine), Items::DateTimeOffset(more)) => mine.extend(more),
            (Items::Text(mine), Items::Text(more)) => mine.append(&more),
            (mine, more) => unreachable!("{} and {} in one column", mine.type_name(), more.type_name()),
        }
    }
}

impl Nulls {
    /// Returns whether the number is 0.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether an item is missing, by its place among the stored items.
    pub fn contains(&self, item: usize) -> bool {
        self.words.get(item / 64).is_some_and(|word| word >> (item % 64) & 1 == 1)
    }

    /// The places of the missing items, in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(place, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * place + bit))
    }

    #[doc(hidden)]
    pub fn insert(&mut self, item: usize) {
        while self.words.len() <= item / 64 {
            self.words.push(0);
        }
        let (word, bit) = (&mut self.words[item / 64], 1 << (item % 64));
        self.count += usize::from(*word & bit == 0);
        *word |= bit;
    }

    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.count = 0;
    }
}

/// A Rust type that an array of vectors of items can have.
pub trait DenseItem: Pod + sealed::Sealed {
    /// The type's name.
    const NAME: &'static str;

    /// The items, if they are of this type.
    fn of(items: &Items) -> Option<&[Self]>;

    /// Items of this type.
    fn items(items: Vec<Self>) -> Items;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! dense_items {
    ($($item:ty => $kind:ident),* $(,)?) => {$(
        impl sealed::Sealed for $item {}
        impl DenseItem for $item {
            const NAME: &'static str = stringify!($item);

            fn of(items: &Items) -> Option<&[Self]> {
                if let Items::$kind(items) = items { Some(items) } else { None }
            }

            fn items(items: Vec<Self>) -> Items {
                Items::$kind(items)
            }
        }

        impl From<Vec<$item>> for Items {
            fn from(items: Vec<$item>) -> Self {
                Items::$kind(items)
            }
        }
    )*};
}

dense_items! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64, u128 => RowId,
    f32 => F32, f64 => F64,
}

impl From<Vec<bool>> for Items {
    fn from(items: Vec<bool>) -> Self {
        Items::Bool(items)
    }
}

impl From<Vec<DateTimeOffset>> for Items {
    fn from(items: Vec<DateTimeOffset>) -> Self {
        Items::DateTimeOffset(items)
    }
}

impl From<Texts> for Items {
    fn from(texts: Texts) -> Self {
        Items::Text(texts)
    }
}
