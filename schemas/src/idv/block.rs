//! Blocks: the decompressed values of a column, or of an annotation.

use super::codec::Storage;
use super::net_string;
use everybyte::{Bytes, Leb128, Number, Numbers, layout};

/// The values of some rows of a column.
#[layout]
#[brw(little)]
#[br(import { items: Items, rows: u64 })]
pub enum Block {
    /// One vector a row.
    #[br(pre_assert(items.vectors))]
    Vectors {
        /// All vectors.
        #[br(args { storage: items.storage })]
        vectors: Vectors,
    },
    /// One item a row.
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
    /// True if a row is a vector of items rather than one item.
    pub vectors: bool,
    /// The layout of the items.
    pub storage: Storage,
}

/// Items, one after the other.
#[layout]
#[brw(little)]
#[br(import { storage: Storage, count: u64 })]
pub enum Scalars {
    /// One number an item.
    #[br(pre_assert(matches!(storage, Storage::Numbers(_))))]
    Numbers {
        /// The numbers.
        #[layout(payload)]
        #[br(args { number: storage.number(), count })]
        values: Numbers,
    },
    /// One bit an item: item i is bit i mod 8 of byte i / 8, the lowest bit first.
    #[br(pre_assert(storage == Storage::Bits))]
    Bits {
        /// The bits; those after the last item are zero.
        #[layout(payload)]
        #[br(args { number: Number::U8, count: count.div_ceil(8) })]
        bytes: Numbers,
    },
    /// Two bits an item: item i is bits 2 (i mod 16) and the next of word i / 16. 0 is false, 1 is true, 2 is missing.
    #[br(pre_assert(storage == Storage::BitPairs))]
    BitPairs {
        /// The bits; those after the last item are zero.
        #[layout(payload)]
        #[br(args { number: Number::U32, count: count.div_ceil(16) })]
        words: Numbers,
    },
    /// Times with a distance from UTC.
    #[br(pre_assert(storage == Storage::DateTimeOffset))]
    DateTimeOffset {
        /// For each item, the minutes that its clock is ahead of UTC.
        #[layout(payload)]
        #[br(args { number: Number::I16, count })]
        offsets: Numbers,
        /// For each item, the ticks of 100 ns since the year 1 on that clock.
        #[layout(payload)]
        #[br(args { number: Number::I64, count })]
        ticks: Numbers,
    },
    /// Texts, all in one.
    #[br(pre_assert(storage == Storage::Text))]
    Text {
        /// Number of items.
        #[layout(counts = ends)]
        count: i32,
        /// End of each item, in UTF-16 units of the whole text; the highest bit marks a missing item.
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

/// Vectors, the items of all in one.
#[layout]
#[brw(little)]
#[br(import { storage: Storage })]
pub struct Vectors {
    /// Number of vectors.
    #[layout(counts = stored_counts)]
    pub count: i32,
    /// Items of each vector; 0 if vectors differ in length, or are empty.
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
    /// The places of the stored items of all vectors that do not store all.
    #[layout(payload)]
    #[br(args { number: Number::I32, count: u64::try_from(index_count).unwrap_or(0) })]
    pub indices: Numbers,
    /// The stored items of all vectors.
    #[br(args { storage, count: stored_items(size, &lengths, &stored_counts) })]
    pub items: Scalars,
}

impl Storage {
    /// The type of its numbers, if an item is one number.
    fn number(self) -> Number {
        match self {
            Storage::Numbers(number) => number,
            _ => Number::U8,
        }
    }
}

impl Vectors {
    /// The number of items that all vectors store; impossible counts and lengths count as 0.
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
