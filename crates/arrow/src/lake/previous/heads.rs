//! The claims in the heads of a Parquet file, which are checked before anything is decoded.

use super::super::known::OTHER_COLUMNS;
use super::file_bytes::{PARQUET, bytes};
use crate::bounded::page_head::{PageHead, PageKind};
use crate::bounded::thrift::{Item, Structures};
use std::fs::File;

/// The path in a file's metadata: the list of elements of the schema.
const SCHEMA: &[u8] = &[2];

/// The encodings whose decoded values take no more room than their bytes and a position for each value. Values are
/// stored as they are, by dictionary (two codes), in runs, as differences of numbers, with differences of lengths, or
/// with their bytes grouped by position.
const ENCODINGS: [i64; 7] = [0, 2, 3, 5, 6, 8, 9];

/// The maximum number of elements in the schema. Ours has fewer.
const MOST_ELEMENTS: usize = 128;

/// The maximum memory for each byte of the metadata.
const METADATA_MEMORY: u64 = 64;

/// The maximum overhead of a value in bytes: a view, two levels, and a position in a list.
const VALUE_MEMORY: u64 = 24;

/// The approximate size that a value adds to a table.
const VALUE: u64 = 4;

/// The minimum cost of a page.
const PAGE: u64 = 64;

/// Reads the metadata of a file, within `most` bytes of memory.
pub(super) fn metadata(file: &File, length: u64, most: u64) -> Result<(), String> {
    let broken = || "it does not end like a Parquet file: it may be truncated".to_owned();
    let end = length.checked_sub(8).ok_or_else(broken)?;
    let tail = bytes(file, end, 8)?;
    let (count, magic) = tail.split_at(4);
    let count = u64::from(u32::from_le_bytes(count.try_into().map_err(|_| broken())?));
    let start = end.checked_sub(count).filter(|_| magic == PARQUET).ok_or_else(broken)?;
    if count.saturating_mul(METADATA_MEMORY) > most {
        return Err(format!("its metadata has {count} bytes, and its content does not fit into the memory limit"));
    }
    let head = bytes(file, start, count)?;
    let mut elements = 0;
    let mut visit = |path: &[u8], item| {
        if let (SCHEMA, Item::List(count)) = (path, item) {
            elements = count;
        }
    };
    Structures::new(&head).next(&mut visit).ok_or("its metadata is not that of a Parquet file")?;
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
            let head = PageHead::read(rest).ok_or("a page does not begin with a Parquet page header")?;
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

    /// Adds the claims of other heads.
    pub fn join(&mut self, other: Announced) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.values = self.values.saturating_add(other.values);
        self.pages = self.pages.saturating_add(other.pages);
    }

    /// Returns the maximum memory needed to decode them.
    pub fn memory(&self) -> u64 {
        self.bytes.saturating_add(self.values.saturating_mul(VALUE_MEMORY)).saturating_add(self.pages * PAGE)
    }

    /// Returns their total size without compression.
    pub fn size(&self) -> u64 {
        self.bytes.saturating_add(self.values.saturating_mul(VALUE)).saturating_add(self.pages * PAGE)
    }
}
