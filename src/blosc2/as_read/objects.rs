//! Lists of objects in a store, as python-blosc2 reads them. The chunks of an ObjectArray and the blocks of a BatchArray contain msgpack.

use super::{AsRead, FrameAsRead};
use crate::blosc2::attributes;
use crate::bytes::course::{Step, Stop, demand, each, known, part};
use crate::bytes::limits::{Budget, Debit};
use crate::error::{Error, Result};
use ndbytes_schemas::blosc2::IndexEntry;
use rmpv::Value;

/// The attribute of a BatchArray that lists its batches.
const LIST_OF_BATCHES: &[u8] = b"_batch_array_metadata";

/// The maximum nesting of lists and maps that is examined. The `msgpack` package reads 1,024 levels.
const DEEPEST: usize = 64;

/// The extension for a complex number, and its length in bytes.
const COMPLEX: (u8, usize) = (44, 16);

/// The extensions for sets and NumPy arrays, whose content is not examined.
const NESTED: [u8; 2] = [45, 46];

/// The msgpack extension for a time, and the maximum number of its nanoseconds.
const TIME: (u8, u32) = (0xff, 999_999_999);

/// The packed first item of a list that python-blosc2 reads as a tuple.
const TUPLE: &[u8] = b"\xa9__tuple__";

/// Reads all values of an `ObjectArray` or a `BatchArray`.
pub fn read(reader: &mut AsRead<'_>, frame: &FrameAsRead) -> Step {
    known(frame.metalayer(b"listarray").is_none())?;
    if frame.metalayer(b"vlarray").is_some() {
        return each(0..frame.chunk_count(), |chunk| unpacked(&reader.chunk_bytes(frame, chunk)?).map(|_| ()));
    }
    batches(reader, frame, |_| Ok(()))
}

/// Reads the items of a `BatchArray` if all of them are text. `None` if they are not, or if python-blosc2 does not read them.
///
/// # Errors
/// [`Error::Limit`]; [`Error::Time`].
pub fn texts(file: &[u8], budget: &Budget) -> Result<Option<Vec<String>>> {
    let (mut texts, debit) = (Vec::new(), Debit::new(budget));
    // The texts stay in memory, which bounds the work.
    let mut reader = AsRead::within(file, budget, u64::MAX);
    let outcome = reader.open().and_then(|frame| {
        batches(&mut reader, &frame, |block| {
            unpacked(block)?;
            let items = attributes::value(block, "", budget).map_err(|error| match error {
                Error::NoMsgpack { .. } => Stop::Unknown,
                error => Stop::Failed(error),
            });
            let Value::Array(items) = items? else { return Err(Stop::Refused) };
            for item in items {
                let Value::String(text) = item else { return Err(Stop::Refused) };
                let text = text.into_str().ok_or(Stop::Refused)?;
                debit.take((2 * size_of::<String>() + text.len()) as u64, "the texts of a list")?;
                texts.push(text);
            }
            Ok(())
        })?;
        let listed = lengths(&mut reader, &frame)?;
        let expected = listed.map(|lengths| lengths.iter().map(|&length| i128::from(length)).sum::<i128>());
        demand(expected.is_none_or(|expected| expected == texts.len() as i128))
    });
    match outcome {
        Ok(()) => Ok(Some(texts)),
        Err(Stop::Refused | Stop::Unknown) => Ok(None),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Reads the batches of a `BatchArray`, and hands on the msgpack of each block.
fn batches(reader: &mut AsRead<'_>, frame: &FrameAsRead, mut next: impl FnMut(&[u8]) -> Step) -> Step {
    let meta = frame.metalayer(b"batcharray").ok_or(Stop::Unknown)?;
    let meta = value(&reader.file[meta], reader.budget)?;
    demand(meta.is_map())?;
    let packed = entry(&meta, "serializer").map_or(Some("msgpack"), Value::as_str);
    demand(matches!(packed, Some("msgpack" | "arrow")))?;
    known(packed == Some("msgpack"))?;
    let size = match entry(&meta, "items_per_block") {
        None | Some(Value::Nil) => None,
        Some(size) => Some(size.as_i64().filter(|&size| size > 0).ok_or(Stop::Unknown)?),
    };
    let lengths = lengths(reader, frame)?;
    each(0..frame.chunk_count(), |chunk| {
        reader.lazy_chunk(frame, chunk)?;
        let length = match &lengths {
            Some(lengths) => Some(*lengths.get(chunk as usize).ok_or(Stop::Refused)?),
            None => None,
        };
        batch(reader, frame, chunk, (length, size), &mut next)
    })
}

/// Reads the items of a `Batch`: as many as the list of batches states, in blocks of `size`.
fn batch(
    reader: &mut AsRead<'_>,
    frame: &FrameAsRead,
    chunk: i64,
    (length, size): (Option<i64>, Option<i64>),
    next: &mut impl FnMut(&[u8]) -> Step,
) -> Step {
    demand(length.is_none_or(|length| length >= 0))?;
    let index = frame.entry(chunk)?;
    known(matches!(index, IndexEntry::At(_)))?;
    if length == Some(0) {
        return Ok(());
    }
    let src = reader.stored(frame, index)?;
    let needed = match (length, size) {
        (Some(length), Some(size)) => length / size + i64::from(length % size > 0),
        _ => i64::MAX,
    };
    let debit = Debit::new(reader.budget);
    let mut blocks: Vec<Made> = Vec::new();
    reader.variable_blocks(src, needed, |bytes| {
        debit.take(2 * size_of::<Made>() as u64, "the blocks of a batch")?;
        blocks.push(unpacked(bytes)?);
        next(bytes)
    })?;
    let items: Step<i64> = blocks.iter().map(|block| block.items().ok_or(Stop::Refused)).sum();
    let Some(size) = size else { return items.and_then(|items| demand(length.is_none_or(|length| length <= items))) };
    let length = length.map_or(items, Ok)?;
    demand(needed == i64::MAX || blocks.len() as i64 == needed)?;
    let mut left = length;
    blocks.iter().try_for_each(|block| {
        let here = left.min(size);
        left -= here;
        demand(here == 0 || !matches!(block, Made::Map(_)) && block.items().is_some_and(|items| items >= here))
    })?;
    demand(left == 0)
}

/// `_load_batch_lengths`: the items of each batch; `None` if the attribute does not list them.
fn lengths(reader: &mut AsRead<'_>, frame: &FrameAsRead) -> Step<Option<Vec<i64>>> {
    let mut attributes = frame.attributes.iter();
    let Some(list) = attributes.find(|attribute| attribute.name == LIST_OF_BATCHES) else { return Ok(None) };
    let list = value(&reader.attribute(list)?, reader.budget)?;
    demand(list.is_map())?;
    let Some(Value::Array(lengths)) = entry(&list, "batch_lengths") else { return Ok(None) };
    let whole = |length: &Value| match length {
        Value::Integer(length) => length.as_i64().ok_or(Stop::Refused),
        Value::Boolean(length) => Ok((*length).into()),
        Value::Nil | Value::Array(_) | Value::Map(_) => Err(Stop::Refused),
        _ => Err(Stop::Unknown),
    };
    lengths.iter().map(whole).collect::<Step<Vec<i64>>>().map(Some)
}

/// Returns the value of a key; if the key occurs several times, the last value.
pub fn entry<'v>(map: &'v Value, key: &str) -> Option<&'v Value> {
    map.as_map()?.iter().rev().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
}

/// `_safe_msgpack_unpackb`: unpacks a value that must fill these bytes.
pub fn value(bytes: &[u8], budget: &Budget) -> Step<Value> {
    unpacked(bytes)?;
    attributes::value(bytes, "", budget).map_err(|_| Stop::Unknown)
}

/// The Python type of a value, with its number of items if it has any.
enum Made {
    Text(i64),
    List(i64),
    Map(i64),
    Scalar,
}

impl Made {
    fn items(&self) -> Option<i64> {
        match *self {
            Made::Text(items) | Made::List(items) | Made::Map(items) => Some(items),
            Made::Scalar => None,
        }
    }
}

/// Parses all bytes like the `msgpack` package.
fn unpacked(bytes: &[u8]) -> Step<Made> {
    let mut packed = Packed { bytes, at: 0 };
    let made = packed.value(0)?;
    demand(packed.at == bytes.len() as i64)?;
    Ok(made)
}

/// Bytes, and the number of them that have been read.
struct Packed<'b> {
    bytes: &'b [u8],
    at: i64,
}

impl<'b> Packed<'b> {
    fn take(&mut self, length: i64) -> Step<&'b [u8]> {
        let taken = part(self.bytes, self.at, length)?;
        self.at += length;
        Ok(taken)
    }

    /// Reads a length of `size` bytes.
    fn count(&mut self, size: i64) -> Step<i64> {
        Ok(self.take(size)?.iter().fold(0, |count, &byte| count << 8 | i64::from(byte)))
    }

    /// Reads a value nested in `depth` lists and maps. A value that the package or its safe mode rejects is refused.
    fn value(&mut self, depth: usize) -> Step<Made> {
        known(depth < DEEPEST)?;
        let head = self.take(1)?[0];
        let size = |first: u8| 1_i64 << (head - first);
        match head {
            0xc1 => Err(Stop::Refused),
            0x80..=0x8f => self.map(i64::from(head & 0xf), depth),
            0x90..=0x9f => self.list(i64::from(head & 0xf), depth),
            0xa0..=0xbf => self.text(i64::from(head & 0x1f)),
            0xc4..=0xc6 => {
                let length = self.count(size(0xc4))?;
                self.take(length).map(|_| Made::Text(length))
            }
            0xc7..=0xc9 => {
                let length = self.count(size(0xc7))?;
                self.extension(length)
            }
            0xca | 0xcb => self.take(4 * size(0xca)).map(|_| Made::Scalar),
            0xcc..=0xcf => self.take(size(0xcc)).map(|_| Made::Scalar),
            0xd0..=0xd3 => self.take(size(0xd0)).map(|_| Made::Scalar),
            0xd4..=0xd8 => self.extension(size(0xd4)),
            0xd9..=0xdb => {
                let length = self.count(size(0xd9))?;
                self.text(length)
            }
            0xdc | 0xdd => {
                let count = self.count(2 * size(0xdc))?;
                self.list(count, depth)
            }
            0xde | 0xdf => {
                let count = self.count(2 * size(0xde))?;
                self.map(count, depth)
            }
            _ => Ok(Made::Scalar),
        }
    }

    fn text(&mut self, length: i64) -> Step<Made> {
        let text = str::from_utf8(self.take(length)?).map_err(|_| Stop::Refused)?;
        Ok(Made::Text(text.chars().count() as i64))
    }

    fn list(&mut self, count: i64, depth: usize) -> Step<Made> {
        let is_tuple = count > 0 && self.bytes[self.at as usize..].starts_with(TUPLE);
        (0..count).try_for_each(|_| self.value(depth + 1).map(|_| ()))?;
        Ok(Made::List(count - i64::from(is_tuple)))
    }

    /// Keys are strings or bytes. If a key occurs twice, it counts as one item.
    fn map(&mut self, count: i64, depth: usize) -> Step<Made> {
        (0..count).try_for_each(|_| {
            demand(matches!(self.value(depth + 1)?, Made::Text(_)))?;
            self.value(depth + 1).map(|_| ())
        })?;
        Ok(Made::Map(count))
    }

    fn extension(&mut self, length: i64) -> Step<Made> {
        let (kind, bytes) = (self.take(1)?[0], self.take(length)?);
        known(!NESTED.contains(&kind))?;
        let nanoseconds = match *bytes {
            [_, _, _, _] => Some(0),
            [a, b, c, d, _, _, _, _] => Some(u32::from_be_bytes([a, b, c, d]) >> 2),
            [a, b, c, d, ..] if bytes.len() == 12 => Some(u32::from_be_bytes([a, b, c, d])),
            _ => None,
        };
        let is_time = kind == TIME.0 && nanoseconds.is_some_and(|nanoseconds| nanoseconds <= TIME.1);
        demand(is_time || (kind, bytes.len()) == COMPLEX)?;
        Ok(Made::Scalar)
    }
}
