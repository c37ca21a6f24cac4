//! Converts blocks to rows, and rows to blocks.
//!
//! Blocks store fields in columns, but changes are about rows. Rows are also an intermediate form, since blocks with
//! different codecs or numbers of rows can be made from the same rows.

use super::assemble::bytes_of;
use binrw::args;
use everybyte::{Endian, Source, list::Numbers, trace::read_next, varint::Leb128};
use ndbytes_schemas::idv::{Block, Items, Scalars, Storage, Vectors};

/// The maximum number of items in a block that is decoded.
pub(super) const MOST_ITEMS: u64 = 64 << 10;

/// One row of a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Row {
    Item(Item),
    /// A vector: its length, the indices of its stored items unless it stores all, and the items.
    Vector {
        length: u32,
        indices: Option<Vec<u32>>,
        items: Vec<Item>,
    },
}

/// One stored item.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// A number, in the lowest bits, or the bits of a boolean.
    Number(u128),
    /// A time: its offset from UTC in minutes, and its ticks.
    Time(i16, i64),
    /// A text in UTF-16 units; `None` if it is missing.
    Text(Option<Vec<u16>>),
}

/// The fields of a block; any of them may be wrong.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    pub shape: Option<Shape>,
    pub storage: Storage,
    pub items: Vec<Item>,
}

/// The numbers that divide items into vectors.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    pub count: i32,
    pub size: i32,
    pub lengths: Vec<i32>,
    pub stored: Vec<i32>,
    pub index_count: i32,
    pub indices: Vec<i32>,
}

impl Item {
    /// Returns the default item of a storage.
    pub fn zero(storage: Storage) -> Self {
        match storage {
            Storage::Numbers(_) | Storage::Bits | Storage::BitPairs => Item::Number(0),
            Storage::DateTimeOffset => Item::Time(0, 0),
            Storage::Text => Item::Text(Some(Vec::new())),
        }
    }
}

impl Row {
    /// The items that are stored.
    pub fn items(&self) -> &[Item] {
        match self {
            Row::Item(item) => std::slice::from_ref(item),
            Row::Vector { items, .. } => items,
        }
    }

    /// Returns the stored items.
    pub fn items_mut(&mut self) -> &mut [Item] {
        match self {
            Row::Item(item) => std::slice::from_mut(item),
            Row::Vector { items, .. } => items,
        }
    }

    /// Truncates the row to this number of items, or extends it with defaults.
    pub fn resized(mut self, to: u32, storage: Storage) -> Self {
        if let Row::Vector { length, indices, items } = &mut self {
            match indices {
                Some(places) => {
                    let kept = places.iter().filter(|&&place| place < to).count();
                    places.truncate(kept);
                    items.truncate(kept);
                    if kept as u64 >= u64::from(to) {
                        *indices = None;
                    }
                }
                None => {
                    items.truncate(to as usize);
                    let missing = (to as usize).saturating_sub(items.len());
                    items.extend(std::iter::repeat_n(Item::zero(storage), missing));
                }
            }
            *length = to;
        }
        self
    }
}

/// Returns the rows of a block; `None` if its content is not valid.
pub(super) fn decode(bytes: &[u8], items: Items, rows: u64) -> Option<Vec<Row>> {
    let mut source = Source::new(bytes);
    let block = read_next::<Block>(&mut source, Endian::Little, args! { items, rows }).ok()?;
    if source.position() != bytes.len() as u64 || rows > MOST_ITEMS {
        return None;
    }
    match block {
        Block::Scalars { scalars } => Some(self::items(bytes, &scalars, rows)?.into_iter().map(Row::Item).collect()),
        Block::Vectors { vectors } => self::vectors(bytes, &vectors, rows),
    }
}

fn vectors(bytes: &[u8], vectors: &Vectors, rows: u64) -> Option<Vec<Row>> {
    if u64::try_from(vectors.count) != Ok(rows) || vectors.size < 0 {
        return None;
    }
    let count = vectors.stored_items();
    let mut items = self::items(bytes, &vectors.items, count)?.into_iter();
    let mut indices = numbers(bytes, &vectors.indices).map(|index| index as u32);
    let mut all = Vec::new();
    for (row, &stored) in vectors.stored_counts.iter().enumerate() {
        let length = if vectors.size > 0 { vectors.size } else { *vectors.lengths.get(row)? };
        let length = u32::try_from(length).ok()?;
        let places: Option<Vec<u32>> = match usize::try_from(stored) {
            Ok(stored) => Some(indices.by_ref().take(stored).collect()),
            Err(_) if stored == -1 => None,
            Err(_) => return None,
        };
        let held = places.as_ref().map_or(length as usize, Vec::len);
        if let Some(places) = &places {
            let increase = places.windows(2).all(|pair| pair[0] < pair[1]);
            if !increase || usize::try_from(stored) != Ok(held) || places.last().is_some_and(|&last| last >= length) {
                return None;
            }
        }
        all.push(Row::Vector { length, indices: places, items: items.by_ref().take(held).collect() });
    }
    Some(all)
}

fn items(bytes: &[u8], scalars: &Scalars, count: u64) -> Option<Vec<Item>> {
    let held = usize::try_from(count).ok().filter(|_| count <= MOST_ITEMS)?;
    Some(match scalars {
        Scalars::Numbers { values } => numbers(bytes, values).map(Item::Number).collect(),
        Scalars::Bits { bytes: packed } => {
            let bits = numbers(bytes, packed).flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1));
            bits.take(held).map(Item::Number).collect()
        }
        Scalars::BitPairs { words } => {
            let pairs = numbers(bytes, words).flat_map(|word| (0..16).map(move |item| word >> (2 * item) & 3));
            pairs.take(held).map(Item::Number).collect()
        }
        Scalars::DateTimeOffset { offsets, ticks } => {
            let times = numbers(bytes, offsets).zip(numbers(bytes, ticks));
            times.map(|(minutes, ticks)| Item::Time(minutes as i16, ticks as i64)).collect()
        }
        Scalars::Text { count: declared, ends, text, .. } => {
            let range = text.range();
            let text = bytes.get(range.start as usize..range.end as usize)?;
            let units: Vec<u16> = std::str::from_utf8(text).ok()?.encode_utf16().collect();
            let mut last = 0;
            let mut texts = Vec::new();
            for end in numbers(bytes, ends) {
                let (is_missing, end) = (end >> 31 & 1 == 1, (end & 0x7FFF_FFFF) as usize);
                let text = units.get(last..end)?;
                texts.push(Item::Text((!is_missing).then(|| text.to_vec())));
                last = end;
            }
            if last != units.len() || u64::try_from(*declared) != Ok(count) {
                return None;
            }
            texts
        }
    })
}

/// Reads little-endian numbers as unsigned ones.
fn numbers(bytes: &[u8], numbers: &Numbers) -> impl Iterator<Item = u128> {
    let range = numbers.range();
    let bytes = bytes.get(range.start as usize..range.end as usize).unwrap_or_default();
    let width = numbers.number.size().max(1) as usize;
    bytes.chunks_exact(width).map(|bytes| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte)))
}

/// Creates a block of some rows. `items` determines whether they are vectors; `size` is the stated size of vectors, or
/// 0 if each states its own.
pub(super) fn encode(rows: &[Row], items: Items, size: u32) -> Vec<u8> {
    Fields::new(rows, items, size).write()
}

impl Fields {
    /// The fields of a block in its normal form.
    pub fn new(rows: &[Row], items: Items, size: u32) -> Self {
        let all = rows.iter().flat_map(|row| row.items().iter().cloned()).collect();
        let shape = items.vectors.then(|| {
            let mut shape = Shape { count: rows.len() as i32, size: size as i32, ..Shape::default() };
            for row in rows {
                let Row::Vector { length, indices, .. } = row else { continue };
                if size == 0 {
                    shape.lengths.push(*length as i32);
                }
                shape.stored.push(indices.as_ref().map_or(-1, |indices| indices.len() as i32));
                shape.indices.extend(indices.iter().flatten().map(|&index| index as i32));
            }
            shape.index_count = shape.indices.len() as i32;
            shape
        });
        Fields { shape, storage: items.storage, items: all }
    }

    /// Returns the bytes of the block.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Some(shape) = &self.shape {
            let Shape { count, size, lengths, stored, index_count, indices } = shape;
            let numbers = [count, size].into_iter().chain(lengths).chain(stored).chain([index_count]).chain(indices);
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(stored_items(&self.items, self.storage));
        bytes
    }
}

fn stored_items(items: &[Item], storage: Storage) -> Vec<u8> {
    let number = |item: &Item| match item {
        Item::Number(number) => *number,
        Item::Time(..) | Item::Text(_) => 0,
    };
    match storage {
        Storage::Numbers(width) => {
            let width = width.size() as usize;
            items.iter().flat_map(|item| number(item).to_le_bytes().into_iter().take(width)).collect()
        }
        Storage::Bits => packed(items.iter().map(number), 1, 8),
        Storage::BitPairs => packed(items.iter().map(number), 2, 32),
        Storage::DateTimeOffset => {
            let time = |item: &Item| if let Item::Time(minutes, ticks) = item { (*minutes, *ticks) } else { (0, 0) };
            let times: Vec<(i16, i64)> = items.iter().map(time).collect();
            let minutes = times.iter().flat_map(|(minutes, _)| minutes.to_le_bytes());
            minutes.chain(times.iter().flat_map(|(_, ticks)| ticks.to_le_bytes())).collect()
        }
        Storage::Text => texts(items),
    }
}

/// Packs numbers of `width` bits each into words of `word` bits.
fn packed(numbers: impl Iterator<Item = u128>, width: usize, word: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (place, number) in numbers.enumerate() {
        let bit = place * width;
        if bit.is_multiple_of(word) {
            bytes.extend(std::iter::repeat_n(0, word / 8));
        }
        if let Some(byte) = bytes.get_mut(bit / 8) {
            *byte |= (number as u8) << (bit % 8);
        }
    }
    bytes
}

fn texts(items: &[Item]) -> Vec<u8> {
    let mut units: Vec<u16> = Vec::new();
    let mut bytes = (items.len() as i32).to_le_bytes().to_vec();
    for item in items {
        let text = if let Item::Text(text) = item { text.as_deref() } else { Some(&[][..]) };
        units.extend(text.unwrap_or_default());
        let mark = if text.is_none() { 1 << 31 } else { 0 };
        bytes.extend((units.len() as u32 | mark).to_le_bytes());
    }
    let text = String::from_utf16_lossy(&units);
    bytes.extend(bytes_of(&Leb128::new(text.len() as u64)));
    bytes.extend(text.as_bytes());
    bytes
}
