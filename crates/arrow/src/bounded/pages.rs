//! The pages of a column, which are checked before they are unpacked.
//!
//! The `parquet` crate trusts page headers: it allocates what they announce, and some of its codecs unpack more than
//! that. This module therefore implements its `PageReader`. A header is parsed here, its claims are compared with the
//! bytes that are left in the column, the memory is taken from the [budget](super::row_group_budget), and the page is
//! unpacked to exactly the size that it announced.
//!
//! The memory for the values of a page is also bounded. Encodings whose values take more room than their bytes, such as
//! runs, dictionaries and shared prefixes, are measured from their headers before the reader expands them.

use super::delta;
use super::page_head::{LONGEST, PageHead, PageKind, USUAL};
use super::row_group_budget::{Cost, RowGroupBudget};
use crate::error::{Error, Result};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;
use std::sync::Arc;

/// The numbers of encodings whose values take more room than their bytes.
mod encoding {
    pub const PLAIN: i64 = 0;
    pub const PLAIN_DICTIONARY: i64 = 2;
    pub const BIT_PACKED: i64 = 4;
    pub const DELTA_LENGTH_BYTE_ARRAY: i64 = 6;
    pub const DELTA_BYTE_ARRAY: i64 = 7;
    pub const RLE_DICTIONARY: i64 = 8;
}

/// The overhead of a value in bytes: an offset or a view, and two levels.
pub(super) const VALUE: u64 = 24;

/// The pages of a column in a row group.
pub(super) struct Pages<T> {
    source: Arc<T>,
    budget: Arc<RowGroupBudget>,
    codec: Compression,
    column: Column,
    /// The position of the next page, and the end of the last one.
    place: u64,
    end: u64,
    /// The header of the next page, if it was already parsed.
    head: Option<PageHead>,
    /// The dictionary, until the reader requests it.
    dictionary: Option<Page>,
    /// The length in bytes of the longest entry of the dictionary.
    longest: u64,
    /// The memory of the page that is being read, in bytes.
    current: Cost,
}

/// What is known about a column.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// Its name in messages.
    pub name: String,
    pub is_text: bool,
    /// The length of a value in bytes, if all values have the same length.
    pub width: u64,
    pub definition: u64,
    pub repetition: u64,
}

impl Column {
    /// Describes a column of the row group with this number.
    pub fn of(chunk: &ColumnChunkMetaData, group: usize) -> Self {
        let description = chunk.column_descr();
        let width = match description.physical_type() {
            Type::BOOLEAN => 1,
            Type::INT32 | Type::FLOAT => 4,
            Type::INT64 | Type::DOUBLE => 8,
            // Times become 8 bytes, but they are read as 12.
            Type::INT96 => 16,
            Type::BYTE_ARRAY => 0,
            Type::FIXED_LEN_BYTE_ARRAY => u64::try_from(description.type_length()).unwrap_or(u64::MAX),
        };
        let level = |level: i16| u64::try_from(level).unwrap_or(0);
        Column {
            name: format!("row group {group} of the column {:?}", description.path().string()),
            is_text: description.physical_type() == Type::BYTE_ARRAY,
            width,
            definition: level(description.max_def_level()),
            repetition: level(description.max_rep_level()),
        }
    }

    /// Returns the memory in bytes of a value that is not a separate string in a page.
    pub fn value(&self, longest: u64) -> u64 {
        let bytes = if self.is_text { longest } else { self.width };
        bytes.saturating_add(VALUE)
    }
}

impl<T: ChunkReader> Pages<T> {
    /// Opens the pages of a column. Dictionaries of strings are read immediately, because their longest entry determines how many
    /// rows are read at once.
    pub fn new(source: Arc<T>, budget: Arc<RowGroupBudget>, chunk: &ColumnChunkMetaData, group: usize) -> Result<Self> {
        let column = Column::of(chunk, group);
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let end = u64::try_from(start).ok().zip(u64::try_from(chunk.compressed_size()).ok());
        let end = end.and_then(|(start, length)| Some((start, start.checked_add(length)?)));
        let length = source.len();
        let Some((place, end)) = end.filter(|(_, end)| *end <= length) else {
            let name = column.name;
            return Err(Error::Broken(format!(
                "{name} begins at {start} and ends after the {length} bytes of the file"
            )));
        };
        let mut pages = Pages {
            source,
            budget,
            codec: chunk.compression(),
            column,
            place,
            end,
            head: None,
            dictionary: None,
            longest: 0,
            current: Cost::default(),
        };
        if pages.column.is_text && pages.peek()?.is_some_and(|head| head.kind == PageKind::Dictionary) {
            pages.dictionary = pages.next_page()?;
        }
        Ok(pages)
    }

    pub fn column(&self) -> &Column {
        &self.column
    }

    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// Returns the error for the next page.
    fn broken(&self, words: &str) -> Error {
        Error::Broken(format!("{}, the page at byte {}: {words}", self.column.name, self.place))
    }

    fn bytes(&self, place: u64, length: u64) -> Result<Bytes> {
        let length = usize::try_from(length).map_err(|_| self.broken("it is longer than the memory"))?;
        self.source.get_bytes(place, length).map_err(|error| self.broken(&error.to_string()))
    }

    /// Returns the head of the next page, or `None` after the last one. Pages without values are skipped.
    fn peek(&mut self) -> Result<Option<&PageHead>> {
        while self.head.is_none() && self.place < self.end {
            let left = self.end - self.place;
            let mut length = left.min(USUAL);
            let head = loop {
                if let Some(head) = PageHead::read(&self.bytes(self.place, length)?) {
                    break head;
                }
                if length == left.min(LONGEST) {
                    return Err(self.broken("it does not begin with a Parquet page header"));
                }
                length = length.saturating_mul(16).min(left).min(LONGEST);
            };
            if head.stored > left - head.length {
                let words = format!("it claims {} bytes, but only {left} are left in its column", head.stored);
                return Err(self.broken(&words));
            }
            match head.kind {
                PageKind::Other => self.place += head.length + head.stored,
                _ => self.head = Some(head),
            }
        }
        Ok(self.head.as_ref())
    }

    fn next_page(&mut self) -> Result<Option<Page>> {
        if let Some(dictionary) = self.dictionary.take() {
            return Ok(Some(dictionary));
        }
        self.peek()?;
        let Some(head) = self.head.take() else { return Ok(None) };
        let name = &self.column.name;
        super::ensure(head.size, self.budget.left().saturating_add(self.current.page), || format!("a page of {name}"))?;
        let page = self.unpacked(&head)?;
        self.place += head.length + head.stored;
        Ok(Some(page))
    }

    /// Returns the bytes of a page, whose first `before` bytes are not packed.
    fn content(&self, head: &PageHead, before: u64, is_packed: bool) -> Result<Bytes> {
        let stored = self.bytes(self.place + head.length, head.stored)?;
        if !is_packed || self.codec == Compression::UNCOMPRESSED {
            return match head.size == head.stored {
                true => Ok(stored),
                false => {
                    Err(self.broken(&format!("it has {} bytes, not the {} that it claims", head.stored, head.size)))
                }
            };
        }
        let lengths = head.size.checked_sub(before).zip(usize::try_from(before).ok());
        let parts = lengths.and_then(|(size, before)| Some((size, stored.split_at_checked(before)?)));
        let (size, (before, stream)) = parts.ok_or_else(|| self.broken("its levels are longer than the page"))?;
        let size = usize::try_from(size).map_err(|_| self.broken("it is longer than the memory"))?;
        let unpacked = self.budget.unpack(self.codec, before, stream, size);
        Ok(Bytes::from(unpacked.map_err(|error| match error {
            Error::Broken(words) => self.broken(&words),
            error => error,
        })?))
    }

    fn unpacked(&mut self, head: &PageHead) -> Result<Page> {
        let encoding =
            |number: i64| of_number(number).ok_or_else(|| self.broken("its encoding is not defined by Parquet"));
        let (own, num_values) = (encoding(head.encoding)?, head.values);
        Ok(match head.kind {
            PageKind::Dictionary => {
                let buf = self.content(head, 0, true)?;
                self.take_dictionary(head, &buf)?;
                Page::DictionaryPage { buf, num_values, encoding: own, is_sorted: false }
            }
            PageKind::First { definition, repetition } => {
                let (def_level_encoding, rep_level_encoding) = (encoding(definition)?, encoding(repetition)?);
                let buf = self.content(head, 0, true)?;
                let levels = self.levels(head, &buf, [repetition, definition]);
                let levels = levels.ok_or_else(|| self.broken("its levels are longer than the page"))?;
                self.turn(head, &buf[levels..])?;
                Page::DataPage {
                    buf,
                    num_values,
                    encoding: own,
                    def_level_encoding,
                    rep_level_encoding,
                    statistics: None,
                }
            }
            PageKind::Second { nulls, rows, definition, repetition, is_compressed } => {
                let levels = u64::from(definition) + u64::from(repetition);
                let buf = self.content(head, levels, is_compressed)?;
                let values = usize::try_from(levels).ok().and_then(|levels| buf.get(levels..));
                self.turn(head, values.ok_or_else(|| self.broken("its levels are longer than the page"))?)?;
                Page::DataPageV2 {
                    buf,
                    num_values,
                    encoding: own,
                    num_nulls: nulls,
                    num_rows: rows,
                    def_levels_byte_len: definition,
                    rep_levels_byte_len: repetition,
                    is_compressed,
                    statistics: None,
                }
            }
            PageKind::Other => return Err(self.broken("it is not a page of values")),
        })
    }

    /// Checks a dictionary, which is read completely, because the reader allocates as many entries as the head claims.
    fn take_dictionary(&mut self, head: &PageHead, bytes: &[u8]) -> Result<()> {
        let (values, length) = (u64::from(head.values), bytes.len() as u64);
        let least = if self.column.is_text { 4 } else { self.column.width.max(1) };
        if values.saturating_mul(least) > length {
            return Err(self.broken(&format!("{values} entries of a dictionary do not fit into {length} bytes")));
        }
        if self.column.is_text {
            let mut rest = bytes;
            for _ in 0..values {
                let entry = rest.split_first_chunk::<4>().and_then(|(length, rest)| {
                    let length = u32::from_le_bytes(*length);
                    Some((u64::from(length), rest.get(length as usize..)?))
                });
                let (length, after) =
                    entry.ok_or_else(|| self.broken("an entry of the dictionary is longer than it"))?;
                self.longest = self.longest.max(length);
                rest = after;
            }
        }
        // Strings are copied, with an offset each, into buffers that grow to twice their content.
        let needed = if self.column.is_text { length.saturating_mul(2).saturating_add(values * 8) } else { length };
        self.budget.keep(needed, || format!("the dictionary of {}", self.column.name))
    }

    /// Returns the length in bytes of the levels at the beginning of a page of the first version.
    fn levels(&self, head: &PageHead, bytes: &[u8], encodings: [i64; 2]) -> Option<usize> {
        let mut place = 0_usize;
        for (most, number) in [self.column.repetition, self.column.definition].into_iter().zip(encodings) {
            if most == 0 {
                continue;
            }
            let length = if number == encoding::BIT_PACKED {
                let bits = u64::from(u64::BITS - most.leading_zeros());
                usize::try_from((bits * u64::from(head.values)).div_ceil(8)).ok()?
            } else {
                let length = bytes.get(place..)?.first_chunk::<4>()?;
                (u32::from_le_bytes(*length) as usize).checked_add(4)?
            };
            place = place.checked_add(length).filter(|place| *place <= bytes.len())?;
        }
        Some(place)
    }

    /// Takes memory for a page and its values, and releases the memory of the previous page.
    fn turn(&mut self, head: &PageHead, bytes: &[u8]) -> Result<()> {
        let is_repeated = self.column.repetition > 0;
        // The rows of a batch are counted, unless a row is a list.
        let of_each = if is_repeated { u64::from(head.values).saturating_mul(self.column.value(0)) } else { 0 };
        let of_texts = match head.encoding {
            // With these encodings, fixed-width values are also decoded as strings.
            encoding::DELTA_LENGTH_BYTE_ARRAY | encoding::DELTA_BYTE_ARRAY => self.texts(head, bytes)?,
            _ if !self.column.is_text => 0,
            encoding::PLAIN_DICTIONARY | encoding::RLE_DICTIONARY if is_repeated => {
                u64::from(head.values).saturating_mul(self.longest)
            }
            encoding::PLAIN_DICTIONARY | encoding::RLE_DICTIONARY => 0,
            _ => self.texts(head, bytes)?,
        };
        let next = Cost { page: head.size, values: of_each.saturating_add(of_texts) };
        let name = &self.column.name;
        self.budget.turn(next, self.current, || format!("the values of {name}, the page at byte {}", self.place))?;
        self.current = next;
        Ok(())
    }

    /// Returns the length in bytes of the strings of a page. Buffers grow to twice their content.
    fn texts(&self, head: &PageHead, bytes: &[u8]) -> Result<u64> {
        Ok((bytes.len() as u64).saturating_add(self.lengths(head, bytes)?).saturating_mul(2))
    }

    /// Returns by how many bytes the strings of a page exceed the page, since each may share a prefix with the previous one.
    fn lengths(&self, head: &PageHead, bytes: &[u8]) -> Result<u64> {
        let values = u64::from(head.values);
        let announced = |found: Option<u64>| match found {
            Some(count) if count <= values => Ok(count),
            Some(count) => Err(self.broken(&format!("it announces {values} values, and {count} lengths of them"))),
            None => Err(self.broken("the lengths of its texts cannot be read")),
        };
        match head.encoding {
            // A page of nulls has no lengths.
            encoding::DELTA_LENGTH_BYTE_ARRAY | encoding::DELTA_BYTE_ARRAY if bytes.is_empty() => Ok(0),
            encoding::DELTA_LENGTH_BYTE_ARRAY => Ok(announced(delta::count(bytes))?.saturating_mul(4)),
            encoding::DELTA_BYTE_ARRAY => {
                let shared = delta::lengths(bytes);
                let count = announced(shared.as_ref().map(|shared| shared.count))?;
                let (sum, start) = shared.map_or((0, 0), |shared| (shared.sum, shared.bytes));
                announced(delta::count(&bytes[start..]))?;
                Ok(sum.saturating_add(count.saturating_mul(8)))
            }
            _ => Ok(0),
        }
    }

    /// Returns an error of the type that the Parquet reader expects. The error itself is kept in the budget.
    fn refuse<V>(&self, result: Result<V>) -> ParquetResult<V> {
        result.map_err(|error| {
            let words = error.to_string();
            self.budget.refuse(error);
            ParquetError::General(words)
        })
    }
}

/// Returns the encoding with this number.
fn of_number(number: i64) -> Option<Encoding> {
    Some(match number {
        encoding::PLAIN => Encoding::PLAIN,
        encoding::PLAIN_DICTIONARY => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        #[expect(deprecated, reason = "files have it")]
        encoding::BIT_PACKED => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        encoding::DELTA_LENGTH_BYTE_ARRAY => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        encoding::DELTA_BYTE_ARRAY => Encoding::DELTA_BYTE_ARRAY,
        encoding::RLE_DICTIONARY => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => return None,
    })
}

impl<T: ChunkReader> PageReader for Pages<T> {
    fn get_next_page(&mut self) -> ParquetResult<Option<Page>> {
        let page = self.next_page();
        self.refuse(page)
    }

    fn peek_next_page(&mut self) -> ParquetResult<Option<PageMetadata>> {
        if self.dictionary.is_some() {
            return Ok(Some(PageMetadata { num_rows: None, num_levels: None, is_dict: true }));
        }
        let head = self.peek().map(|head| head.cloned());
        Ok(self.refuse(head)?.map(|head| PageMetadata {
            num_rows: match head.kind {
                PageKind::Second { rows, .. } => Some(rows as usize),
                _ => None,
            },
            num_levels: (head.kind != PageKind::Dictionary).then_some(head.values as usize),
            is_dict: head.kind == PageKind::Dictionary,
        }))
    }

    fn skip_next_page(&mut self) -> ParquetResult<()> {
        if self.dictionary.take().is_none() {
            let length = self.peek().map(|head| head.map_or(0, |head| head.length + head.stored));
            self.place += self.refuse(length)?;
            self.head = None;
        }
        Ok(())
    }
}

impl<T: ChunkReader> Iterator for Pages<T> {
    type Item = ParquetResult<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
