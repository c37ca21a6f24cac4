//! Decodes the bytes of a block to values and checks the values.
//!
//! A block is first read by its layout, which yields the position of every list of numbers. Then each list is checked and appended
//! to the values of the column. The layout is cheap: it contains positions, not numbers. The memory for the values is debited
//! before they are appended, based on the number of rows that the tables of the file state. If a block has too few bytes for these
//! rows, it is refused before anything is allocated.
//!
//! Findings that affect only individual values, such as a date after the year 9999, are collected. A finding that makes the rows
//! meaningless is a [`Refusal`] and ends the block.

use super::target::{Content, Target};
use crate::bytes::limits::Debit;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Rule;
use crate::idv::rules;
use crate::idv::values::Values;
use crate::idv::values::items::{DateTimeOffset, Items, Nulls};
use crate::idv::values::texts::Texts;
use crate::idv::values::types::ItemType;
use binrw::args;
use everybyte::{
    Endian,
    bytes::Bytes,
    list::Numbers,
    trace::{read_next, trace},
};
use ndbytes_schemas::idv::{Block, Scalars, net_text};
use std::ops::Range;

/// The last tick of the year 9999.
pub(crate) const LAST_TICK: i64 = 3_155_378_975_999_999_999;

/// The maximum difference between local time and UTC, in minutes.
pub(crate) const MOST_OFFSET_MINUTES: i16 = 14 * 60;

/// The number of ticks in a minute.
pub(crate) const TICKS_PER_MINUTE: i64 = 600_000_000;

/// Parses the layout of a block.
pub(crate) fn parse(content: Content<'_>, target: &Target<'_>) -> Result<(Block, u64), Box<Finding>> {
    let mut source = content.source();
    let Target { stored: items, rows, .. } = *target;
    match read_next::<Block>(&mut source, Endian::Little, args! { items, rows }) {
        Ok(block) => Ok((block, source.position())),
        Err(error) => {
            let message = format!("the block ends before its values do: {}", error.problem);
            Err(Finding::unreadable(&rules::SHORT_BLOCK, &error, message).in_space(content.space).into())
        }
    }
}

/// Appends the values of a block to those of earlier rows and reports findings about them. Their memory is debited.
///
/// # Errors
/// Inner error: the finding that prevents reading the values. Outer error: [`Error::Limit`](crate::error::Error::Limit).
pub(crate) fn decode(
    content: Content<'_>,
    target: &Target<'_>,
    debit: &Debit<'_>,
    values: &mut Values,
    findings: &mut Vec<Finding>,
) -> Result<Result<(), Box<Finding>>> {
    let (block, end) = match parse(content, target) {
        Ok(parsed) => parsed,
        Err(finding) => return Ok(Err(finding)),
    };
    let mut decoder = Decoder { content, target, debit, findings };
    let space_end = content.base + content.bytes.len() as u64;
    if end < space_end {
        let message = format!("the block has {} after its values", crate::findings::words::bytes(space_end - end));
        decoder.find(&rules::EXCESS_BLOCK_BYTES, "", end..space_end, message);
    }
    let first = values.items.len();
    let decoded = match &block {
        Block::Scalars { scalars } => decoder.scalars("scalars", scalars, target.rows, values),
        Block::Vectors { vectors } => decoder.vectors(vectors, values),
    };
    match decoded {
        Ok(()) => {
            values.rows += target.rows as usize;
            decoder.judge_items(&block, first, values);
            Ok(Ok(()))
        }
        Err(Refusal::Finding(finding)) => Ok(Err(finding)),
        Err(Refusal::Limit(error)) => Err(error),
    }
}

/// The reason why values could not be read.
pub(super) enum Refusal {
    Finding(Box<Finding>),
    Limit(crate::error::Error),
}

impl From<crate::error::Error> for Refusal {
    fn from(error: crate::error::Error) -> Self {
        Refusal::Limit(error)
    }
}

/// The decoder of a block.
pub(super) struct Decoder<'a, 'f> {
    pub content: Content<'a>,
    pub target: &'a Target<'a>,
    pub debit: &'a Debit<'a>,
    pub findings: &'f mut Vec<Finding>,
}

impl Decoder<'_, '_> {
    fn finding(&self, rule: &'static Rule, field: &str, bytes: Range<u64>, message: String) -> Finding {
        Finding::new(rule, field, bytes, message).in_space(self.content.space)
    }

    fn find(&mut self, rule: &'static Rule, field: &str, bytes: Range<u64>, message: impl Into<String>) {
        let finding = self.finding(rule, field, bytes, message.into());
        self.findings.push(finding);
    }

    /// A finding about one of the numbers.
    pub fn at(&self, rule: &'static Rule, field: &str, numbers: &Numbers, index: usize, message: String) -> Finding {
        self.finding(rule, &format!("{field}[{index}]"), numbers.place(index as u64), message)
    }

    /// A finding about a field of the block.
    pub fn in_field(&self, rule: &'static Rule, field: &str, message: impl Into<String>) -> Finding {
        let Target { stored: items, rows, .. } = *self.target;
        let (_, block) = trace::<Block>(self.content.source(), Endian::Little, args! { items, rows });
        self.finding(rule, field, 0..0, message.into()).placed_by(&block)
    }

    fn refuse(&self, rule: &'static Rule, field: &str, numbers: &Numbers, index: usize, message: String) -> Refusal {
        Refusal::Finding(self.at(rule, field, numbers, index, message).into())
    }

    pub fn scalars(&mut self, field: &str, scalars: &Scalars, count: u64, values: &mut Values) -> Result<(), Refusal> {
        self.debit.take(count.saturating_mul(values.items.item_size()), "decoded values")?;
        match (scalars, &mut values.items) {
            (Scalars::Numbers { values: numbers }, items) => items.extend(self.content.numbers(numbers)),
            (Scalars::Bits { bytes }, Items::Bool(items)) => self.bits(field, bytes, count as usize, items),
            (Scalars::BitPairs { words }, Items::Bool(items)) => {
                self.bit_pairs(field, words, count as usize, items, &mut values.nulls)?;
            }
            (Scalars::DateTimeOffset { offsets, ticks }, Items::DateTimeOffset(items)) => {
                let offsets =
                    self.content.numbers(offsets).as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes));
                let ticks = self.content.numbers(ticks).as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes));
                let pairs = offsets.zip(ticks);
                items.extend(pairs.map(|(offset_minutes, ticks)| DateTimeOffset { ticks, offset_minutes }));
            }
            (Scalars::Text { count: declared, ends, length, text }, Items::Text(texts)) => {
                if u64::try_from(*declared) != Ok(count) {
                    let message = "the number of texts is not the number of items";
                    let finding = self.in_field(&rules::TEXT_COUNT, &format!("{field}.count"), message);
                    return Err(Refusal::Finding(finding.expected(count).found(declared).into()));
                }
                if length.is_overlong() {
                    let place = text.offset - length.length()..text.offset;
                    let message = "the length of the text is longer than necessary";
                    self.find(&rules::OVERLONG_LEB128, &format!("{field}.length"), place, message);
                }
                self.texts(field, ends, text, texts, &mut values.nulls)?;
            }
            _ => unreachable!("values are made for the codec that the block was read by"),
        }
        Ok(())
    }

    fn bits(&mut self, field: &str, bytes: &Numbers, count: usize, items: &mut Vec<bool>) {
        let bits = self.content.numbers(bytes);
        let (whole, left) = (count / 8, count % 8);
        items.extend(bits[..whole].iter().flat_map(|&byte| std::array::from_fn::<_, 8, _>(|bit| byte >> bit & 1 == 1)));
        if left > 0 {
            let last = bits[whole];
            items.extend((0..left).map(|bit| last >> bit & 1 == 1));
            if last >> left != 0 {
                let message = format!("bits after the last of {count} booleans are set");
                let finding = self.at(&rules::BOOL_PADDING, &format!("{field}.bytes"), bytes, whole, message);
                self.findings.push(finding);
            }
        }
    }

    fn bit_pairs(
        &mut self,
        field: &str,
        words: &Numbers,
        count: usize,
        items: &mut Vec<bool>,
        nulls: &mut Nulls,
    ) -> Result<(), Refusal> {
        let field = format!("{field}.words");
        for (index, word) in self.content.numbers(words).as_chunks().0.iter().enumerate() {
            let word = u32::from_le_bytes(*word);
            let held = (count - 16 * index).min(16);
            for item in 0..held {
                match word >> (2 * item) & 3 {
                    3 => {
                        let message = format!("boolean {} is not false, true or missing", 16 * index + item);
                        return Err(self.refuse(&rules::BOOL_VALUE, &field, words, index, message));
                    }
                    2 => {
                        nulls.insert(items.len());
                        items.push(false);
                    }
                    value => items.push(value == 1),
                }
            }
            if held < 16 && word >> (2 * held) != 0 {
                let message = format!("bits after the last of {count} booleans are set");
                let finding = self.at(&rules::BOOL_PADDING, &field, words, index, message);
                self.findings.push(finding);
            }
        }
        Ok(())
    }

    fn texts(
        &mut self,
        field: &str,
        ends: &Numbers,
        text: &Bytes,
        texts: &mut Texts,
        nulls: &mut Nulls,
    ) -> Result<(), Refusal> {
        let boundaries = self.content.numbers(ends).as_chunks().0;
        let bytes = self.content.bytes(text.range());
        self.debit.take(bytes.len() as u64, "decoded text")?;
        let field_of_ends = format!("{field}.ends");
        let first = texts.len();
        let (mut last, mut missing) = (0, None);
        for (index, end) in boundaries.iter().enumerate() {
            let end = u32::from_le_bytes(*end);
            let boundary = end & i32::MAX as u32;
            if boundary < last {
                let message = format!("text {index} ends at {boundary}, before it begins, at {last}");
                return Err(self.refuse(&rules::TEXT_BOUNDARIES, &field_of_ends, ends, index, message));
            }
            if end != boundary {
                if boundary != last {
                    let message = format!("text {index} is missing, but has a length of {}", boundary - last);
                    return Err(self.refuse(&rules::TEXT_BOUNDARIES, &field_of_ends, ends, index, message));
                }
                nulls.insert(first + index);
                missing.get_or_insert(index);
            }
            last = boundary;
        }
        if let Some(index) = missing.filter(|_| !self.target.nullable) {
            let message = format!("text {index} is marked as missing");
            let finding = self.at(&rules::MISSING_TEXT, &field_of_ends, ends, index, message);
            self.findings.push(finding);
        }
        if bytes.is_ascii() {
            self.ensure_text_ends(bytes.len(), last, &field_of_ends, ends)?;
            texts.extend_ascii(bytes, boundaries);
            return Ok(());
        }
        let lossy = net_text(bytes);
        if let Err(error) = std::str::from_utf8(bytes) {
            let place = text.offset + error.valid_up_to() as u64;
            let length = error.error_len().unwrap_or(bytes.len() - error.valid_up_to()) as u64;
            let message = "the text is not UTF-8 from here on";
            self.find(&rules::BAD_UTF8, &format!("{field}.text"), place..place + length, message);
        }
        let units = lossy.chars().map(char::len_utf16).sum();
        self.ensure_text_ends(units, last, &field_of_ends, ends)?;
        texts.extend_unicode(&lossy, boundaries);
        Ok(())
    }

    /// Refuses a last text that does not end where the text of the whole block does.
    fn ensure_text_ends(&self, units: usize, last: u32, field: &str, ends: &Numbers) -> Result<(), Refusal> {
        if units as u64 == u64::from(last) {
            return Ok(());
        }
        let message = "the last text does not end where the whole text does, in UTF-16 units".into();
        let place = ends.count.checked_sub(1).map_or(ends.range(), |last| ends.place(last));
        let finding = self.finding(&rules::TEXT_BOUNDARIES, field, place, message);
        Err(Refusal::Finding(finding.expected(units).found(last).into()))
    }

    /// Checks the items that the block added, starting with `first`.
    fn judge_items(&mut self, block: &Block, first: usize, values: &mut Values) {
        let (field, scalars) = match block {
            Block::Scalars { scalars } => ("scalars", scalars),
            Block::Vectors { vectors } => ("vectors.items", &vectors.items),
        };
        let nulls = &mut values.nulls;
        match (self.target.column_type.item, &mut values.items, scalars) {
            (ItemType::Key(key), items, Scalars::Numbers { values: numbers }) => {
                let over = match items {
                    Items::U8(keys) => keys[first..].iter().position(|&raw| u64::from(raw) > key.count),
                    Items::U16(keys) => keys[first..].iter().position(|&raw| u64::from(raw) > key.count),
                    Items::U32(keys) => keys[first..].iter().position(|&raw| u64::from(raw) > key.count),
                    Items::U64(keys) => keys[first..].iter().position(|&raw| raw > key.count),
                    _ => None,
                };
                if let Some(index) = over {
                    let found = items.category(first + index).map_or(0, |category| category + 1);
                    let message = "a key is greater than the number of categories".into();
                    let finding = self.at(&rules::KEY_VALUE, &format!("{field}.values"), numbers, index, message);
                    self.findings.push(finding.expected(format!("0 to {}", key.count)).found(found));
                }
            }
            (ItemType::DateTime | ItemType::TimeSpan, Items::I64(ticks), Scalars::Numbers { values: numbers }) => {
                self.judge_ticks(&format!("{field}.values"), &mut ticks[first..], first, numbers, nulls);
            }
            (ItemType::DateTimeOffset, Items::DateTimeOffset(times), Scalars::DateTimeOffset { offsets, ticks }) => {
                self.judge_date_time_offsets(field, &mut times[first..], first, (offsets, ticks), nulls);
            }
            (ItemType::I8, Items::I8(items), _) if self.target.nullable => {
                insert_nulls(nulls, first, &items[first..], i8::MIN);
            }
            (ItemType::I16, Items::I16(items), _) if self.target.nullable => {
                insert_nulls(nulls, first, &items[first..], i16::MIN);
            }
            (ItemType::I32, Items::I32(items), _) if self.target.nullable => {
                insert_nulls(nulls, first, &items[first..], i32::MIN);
            }
            (ItemType::I64, Items::I64(items), _) if self.target.nullable => {
                insert_nulls(nulls, first, &items[first..], i64::MIN);
            }
            _ => {}
        }
    }

    fn judge_ticks(&mut self, field: &str, all: &mut [i64], first: usize, numbers: &Numbers, nulls: &mut Nulls) {
        let target = self.target;
        let is_date = target.column_type.item == ItemType::DateTime;
        let (mut missing, mut wrong) = (None, None);
        for (index, ticks) in all.iter_mut().enumerate() {
            if *ticks == i64::MIN {
                if target.nullable {
                    nulls.insert(first + index);
                } else if is_date || !target.stored.vectors {
                    missing.get_or_insert(index);
                    *ticks = 0;
                }
            } else if is_date && !(0..=LAST_TICK).contains(ticks) {
                wrong.get_or_insert((index, *ticks));
            }
        }
        self.missing_time(field, numbers, missing);
        if let Some((index, ticks)) = wrong {
            let message = "the time is not between the years 1 and 9999".into();
            let finding = self.at(&rules::DATE_TIME, field, numbers, index, message);
            self.findings.push(finding.expected(format!("0 to {LAST_TICK}")).found(ticks));
        }
    }

    fn missing_time(&mut self, field: &str, numbers: &Numbers, missing: Option<usize>) {
        if let Some(index) = missing.filter(|_| !self.target.nullable) {
            let message = "a time has the value that marked missing times in older versions".into();
            self.findings.push(self.at(&rules::MISSING_TIME, field, numbers, index, message));
        }
    }

    fn judge_date_time_offsets(
        &mut self,
        field: &str,
        times: &mut [DateTimeOffset],
        first: usize,
        (offsets, ticks): (&Numbers, &Numbers),
        nulls: &mut Nulls,
    ) {
        let in_years = |ticks: i64| (0..=LAST_TICK).contains(&ticks);
        let (mut missing, mut wrong_zone, mut wrong_time) = (None, None, None);
        let nullable = self.target.nullable;
        for (index, time) in times.iter_mut().enumerate() {
            // Old versions of the format wrote this offset for a missing time.
            if time.offset_minutes == i16::MIN {
                missing.get_or_insert(index);
                time.offset_minutes = 0;
            }
            let minutes = time.offset_minutes;
            if !(-MOST_OFFSET_MINUTES..=MOST_OFFSET_MINUTES).contains(&minutes) {
                wrong_zone.get_or_insert((index, minutes));
            }
            if time.ticks == i64::MIN {
                missing.get_or_insert(index);
                time.ticks = 0;
                if nullable {
                    nulls.insert(first + index);
                }
            }
            if !in_years(time.ticks) || !in_years(time.ticks - i64::from(minutes) * TICKS_PER_MINUTE) {
                wrong_time.get_or_insert((index, time.ticks));
            }
        }
        self.missing_time(&format!("{field}.ticks"), ticks, missing);
        if let Some((index, minutes)) = wrong_zone {
            let message = "the offset from UTC exceeds 14 hours".into();
            let finding = self.at(&rules::TIME_ZONE, &format!("{field}.offsets"), offsets, index, message);
            self.findings.push(finding.expected("-840 to 840").found(minutes));
        }
        if let Some((index, found)) = wrong_time {
            let message = "the time is not between the years 1 and 9999, in local time or in UTC".into();
            let finding = self.at(&rules::DATE_TIME, &format!("{field}.ticks"), ticks, index, message);
            self.findings.push(finding.found(found));
        }
    }
}

fn insert_nulls<T: PartialEq + Copy>(nulls: &mut Nulls, first: usize, items: &[T], null: T) {
    let missing = items.iter().enumerate().filter(|(_, item)| **item == null);
    missing.for_each(|(index, _)| nulls.insert(first + index));
}
