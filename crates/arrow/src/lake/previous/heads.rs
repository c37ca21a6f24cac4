//! The claims in the heads of a Parquet file, before anything is decoded by them.

use super::super::known::OTHER_COLUMNS;
use super::file_bytes::{PARQUET, bytes};
use crate::bounded::page_head::{PageHead, PageKind};
use crate::bounded::thrift::{Item, Structures};
use std::fs::File;

/// The fields of a file's metadata: the list of elements of the schema.
const SCHEMA: &[u8] = &[2];

/// The encodings that take no more room when they are decoded than their bytes and a place for each value. Values are
/// stored as they are, by dictionary (two codes), in runs, as differences of numbers, with differences of lengths, and
/// bytes by their places.
const ENCODINGS: [i64; 7] = [0, 2, 3, 5, 6, 8, 9];

/// The maximum number of elements of the schema. Ours has fewer.
const MOST_ELEMENTS: usize = 128;

/// The maximum memory for each byte of the metadata.
const METADATA_MEMORY: u64 = 64;

/// The maximum memory of a value, beside its bytes: a view, two levels, a place in a list.
const VALUE_MEMORY: u64 = 24;

/// The approximate size that a value adds to a table.
const VALUE: u64 = 4;

/// The minimum cost of a page.
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

/// The claims of pages.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Announced {
    bytes: u64,
    values: u64,
    pages: u64,
}

impl Announced {
    /// Adds the pages of a column.
    pub fn add(&mut self, pages: &[u8]) -> Result<(), String> {
        let mut rest = pages;
        while !rest.is_empty() {
            let head = PageHead::read(rest).ok_or("the head of a page is not that of a Parquet file")?;
            if head.kind != PageKind::Other && !ENCODINGS.contains(&head.encoding) {
                return Err("a page has an encoding that ndbytes does not write".to_owned());
            }
            let length = usize::try_from(head.length.saturating_add(head.stored)).ok();
            rest = length.and_then(|length| rest.get(length..)).ok_or("a page is longer than its column")?;
            self.bytes = self.bytes.saturating_add(head.size);
            self.values = self.values.saturating_add(head.values.into());
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

    /// The maximum memory that they take while they are decoded.
    pub fn memory(&self) -> u64 {
        self.bytes.saturating_add(self.values.saturating_mul(VALUE_MEMORY)).saturating_add(self.pages * PAGE)
    }

    /// The size of all of them, without compression.
    pub fn size(&self) -> u64 {
        self.bytes.saturating_add(self.values.saturating_mul(VALUE)).saturating_add(self.pages * PAGE)
    }
}
