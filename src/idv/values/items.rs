//! Items of one type.

use super::texts::Texts;
use super::types::ItemType;
use bytemuck::Pod;
use std::ops::Range;

/// Consecutive items of one type.
///
/// ```
/// use ndbytes::idv::Items;
///
/// let keys = Items::from(vec![2_u32, 0, 1]);
/// assert_eq!([keys.category(0), keys.category(1)], [Some(1), None]); // the second category, and a missing key
/// let Items::U32(raw) = keys else { panic!("these are 32-bit numbers") };
/// assert_eq!(raw, [2, 0, 1]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Items {
    /// Signed 8-bit integers.
    I8(Vec<i8>),
    /// Signed 16-bit integers.
    I16(Vec<i16>),
    /// Signed 32-bit integers.
    I32(Vec<i32>),
    /// Signed 64-bit integers, or durations and times in ticks of 100 ns.
    I64(Vec<i64>),
    /// Unsigned 8-bit integers, or keys: 0 is missing, and 1 is the first category.
    U8(Vec<u8>),
    /// Unsigned 16-bit integers, or keys.
    U16(Vec<u16>),
    /// Unsigned 32-bit integers, or keys.
    U32(Vec<u32>),
    /// Unsigned 64-bit integers, or keys.
    U64(Vec<u64>),
    /// Row identifiers.
    RowId(Vec<u128>),
    /// Single-precision numbers.
    F32(Vec<f32>),
    /// Double-precision numbers.
    F64(Vec<f64>),
    /// Booleans.
    Bool(Vec<bool>),
    /// Times with an offset from UTC.
    DateTimeOffset(Vec<DateTimeOffset>),
    /// Texts.
    Text(Texts),
}

/// Runs the same code for a vector of items of any kind except texts.
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
/// A local date and time, with its offset from UTC.
///
/// ```
/// use ndbytes::idv::DateTimeOffset;
///
/// const HOUR: i64 = 36_000_000_000; // ticks
/// let noon = DateTimeOffset { ticks: 12 * HOUR, offset_minutes: 120 };
/// let utc = noon.ticks - i64::from(noon.offset_minutes) * HOUR / 60;
/// assert_eq!(utc, 10 * HOUR);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DateTimeOffset {
    /// The local time, in ticks of 100 ns since the beginning of year 1.
    pub ticks: i64,
    /// The offset from UTC in minutes; positive if the local time is ahead.
    pub offset_minutes: i16,
}

/// The set of missing items.
///
/// ```
/// let trees = ndbytes::idv::open("samples/trees.idv")?;
/// let (items, nulls) = trees.column("Name")?.read()?.into_parts();
/// let present = (0..items.len()).filter(|&item| !nulls.contains(item)).count();
/// assert_eq!(present, 4); // only versions up to 1.1.1.5 can mark a text as missing
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nulls {
    /// One bit per item, up to the last missing one.
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

    /// Returns whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The texts, if the items are texts.
    pub fn texts(&self) -> Option<&Texts> {
        if let Items::Text(texts) = self { Some(texts) } else { None }
    }

    /// The zero-based category of a key, or `None` if it is missing.
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

    /// Returns whether the items are identical, bit for bit.
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

    /// Returns whether a range of items is identical, bit for bit, to another range of the same type.
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

    /// The memory that an item takes, in bytes. The characters of a text are not included.
    #[doc(hidden)]
    pub fn item_size(&self) -> u64 {
        fn size<T>(_: &[T]) -> u64 {
            size_of::<T>() as u64
        }
        with_items!(self, items => size(items), _texts => 8)
    }

    /// Appends little-endian numbers.
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

    /// Returns some of the items.
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
    /// Returns whether there are no missing items.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether an item is missing, given its index among the stored items.
    pub fn contains(&self, item: usize) -> bool {
        self.words.get(item / 64).is_some_and(|word| word >> (item % 64) & 1 == 1)
    }

    /// The indices of the missing items, in increasing order.
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

/// A Rust type for the elements of an array of vectors.
///
/// ```
/// use ndbytes::idv::{DenseItem, Items};
///
/// /// The largest item of a column, if its items are `T`.
/// fn largest<T: DenseItem + Ord>(items: &Items) -> Option<T> {
///     T::of(items)?.iter().copied().max()
/// }
///
/// let items = Items::from(vec![3_i16, 9, 4]);
/// assert_eq!((largest::<i16>(&items), largest::<i32>(&items)), (Some(9), None));
/// ```
pub trait DenseItem: Pod + sealed::Sealed {
    /// The type's name.
    const NAME: &'static str;

    /// The items, if they have this type.
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
