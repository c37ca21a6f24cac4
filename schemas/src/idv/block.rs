//! Blocks, which are the decompressed values of a column or annotation.
//!
//! A block does not describe itself. The codec of the column determines its items ([`Items`]), and the tables of the file state how
//! many rows it has. Numbers are kept as positions ([`Numbers`]) rather than lists, so a reader converts them once, directly into
//! their destination.

use super::codec::Storage;
use super::net_string;
use everybyte::{bytes::Bytes, layout, list::Numbers, number::Number, varint::Leb128};

/// The values of some rows of a column.
#[layout]
#[brw(little)]
#[br(import { items: Items, rows: u64 })]
pub enum Block {
    /// One vector per row.
    #[br(pre_assert(items.vectors))]
    Vectors {
        /// All vectors.
        #[br(args { storage: items.storage })]
        vectors: Vectors,
    },
    /// One item per row.
    #[br(pre_assert(!items.vectors))]
    Scalars {
        /// All items.
        #[br(args { storage: items.storage, count: rows })]
        scalars: Scalars,
    },
}

/// The items in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Items {
    /// True if each row is a vector of items instead of one item.
    pub vectors: bool,
    /// The layout of the items.
    pub storage: Storage,
}

/// Items, one after another.
#[layout]
#[brw(little)]
#[br(import { storage: Storage, count: u64 })]
pub enum Scalars {
    /// One number per item.
    #[br(pre_assert(matches!(storage, Storage::Numbers(_))))]
    Numbers {
        /// The numbers.
        #[layout(payload)]
        #[br(args { number: storage.number(), count })]
        values: Numbers,
    },
    /// One bit per item: item i is bit i mod 8 of byte i / 8, lowest bit first.
    #[br(pre_assert(storage == Storage::Bits))]
    Bits {
        /// The bits; those after the last item are zero.
        #[layout(payload)]
        #[br(args { number: Number::U8, count: count.div_ceil(8) })]
        bytes: Numbers,
    },
    /// Two bits per item: item i is bits 2 (i mod 16) and the next one of word i / 16. 0 is false, 1 is true, 2 is
    /// missing.
    #[br(pre_assert(storage == Storage::BitPairs))]
    BitPairs {
        /// The bits; those after the last item are zero.
        #[layout(payload)]
        #[br(args { number: Number::U32, count: count.div_ceil(16) })]
        words: Numbers,
    },
    /// Times with an offset from UTC.
    #[br(pre_assert(storage == Storage::DateTimeOffset))]
    DateTimeOffset {
        /// For each item, its offset from UTC in minutes.
        #[layout(payload)]
        #[br(args { number: Number::I16, count })]
        offsets: Numbers,
        /// For each item, the local time in ticks of 100 ns since the year 1.
        #[layout(payload)]
        #[br(args { number: Number::I64, count })]
        ticks: Numbers,
    },
    /// Texts, stored as a single text.
    #[br(pre_assert(storage == Storage::Text))]
    Text {
        /// Number of items.
        #[layout(counts = ends)]
        count: i32,
        /// The end of each item, in UTF-16 units of the whole text; the highest bit marks a missing item.
        #[layout(payload)]
        #[br(args { number: Number::I32, count: u64::try_from(count).unwrap_or(0) })]
        ends: Numbers,
        /// Bytes of the text.
        #[layout(extent = text)]
        #[br(assert(net_string::ensure_net_length(length, 0).is_ok(), "{} is not a valid length of a .NET string", length.value()))]
        length: Leb128,
        /// The text in UTF-8.
        #[layout(payload)]
        #[br(args { length: length.value() })]
        text: Bytes,
    },
}

/// Vectors, with their items stored together.
#[layout]
#[brw(little)]
#[br(import { storage: Storage })]
pub struct Vectors {
    /// Number of vectors.
    #[layout(counts = stored_counts)]
    pub count: i32,
    /// Items of each vector; 0 if the lengths of vectors differ, or are 0.
    #[layout(payload)]
    pub size: i32,
    /// Items of each vector, if `size` is 0.
    #[layout(payload)]
    #[br(count = if size == 0 { count.max(0) } else { 0 })]
    pub lengths: Vec<i32>,
    /// Stored items of each vector, which have indices; -1 if all items are stored, without indices.
    #[layout(payload)]
    #[br(count = count.max(0))]
    pub stored_counts: Vec<i32>,
    /// Number of indices.
    #[layout(counts = indices)]
    pub index_count: i32,
    /// The indices of the stored items of all sparse vectors.
    #[layout(payload)]
    #[br(args { number: Number::I32, count: u64::try_from(index_count).unwrap_or(0) })]
    pub indices: Numbers,
    /// The stored items of all vectors.
    #[br(args { storage, count: stored_items(size, &lengths, &stored_counts) })]
    pub items: Scalars,
}

impl Storage {
    /// The type of the numbers, if an item is a single number.
    fn number(self) -> Number {
        match self {
            Storage::Numbers(number) => number,
            _ => Number::U8,
        }
    }
}

impl Vectors {
    /// The total number of items that the vectors store. Invalid counts and lengths are treated as 0.
    pub fn stored_items(&self) -> u64 {
        stored_items(self.size, &self.lengths, &self.stored_counts)
    }
}

fn stored_items(size: i32, lengths: &[i32], stored_counts: &[i32]) -> u64 {
    let known = |number: i32| u64::try_from(number).unwrap_or(0);
    if size == 0 {
        let stored = |(&length, &count): (&i32, &i32)| known(if count == -1 { length } else { count });
        return lengths.iter().zip(stored_counts).map(stored).sum();
    }
    stored_counts.iter().map(|&count| known(if count == -1 { size } else { count })).sum()
}
