//! A simple decoder for blocks, as a second opinion. It follows the description of the format item by item.

use super::model::{Item, Row};
use flate2::{Decompress, FlushDecompress, Status};
use ndbytes_schemas::idv::{Codec, Compression, Parameters};

/// The last tick of the year 9999.
const LAST_TICK: i64 = 3_155_378_975_999_999_999;

/// The maximum number of bytes to inflate a stream to.
const MOST_INFLATED: usize = 1 << 20;

/// The parameters for decoding a block.
#[derive(Debug, Clone, Copy)]
pub struct Decoder<'c> {
    /// The name of the innermost codec.
    name: &'c str,
    /// The common size of all vectors; 0 if each has its own.
    vectors: Option<i32>,
    /// True if the smallest number of a type means a missing value, as in old files.
    nullable: bool,
}

impl<'c> Decoder<'c> {
    /// Creates a decoder for a valid codec.
    pub fn new(codec: &'c Codec, nullable: bool) -> Self {
        let (items, vectors) = match &codec.parameters {
            // Old files have vectors of any size without axes.
            Parameters::Vector { vector } if vector.dims.is_empty() => (&*vector.item, Some(0)),
            Parameters::Vector { vector } => (&*vector.item, Some(vector.dims.iter().product())),
            _ => (codec, None),
        };
        Decoder { name: innermost(items).name.text().expect("a codec that is in order"), vectors, nullable }
    }

    /// Returns the rows of a block; `None` if the block is invalid.
    pub fn decode(&self, block: &[u8], rows: u64) -> Option<Vec<Row>> {
        let mut block = Block(block);
        let decoded = match self.vectors {
            None => self.items(&mut block, rows)?.into_iter().map(Row::Item).collect(),
            Some(size) => self.vectors(&mut block, size, rows)?,
        };
        block.0.is_empty().then_some(decoded)
    }

    fn vectors(&self, block: &mut Block<'_>, size: i32, rows: u64) -> Option<Vec<Row>> {
        if u64::try_from(block.i32()?) != Ok(rows) {
            return None;
        }
        let declared = block.i32()?;
        if declared < 0 || (size > 0 && declared != size) {
            return None;
        }
        let mut lengths = Vec::new();
        for _ in 0..rows {
            lengths.push(if declared == 0 { block.i32()? } else { declared });
        }
        let mut counts = Vec::new();
        for &length in &lengths {
            let count = block.i32()?;
            if length < 0 || count < -1 || count >= length.max(0) {
                return None;
            }
            counts.push(usize::try_from(count).ok());
        }
        let index_count = u64::try_from(block.i32()?).ok()?;
        if index_count != counts.iter().flatten().map(|&count| count as u64).sum::<u64>() {
            return None;
        }
        let mut places = Vec::new();
        let mut stored = 0;
        for (&length, &count) in lengths.iter().zip(&counts) {
            let mut last = -1;
            let mut indices = Vec::new();
            for _ in 0..count.unwrap_or(0) {
                let index = block.i32()?;
                if index <= last || index >= length {
                    return None;
                }
                last = index;
                indices.push(index as u32);
            }
            places.push(count.map(|_| indices));
            stored += count.map_or(length as u64, |count| count as u64);
        }
        let mut items = self.items(block, stored)?.into_iter();
        let rows = lengths.into_iter().zip(places).map(|(length, indices)| {
            let length = length as usize;
            let stored = indices.as_ref().map_or(length, Vec::len);
            Row::Vector { length, indices, items: items.by_ref().take(stored).collect() }
        });
        Some(rows.collect())
    }

    fn items(&self, block: &mut Block<'_>, count: u64) -> Option<Vec<Item>> {
        match self.name {
            "TextSpan" => return self.texts(block, count),
            "Boolean" => {
                let bytes = block.take(count.div_ceil(8))?;
                return Some(
                    (0..count as usize).map(|item| Item::Bool(bytes[item / 8] >> (item % 8) & 1 == 1)).collect(),
                );
            }
            "DvBool" => {
                let words = block.take(count.div_ceil(16).checked_mul(4)?)?;
                let pair = |item: usize| words[item / 4] >> (2 * (item % 4)) & 3;
                let item = |item: usize| match pair(item) {
                    0 => Some(Item::Bool(false)),
                    1 => Some(Item::Bool(true)),
                    2 => Some(Item::Null),
                    _ => None,
                };
                return (0..count as usize).map(item).collect();
            }
            "DateTimeOffset" | "DvDateTimeZone" => {
                let minutes = block.take(count.checked_mul(2)?)?;
                let ticks = block.take(count.checked_mul(8)?)?;
                let times = minutes.chunks(2).zip(ticks.chunks(8));
                return times.map(|(minutes, ticks)| self.date_time_offset(minutes, ticks)).collect();
            }
            _ => {}
        }
        let width = match self.name {
            "SByte" | "Byte" => 1,
            "Int16" | "UInt16" => 2,
            "Int32" | "UInt32" | "Single" => 4,
            "DataViewRowId" | "RowId" | "UInt128" => 16,
            _ => 8,
        };
        block.take(count.checked_mul(width)?)?.chunks(width as usize).map(|bytes| self.number(bytes)).collect()
    }

    fn number(&self, bytes: &[u8]) -> Option<Item> {
        let number = unsigned(bytes);
        let signed = |width: u32| (number as i128) << (128 - width) >> (128 - width);
        let or_null = |number: i128, least: i64| {
            if self.nullable && number == i128::from(least) { Item::Null } else { Item::Int(number as i64) }
        };
        Some(match self.name {
            "SByte" => or_null(signed(8), i8::MIN.into()),
            "Int16" => or_null(signed(16), i16::MIN.into()),
            "Int32" => or_null(signed(32), i32::MIN.into()),
            "Int64" => or_null(signed(64), i64::MIN),
            "TimeSpan" | "DvTimeSpan" => match or_null(signed(64), i64::MIN) {
                // Numbers in vectors are copied unchanged.
                Item::Int(i64::MIN) if self.vectors.is_none() => Item::Int(0),
                item => item,
            },
            "DateTime" | "DvDateTime" => match or_null(signed(64), i64::MIN) {
                Item::Int(i64::MIN) => Item::Int(0),
                Item::Int(ticks) if !(0..=LAST_TICK).contains(&ticks) => return None,
                item => item,
            },
            "Byte" | "UInt16" | "UInt32" | "UInt64" => Item::Uint(number as u64),
            "Single" => Item::F32(number as u32),
            "Double" => Item::F64(number as u64),
            "DataViewRowId" | "RowId" | "UInt128" => Item::RowId(number),
            other => panic!("{other} is no codec of numbers"),
        })
    }

    fn date_time_offset(&self, minutes: &[u8], ticks: &[u8]) -> Option<Item> {
        let (minutes, ticks) = (unsigned(minutes) as i16, unsigned(ticks) as i64);
        let minutes = if minutes == i16::MIN { 0 } else { minutes };
        if !(-840..=840).contains(&minutes) {
            return None;
        }
        if ticks == i64::MIN && self.nullable {
            return Some(Item::Null);
        }
        // ML.NET treats the smallest number as the first tick, and then converts that to UTC.
        let ticks = if ticks == i64::MIN { 0 } else { ticks };
        let utc = ticks.checked_sub(i64::from(minutes) * 600_000_000)?;
        let in_years = (0..=LAST_TICK).contains(&ticks) && (0..=LAST_TICK).contains(&utc);
        in_years.then_some(Item::DateTimeOffset { ticks, minutes })
    }

    fn texts(&self, block: &mut Block<'_>, count: u64) -> Option<Vec<Item>> {
        if u64::try_from(block.i32()?) != Ok(count) {
            return None;
        }
        let mut ends = Vec::new();
        for _ in 0..count {
            ends.push(block.i32()? as u32);
        }
        let length = block.string_length()?;
        let units: Vec<u16> = std::str::from_utf8(block.take(length)?).ok()?.encode_utf16().collect();
        let mut last = 0;
        let mut texts = Vec::new();
        for end in ends {
            let (missing, end) = (end >> 31 == 1, (end & 0x7FFF_FFFF) as usize);
            if missing && end != last {
                return None;
            }
            let text = units.get(last..end)?;
            texts.push(if missing { Item::Null } else { Item::Text(text.to_vec()) });
            last = end;
        }
        (last == units.len()).then_some(texts)
    }
}

fn innermost(codec: &Codec) -> &Codec {
    match &codec.parameters {
        Parameters::Key { key } => innermost(&key.number),
        Parameters::OldKey { key } => innermost(&key.number),
        _ => codec,
    }
}

fn unsigned(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// The rest of a block.
struct Block<'a>(&'a [u8]);

impl<'a> Block<'a> {
    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn i32(&mut self) -> Option<i32> {
        self.take(4).map(|bytes| unsigned(bytes) as i32)
    }

    /// The length of a .NET string.
    fn string_length(&mut self) -> Option<u64> {
        let mut length = 0;
        for place in 0..5 {
            let byte = self.take(1)?[0];
            length |= u64::from(byte & 0x7F) << (7 * place);
            if byte < 0x80 {
                return (length <= i32::MAX as u64).then_some(length);
            }
        }
        None
    }
}

/// Decompresses a stored block, if it is valid. The outer `None` means that it is too large.
pub fn decompress(stored: &[u8], compression: Compression) -> Option<Option<Vec<u8>>> {
    if compression == Compression::NONE {
        return Some(Some(stored.to_vec()));
    }
    let mut decompress = Decompress::new(compression == Compression::ZLIB);
    let mut inflated = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let (read, made) = (decompress.total_in(), decompress.total_out());
        let status = decompress.decompress(&stored[read as usize..], &mut piece, FlushDecompress::None);
        let fresh = (decompress.total_out() - made) as usize;
        inflated.extend(&piece[..fresh]);
        match status {
            _ if inflated.len() > MOST_INFLATED => return None,
            Ok(Status::StreamEnd) => return Some((decompress.total_in() == stored.len() as u64).then_some(inflated)),
            Ok(_) if fresh > 0 || decompress.total_in() > read => {}
            _ => return Some(None),
        }
    }
}
