//! What the heads of a Parquet file announce, before anything is decoded by them.

use super::super::known::OTHER_COLUMNS;
use super::thrift::{Item, Structures};
use super::{PARQUET, bytes};
use std::fs::File;

/// The fields of a file's metadata: the list of elements of the schema.
const SCHEMA: &[u8] = &[2];

/// The fields of a page's head.
mod page {
    pub const BYTES: &[u8] = &[2];
    pub const STORED: &[u8] = &[3];
    /// The values of data, of a dictionary, and of data in the second version.
    pub const VALUES: [&[u8]; 3] = [&[5, 1], &[7, 1], &[8, 1]];
    pub const ENCODINGS: [&[u8]; 3] = [&[5, 2], &[7, 2], &[8, 4]];
}

/// The encodings that take no more room when they are decoded than their bytes and a place for each value: as they are, by dictionary
/// (in both spellings), in runs, as differences of numbers, with differences of lengths, and bytes by their places.
const ENCODINGS: [i64; 7] = [0, 2, 3, 5, 6, 8, 9];

/// The most elements of the schema. Ours has fewer.
const MOST_ELEMENTS: usize = 128;

/// What a byte of the metadata becomes in memory, at most.
const METADATA_MEMORY: u64 = 64;

/// What a value takes in memory, beside its bytes, at most: a view, two levels, a place in a list.
const VALUE_MEMORY: u64 = 24;

/// What a value adds to the size of a table, about.
const VALUE: u64 = 4;

/// What a page costs, however small it is.
const PAGE: u64 = 64;

/// Looks at the metadata of a file, within `most` bytes of memory.
pub(super) fn metadata(file: &File, length: u64, most: u64) -> Result<(), String> {
    let broken = || "its end is not that of a Parquet file: it may be cut off".to_owned();
    let end = length.checked_sub(8).ok_or_else(broken)?;
    let tail = bytes(file, end, 8)?;
    let (count, magic) = tail.split_at(4);
    let count = u64::from(u32::from_le_bytes(count.try_into().map_err(|_| broken())?));
    let start = end.checked_sub(count).filter(|_| magic == PARQUET).ok_or_else(broken)?;
    if count.saturating_mul(METADATA_MEMORY) > most {
        return Err(format!("its metadata have {count} bytes, and the memory limit has no room for what is in them"));
    }
    let head = bytes(file, start, count)?;
    let mut elements = 0;
    let mut visit = |path: &[u8], item| {
        if let (SCHEMA, Item::List(count)) = (path, item) {
            elements = count;
        }
    };
    Structures::new(&head).next(&mut visit).ok_or("its metadata are not those of a Parquet file")?;
    match elements <= MOST_ELEMENTS {
        true => Ok(()),
        false => Err(OTHER_COLUMNS.to_owned()),
    }
}

/// What pages announce.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Announced {
    bytes: u64,
    values: u64,
    pages: u64,
}

impl Announced {
    /// Adds the pages of a column.
    pub fn add(&mut self, pages: &[u8]) -> Result<(), String> {
        let mut rest = Structures::new(pages);
        while !rest.bytes.is_empty() {
            let (mut size, mut stored, mut values, mut is_known) = (None, None, 0_u64, true);
            let mut visit = |path: &[u8], item| {
                let Item::Number(number) = item else { return };
                match path {
                    page::BYTES => size = u64::try_from(number).ok(),
                    page::STORED => stored = usize::try_from(number).ok(),
                    path if page::VALUES.contains(&path) => match u64::try_from(number) {
                        Ok(number) => values = values.saturating_add(number),
                        Err(_) => is_known = false,
                    },
                    path if page::ENCODINGS.contains(&path) => is_known &= ENCODINGS.contains(&number),
                    _ => {}
                }
            };
            let read = rest.next(&mut visit);
            let sizes = size.zip(stored).filter(|_| read.is_some());
            let (size, stored) = sizes.ok_or("the head of a page is not that of a Parquet file")?;
            if !is_known {
                return Err("a page has an encoding or a number of values that ndbytes does not write".to_owned());
            }
            rest.bytes = rest.bytes.get(stored..).ok_or("a page is longer than its column")?;
            self.bytes = self.bytes.saturating_add(size);
            self.values = self.values.saturating_add(values);
            self.pages += 1;
        }
        Ok(())
    }

    /// Adds what others announce.
    pub fn join(&mut self, other: Announced) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.values = self.values.saturating_add(other.values);
        self.pages = self.pages.saturating_add(other.pages);
    }

    /// What they take while they are decoded, at most.
    pub fn memory(&self) -> u64 {
        self.bytes.saturating_add(self.values.saturating_mul(VALUE_MEMORY)).saturating_add(self.pages * PAGE)
    }

    /// What all of them come to, without compression.
    pub fn size(&self) -> u64 {
        self.bytes.saturating_add(self.values.saturating_mul(VALUE)).saturating_add(self.pages * PAGE)
    }
}
